import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sharedFolder } from "@groundrule/testing/folder";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../../test/flatgeobuf-file.ts";
import { geometryBlob, writeGeoPackage } from "../../test/geopackage-file.ts";
import { toLocalFile } from "../../test/local-bytes.ts";
import { writeZip } from "../../test/write-zip.ts";
import { openTable } from "./open-table.ts";

const dir = sharedFolder().at();
const POINT = { type: "Point", coordinates: [1, 2] };

function geopackage(): Uint8Array {
  const path = join(dir, "one.gpkg");
  const columns = { fid: "INTEGER PRIMARY KEY", geom: "POINT", name: "TEXT" };
  writeGeoPackage(path, [
    { name: "p", geometryType: "POINT", columns, rows: [[1, geometryBlob(POINT), "x"]] },
  ]);
  return readFileSync(path);
}

function flatgeobuf(): Uint8Array {
  return encodeFlatGeobuf({ columns: [["name", "String"]], features: [{ geometry: POINT, values: ["x"] }] });
}

function geoparquet(): Uint8Array {
  const columnData = [
    { name: "shape", data: [POINT], type: "GEOMETRY" as const },
    { name: "name", data: ["x"], type: "STRING" as const },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

describe("a file read from anywhere, packed", () => {
  it.each([
    ["geopackage", "one.gpkg", geopackage],
    ["flatgeobuf", "one.fgb", flatgeobuf],
    ["geoparquet", "one.parquet", geoparquet],
  ] as const)("gives the features of a %s, by gzip and zip", async (format, name, make) => {
    const bytes = make();
    for (const packed of [gzipSync(bytes), writeZip([{ name, bytes }])]) {
      const table = await openTable(toLocalFile(packed));
      expect(table).toMatchObject({ format, isPacked: true });
      expect(table.columns).toContain("name");
      const names: unknown[] = [];
      for await (const { geometry, properties } of table.features()) {
        expect(geometry).toEqual(POINT);
        names.push(properties.get("name"));
      }
      for await (const { cells } of table.rows()) names.push(cells.get("name"));
      expect(names).toEqual(["x", "x"]);
      await table.close();
    }
  });
});
