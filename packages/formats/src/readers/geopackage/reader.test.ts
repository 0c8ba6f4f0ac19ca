import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { encodeGeometryBlob, type LayerFile, writeGeoPackage } from "../../../test/geopackage-file.ts";
import { randomArea } from "../../../test/random-geometry.ts";
import {
  catchFormatError,
  collectItems,
  expectReadOrRefused,
  readTableFeatures,
  readTableRows,
  SQUARE,
  toPlainGeometry,
} from "../../../test/reading.ts";
import type { LocalFile } from "../../file/local-file.ts";
import type { ReadOptions } from "../../format-reader.ts";
import { openLocalFile } from "../../host/node/files.ts";
import { reader as geopackageReader } from "./reader.ts";

const dir = createSharedFolder().at();
let files = 0;
function createPath(): string {
  return join(dir, `${files++}.gpkg`);
}

const POINT = { type: "Point", coordinates: [-50.5, 2.25] };
const UNITS: LayerFile = {
  name: "units",
  geometryType: "POLYGON",
  columns: {
    fid: "INTEGER PRIMARY KEY",
    geom: "POLYGON",
    name: "TEXT(80)",
    is_open: "BOOLEAN",
    since: "DATE",
  },
  rows: [
    [3, encodeGeometryBlob(SQUARE), "Uaçá", 1, "1991-10-29"],
    [8, encodeGeometryBlob(POINT), null, 0, null],
    [9, null, "no place", null, null],
  ],
};
const ROADS: LayerFile = {
  name: "roads",
  geometryType: "LINESTRING",
  columns: { fid: "INTEGER PRIMARY KEY", geom: "LINESTRING" },
  rows: [],
};
const OWNERS: LayerFile = {
  name: "owners",
  columns: { id: "INTEGER PRIMARY KEY", tax: "TEXT", share: "REAL", photo: "BLOB", count: "INTEGER" },
  rows: [
    [1, "a", 0.5, Uint8Array.of(1), 2n ** 60n],
    [2, Uint8Array.of(255), Number.POSITIVE_INFINITY, null, -(2n ** 53n)],
  ],
};

async function withOpenFile<T>(path: string, use: (file: LocalFile) => Promise<T>): Promise<T> {
  const file = await openLocalFile(path);
  return use(file).finally(() => file.close());
}

const read = (path: string, options: ReadOptions = {}) =>
  withOpenFile(path, (file) => readTableFeatures(geopackageReader.open(file, options)));
const listRows = (path: string, options: ReadOptions = {}) =>
  withOpenFile(path, (file) => readTableRows(geopackageReader.open(file, options)));
const refusal = (path: string, options: ReadOptions = {}) =>
  catchFormatError(read(path, options).then(() => listRows(path, options)));

describe("a GeoPackage", () => {
  it("has for a geometry of curves, which is not read, the box of its header", async () => {
    // CURVEPOLYGON (10), and the envelope [-60, -50] by [1, 2]; the second one has an envelope of no numbers.
    const curve = (envelope: readonly number[]) => {
      const blob = new Uint8Array(8 + 32 + 9);
      blob.set([0x47, 0x50, 0, 0x03]);
      const view = new DataView(blob.buffer);
      view.setInt32(4, 4326, true);
      for (const [k, value] of envelope.entries()) view.setFloat64(8 + 8 * k, value, true);
      blob[40] = 1;
      view.setUint32(41, 10, true);
      return blob;
    };
    const path = createPath();
    const rows = [
      [1, curve([-60, -50, 1, 2]), null, null, null],
      [2, curve([Number.NaN, 0, 1, 2]), null, null, null],
      [3, curve([-60, -50, 1, 2]).subarray(0, 44), null, null, null],
    ];
    writeGeoPackage(path, [{ ...UNITS, rows } as LayerFile]);
    const { features } = await read(path);
    expect(features.map(({ fault, box }) => [fault?.code, box])).toEqual([
      ["FORMAT_UNSUPPORTED", [-60, 1, -50, 2]],
      ["FORMAT_UNSUPPORTED", undefined],
      ["FILE_DAMAGED", undefined],
    ]);
  });

  it("gives the features of its one layer, with ids, attributes by declared type, and the CRS", async () => {
    const path = createPath();
    writeGeoPackage(path, [UNITS, OWNERS]);
    const { layer, crs, features } = await read(path);
    expect({ layer, crs }).toEqual({ layer: "units", crs: "EPSG:4326" });
    expect(
      features.map(({ id, geometry, properties }) => ({
        id,
        geometry: toPlainGeometry(geometry),
        properties,
      })),
    ).toEqual([
      {
        id: 3,
        geometry: SQUARE,
        properties: new Map<string, unknown>([
          ["fid", 3],
          ["name", "Uaçá"],
          ["is_open", true],
          ["since", "1991-10-29"],
        ]),
      },
      {
        id: 8,
        geometry: POINT,
        properties: new Map<string, unknown>([
          ["fid", 8],
          ["name", null],
          ["is_open", false],
          ["since", null],
        ]),
      },
      {
        id: 9,
        geometry: null,
        properties: new Map<string, unknown>([
          ["fid", 9],
          ["name", "no place"],
          ["is_open", null],
          ["since", null],
        ]),
      },
    ]);
    expect(features[1]!.place).toEqual({ layer: "units", feature: 2 });
  });

  it("gives tables of attributes as rows; large numbers as text, blobs only where the column declares another type", async () => {
    const path = createPath();
    writeGeoPackage(path, [UNITS, OWNERS]);
    const rows = await listRows(path, { layer: "owners" });
    expect(rows.map(({ cells }) => Object.fromEntries(cells))).toEqual([
      { id: 1, tax: "a", share: 0.5, count: "1152921504606846976" },
      { id: 2, tax: "/w==", share: "Infinity", count: "-9007199254740992" },
    ]);
    const only = createPath();
    writeGeoPackage(only, [OWNERS]);
    expect((await read(only)).layer).toBe("owners");
  });

  it("requires the name of one of several layers, though only one has areas", async () => {
    const path = createPath();
    writeGeoPackage(path, [ROADS, UNITS, OWNERS]);
    const several = await refusal(path);
    expect(several.code).toBe("LAYER_AMBIGUOUS");
    expect(several.message).toBe(
      "found 2 layers, expected one, or its name (--layer): roads (LINESTRING), units (POLYGON)",
    );
    const unknown = await refusal(path, { layer: "unit" });
    expect(unknown.code).toBe("LAYER_UNKNOWN");
    expect(unknown.details.layers).toEqual(["roads", "units", "owners"]);
    expect((await read(path, { layer: "The units" })).layer).toBe("units");
  });

  it("names the CRS by its organization, and none where none is defined", async () => {
    for (const [srsId, crs] of [
      [4326, "EPSG:4326"],
      [31982, "EPSG:31982"],
      [0, undefined],
      [-1, undefined],
      [100001, "Our own"],
      [5, "srs_id 5"],
    ] as const) {
      // biome-ignore format: a table
      const path = createPath();
      writeGeoPackage(path, [{ ...UNITS, srsId, rows: [] }]);
      expect((await read(path)).crs).toBe(crs);
    }
  });

  it("reads every header of geometries, and reports one faulty geometry while the others go on", async () => {
    const path = createPath();
    const good = [0, 1, 2, 3, 4].flatMap((envelope) => [
      encodeGeometryBlob(SQUARE, { envelope }),
      encodeGeometryBlob(SQUARE, { envelope, isLittle: false }),
    ]);
    const bad: [Uint8Array | string, string][] = [
      [encodeGeometryBlob(SQUARE, { envelope: 5 }), "byte 3: found an envelope of kind 5, expected 0 to 4"],
      [
        encodeGeometryBlob(SQUARE, { flags: 0x20 }),
        "found an extended geometry type, expected a standard one",
      ],
      [encodeGeometryBlob(SQUARE, { srsId: 3857 }), "found a geometry of srs_id 3857 in a layer of 4326"],
      [Uint8Array.of(0, 1, 2), "byte 0: found 3 bytes, expected a header of 8 bytes"],
      [
        encodeGeometryBlob(SQUARE).fill(0, 0, 2),
        'byte 0: found the bytes 00 00, expected the bytes 47 50 ("GP")',
      ],
      [
        encodeGeometryBlob(SQUARE).fill(0, 1, 2),
        'byte 0: found the bytes 47 00, expected the bytes 47 50 ("GP")',
      ],
      [
        encodeGeometryBlob(SQUARE, { envelope: 4 }).subarray(0, 20),
        "byte 0: found 20 bytes, expected a header of 72 bytes",
      ],
      [
        encodeGeometryBlob(SQUARE).subarray(0, 40),
        "byte 17: found 4 positions in 19 bytes, expected 16 bytes for each or more",
      ],
      ["POINT(1 2)", "found a text for a geometry, expected a blob"],
    ];
    const rows = [...good, ...bad.map(([blob]) => blob)].map((blob, i) => [i, blob, null, null, null]);
    writeGeoPackage(path, [{ ...UNITS, rows }]);
    const { features } = await read(path);
    for (const feature of features.slice(0, good.length))
      expect(toPlainGeometry(feature.geometry)).toEqual(SQUARE);
    expect(features.slice(good.length).map(({ fault }) => fault?.message)).toEqual(
      bad.map(([, message]) => message),
    );
  });

  it("reads names that are SQL", async () => {
    const path = createPath();
    const columns = {
      fid: "INTEGER PRIMARY KEY",
      geom: "POLYGON",
      'a"; DROP TABLE x; --': "TEXT",
      rowid: "TEXT",
    };
    const quoted = Object.fromEntries(
      Object.entries(columns).map(([name, type]) => [name.replaceAll('"', '""'), type]),
    );
    writeGeoPackage(path, [
      { ...UNITS, name: "select * from", columns: quoted, rows: [[4, null, "x", "y"]] },
    ]);
    const { features } = await read(path);
    expect(Object.fromEntries(features[0]!.properties)).toEqual({
      fid: 4,
      'a"; DROP TABLE x; --': "x",
      rowid: "y",
    });
  });

  it("refuses text that is not UTF-8, or reads it in the declared encoding", async () => {
    const path = createPath();
    writeGeoPackage(path, [{ ...UNITS, rows: [[1, null, "\uFFFD ok", null, null]] }], (database) =>
      database.exec(`INSERT INTO units (fid, name) VALUES (2, CAST(x'4de7' AS TEXT))`),
    );
    const error = await refusal(path);
    expect(error.code).toBe("TEXT_NOT_UTF8");
    expect(error.message).toBe(
      'layer units, feature 2: found bytes that are not UTF-8 in column "name", expected UTF-8, or the encoding (--encoding)',
    );
    const rows = await listRows(path, { encoding: "windows-1252" });
    expect(rows.map(({ cells }) => cells.get("name"))).toEqual(["\uFFFD ok", "Mç"]);
    expect((await refusal(path, { encoding: "klingon" })).code).toBe("ENCODING_UNKNOWN");
  });
});

describe("a GeoPackage that others have open", () => {
  it("is read in WAL mode where all changes are in it, and refused where some lie beside", async () => {
    const path = createPath();
    writeGeoPackage(path, [UNITS], undefined, "PRAGMA journal_mode = WAL;");
    const before = readdirSync(dir);
    expect((await read(path)).features).toHaveLength(3);
    expect(readdirSync(dir)).toEqual(before);

    const writer = new DatabaseSync(path);
    writer.exec("PRAGMA wal_autocheckpoint = 0; DELETE FROM units WHERE fid = 3");
    const copy = createPath();
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    writer.close();
    const error = await refusal(copy);
    expect(error.code).toBe("FORMAT_UNSUPPORTED");
    expect(error.message).toContain("found changes beside the file");
    expect(error.message).toContain("PRAGMA wal_checkpoint(TRUNCATE)");
    writeFileSync(`${copy}-wal`, "");
    writeFileSync(`${copy}-journal`, "x");
    expect((await refusal(copy)).details.place!.entry).toBe(`${copy}-journal`);
  });

  it("names the changes that were not copied along with it", async () => {
    const path = createPath();
    const writer = new DatabaseSync(path);
    writer.exec(
      "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE gpkg_contents (table_name TEXT)",
    );
    const copy = createPath();
    copyFileSync(path, copy);
    writer.close();
    const error = await refusal(copy);
    expect(error.code).toBe("FILE_DAMAGED");
    expect(error.message).toContain("the file is in WAL mode, and no");
    expect(error.message).toContain("copy the file with its -wal");
  });

  it("is refused where it is changed while it is read", async () => {
    const path = createPath();
    writeGeoPackage(path, [UNITS]);
    const file = await openLocalFile(path);
    const table = await geopackageReader.open(file, {});
    const features = table.features();
    await features.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const writer = new DatabaseSync(path);
    writer.exec("DELETE FROM units WHERE fid = 3");
    writer.close();
    await expect(collectItems(features)).rejects.toThrow("found a file that was changed while it was read");
    await table.close();
    await file.close();
  });
});

describe("a hostile GeoPackage", () => {
  const FOREVER =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS fid, NULL AS geom FROM n";

  it("brings no program of its own: views, virtual tables and computed columns are refused", async () => {
    const cases: [string, string][] = [
      ["DROP TABLE units", 'found no table "units"'],
      [`DROP TABLE units; CREATE VIEW units AS ${FOREVER}`, "found a view, expected a table"],
      [
        "DROP TABLE units; CREATE VIRTUAL TABLE units USING fts5(geom, fid)",
        "found a virtual, expected a table",
      ],
      ["ALTER TABLE units ADD COLUMN bomb AS (zeroblob(900000000))", 'found the computed column "bomb"'],
      [
        "DROP TABLE units; CREATE TABLE units (fid INTEGER PRIMARY KEY, geom) WITHOUT ROWID",
        "without row ids",
      ],
      [`DROP TABLE gpkg_contents; CREATE VIEW gpkg_contents AS ${FOREVER}`, "found a view, expected a table"],
      [`DROP TABLE gpkg_geometry_columns; CREATE VIEW gpkg_geometry_columns AS ${FOREVER}`, "found a view"],
      [
        "DROP TABLE gpkg_contents",
        "found an SQLite database that is not a GeoPackage: it has no gpkg_contents; `ogr2ogr",
      ],
      ["DELETE FROM gpkg_contents", "found no layer of features or attributes, expected one"],
      ["UPDATE gpkg_geometry_columns SET column_name = 'shape'", 'found no column "shape"'],
      ["DELETE FROM gpkg_geometry_columns", 'found no geometry column of "units"'],
    ];
    for (const [sql, message] of cases) {
      const path = createPath();
      writeGeoPackage(path, [UNITS], (database) => database.exec(sql));
      expect((await refusal(path)).message, sql).toContain(message);
    }
  });

  it("has values no larger than the limit", async () => {
    const path = createPath();
    writeGeoPackage(path, [{ ...UNITS, rows: [[1, null, "x".repeat(50_000), null, null]] }]);
    expect((await read(path)).features).toHaveLength(1);
    const error = await refusal(path, { limits: { featureBytes: 40_000 } });
    expect(error.code).toBe("TEXT_TOO_LARGE");
    expect(error.details.limit).toBe(40_000);
  });

  it("is read only once where its pages lie below themselves", async () => {
    const path = createPath();
    const rows = Array.from({ length: 200 }, (_, i) => [i, null, "x".repeat(60), null, null]);
    writeGeoPackage(path, [{ ...UNITS, rows }]);
    const bytes = readFileSync(path);
    // Every child of the interior pages of tables becomes the first child: the same rows again and again.
    let changed = 0;
    for (let page = 1024; page < bytes.length; page += 1024) {
      if (bytes[page] !== 5) continue;
      const cells = bytes.readUInt16BE(page + 3);
      const first = bytes.readUInt32BE(page + bytes.readUInt16BE(page + 12));
      for (let i = 0; i < cells; i++)
        bytes.writeUInt32BE(first, page + bytes.readUInt16BE(page + 12 + 2 * i));
      bytes.writeUInt32BE(first, page + 8);
      changed++;
    }
    expect(changed).toBeGreaterThan(0);
    writeFileSync(path, bytes);
    expect((await refusal(path)).message).toMatch(/found row id \d+ after \d+, expected row ids that rise/);
  });

  it("has a schema that is a tree", async () => {
    const path = createPath();
    const tables = Array.from({ length: 60 }, (_, i) => `CREATE TABLE t${i} (a TEXT, b TEXT, c TEXT);`).join(
      "",
    );
    writeGeoPackage(path, [UNITS], (database) => database.exec(tables));
    const bytes = readFileSync(path);
    expect(bytes[100]).toBe(5);
    expect((await read(path)).features).toHaveLength(3);
    for (const [child, message] of [
      [1, "found page 1 twice"],
      [999_999, "found page 999999 in the schema"],
    ] as const) {
      bytes.writeUInt32BE(child, 108);
      writeFileSync(path, bytes);
      expect((await refusal(path)).message).toContain(message);
    }
  });

  it("cut at any byte is refused", async () => {
    const path = createPath();
    writeGeoPackage(path, [{ ...UNITS, rows: UNITS.rows.slice(0, 1) }], undefined, "PRAGMA page_size = 512;");
    const bytes = readFileSync(path);
    const cut = createPath();
    const random = createSeededRandom(74);
    const lengths = [
      ...Array.from({ length: 120 }, () => random.integer(bytes.length)),
      0,
      1,
      99,
      100,
      bytes.length - 1,
    ];
    for (let length = 512; length < bytes.length; length += 512) lengths.push(length - 1, length, length + 1);
    for (const length of lengths) {
      writeFileSync(cut, bytes.subarray(0, length));
      expect((await refusal(cut)).code, `${length} bytes`).toBe("FILE_DAMAGED");
    }
  });

  it("with bits flipped is read or refused, and never anything else", async () => {
    const path = createPath();
    writeGeoPackage(path, [UNITS, OWNERS], undefined, "PRAGMA page_size = 512;");
    const flipped = createPath();
    const random = createSeededRandom(76);
    const options = { seed: 75, count: 250, flips: 4, refused: 20 };
    await expectReadOrRefused([readFileSync(path)], options, async (bytes) => {
      writeFileSync(flipped, bytes);
      const layer = random.integer(2) === 0 ? "units" : "owners";
      await read(flipped, { layer });
      await listRows(flipped, { layer });
    });
  });

  it("that is no database at all is refused", async () => {
    const path = createPath();
    writeFileSync(path, `${"SQLite format 3\0"}${"x".repeat(5000)}`);
    expect((await refusal(path)).code).toBe("FILE_DAMAGED");
  });
});

describe("many random areas", () => {
  it("come back bit by bit, in order", async () => {
    const random = createSeededRandom(76);
    const areas = Array.from({ length: 500 }, () => randomArea(random));
    const path = createPath();
    const rows = areas.map((area, i) => [
      3 * i,
      encodeGeometryBlob(area, { envelope: random.integer(5) }),
      null,
      null,
      null,
    ]);
    writeGeoPackage(path, [{ ...UNITS, rows }], (database) =>
      database.exec("CREATE INDEX i ON units (fid, name, is_open, since, geom)"),
    );
    const { features } = await read(path);
    expect(features.map(({ geometry }) => toPlainGeometry(geometry))).toEqual(areas);
    expect(features.map(({ id }) => id)).toEqual(areas.map((_, i) => 3 * i));
  });
});
