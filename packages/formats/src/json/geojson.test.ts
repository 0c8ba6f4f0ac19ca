import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catchFormatError, collectItems, expectCutAlike } from "../../test/reading.ts";
import type { GeoJsonForm } from "../format-reader.ts";
import { unpack } from "../open/gzip.ts";
import { type GeoJsonFeature, readGeoJson } from "./geojson.ts";
import { EXPECTED_FEATURE } from "./json-object.ts";

const SEED = 20261120;
const encoder = new TextEncoder();

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    // A reader may fill one buffer again and again: a chunk must not be kept.
    const length = Math.min(size, bytes.length - at);
    reused.set(bytes.subarray(at, at + length));
    yield reused.subarray(0, length);
    reused.fill(0x7b);
  }
}

interface Read {
  readonly features: GeoJsonFeature[];
  readonly format: GeoJsonForm;
}

async function read(source: string | Uint8Array, chunkSize = 1 << 16, limits?: object): Promise<Read> {
  const bytes = typeof source === "string" ? encoder.encode(source) : source;
  const unpacked = await unpack(inChunks(bytes, chunkSize));
  const reader = readGeoJson(unpacked.bytes, { featureBytes: 1 << 20, depth: 64, ...limits });
  return { features: await collectItems(reader), format: reader.format };
}

const readError = (source: string | Uint8Array, chunkSize?: number, limits?: object) =>
  catchFormatError(read(source, chunkSize, limits));

const square = {
  type: "Polygon",
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
};
const feature = (properties: unknown, more: object = {}) => ({
  type: "Feature",
  properties,
  geometry: square,
  ...more,
});
const collection = (features: readonly unknown[], more: object = {}) =>
  JSON.stringify({ type: "FeatureCollection", ...more, features });

const awkward = [
  feature({ text: 'quote " brace } bracket ] back\\slash \\', features: [1, "x"] }, { id: 7 }),
  feature({ ключ: "værdi 🌍  ", empty: "", nested: { a: [1, { b: "]}" }] } }, { id: "b" }),
  feature(null),
  { ...feature({ n: 1.5e-7, t: true, nothing: null }), geometry: null },
];

describe("readGeoJson", () => {
  it.each([
    ["compact", collection(awkward)],
    ["indented", JSON.stringify(JSON.parse(collection(awkward)), null, 2)],
    ["with a byte order mark", `\ufeff${collection(awkward)}`],
    ["with features before type", `{"features":${JSON.stringify(awkward)},"type":"FeatureCollection"}`],
    ["with an escaped name", collection(awkward).replace('"features":[{"type"', '"\\u0066eatures":[{"type"')],
    ["with other members", collection(awkward, { name: "x]}", bbox: [0, 0, 1, 1], meta: { features: [1] } })],
    ["as lines", awkward.map((each) => JSON.stringify(each)).join("\n")],
    [
      "as lines that end in CR LF, some empty",
      awkward.map((each) => `${JSON.stringify(each)}\r\n\r\n`).join(""),
    ],
    ["as a text sequence", awkward.map((each) => `\x1e${JSON.stringify(each)}\n`).join("")],
  ])("reads the same features %s, wherever the chunks are cut", async (_form, text) => {
    const wanted = awkward.map((each) => JSON.parse(JSON.stringify(each)));
    const bytes = encoder.encode(text);
    const whole = await read(bytes);
    expect(
      whole.features.map(({ id, geometry, properties }) => ({
        id,
        geometry,
        properties: Object.fromEntries(properties),
      })),
    ).toEqual(wanted.map(({ id, geometry, properties }) => ({ id, geometry, properties: properties ?? {} })));
    for (let size = 1; size <= 40; size++)
      expect(await read(bytes, size), `chunks of ${size}`).toEqual(whole);
    expect((await read(gzipSync(bytes), 7)).features).toEqual(whole.features);
    // Each feature's place is where its first byte stands.
    for (const { place } of whole.features) {
      expect(bytes[place.byte!]).toBe(0x7b);
      expect(place.line).toBe(1 + bytes.subarray(0, place.byte).filter((byte) => byte === 0x0a).length);
    }
    expect(whole.features.map(({ place }) => place.feature)).toEqual([1, 2, 3, 4]);
  });

  it("distinguishes the forms and takes a bare geometry or one Feature for a source of one", async () => {
    expect((await read(collection([]))).features).toEqual([]);
    const geometry = await read(JSON.stringify(square));
    expect(geometry.format).toBe("geojson");
    expect(geometry.features[0]).toMatchObject({ geometry: square, id: undefined });
    const one = await read(JSON.stringify(feature({ a: 1 }), null, 1));
    expect(one.format).toBe("geojson");
    expect(one.features[0]!.properties.get("a")).toBe(1);
    expect((await read(`${JSON.stringify(square)}\n${JSON.stringify(feature({}))}`)).format).toBe("ndjson");
    expect((await read(`\x1e${JSON.stringify(square)}\n`)).format).toBe("geojson-seq");
  });

  it("reads a gzip stream of several members", async () => {
    const text = encoder.encode(collection(awkward));
    const packed = Buffer.concat([gzipSync(text.subarray(0, 100)), gzipSync(text.subarray(100))]);
    expect((await read(packed, 11)).features).toEqual((await read(text)).features);
  });

  it("keeps as text the numbers a double cannot hold, and no others", async () => {
    const text = `{"type":"FeatureCollection","features":[{"type":"Feature","id":12345678901234567890,
      "properties":{"code":31071000000123456789,"vast":1e999,"safe":9007199254740991,"half":0.1,"__proto__":1},
      "geometry":null},{"type":"Feature","properties":{"below":-9007199254740993},"geometry":null}]}`;
    const [only, negative] = (await read(text)).features;
    expect([...negative!.properties]).toEqual([["below", "-9007199254740993"]]);
    expect(only!.id).toBe("12345678901234567890");
    expect([...only!.properties]).toEqual([
      ["code", "31071000000123456789"],
      ["vast", "1e999"],
      ["safe", 9007199254740991],
      ["half", 0.1],
      ["__proto__", 1],
    ]);
  });

  it("honours the name in a crs member and refuses what it would have to guess", async () => {
    const named = (name: unknown) => ({ type: "name", properties: { name } });
    const crs = named("urn:ogc:def:crs:EPSG::4674");
    const [only] = (await read(collection([feature({})], { crs }))).features;
    expect(only!.crs).toBe("urn:ogc:def:crs:EPSG::4674");
    expect((await read(JSON.stringify(feature({}, { crs })))).features[0]!.crs).toBe(
      "urn:ogc:def:crs:EPSG::4674",
    );
    expect((await read(collection([feature({}, { crs })]))).features[0]!.crs).toBe(
      "urn:ogc:def:crs:EPSG::4674",
    );

    const link = { type: "link", properties: { href: "x" } };
    for (const bad of [null, link, ["EPSG:4674"], { type: "name" }, named("")]) {
      expect((await readError(collection([feature({})], { crs: bad }))).code).toBe("CRS_UNSUPPORTED");
    }
    const late = `{"type":"FeatureCollection","features":[${JSON.stringify(feature({}))}],"crs":${JSON.stringify(crs)}}`;
    expect((await readError(late)).message).toContain("after its features");
    const other = feature({}, { crs: named("EPSG:3857") });
    expect((await readError(collection([other], { crs }))).message).toContain('names its CRS "EPSG:3857"');
  });

  it.each([
    [
      "",
      "JSON_MALFORMED",
      "line 1, byte 0: the source is empty, expected GeoJSON; was it saved, or downloaded, to its end?",
    ],
    [
      " \n ",
      "JSON_MALFORMED",
      "line 2, byte 3: the source is empty, expected GeoJSON; was it saved, or downloaded, to its end?",
    ],
    ["[1]", "JSON_MALFORMED", 'line 1, byte 1: found "1", expected a feature, which is an object'],
    [
      "[{}]x",
      "GEOJSON_INVALID",
      `feature 1, line 1, byte 1: found an object without members, expected ${EXPECTED_FEATURE}`,
    ],
    [
      "{",
      "JSON_MALFORMED",
      "line 1, byte 1: the source ends here, expected the rest of the object, which begins at line 1, byte 0",
    ],
    ['{"type":"Feature"}x', "JSON_MALFORMED", 'line 1, byte 18: found "x", expected a GeoJSON object'],
    [
      '{"type":"Feature"}{',
      "JSON_MALFORMED",
      'line 1, byte 18: found "{", expected a new line before the next object',
    ],
    ["{type:1}", "JSON_MALFORMED", 'line 1, byte 1: found "t", expected a member name in double quotes'],
    ['{"type" 1}', "JSON_MALFORMED", 'line 1, byte 8: found "1", expected ":" after a member name'],
    ['{"a":"x" "b"}', "JSON_MALFORMED", 'line 1, byte 9: found "\\"", expected "," or "}"'],
    [
      '{"a":tru,"type":1}',
      "JSON_MALFORMED",
      'feature 1, line 1, byte 5: found "tru,\\"type\\":1", expected a JSON value',
    ],
    [
      '{"type":"Topology","objects":{}}',
      "GEOJSON_INVALID",
      'feature 1, line 1, byte 0: found the type "Topology", expected the type "Feature" or of a geometry',
    ],
    [
      '{"features":{}}',
      "JSON_MALFORMED",
      'line 1, byte 12: found "{", expected an array, the value of "features"',
    ],
    [
      '{"type":"Topology","features":[',
      "GEOJSON_INVALID",
      'line 1, byte 0: found the type "Topology", expected the type "FeatureCollection" beside "features"',
    ],
    [
      '{"features":[]}',
      "GEOJSON_INVALID",
      'line 1, byte 13: found no type, expected the type "FeatureCollection" beside "features"',
    ],
    [
      '{"features":[null]}',
      "JSON_MALFORMED",
      'line 1, byte 13: found "n", expected a feature, which is an object',
    ],
    [
      '{"features":[{"type":"Feature"},]}',
      "JSON_MALFORMED",
      'line 1, byte 32: found "]", expected a feature, which is an object',
    ],
    [
      '{"features":[{"type":"Feature"}{',
      "JSON_MALFORMED",
      'line 1, byte 31: found "{", expected "," or "]" after a feature',
    ],
    [
      '{"features":[{"type":"feature","geometry":null}]}',
      "GEOJSON_INVALID",
      'feature 1, line 1, byte 13: found the type "feature", expected the type "Feature"',
    ],
    [
      '{"a":1,"b":2}',
      "GEOJSON_INVALID",
      `feature 1, line 1, byte 0: found an object with the members a, b, expected ${EXPECTED_FEATURE}`,
    ],
    [
      '{"features":[{"type":"Polygon"}]}',
      "GEOJSON_INVALID",
      'feature 1, line 1, byte 13: found the type "Polygon", expected the type "Feature"',
    ],
    [
      '{"features":[{"type":"Feature","id":[]}]}',
      "GEOJSON_INVALID",
      "feature 1, line 1, byte 13: found a feature id that is an array, expected a string or a number",
    ],
    [
      '{"features":[{"type":"Feature","properties":[]}]}',
      "GEOJSON_INVALID",
      "feature 1, line 1, byte 13: found properties that are an array, expected an object or null",
    ],
    [
      '{"type":"FeatureCollection","features":[],"features":[]}',
      "JSON_MALFORMED",
      'line 1, byte 53: found "[", expected only one member "features"',
    ],
    [
      '{"type":"FeatureCollection","features":[]}\n{}',
      "JSON_MALFORMED",
      'line 2, byte 43: found "{", expected the end of the source after the FeatureCollection',
    ],
    [
      '{"type":"Feature"}\n{"type":"FeatureCollection","features":[]}',
      "JSON_MALFORMED",
      'line 2, byte 58: found "[", expected a feature, not a FeatureCollection, in a sequence',
    ],
    [
      '{"type":"FeatureCollection","features":[],"x":nul}',
      "JSON_MALFORMED",
      'line 1, byte 46: found "nul}", expected a JSON value',
    ],
    [
      '{"features":[{"type":"Feature",\n"a":[1}]}',
      "JSON_MALFORMED",
      'feature 1, line 2, byte 38: found "}]", expected "," or "]"',
    ],
    [
      '{"features":[{"a":"x\ny"}]}',
      "JSON_MALFORMED",
      "feature 1, line 1, byte 20: found the byte 0x0A, expected an escape or the closing quote, because a string cannot contain control characters",
    ],
    [
      '{"features":[{"a":[1,\x1e2]}]}',
      "JSON_MALFORMED",
      "feature 1, line 1, byte 21: found the byte 0x1E, expected no control characters",
    ],
    [
      '{"features":[{"type":"Feature"',
      "JSON_MALFORMED",
      "feature 1, line 1, byte 30: the source ends here, expected the rest of feature 1, which begins at line 1, byte 13",
    ],
    [
      '{"features":[{"type":"Feature",\n"id":1,"\\u0069d":2}]}',
      "JSON_MALFORMED",
      'feature 1, line 2, byte 39: found the member "/id" a second time, expected each member once',
    ],
    [
      '{"type":"Feature","geometry":null,"properties":{"a:":[[1,{"x":1,"x":2}]]}}',
      "JSON_MALFORMED",
      'feature 1, line 1, byte 64: found the member "/properties/a:/0/1/x" a second time, expected each member once',
    ],
    [
      '{"type":"FeatureCollection","crs":null,"crs":{},"features":[]}',
      "JSON_MALFORMED",
      'line 1, byte 39: found the member "/crs" a second time, expected each member once',
    ],
    [
      '{"type":"FeatureCollection","features":[],"type":"x"}',
      "JSON_MALFORMED",
      'line 1, byte 42: found the member "/type" a second time, expected each member once',
    ],
  ])("refuses %j wherever its chunks are cut", async (text, code, message) => {
    for (const size of [1, 2, 3, 5, 64]) {
      const error = await readError(text, size);
      expect([error.code, error.message]).toEqual([code, message]);
    }
  });

  it("takes members of one name in different objects, whatever their values hold", async () => {
    const properties = {
      a: { a: [{ a: 1 }, { a: ":" }] },
      "a:b": [1, { a: 1 }],
      c: [[2, [{ a: null }]]],
      "": {},
    };
    const text = collection([feature(properties), feature(properties)]);
    const { features } = await read(text, 7);
    expect(features.map((each) => Object.fromEntries(each.properties))).toEqual([properties, properties]);
  });

  it("names the byte that is not UTF-8", async () => {
    const bytes = Buffer.from(collection([feature({ a: "x" }), feature({ nome: "São" })]), "latin1");
    const error = await readError(bytes, 10);
    expect(error.code).toBe("TEXT_NOT_UTF8");
    expect(error.message).toContain(
      "the byte 0xE3, which is not valid UTF-8 here, expected UTF-8 (is the source in Latin-1",
    );
    expect(error.details.place).toEqual({ feature: 2, line: 1, byte: bytes.indexOf(0xe3) });
    expect((await readError(Buffer.from([0xef, 0xbb, 0x7b, 0x7d]))).code).toBe("JSON_MALFORMED");
  });

  it("bounds depth and size before they cost anything", async () => {
    const bomb = `{"features":[{"a":${"[".repeat(1_000_000)}`;
    expect((await readError(bomb)).message).toBe(
      "feature 1, line 1, byte 81: nested deeper than the 64 levels allowed",
    );
    const endless = `{"features":[{"a":"${"x".repeat(3_000_000)}`;
    const error = await readError(endless, 1 << 14);
    expect(error.code).toBe("TEXT_TOO_LARGE");
    expect(error.details.place).toEqual({ feature: 1, line: 1, byte: 13 });
    expect((await readError(`{"a":"${"x".repeat(3_000_000)}`, 1 << 14)).code).toBe("TEXT_TOO_LARGE");
    expect((await readError(collection([feature({})]), 16, { featureBytes: 40 })).code).toBe(
      "TEXT_TOO_LARGE",
    );
  });

  it("refuses a truncated or damaged gzip stream, and passes on what the stream itself throws", async () => {
    const packed = gzipSync(collection(awkward));
    expect((await readError(packed.subarray(0, -20))).code).toBe("GZIP_CORRUPT");
    const damaged = Uint8Array.from(packed);
    damaged[40]! ^= 0xff;
    expect((await readError(damaged)).code).toBe("GZIP_CORRUPT");
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield packed.subarray(0, 30);
      throw new RangeError("disk gone");
    }
    const { bytes } = await unpack(broken());
    const first = readGeoJson(bytes)[Symbol.asyncIterator]().next();
    await expect(first).rejects.toThrow(new RangeError("disk gone"));
  });

  it("answers damaged bytes with features or a placed FormatError, the same however they are cut", async () => {
    const base = [
      encoder.encode(collection(awkward, { crs: { type: "name", properties: { name: "EPSG:4326" } } })),
      encoder.encode(awkward.map((each) => `\x1e${JSON.stringify(each)}\n`).join("")),
    ];
    const interesting = [...'{}[]":,\\ntf0-.eE', "\x1e", "\n", "\0", "\xff", "\xc3"].map((c) =>
      c.charCodeAt(0),
    );
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      byte: fc.constantFrom(...interesting),
      kind: fc.constantFrom("replace", "insert", "remove", "truncate"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...base),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, edits, size) => {
          let damaged = [...bytes];
          for (const { at, byte, kind } of edits) {
            const index = Math.floor(at * damaged.length);
            if (kind === "replace") damaged[index] = byte;
            else if (kind === "insert") damaged.splice(index, 0, byte);
            else if (kind === "remove") damaged.splice(index, 1);
            else damaged = damaged.slice(0, Math.max(index, 1));
          }
          await expectCutAlike((chunkSize) => read(Uint8Array.from(damaged), chunkSize), size);
        },
      ),
      { seed: SEED, numRuns: 1500 },
    );
  });
});
