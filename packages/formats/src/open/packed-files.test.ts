import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createSharedFolder } from "@groundrule/testing/folder";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../../test/flatgeobuf-file.ts";
import { encodeGeometryBlob, writeGeoPackage } from "../../test/geopackage-file.ts";
import { toLocalFile } from "../../test/local-bytes.ts";
import { encodeZip } from "../../test/write-zip.ts";
import { openTable } from "./open-table.ts";

const dir = createSharedFolder().at();
const POINT = { type: "Point", coordinates: [1, 2] };

function createGeoPackage(): Uint8Array {
  const path = join(dir, "one.gpkg");
  const columns = { fid: "INTEGER PRIMARY KEY", geom: "POINT", name: "TEXT" };
  writeGeoPackage(path, [
    { name: "p", geometryType: "POINT", columns, rows: [[1, encodeGeometryBlob(POINT), "x"]] },
  ]);
  return readFileSync(path);
}

function createFlatGeobuf(): Uint8Array {
  return encodeFlatGeobuf({ columns: [["name", "String"]], features: [{ geometry: POINT, values: ["x"] }] });
}

function createGeoParquet(): Uint8Array {
  const columnData = [
    { name: "shape", data: [POINT], type: "GEOMETRY" as const },
    { name: "name", data: ["x"], type: "STRING" as const },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

describe("a file read from anywhere, packed", () => {
  it.each([
    ["geopackage", "one.gpkg", createGeoPackage],
    ["flatgeobuf", "one.fgb", createFlatGeobuf],
    ["geoparquet", "one.parquet", createGeoParquet],
  ] as const)("gives the features of a %s, by gzip and zip", async (format, name, make) => {
    const bytes = make();
    for (const packed of [gzipSync(bytes), encodeZip([{ name, bytes }])]) {
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
