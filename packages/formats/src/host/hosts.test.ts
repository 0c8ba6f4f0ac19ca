import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { createSharedFolder } from "@groundrule/testing/folder";
import { parquetWriteBuffer } from "hyparquet-writer";
import iconv from "iconv-lite";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../../test/flatgeobuf-file.ts";
import { encodeGeometryBlob, writeGeoPackage } from "../../test/geopackage-file.ts";
import { encodeWkb } from "../../test/wkb-encoder.ts";
import { encodeDbf, encodeShpAndShx } from "../../test/write-shapefile.ts";
import { encodeZip } from "../../test/write-zip.ts";
import * as inNode from "../index.ts";
import * as browserPages from "./browser/code-pages.ts";

type Formats = typeof inNode;

const dir = createSharedFolder().at();
const SQUARE = { type: "Polygon", coordinates: [[[-52, 4], [-51, 4], [-51, 5], [-52, 4]]] } as const; // biome-ignore format: a square
const WKB = encodeWkb(SQUARE);
const text = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value);
const feature = (id: string) => ({ type: "Feature", id, properties: { name: "Pará" }, geometry: SQUARE });
const collection = JSON.stringify({ type: "FeatureCollection", features: [feature("a"), feature("b")] });
const UTM = 'PROJCS["mine",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000],PARAMETER["False_Northing",0],PARAMETER["Central_Meridian",-51],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0],UNIT["Meter",1]]'; // biome-ignore format: one line
/** A collection with members before and after its features. */
const named = (before: object, after: object): string => {
  const type = "geometryType" in before ? {} : { type: "FeatureCollection" };
  return JSON.stringify({ ...type, ...before, features: [feature("a"), feature("b")], ...after });
};
const shapes = encodeShpAndShx(5, [[[[-52, 4], [-52, 5], [-51, 4], [-52, 4]]], null]); // biome-ignore format: rings
const table = encodeDbf({ fields: [["NAME", "C", 10]], rows: [["Par\xe1"], ["North"]], driver: 3 });
const prj = text('GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]'); // biome-ignore format: one line
const kml = `<?xml version="1.0" encoding="windows-1252"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>
  <Placemark id="k"><name>Par\xe1</name><Point><coordinates>-52,4</coordinates></Point></Placemark></Document></kml>`;

/** Brotli has these in its dictionary. */
const WORDS = "which was the government of the United States, and their development";

const PACK = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  LZ4_RAW: encodeLz4Literals,
};

const FILES: Readonly<Record<string, Uint8Array>> = {
  "collection.geojson": text(collection),
  "lines.ndjson": text(`${JSON.stringify(feature("a"))}\n${JSON.stringify(feature("b"))}\n`),
  "named-by-text.geojson": text(named({ crs: { type: "name", properties: { name: UTM } } }, {})),
  "named-late.geojson": text(named({}, { crs: { type: "name", properties: { name: UTM } } })),
  "rows.ndjson": text('{"id":1,"wkt":"POLYGON ((0 0,1 0,1 1,0 0))"}\n{"id":2,"location":"-7.5,110.25"}\n'),
  "esri.json": text(
    named({ geometryType: "esriGeometryPolygon", spatialReference: { wkt: UTM } }, {}).replace(
      /"features":\[.*\]/,
      `"features":[{"attributes":{"FID":1},"geometry":{"rings":${JSON.stringify(SQUARE.coordinates)}}}]`,
    ),
  ),
  "plots.csv": text('id,wkt\n1,"POINT (-52 4)"\n2,"POLYGON ((0 0,1 0,1 1,0 0))"\n3,nonsense\n'),
  "plots.tsv.gz": gzipSync("id\tlon\tlat\n1\t-52\t4\n"),
  "members.ndjson.gz": Buffer.concat([
    gzipSync(`${JSON.stringify(feature("a"))}\n`),
    gzipSync(JSON.stringify(feature("b"))),
  ]),
  "cut.geojson.gz": gzipSync(collection).subarray(0, 60),
  "turned.geojson.gz": flipBits(gzipSync(collection), -6),
  "places.kml": Buffer.from(kml, "latin1"),
  "places.kmz": encodeZip([{ name: "doc.kml", bytes: Buffer.from(kml, "latin1") }]),
  "shapes.zip": encodeZip([
    { name: "s/shapes.shp", bytes: shapes.shp },
    { name: "s/shapes.shx", bytes: shapes.shx, store: true },
    { name: "s/shapes.dbf", bytes: table },
    { name: "s/shapes.prj", bytes: prj },
  ]),
  "false-checksum.zip": encodeZip([{ name: "a.geojson", bytes: text(collection), crc: 1 }]),
  "layers.zip": encodeZip(["a.shp", "b.shp"].map((name) => ({ name, bytes: shapes.shp }))),
  "map.fgb": encodeFlatGeobuf({
    columns: [["name", "String"]],
    features: [{ geometry: SQUARE as never, values: ["Pará"] }],
    crs: { org: "EPSG", code: 4326 },
  }),
  ...Object.fromEntries(["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "BROTLI", "LZ4_RAW"].map(createParquet)),
  "nonsense.bin": Uint8Array.from({ length: 3000 }, (_, i) => (i * 7919 + (i >> 3)) % 251),
  "empty.geojson": new Uint8Array(),
};

let inBrowser: Formats;
let chunks: readonly {
  readonly fileName: string;
  readonly code: string;
  readonly imports: readonly string[];
}[];

beforeAll(async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "../index.ts"),
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  chunks = output
    .filter((part) => part.type === "chunk")
    .map(({ fileName, code, imports, dynamicImports }) => ({
      fileName,
      code,
      imports: [...imports, ...dynamicImports],
    }));
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  for (const { fileName, code } of chunks) writeFileSync(join(dir, fileName), code);
  inBrowser = await import(pathToFileURL(join(dir, "index.js")).href);
  inBrowser.loadSqliteBy(async () => {
    const path = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm-browser.wasm");
    return new Uint8Array(readFileSync(path)).buffer;
  });
});

describe("the formats in a browser", () => {
  it("reach no module of Node", () => {
    const own = new Set(chunks.map(({ fileName }) => fileName));
    expect(chunks.flatMap(({ imports }) => imports).filter((name) => !own.has(name))).toEqual([]);
    for (const { code } of chunks)
      expect(code).not.toMatch(/from\s*"node:|\bBuffer\.(?:from|concat|alloc)\b/);
  });

  it("load names of systems, notations of cells, tables and what unpacks by need alone", () => {
    const byName = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
    const names = new Set(["index.js"]);
    for (const name of names)
      for (const file of byName.get(name)!.matchAll(/from "\.\/([^"]+)"/g)) names.add(file[1]!);
    const atOnce = [...names].map((name) => byName.get(name)!).join("");
    for (const words of ["GCS_WGS_1984", "incorrect header check", "returnTrueCurves", "--corners-of none"])
      expect(atOnce).not.toContain(words);
  });

  it.each(Object.keys(FILES))("read %s as Node does", async (name) => {
    expect(await read(inBrowser, FILES[name]!, name)).toEqual(await read(inNode, FILES[name]!, name));
  });

  it("read a GeoPackage as Node does: large numbers, blobs, dates, broken text, a layer of several", async () => {
    const path = join(dir, "plots.gpkg");
    const square = encodeGeometryBlob(SQUARE as never);
    writeGeoPackage(
      path,
      [
        {
          name: "plots",
          geometryType: "POLYGON",
          columns: {
            fid: "INTEGER PRIMARY KEY",
            geom: "BLOB",
            name: "TEXT",
            n: "INTEGER",
            x: "REAL",
            raw: "BLOB",
          },
          rows: [
            [1, square, "Pará", 2n ** 60n, 1.5, Uint8Array.of(1, 2)],
            [2, null, "", -1, 1e300, null],
            [3, Uint8Array.of(1), "a\0b", null, null, null],
          ],
        },
        { name: "notes", columns: { id: "INTEGER PRIMARY KEY", note: "TEXT" }, rows: [[1, "x"]] },
      ],
      (database) => database.exec("UPDATE plots SET name = CAST(x'50617261e1' AS TEXT) WHERE fid = 2"),
    );
    for (const options of [
      { layer: "plots" },
      { layer: "plots", encoding: "windows-1252" },
      {},
      { layer: "notes" },
    ]) {
      const table = await inNode.openLocalFile(path, "plots.gpkg");
      const found = await read(inBrowser, readFileSync(path), "plots.gpkg", options);
      expect(found).toEqual(await readOpen(inNode, table, options));
      await table.close();
    }
  });

  it("read or refuse a GeoPackage whose pages are turned at random, as Node does", async () => {
    const path = join(dir, "turned.gpkg");
    const columns = { fid: "INTEGER PRIMARY KEY", geom: "BLOB", name: "TEXT" };
    const rows = Array.from({ length: 40 }, (_, i) => [
      i + 1,
      encodeGeometryBlob(SQUARE as never),
      `plot ${i}`,
    ]);
    writeGeoPackage(path, [{ name: "plots", geometryType: "POLYGON", columns, rows }]);
    const whole = readFileSync(path);
    for (let i = 0; i < 15; i++) {
      const bytes = flipBits(whole, (i * 7919) % whole.length, 1 << (i % 8));
      const outcome = await read(inBrowser, bytes, "turned.gpkg");
      expect(outcome).toHaveProperty(outcome instanceof Object && "code" in outcome ? "code" : "features");
    }
  });

  it("read a shapefile whose files were dropped together", async () => {
    const open = inBrowser.openBlob;
    const siblings = [open(new Blob([new Uint8Array(table)]), { name: "Plots.DBF" })];
    const shp = open(new Blob([new Uint8Array(shapes.shp)]), { name: "Plots.shp", siblings });
    const read = await readOpen(inBrowser, shp, {});
    expect(read).toMatchObject({ format: "shapefile", features: [{}, { properties: [["NAME", "North"]] }] });
  });

  it("unpack no more than the limit", async () => {
    const bomb = gzipSync(`{"type":"FeatureCollection","features":[${" ".repeat(3_000_000)}]}`);
    const options = { format: "geojson", limits: { unpackedBytes: 1_000_000 } } as const;
    expect(await read(inBrowser, bomb, "bomb.gz", options)).toMatchObject({ code: "UNPACKED_TOO_LARGE" });
  });

  it("have the tables of every encoding of one byte that Node has", () => {
    const bytes = Uint8Array.from({ length: 128 }, (_, i) => 128 + i);
    for (const name of [
      "cp437",
      "cp850",
      "cp1252",
      "cp1251",
      "iso-8859-1",
      "iso-8859-15",
      "macroman",
      "koi8-r",
    ]) {
      expect(browserPages.decodeCodePage(bytes, name)).toBe(iconv.decode(Buffer.from(bytes), name));
    }
    expect(browserPages.decodeCodePage(Uint8Array.of(0x93, 0xfa, 0x41), "cp932")).toBe("日A");
    expect(browserPages.isCodePage("no-such")).toBe(false);
  });
});

function flipBits(bytes: Uint8Array, at: number, mask = 0xff): Uint8Array {
  const copy = new Uint8Array(bytes);
  const index = at < 0 ? copy.length + at : at;
  copy[index] = copy[index]! ^ mask;
  return copy;
}

function createParquet(codec: string): [string, Uint8Array] {
  const geo = {
    version: "1.1.0",
    primary_column: "geometry",
    columns: { geometry: { encoding: "WKB", geometry_types: [] } },
  };
  const bytes = parquetWriteBuffer({
    kvMetadata: [{ key: "geo", value: JSON.stringify(geo) }],
    codec: codec as "SNAPPY",
    compressors: PACK,
    columnData: [
      { name: "geometry", data: Array.from({ length: 50 }, () => WKB), type: "BYTE_ARRAY" },
      { name: "name", data: Array.from({ length: 50 }, (_, i) => `Pará ${i}, ${WORDS}`), type: "STRING" },
    ],
  });
  return [`${codec}.parquet`, new Uint8Array(bytes)];
}

/** A block of LZ4 that repeats nothing. */
function encodeLz4Literals(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 15) return Uint8Array.of(bytes.length << 4, ...bytes);
  const more = bytes.length - 15;
  return Uint8Array.of(0xf0, ...new Uint8Array(Math.floor(more / 255)).fill(255), more % 255, ...bytes);
}

function read(formats: Formats, bytes: Uint8Array, name: string, options: inNode.ReadOptions = {}) {
  return readOpen(formats, formats.openBlob(new Blob([new Uint8Array(bytes)]), { name }), options);
}

/** All of a file as plain data, or how it is refused. */
async function readOpen(formats: Formats, file: inNode.LocalFile, options: inNode.ReadOptions) {
  const features: object[] = [];
  try {
    const table = await formats.openTable(file, options);
    try {
      for await (const { place, id, geometry, properties, crs, fault } of table.features()) {
        const shape = geometry instanceof formats.AreaGeometry ? geometry.toGeoJson() : geometry;
        features.push({ place, id, geometry: shape, properties: [...properties], crs, fault });
      }
    } finally {
      await table.close();
    }
    return { format: table.format, layer: table.layer, crs: table.crs, features };
  } catch (error) {
    if (!(error instanceof formats.FormatError)) throw error;
    // zlib and its heir have words of their own for what is wrong.
    const isPacked = error.code === "GZIP_CORRUPT";
    return { features, code: error.code, ...(isPacked ? {} : { message: error.message }) };
  }
}
