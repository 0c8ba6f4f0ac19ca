import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { AreaGeometry } from "../area-geometry.ts";
import { FormatError } from "../format-error.ts";
import { type GeoJsonFeature, type GeoJsonSource, readGeoJson, readGeoJsonAreas } from "./geojson.ts";

const SEED = 20261122;
const encoder = new TextEncoder();

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** All that is read of a source, or why it cannot be, and how many of its geometries were read into arrays. */
async function readAll(source: GeoJsonSource): Promise<{ features: unknown[]; areas: number }> {
  const features: unknown[] = [];
  let areas = 0;
  try {
    for await (const { geometry, properties, ...feature } of source) {
      if (geometry instanceof AreaGeometry) areas++;
      const read = geometry instanceof AreaGeometry ? geometry.toGeoJson() : toPlainGeometry(geometry);
      features.push({ ...feature, geometry: read, properties: [...properties] });
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    features.push({ message: error.message, code: error.code, details: error.details });
  }
  return { features, areas };
}

/** A geometry with no members but those that every one has. */
function toPlainGeometry(geometry: GeoJsonFeature["geometry"]): unknown {
  const { type, coordinates, ...others } = (geometry ?? {}) as Record<string, unknown>;
  const known = Object.keys(others).length === 0 || others.crs !== undefined || others.bbox !== undefined;
  return geometry === null || !known ? geometry : { type, coordinates, ...others };
}

async function expectAlike(bytes: Uint8Array, chunk: number): Promise<number> {
  const [fast, slow] = await Promise.all([
    readAll(readGeoJsonAreas(inChunks(bytes, chunk))),
    readAll(readGeoJson(inChunks(bytes, chunk))),
  ]);
  expect(fast.features).toEqual(slow.features);
  return fast.areas;
}

describe("readAreas", () => {
  it("reads what readGeoJson reads, whatever the text looks like and however it is cut", async () => {
    const random = mulberry32(SEED);
    let areas = 0;
    for (let i = 0; i < 400; i++) {
      const text = randomCollection(random);
      areas += await expectAlike(encoder.encode(text), 1 + Math.floor(random() * 400));
    }
    expect(areas).toBeGreaterThan(600);
  });

  it("reports the same faults of damaged texts", async () => {
    const random = mulberry32(SEED + 1);
    const damage = encoder.encode('[]{},:"\\ 0-.e\n\u0000x');
    let areas = 0;
    for (let i = 0; i < 1000; i++) {
      const bytes = encoder.encode(randomCollection(random));
      for (let k = 0; k < 1 + random() * 2; k++) {
        bytes[Math.floor(random() * bytes.length)] =
          random() < 0.1 ? Math.floor(random() * 256) : damage[Math.floor(random() * damage.length)]!;
      }
      areas += await expectAlike(bytes, 1 + Math.floor(random() * 4000));
    }
    expect(areas).toBeGreaterThan(150);
  });

  const ring = "[[0,0],[1,0],[1,1],[0,0]]";
  const polygon = `{"type":"Polygon","coordinates":[${ring}]}`;
  it.each([
    [
      "a foreign member of that name",
      `{"type":"Feature","coordinates":[${ring}],"geometry":null,"properties":{}}`,
    ],
    [
      "a foreign member beside a geometry without coordinates",
      `{"type":"Feature","coordinates":[${ring}],"geometry":{"type":"Polygon","coordinates":null},"properties":{}}`,
    ],
    ["coordinates given twice", `{"type":"Polygon","coordinates":[${ring}],"coordinates":null}`],
    [
      "a geometry given twice",
      `{"type":"Feature","geometry":${polygon},"geometry":${polygon},"properties":{}}`,
    ],
    ["a property given twice", `{"type":"Feature","geometry":${polygon},"properties":{"a":1,"a":2}}`],
    [
      "a geometry within the properties",
      `{"type":"Feature","geometry":null,"properties":{"geometry":${polygon}}}`,
    ],
    ["a name in escapes", `{"type":"Feature","\\u0067eometry":${polygon},"properties":{}}`],
    ["a type that is nested otherwise", `{"type":"MultiPolygon","coordinates":[${ring}]}`],
    ["heights", `{"type":"Polygon","coordinates":[[[0,0,1],[1,0,1],[1,1,1],[0,0,1]]]}`],
    ["a position beyond the poles", `{"type":"Polygon","coordinates":[[[0,0],[1,91],[1,1],[0,0]]]}`],
    ["an empty ring", '{"type":"Polygon","coordinates":[[]]}'],
    ["a ring of one number", '{"type":"Polygon","coordinates":[[[1]]]}'],
    ["a bbox", `{"type":"Polygon","bbox":[0,0,1,1],"coordinates":[${ring}]}`],
    ["a geometry with a crs", `{"type":"Polygon","crs":null,"coordinates":[${ring}]}`],
    [
      "a quote in a string",
      `{"type":"Feature","properties":{"a":"\\"coordinates\\":[["},"geometry":${polygon}}`,
    ],
    ["bytes that are not UTF-8", `{"type":"Feature","properties":{"a":"\u00ff"},"geometry":${polygon}}`],
    ["a zero in front", '{"type":"Polygon","coordinates":[[[00,0],[1,0],[1,1],[0,0]]]}'],
    ["text after the coordinates", `{"type":"Polygon","coordinates":[${ring}]x}`],
    [
      "large integers",
      `{"type":"Feature","id":9007199254740993,"geometry":${polygon},"properties":{"n":1e999}}`,
    ],
  ])("leaves %s to be read as a whole, with the same result", async (what, text) => {
    const bytes = what.includes("not UTF-8") ? encodeLatin1(text) : encoder.encode(text);
    for (const chunk of [7, 1 << 16]) await expectAlike(bytes, chunk);
  });
});

function encodeLatin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** A collection, or lines, of features of many shapes, spaced in many ways. */
function randomCollection(random: () => number): string {
  const below = (count: number): number => Math.floor(random() * count);
  const space = (): string => (below(12) === 0 ? [" ", "\n", "\t", "\r\n", "  "][below(5)]! : "");
  const number = (most: number): string => {
    const value = (random() - 0.5) * 2 * most;
    return [String(value), value.toFixed(below(15)), String(Math.round(value)), "0", "-0.0", "1e-9"][
      below(6)
    ]!;
  };
  const array = (items: readonly string[]): string =>
    `[${space()}${items.join(`${space()},${space()}`)}${space()}]`;
  const list = (count: number, make: () => string): string => array(Array.from({ length: count }, make));
  const most = below(20) === 0 ? 700 : 180;
  const position = (): string =>
    array([number(most), number(most / 2), ...(below(300) === 0 ? [number(9)] : [])]);
  const ring = (): string => list(below(150) === 0 ? 0 : 1 + below(6), position);
  const rings = (): string => list(1 + below(3), ring);
  const geometry = (): string => {
    const kind = below(10);
    if (kind === 0) return "null";
    const [type, coordinates] =
      kind === 1
        ? ["Point", position()]
        : kind < 6
          ? ["Polygon", rings()]
          : ["MultiPolygon", list(1 + below(3), rings)];
    const members = [`"type":"${type}"`, `"coordinates"${space()}:${space()}${coordinates}`];
    if (below(30) === 0) members.push('"bbox":[0,0,1,1]');
    return `{${space()}${(below(2) === 0 ? members : members.reverse()).join(",")}}`;
  };
  const values = [
    '"a\\"b"',
    '"ä€😀"',
    "[1,[2]]",
    '{"coordinates":[[[[1,2]]]]}',
    "null",
    "true",
    "-1.5e3",
    '""',
  ];
  const feature = (): string => {
    const members = [
      '"type":"Feature"',
      `"geometry":${space()}${geometry()}`,
      `"properties":{${below(3) === 0 ? "" : `"p":${values[below(values.length)]!},"q":${below(9)}`}}`,
    ];
    if (below(4) === 0) members.push(`"id":${below(100)}`);
    if (below(9) === 0) members.push(`"more":${values[below(values.length)]!}`);
    return `{${members.sort(() => random() - 0.5).join(`,${space()}`)}}`;
  };
  const features = Array.from({ length: 1 + below(4) }, feature);
  if (below(3) === 0) return features.map((text) => text.replaceAll(/[\r\n]/g, " ")).join("\n");
  return `{"type":"FeatureCollection",${space()}"features":[${features.join(",")}]}`;
}
