import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../test/local-bytes.ts";
import { toPlainGeometry } from "../../test/reading.ts";
import type { Feature } from "../format-reader.ts";
import type { FormatOptions } from "../open/formats.ts";
import { openStream, openTable } from "../open/open-table.ts";

const SQUARE = [
  [
    [-55, -6],
    [-54.9, -6],
    [-54.9, -5.9],
    [-55, -6],
  ],
];
const POLYGON = { type: "Polygon", coordinates: SQUARE };
const feature = (more: object = {}) => ({
  type: "Feature",
  properties: { a: 1 },
  geometry: POLYGON,
  ...more,
});

async function* cut(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

interface ReadFeature {
  readonly id: unknown;
  readonly geometry: unknown;
  readonly crs: unknown;
  readonly properties: object;
  readonly fault?: unknown;
}

async function readFeatures(opened: ReturnType<typeof openTable>): Promise<ReadFeature[]> {
  const table = await opened;
  const features: ReadFeature[] = [];
  try {
    for await (const { id, geometry, crs, properties, fault } of table.features() as AsyncIterable<Feature>) {
      const of = { id, geometry: toPlainGeometry(geometry), crs, properties: Object.fromEntries(properties) };
      features.push({ ...of, ...(fault !== undefined && { fault }) });
    }
  } finally {
    await table.close();
  }
  return features;
}

const read = (value: unknown, options: FormatOptions = {}) => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return readFeatures(openTable(toLocalFile(Buffer.from(text)), options));
};

describe("an array of features", () => {
  it("is read as a collection, however its bytes are cut", async () => {
    const text = ` [\n${JSON.stringify(feature({ id: "p1" }))} ,${JSON.stringify(feature())}\n]\n`;
    for (const size of [1, 7, 1000]) {
      const features = await readFeatures(openStream(cut(text, size)));
      expect(features.map(({ id, geometry }) => [id, geometry])).toEqual([
        ["p1", POLYGON],
        [undefined, POLYGON],
      ]);
    }
    expect(await read("[]")).toEqual([]);
    await expect(read(`${text}{}`)).rejects.toMatchObject({ code: "JSON_MALFORMED" });
    await expect(read(text.slice(0, -2))).rejects.toMatchObject({ code: "JSON_MALFORMED" });
  });
});

describe("an object that is no feature", () => {
  it.each([
    ["GeoJSON", { geometry: POLYGON }],
    ["GeoJSON as text", { geometry: JSON.stringify(POLYGON) }],
    ["a Feature as text", { geojson: JSON.stringify(feature()) }],
    ["WKT", { wkt: "POLYGON((-55 -6,-54.9 -6,-54.9 -5.9,-55 -6))" }],
    ["WKT under any name", { talhao: "POLYGON((-55 -6,-54.9 -6,-54.9 -5.9,-55 -6))" }],
    [
      "WKB of PostGIS",
      {
        geom:
          "0103000020e61000000100000004000000000000000080" +
          "4bc000000000000018c03333333333734bc000000000000018c03333333333734bc09a999999999917c00000000000804bc000000000000018c0",
      },
    ],
  ])("has the geometry of one of its members: %s", async (_, members) => {
    const [only] = await read({ id: 7, name: "x", ...members });
    expect(only!.geometry).toEqual(POLYGON);
    expect(only!.properties).toEqual({ id: 7, name: "x" });
  });

  it("has the SRID of its text as its CRS, points from numbers, and properties from within", async () => {
    expect((await read({ ewkt: "SRID=4618;POINT(-55 -6)" }))[0]).toMatchObject({
      geometry: { type: "Point", coordinates: [-55, -6] },
      crs: "EPSG:4618",
    });
    expect((await read({ lat: "-6", lon: -55, properties: { b: 1 } }))[0]).toMatchObject({
      geometry: { type: "Point", coordinates: [-55, -6] },
      properties: { b: 1 },
    });
    const [named] = await read({ a: "POINT(1 2)", b: "POINT(3 4)" }, { wkt: "b" });
    expect(named!.geometry).toEqual({ type: "Point", coordinates: [3, 4] });
  });

  it.each([
    ["a geoshape", { boundary: "-6 -55 0 0;-6 -54.9 0 0;-5.9 -54.9 0 4.5;-6 -55 0 0" }, POLYGON, 4.5],
    [
      "a geoshape beside the point of the form",
      {
        "farm/gps": "-6.1 -55.1 120.5 3",
        "farm/boundary": "-6 -55 0 0;-6 -54.9 0 0;-5.9 -54.9 0 0;-6 -55 0 0",
      },
      POLYGON,
      undefined,
    ],
    ["a geopoint", { "farm/gps": "-6.1 -55.1 120.5 3" }, { type: "Point", coordinates: [-55.1, -6.1] }, 3],
    ["two coordinates", { location: "-6.123, -55.456" }, { type: "Point", coordinates: [-55.456, -6.123] }],
    ["degrees", { gps: `6°30'0"S 55°15'0"W` }, { type: "Point", coordinates: [-55.25, -6.5] }],
  ])("is read in the notations of tables: %s", async (_, members, geometry, accuracy?) => {
    const [only] = await read({ id: 7, ...members });
    expect(only).toMatchObject({ geometry, properties: { id: 7 } });
    expect((only!.properties as { gps_accuracy_m?: number }).gps_accuracy_m).toBe(accuracy);
    expect(only!.fault).toBeUndefined();
  });

  it.each([
    "Point 7",
    "Polygon",
    "Curve of the river",
    "00012345678901234567890123456789012345678901234567",
    "00a4f1c09d3b2e7788aa99bbccddeeff00112233",
    "0123456789abcdef0123456789abcdef01234567",
    "12 34; and then",
    "3 4; 5 6; x",
  ])("takes no name, number or checksum for a geometry: %s", async (text) => {
    const [only] = await read({ note: text, lat: -6, lon: -55 });
    expect(only).toMatchObject({ geometry: { type: "Point" }, properties: { note: text } });
    const csv = `note,lat,lon\n"${text}",-6,-55\n`;
    const [ofTable] = await read(csv);
    expect(ofTable).toMatchObject({ geometry: { type: "Point" }, properties: { note: text } });
  });

  it("is a fault where two members hold a geometry, or text that is none", async () => {
    expect((await read({ a: "POINT(1 2)", b: "POINT(3 4)" }))[0]!.fault).toMatchObject({
      message: "found geometries in the members a, b, expected one; name it with --wkt",
    });
    expect((await read({ wkt: "POLYGON((1 2" }, { wkt: "wkt" }))[0]!.fault).toMatchObject({
      message: expect.stringContaining('member "wkt": WKT, character 13'),
    });
    await expect(read({ a: 1 })).rejects.toMatchObject({
      message: expect.stringContaining("found an object with the members a, expected a Feature"),
    });
  });
});

describe("Esri JSON", () => {
  const outer = [
    [-55, -6],
    [-55, -5],
    [-54, -5],
    [-54, -6],
    [-55, -6],
  ];
  const hole = [
    [-54.8, -5.8],
    [-54.6, -5.8],
    [-54.6, -5.6],
    [-54.8, -5.8],
  ];
  const set = (features: readonly object[], more: object = {}) => ({
    objectIdFieldName: "OBJECTID",
    geometryType: "esriGeometryPolygon",
    spatialReference: { wkid: 102100, latestWkid: 3857 },
    features,
    ...more,
  });

  it("is read: rings by what lies in what, ids, attributes and its spatial reference", async () => {
    const other = outer.map(([x, y]) => [x! + 5, y!]);
    const features = await read(
      set([
        { attributes: { OBJECTID: 3, nome: "A" }, geometry: { rings: [hole, outer] } },
        { attributes: { OBJECTID: 4 }, geometry: { rings: [outer, other] } },
        { attributes: { OBJECTID: 5 } },
      ]),
    );
    expect(features[0]).toEqual({
      ...{ id: 3, crs: "EPSG:3857", properties: { OBJECTID: 3, nome: "A" } },
      geometry: { type: "Polygon", coordinates: [outer, hole] },
    });
    expect(features[1]!.geometry).toEqual({ type: "MultiPolygon", coordinates: [[outer], [other]] });
    expect(features[2]!.geometry).toBeNull();
  });

  it("has points and lines, and follows a spatial reference behind the features or in a geometry", async () => {
    const { spatialReference, ...late } = set([
      { attributes: {}, geometry: { x: 1, y: 2, z: 3 } },
      { attributes: {}, geometry: { points: [[1, 2]] } },
      { attributes: {}, geometry: { paths: [outer] } },
      { geometry: { x: 1, y: 2, spatialReference: { wkid: 31982 } } },
    ]);
    const features = await read({ ...late, spatialReference: { wkid: 31982 } });
    expect(features.map(({ geometry }) => (geometry as { type: string }).type)).toEqual([
      "Point",
      "MultiPoint",
      "LineString",
      "Point",
    ]);
    expect(features.map(({ crs }) => crs)).toEqual(Array(4).fill("EPSG:31982"));
  });

  it("is refused where its spatial reference is unknown or features were left out, and a fault where it has curves", async () => {
    await expect(read(set([], { spatialReference: { wkt: "LOCAL_CS" } }))).rejects.toMatchObject({
      code: "CRS_UNSUPPORTED",
    });
    await expect(read(set([], { exceededTransferLimit: true }))).rejects.toMatchObject({
      code: "FILE_DAMAGED",
    });
    const [curved] = await read(set([{ attributes: {}, geometry: { curveRings: [] } }]));
    expect(curved!.fault).toMatchObject({ message: expect.stringContaining("returnTrueCurves=false") });
    const [odd] = await read(set([{ attributes: {}, geometry: { rings: [[[1, null]]] } }]));
    expect(odd!.fault).toMatchObject({ message: expect.stringContaining("found [1,null] in rings") });
  });
});

describe("a CRS that a collection names after its features", () => {
  const crs = (name: string) => ({ type: "name", properties: { name } });
  const late = (count: number, member: unknown) =>
    JSON.stringify({
      type: "FeatureCollection",
      features: Array.from({ length: count }, () =>
        feature({ properties: { crs: "none", pad: "x".repeat(1000) } }),
      ),
      crs: member,
    });

  it.each(["EPSG:4618", "EPSG:3857"])(
    "counts for all of them: %s, of a file, a stream, gzip and UTF-16",
    async (name) => {
      // The longer text does not stay in memory.
      for (const text of [late(3, crs(name)), late(5000, crs(name))]) {
        const bytes = Buffer.from(text);
        const packed = gzipSync(bytes);
        for (const opened of [
          openTable(toLocalFile(bytes)),
          openStream(cut(bytes, 100_000)),
          openTable(toLocalFile(packed)),
          openStream(cut(packed, 1000)),
          openTable(toLocalFile(Buffer.from(`\ufeff${text}`, "utf16le"))),
        ]) {
          const features = await readFeatures(opened);
          expect(new Set(features.map(({ crs }) => crs))).toEqual(new Set([name]));
        }
      }
    },
    60_000,
  );

  it("is found where its name has escapes, and refused where it is no name, or stands farther behind than is looked", async () => {
    const text = late(1, crs("EPSG:4618"));
    const at = text.lastIndexOf('"crs"');
    const escaped = `${text.slice(0, at)}"\\u0063rs"${text.slice(at + 5)}`;
    expect((await read(escaped))[0]!.crs).toBe("EPSG:4618");
    await expect(read(late(1, { type: "link", properties: { href: "x" } }))).rejects.toMatchObject({
      code: "CRS_UNSUPPORTED",
    });
    const far = `${text.slice(0, -1)},"pad":"${"x".repeat(100_000)}"}`;
    await expect(read(far)).rejects.toMatchObject({ message: expect.stringContaining("after its features") });
  });

  it("lets features before a fault through", async () => {
    const text = late(5000, crs("EPSG:4618"));
    const broken = `${text.slice(0, 4_500_000)}!`;
    const table = await openStream(cut(broken, 100_000));
    let count = 0;
    const reading = async () => {
      for await (const _ of table.features()) count++;
    };
    await expect(reading()).rejects.toMatchObject({ code: "JSON_MALFORMED" });
    expect(count).toBeGreaterThan(3000);
    await table.close();
  });
});
