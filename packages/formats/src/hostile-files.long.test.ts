import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { createSharedFolder } from "@groundrule/testing/folder";
import { Builder } from "flatbuffers";
import { describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../test/flatgeobuf-file.ts";
import { encodeGeometryBlob, writeGeoPackage } from "../test/geopackage-file.ts";
import { createParquetByHand, encodeDataPage, encodeThriftStruct, ZSTD } from "../test/parquet-by-hand.ts";
import { SQUARE } from "../test/reading.ts";
import { encodeWkb } from "../test/wkb-encoder.ts";
import { encodeDbf, encodeShpAndShx, type WrittenShape } from "../test/write-shapefile.ts";
import { encodeZip } from "../test/write-zip.ts";

const dir = createSharedFolder().at();

/** Reads a file in a process of its own, which may take 64 MB of heap and a minute. */
function readInChild(
  format: string,
  name: string,
  bytes?: Uint8Array,
): { outcome: string; megabytes: number } {
  const path = join(dir, name);
  if (bytes !== undefined) writeFileSync(path, bytes);
  const script = join(import.meta.dirname, "../test/read-in-child.ts");
  const options = { encoding: "utf8", timeout: 60_000 } as const;
  const output = execFileSync(process.execPath, ["--max-old-space-size=64", script, format, path], options);
  return JSON.parse(output.trim().split("\n").at(-1)!);
}

function expectOutcome(result: ReturnType<typeof readInChild>, outcome: string, megabytes: number): void {
  expect(result.outcome).toBe(outcome);
  expect(result.megabytes).toBeLessThan(megabytes);
}

/** A page of two gigabytes of zeros takes some hundred kilobytes; the limit is 200 times. */
function createParquetBomb(): Uint8Array {
  const zeros = zstdCompressSync(new Uint8Array(2 ** 27), {
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  const page = encodeDataPage(zeros, { values: 2 ** 25, size: 2 ** 27 });
  return createParquetByHand(page, { values: 2n ** 25n, codec: ZSTD });
}

const MEGABYTES_4 = 4 * 2 ** 20;

function writeParquet(metadata: Uint8Array): Uint8Array {
  const footer = Buffer.alloc(8);
  footer.writeUInt32LE(metadata.length);
  footer.write("PAR1", 4);
  return Buffer.concat([Buffer.from("PAR1"), metadata, footer]);
}

/** A structure of one field, a list of items of a byte each. */
function encodeThriftList(field: number, type: number, item: number): Uint8Array {
  const count = [0x80, 0x80, 0x80, 0x02];
  return Buffer.concat([
    Uint8Array.of((field << 4) | 9, 0xf0 | type, ...count),
    Buffer.alloc(MEGABYTES_4, item),
    Uint8Array.of(0),
  ]);
}

/** Metadata of four megabytes whose values take a byte each. */
const SHORT_THRIFT: Readonly<Record<string, () => Uint8Array>> = {
  "metadata of empty columns": () => encodeThriftList(2, 12, 0),
  "metadata of empty row groups": () => encodeThriftList(4, 12, 0),
  "metadata of lists in a list": () => encodeThriftList(9, 9, 0x05),
  "metadata of numbers": () => encodeThriftList(9, 6, 2),
  "metadata of empty texts": () => encodeThriftList(9, 8, 0),
  "metadata of one structure": () => Buffer.concat([Buffer.alloc(MEGABYTES_4, 0x11), Uint8Array.of(0)]),
  "JSON in its metadata": () => {
    const geo = Buffer.from(`{"version":"1.0.0","columns":{"a":[${"{},".repeat(MEGABYTES_4 / 3)}{}]}}`);
    const schema = encodeThriftStruct({ 1: 1, 2: [{ 4: "root", 5: 0 }], 3: 0n, 4: [] }).slice(0, -1);
    const length = [0, 7, 14, 21].map((shift, i) => ((geo.length >> shift) & 0x7f) | (i < 3 ? 0x80 : 0));
    // Its fifth field: a list of one structure, of a key and a value.
    return Buffer.concat([
      Uint8Array.of(...schema, 0x19, 0x1c, 0x18, 3, ...Buffer.from("geo"), 0x18, ...length),
      geo,
      Uint8Array.of(0, 0),
    ]);
  },
};

const FLATGEOBUF = Uint8Array.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1);

/** A thousand columns, whose names of a megabyte each begin a byte apart in one text. */
function createSharedNamesFile(): Uint8Array {
  const [columns, textBytes] = [1_000, 2 ** 20];
  const [headerFields, columnFields, header, vector] = [8, 40, 64, 80];
  const tables = vector + 4 + 4 * columns;
  const texts = tables + 8 * columns;
  const bytes = Buffer.alloc(texts + textBytes + 8 * columns, "a");
  bytes.fill(0, 0, texts);
  bytes.writeUInt32LE(header, 0);
  // Fields by their offsets: of the header its columns, of a column its name.
  for (const [at, field] of [
    [headerFields, 7],
    [columnFields, 0],
  ] as const) {
    bytes.writeUInt16LE(6 + 2 * field, at);
    bytes.writeUInt16LE(8, at + 2);
    bytes.writeUInt16LE(4, at + 4 + 2 * field);
  }
  bytes.writeInt32LE(header - headerFields, header);
  bytes.writeUInt32LE(vector - header - 4, header + 4);
  bytes.writeUInt32LE(columns, vector);
  for (let i = 0; i < columns; i++) {
    const [entry, table, text] = [vector + 4 + 4 * i, tables + 8 * i, texts + 8 * i];
    bytes.writeUInt32LE(table - entry, entry);
    bytes.writeInt32LE(table - columnFields, table);
    bytes.writeUInt32LE(text - table - 4, table + 4);
    // Each byte of the length is a letter of the names before it.
    bytes.writeUInt32LE(textBytes, text);
  }
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([FLATGEOBUF, size, bytes]);
}

/** A collection of a million points without positions: one table, which each of them names. */
function createSharedPartsFile(): Uint8Array {
  const builder = new Builder(2 * MEGABYTES_4);
  builder.startObject(8);
  builder.addFieldInt8(6, 1, 0);
  const point = builder.endObject();
  const count = MEGABYTES_4 / 4;
  builder.startVector(4, count, 4);
  for (let i = 0; i < count; i++) builder.addOffset(point);
  const parts = builder.endVector();
  builder.startObject(8);
  builder.addFieldInt8(6, 7, 0);
  builder.addFieldOffset(7, parts, 0);
  const geometry = builder.endObject();
  builder.startObject(3);
  builder.addFieldOffset(0, geometry, 0);
  builder.finishSizePrefixed(builder.endObject());
  const header = encodeFlatGeobuf({ featureCount: 1 });
  return Buffer.concat([header, builder.asUint8Array()]);
}

function writeKml(coordinates: string): string {
  const ring = `<LinearRing><coordinates>${coordinates}</coordinates></LinearRing>`;
  return `<kml><Placemark><Polygon><outerBoundaryIs>${ring}</outerBoundaryIs></Polygon></Placemark></kml>`;
}

describe("a hostile file, read in a process that may take little memory", () => {
  it.each<[string, string, string, () => Uint8Array]>([
    ["a page that unpacks a thousandfold", "geoparquet", "UNPACKED_TOO_LARGE", createParquetBomb],
    [
      "a page of two thousand million nulls",
      "geoparquet",
      "UNPACKED_TOO_LARGE",
      () =>
        createParquetByHand(
          encodeDataPage([6, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0], { values: 2 ** 31 - 1 }),
          {
            values: 2n ** 31n - 1n,
            optional: true,
          },
        ),
    ],
    [
      "metadata that say they are the file",
      "geoparquet",
      "FILE_DAMAGED",
      () =>
        Buffer.concat([
          new Uint8Array(1 << 20).fill(0x19),
          Uint8Array.of(0, 0, 0x10, 0),
          Buffer.from("PAR1"),
        ]),
    ],
    ...Object.entries(SHORT_THRIFT).map(
      ([name, metadata]) =>
        [name, "geoparquet", "FILE_DAMAGED", () => writeParquet(metadata())] as [
          string,
          string,
          string,
          () => Uint8Array,
        ],
    ),
    ["names of columns that lie upon each other", "flatgeobuf", "FILE_DAMAGED", createSharedNamesFile],
    ["a million parts that are one", "flatgeobuf", "FILE_DAMAGED", createSharedPartsFile],
    [
      "three million empty objects in a feature",
      "geojson",
      "TEXT_TOO_LARGE",
      () =>
        Buffer.from(`{"type":"Feature","geometry":null,"properties":{"a":[${"{},".repeat(3_000_000)}{}]}}`),
    ],
    [
      "a million empty arrays before the features",
      "geojson",
      "TEXT_TOO_LARGE",
      () => Buffer.from(`{"type":"FeatureCollection","a":[${"[],".repeat(1_000_000)}[]],"features":[]}`),
    ],
    [
      "a million positions in four megabytes",
      "kml",
      "read",
      () => Buffer.from(writeKml("1,2 ".repeat(1_000_000))),
    ],
    [
      "an index for more features than there are bytes",
      "flatgeobuf",
      "FILE_DAMAGED",
      () => encodeFlatGeobuf({ featureCount: 2 ** 48, nodeSize: 2 }),
    ],
    [
      "a header that is longer than the file",
      "flatgeobuf",
      "FILE_DAMAGED",
      () => encodeFlatGeobuf({ features: [{ geometry: SQUARE }] }).fill(0xff, 8, 12),
    ],
  ])("with %s", (name, format, outcome, make) => {
    expectOutcome(readInChild(format, name, make()), outcome, 250);
  });

  it.each<[string, number, Uint8Array]>([
    ["parts without positions", 7, Uint8Array.of(1, 2, 0, 0, 0, 0, 0, 0, 0)],
    ["rings of one position", 3, Uint8Array.of(1, 0, 0, 0, ...new Uint8Array(16))],
  ])("with a geometry of four megabytes of %s", (name, type, part) => {
    const count = Math.floor(MEGABYTES_4 / part.length);
    const head = Buffer.alloc(9, 1);
    head.writeUInt32LE(type, 1);
    head.writeUInt32LE(count, 5);
    const blob = Buffer.concat([
      encodeGeometryBlob(SQUARE).subarray(0, 8),
      head,
      Buffer.alloc(count * part.length, part),
    ]);
    const columns = { fid: "INTEGER PRIMARY KEY", geom: "GEOMETRY" };
    writeGeoPackage(join(dir, name), [
      { name: "units", geometryType: "GEOMETRY", columns, rows: [[1, blob]] },
    ]);
    expectOutcome(readInChild("geopackage", name), "FILE_DAMAGED", 150);
  });

  it("with a geometry of more rings than there are bytes, and pages that lie below themselves", () => {
    const wkb = encodeWkb(SQUARE);
    new DataView(wkb.buffer).setUint32(5, 2 ** 31, true);
    const blob = Uint8Array.of(...encodeGeometryBlob(SQUARE).subarray(0, 8), ...wkb);
    const columns = { fid: "INTEGER PRIMARY KEY", geom: "POLYGON", text: "TEXT" };
    const rows = Array.from({ length: 200 }, (_, i) => [i, i === 0 ? blob : null, "x".repeat(60)]);
    const path = join(dir, "rings");
    writeGeoPackage(path, [{ name: "units", geometryType: "POLYGON", columns, rows }]);
    expect(readInChild("geopackage", "rings")).toMatchObject({ outcome: "FILE_DAMAGED" });

    const bytes = readFileSync(path);
    for (let page = 1024; page < bytes.length; page += 1024) {
      if (bytes[page] !== 5) continue;
      for (let i = 0; i < bytes.readUInt16BE(page + 3); i++)
        bytes.writeUInt32BE(page / 1024 + 1, page + bytes.readUInt16BE(page + 12 + 2 * i));
    }
    expectOutcome(readInChild("geopackage", "pages", bytes), "FILE_DAMAGED", 250);
  });
});

const ZEROS = new Uint8Array(1 << 28);
const text = (value: string): Buffer => Buffer.from(value);

const DBF = encodeDbf({ fields: [["id", "N", 4]], rows: [["1"]] });

/** A shapefile of one shape. */
function writeShapefile(shape: WrittenShape): Buffer {
  const { shp, shx } = encodeShpAndShx(5, [shape]);
  const files = { shp, shx, dbf: DBF };
  return encodeZip(Object.entries(files).map(([ending, bytes]) => ({ name: `a.${ending}`, bytes })));
}

/** A polygon with `count` rings, each within the one before. */
function createNestedRings(count: number): Buffer {
  const parts = Array.from({ length: count }, (_, i) => {
    const far = 2 * count - i;
    return [
      [i, i],
      [far, i],
      [far, far],
      [i, far],
      [i, i],
    ] as const;
  });
  return writeShapefile(parts);
}

describe("a hostile archive or document, read in a process that may take little memory", () => {
  it.each<[string, string, string, () => Uint8Array]>([
    [
      "an entry that says it is small, and is not",
      "shapefile",
      "ARCHIVE_INVALID",
      () =>
        encodeZip([
          { name: "a.shp", bytes: text("x") },
          { name: "a.dbf", bytes: ZEROS, size: 1_000 },
        ]),
    ],
    [
      "an entry that says it is larger than any limit",
      "kml",
      "UNPACKED_TOO_LARGE",
      () => encodeZip([{ name: "doc.kml", bytes: ZEROS, size: 2 ** 40, zip64: true }]),
    ],
    [
      "a .prj of a quarter of a gigabyte",
      "shapefile",
      "FILE_DAMAGED",
      () =>
        encodeZip([
          { name: "a.shp", bytes: text("x") },
          { name: "a.prj", bytes: ZEROS },
        ]),
    ],
    ["5,000 rings within each other", "shapefile", "read", () => createNestedRings(5_000)],
    [
      "20,000 rings of one position",
      "shapefile",
      "FILE_DAMAGED",
      () => writeShapefile(Array.from({ length: 20_000 }, (_, i) => [[i / 20_000, 0] as const])),
    ],
    [
      "a table of rows that it does not have",
      "shapefile",
      "FILE_DAMAGED",
      () => {
        const dbf = Buffer.from(DBF);
        dbf.writeUInt32LE(0xffffffff, 4);
        return encodeZip([
          { name: "a.shp", bytes: text("x") },
          { name: "a.dbf", bytes: dbf },
        ]);
      },
    ],
    [
      "a placemark of more elements than memory holds",
      "kml",
      "TEXT_TOO_LARGE",
      () => text(`<kml><Placemark>${"<a/>".repeat(3_000_000)}`),
    ],
    [
      "half a million folders",
      "kml",
      "read",
      () => text(`<kml>${"<Folder> </Folder>".repeat(500_000)}</kml>`),
    ],
  ])("with %s", { timeout: 120_000 }, (name, format, outcome, make) => {
    expectOutcome(readInChild(format, name, make()), outcome, 300);
  });
});
