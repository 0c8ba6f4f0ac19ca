import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSeededRandom } from "@groundrule/testing/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { randomGeometry } from "../test/random-geometry.ts";
import { SQUARE, toPlainGeometry } from "../test/reading.ts";
import { openLocalFile } from "./host/node/files.ts";
import { openTable } from "./open/open-table.ts";

const hasGdal = spawnSync("ogr2ogr", ["--version"]).status === 0;
if (!hasGdal) console.warn("Not compared with GDAL: there is no ogr2ogr.");

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-gdal-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe.skipIf(!hasGdal)("what GDAL wrote of random features", () => {
  it.each([
    ["GPKG", "geopackage", ["-nlt", "GEOMETRY"]],
    ["FlatGeobuf", "flatgeobuf", ["-nlt", "GEOMETRY", "-lco", "SPATIAL_INDEX=NO"]],
    ["FlatGeobuf", "flatgeobuf", ["-nlt", "GEOMETRY"]],
  ])(
    "as %s is read bit by bit",
    async (driver, format, options) => {
      const random = createSeededRandom(101);
      const features = Array.from({ length: 400 }, (_, i) => ({
        type: "Feature",
        properties: {
          number: i,
          name: i % 5 === 0 ? null : `Uaçá ${i}`,
          share: i / 3,
          day: "2024/02/29",
          big: 2 ** 40 + i,
        },
        geometry: randomGeometry(random),
      })).filter(({ geometry }) => !JSON.stringify(geometry).includes("[]")); // GDAL drops what is empty
      const input = join(dir, "in.geojson");
      writeFileSync(input, JSON.stringify({ type: "FeatureCollection", features }));
      const path = join(dir, `out${options.length}.${driver === "GPKG" ? "gpkg" : "fgb"}`);
      execFileSync("ogr2ogr", ["-f", driver, path, input, ...options], { stdio: "ignore" });
      const file = await openLocalFile(path);
      const table = await openTable(file);
      expect(table).toMatchObject({ format, crs: "EPSG:4326" });
      const expected = new Map(features.map((feature) => [feature.properties.number, feature]));
      for await (const { geometry, fault, properties } of table.features()) {
        const { fid, ...own } = Object.fromEntries(properties);
        const twin = expected.get(own.number as number)!;
        expected.delete(own.number as number);
        expect(fault).toBeUndefined();
        expect({ ...own, day: String(own.day).replaceAll("-", "/").replace("T00:00:00", "") }).toEqual(
          twin.properties,
        );
        expect(toPlainGeometry(geometry)).toEqual(twin.geometry);
      }
      expect(expected.size).toBe(0);
      await table.close();
      await file.close();
    },
    60_000,
  );
});

describe.skipIf(!hasGdal)("the line of ogr2ogr that an error prints", () => {
  const ogr2ogr = (...words: string[]) => execFileSync("ogr2ogr", words, { cwd: dir, stdio: "ignore" });

  beforeEach(() => {
    const feature = { type: "Feature", properties: { name: "a" }, geometry: SQUARE };
    writeFileSync(
      join(dir, "in.geojson"),
      JSON.stringify({ type: "FeatureCollection", features: [feature] }),
    );
  });

  /** The features of a file, or the error that it is refused with. */
  async function read(name: string): Promise<number | string> {
    const file = await openLocalFile(join(dir, name));
    try {
      const table = await openTable(file);
      let count = 0;
      for await (const { fault } of table.features()) {
        if (fault !== undefined) return fault.message;
        count++;
      }
      return count;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await file.close();
    }
  }

  it.each<[what: string, name: string, written: string, make: () => void]>([
    ["a GML file", "my area.gml", "my area.gpkg", () => ogr2ogr("-f", "GML", "my area.gml", "in.geojson")],
    [
      "a database that is no GeoPackage",
      "in.sqlite",
      "out.gpkg",
      () => ogr2ogr("-f", "SQLite", "in.sqlite", "in.geojson"),
    ],
    [
      "a view",
      "in.gpkg",
      "out.gpkg",
      () => {
        ogr2ogr("in.gpkg", "in.geojson", "-nln", "units");
        const database = new DatabaseSync(join(dir, "in.gpkg"), { defensive: false });
        database.exec("CREATE TABLE kept AS SELECT * FROM units");
        database.exec("DROP TABLE units; CREATE VIEW units AS SELECT * FROM kept");
        database.close();
      },
    ],
    [
      "a curve",
      "in.gpkg",
      "out.gpkg",
      () => {
        writeFileSync(
          join(dir, "in.csv"),
          'id,WKT\n1,"CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 0 2, -1 1, 0 0))"\n',
        );
        ogr2ogr("in.gpkg", "in.csv", "-a_srs", "EPSG:4326", "-nlt", "CURVEPOLYGON");
      },
    ],
  ])("makes a file that is read, of %s", async (_, name, written, make) => {
    make();
    const message = String(await read(name));
    const printed = /\bogr2ogr [^`]*/.exec(message)?.[0] ?? message;
    const line = printed.replaceAll(join(dir, name), name);
    // Files that are missing are the reader's own.
    const whole = /\.\w+'?(?: |$)/.test(line) ? line : `${line} out.gpkg ${name}`;
    execFileSync("sh", ["-c", whole], { cwd: dir, stdio: "pipe" });
    expect(await read(written), `${message}\n${whole}`).toBe(1);
  });
});
