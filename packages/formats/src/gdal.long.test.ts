import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@groundrule/testing/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomGeometry } from "../test/random-geometry.ts";
import { AreaGeometry } from "./area-geometry.ts";
import { openLocalFile } from "./host/node/files.ts";
import { openTable } from "./open-table.ts";

const hasGdal = spawnSync("ogr2ogr", ["--version"]).status === 0;
if (!hasGdal) console.warn("Not compared with GDAL: there is no ogr2ogr.");

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-gdal-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

describe.skipIf(!hasGdal)("what GDAL wrote of random features", () => {
  it.each([
    ["GPKG", "geopackage", ["-nlt", "GEOMETRY"]],
    ["FlatGeobuf", "flatgeobuf", ["-nlt", "GEOMETRY", "-lco", "SPATIAL_INDEX=NO"]],
    ["FlatGeobuf", "flatgeobuf", ["-nlt", "GEOMETRY"]],
  ])(
    "as %s is read bit by bit",
    async (driver, format, options) => {
      const random = seededRandom(101);
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
        const plain = geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
        expect(plain).toEqual(twin.geometry);
      }
      expect(expected.size).toBe(0);
      await table.close();
      await file.close();
    },
    60_000,
  );
});
