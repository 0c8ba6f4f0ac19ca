import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createSharedFolder } from "@groundrule/testing/folder";
import { beforeAll, describe, expect, it } from "vitest";
import { toPlainGeometry } from "../../../test/reading.ts";
import { openLocalFile } from "../../host/node/files.ts";
import { reader as geoparquetReader } from "./reader.ts";

const python = process.env.GROUNDRULE_PYTHON ?? "python3";
const hasOracle = spawnSync(python, ["-c", "import pyarrow, shapely"]).status === 0;
if (!hasOracle) console.warn(`Not compared with pyarrow and GEOS: ${python} has no pyarrow and shapely.`);

interface Expected {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: unknown;
}

describe.skipIf(!hasOracle)("Parquet that pyarrow wrote, with WKB by GEOS", () => {
  const folder = createSharedFolder().at();
  let files: string[] = [];
  let rows: Expected[] = [];
  beforeAll(() => {
    const script = join(import.meta.dirname, "../../../test/write-oracle-files.py");
    files = execFileSync(python, [script, folder], { encoding: "utf8" }).trim().split("\n");
    rows = JSON.parse(readFileSync(join(folder, "rows.json"), "utf8"));
  }, 120_000);

  it("is read as it was written, whatever the codec, the pages, the encodings and the form of WKB", async () => {
    expect(files).toHaveLength(26);
    for (const name of files) {
      const file = await openLocalFile(join(folder, name));
      const table = await geoparquetReader.open(file, {});
      expect(table.crs).toBe("OGC:CRS84");
      let i = 0;
      for await (const { geometry, fault, properties } of table.features()) {
        expect(fault, name).toBeUndefined();
        const row = { properties: Object.fromEntries(properties), geometry: toPlainGeometry(geometry) };
        if (!isDeepStrictEqual(row, rows[i])) expect(row, `${name}, row ${i}`).toEqual(rows[i]);
        i++;
      }
      expect(i, name).toBe(rows.length);
      await file.close();
    }
  }, 120_000);
});
