import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AreaGeometry } from "../area-geometry.ts";
import { openLocalFile } from "../host/node/files.ts";
import { geoparquetReader } from "./reader.ts";

const python = process.env.GROUNDRULE_PYTHON ?? "python3";
const hasOracle = spawnSync(python, ["-c", "import pyarrow, shapely"]).status === 0;
if (!hasOracle) console.warn(`Not compared with pyarrow and GEOS: ${python} has no pyarrow and shapely.`);

interface Expected {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: unknown;
}

describe.skipIf(!hasOracle)("Parquet that pyarrow wrote, with WKB by GEOS", () => {
  let folder: string;
  let files: string[] = [];
  let rows: Expected[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "groundrule-pyarrow-"));
    const script = join(import.meta.dirname, "../../test/write-oracle-files.py");
    files = execFileSync(python, [script, folder], { encoding: "utf8" }).trim().split("\n");
    rows = JSON.parse(readFileSync(join(folder, "rows.json"), "utf8"));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is read as it was written, whatever the codec, the pages, the encodings and the form of WKB", async () => {
    expect(files).toHaveLength(26);
    for (const name of files) {
      const file = await openLocalFile(join(folder, name));
      const table = await geoparquetReader.open(file, {});
      expect(table.crs).toBe("OGC:CRS84");
      let i = 0;
      for await (const { geometry, fault, properties } of table.features()) {
        expect(fault, name).toBeUndefined();
        const plain = geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
        const row = { properties: Object.fromEntries(properties), geometry: plain };
        if (!isDeepStrictEqual(row, rows[i])) expect(row, `${name}, row ${i}`).toEqual(rows[i]);
        i++;
      }
      expect(i, name).toBe(rows.length);
      await file.close();
    }
  }, 120_000);
});
