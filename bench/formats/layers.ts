import { DatabaseSync } from "node:sqlite";
import { type Random, seededRandom } from "@groundrule/testing/random";
import { fileWriter, parquetWrite } from "hyparquet-writer";

const SEED = 71;

/** A plot of 5 to 40 positions, as well-known binary. */
function plot(random: Random): Uint8Array {
  const corners = 4 + random.integer(36);
  const bytes = new Uint8Array(13 + 16 * (corners + 1));
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setUint32(1, 3, true);
  view.setUint32(5, 1, true);
  view.setUint32(9, corners + 1, true);
  const [longitude, latitude] = [random.between(-70, -40), random.between(-30, 5)];
  for (let i = 0; i <= corners; i++) {
    const angle = (2 * Math.PI * (i % corners)) / corners;
    view.setFloat64(13 + 16 * i, longitude + 0.002 * Math.cos(angle), true);
    view.setFloat64(21 + 16 * i, latitude + 0.002 * Math.sin(angle), true);
  }
  return bytes;
}

/** Writes so many plots with a name, a number and a day as a GeoPackage. */
export function writeGeoPackage(path: string, features: number): void {
  const random = seededRandom(SEED);
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
    PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
      organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, 'undefined', NULL);
    CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT, last_change DATETIME, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER);
    INSERT INTO gpkg_contents VALUES ('plots', 'features', 'plots', '', '2026-01-01T00:00:00Z', -70, -30, -40, 5, 4326);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
      geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      PRIMARY KEY (table_name, column_name));
    INSERT INTO gpkg_geometry_columns VALUES ('plots', 'geom', 'POLYGON', 4326, 0, 0);
    CREATE TABLE plots (fid INTEGER PRIMARY KEY, geom POLYGON, name TEXT, hectares REAL, day DATE); BEGIN`);
  const insert = database.prepare("INSERT INTO plots VALUES (?, ?, ?, ?, ?)");
  const header = Uint8Array.of(0x47, 0x50, 0, 1, 0xe6, 0x10, 0, 0);
  for (let i = 1; i <= features; i++)
    insert.run(i, Buffer.concat([header, plot(random)]), `plot ${i}`, i / 16, "2026-01-01");
  database.exec("COMMIT");
  database.close();
}

/** Writes the same plots as GeoParquet, in row groups of 65,536. */
export async function writeGeoParquet(path: string, features: number): Promise<void> {
  const random = seededRandom(SEED);
  const rows = Array.from({ length: features }, (_, i) => i + 1);
  const geo = {
    version: "1.1.0",
    primary_column: "geometry",
    columns: { geometry: { encoding: "WKB", geometry_types: [] } },
  };
  await parquetWrite({
    writer: fileWriter(path),
    rowGroupSize: 65_536,
    kvMetadata: [{ key: "geo", value: JSON.stringify(geo) }],
    columnData: [
      { name: "fid", data: rows, type: "INT32" },
      { name: "geometry", data: rows.map(() => plot(random)), type: "BYTE_ARRAY" },
      { name: "name", data: rows.map((i) => `plot ${i}`), type: "STRING" },
      { name: "hectares", data: rows.map((i) => i / 16), type: "DOUBLE" },
      { name: "day", data: rows.map(() => "2026-01-01"), type: "STRING" },
    ],
  });
}
