import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { openPath, openTable } from "@groundrule/formats";
import { readJsonLines } from "../runs/shards/record-reader.ts";
import { listResultColumns } from "../screening/results/result-columns.ts";
import type { TableOptions } from "./attributes.ts";
import { type Attribute, type AttributeType, toAttributeValue } from "./attributes.ts";
import { buildAttributeColumns, planTable } from "./table-plan.ts";
import type { TableRow } from "./table-row.ts";
import { toWkbText } from "./wkb.ts";

const LAYER = "plots";
const KEY = "fid";
const GEOMETRY = "geom";

const TYPES: Readonly<Record<AttributeType, string>> = {
  boolean: "BOOLEAN",
  integer: "INTEGER",
  null: "TEXT",
  real: "REAL",
  text: "TEXT",
};

/** Rows between checks for an abort. */
const STEP = 4096;

/**
 * Makes a GeoPackage with one layer, `plots`, from temporary rows. Its bytes depend only on the rows, the instant of
 * the run and the release of SQLite.
 *
 * Source: OGC 12-128r18.
 *
 * @returns the plots' own attributes
 */
export async function writeGeoPackage(
  rows: string,
  output: string,
  { checks, now, attributes: known }: TableOptions,
): Promise<readonly Attribute[]> {
  const { attributes, types, bbox } = planTable(rows, known);
  const results = listResultColumns(checks);
  const own = buildAttributeColumns(attributes, [KEY, GEOMETRY, ...results], true);
  rmSync(output, { force: true });
  const database = new DatabaseSync(output);
  try {
    // A process that dies here leaves the rows, from which everything is made again.
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA application_id = 1196444487; PRAGMA user_version = 10300; BEGIN");
    database.exec(TABLES);
    const columns = [
      `"${KEY}" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL`,
      `"${GEOMETRY}" ${chooseGeometryType(types)}`,
      ...results.map((name) => `${quoteSqlName(name)} TEXT`),
      ...own.map(({ column, type }) => `${quoteSqlName(column)} ${TYPES[type]}`),
    ];
    database.exec(`CREATE TABLE "${LAYER}" (${columns.join(", ")})`);
    const insert = database.prepare(
      `INSERT INTO "${LAYER}" VALUES (${[null, ...columns.slice(1).map(() => "?")].map((each) => each ?? "NULL").join(", ")})`,
    );
    let count = 0;
    for (const { row, wkb, properties } of readJsonLines<TableRow>(rows)) {
      const cells = row.map((value) => (typeof value === "object" ? value && JSON.stringify(value) : value));
      const values = own.map(({ name, type }) => {
        const value = toAttributeValue(properties[name], type);
        if (typeof value === "boolean") return Number(value);
        return type === "integer" && value !== null ? BigInt(value) : value;
      });
      insert.run(wkb === null ? null : toGeoPackageBlob(Buffer.from(wkb, "base64")), ...cells, ...values);
      if (++count % STEP === 0) await setImmediate();
    }
    const instant = new Date(now).toISOString();
    database
      .prepare("INSERT INTO gpkg_contents VALUES (?, 'features', ?, '', ?, ?, ?, ?, ?, 4326)")
      .run(LAYER, LAYER, instant, ...(bbox ?? [null, null, null, null]));
    database
      .prepare("INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, 4326, 0, 0)")
      .run(LAYER, GEOMETRY, chooseGeometryType(types));
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  return attributes;
}

/** The rows of a GeoPackage written by {@link writeGeoPackage}. */
export async function* readGeoPackageRows(
  path: string,
  { checks, attributes = [] }: TableOptions,
): AsyncGenerator<TableRow, void, undefined> {
  const results = listResultColumns(checks);
  const own = buildAttributeColumns(attributes, [KEY, GEOMETRY, ...results], true);
  const file = await openPath(path);
  const table = await openTable(file, { format: "geopackage" });
  try {
    for await (const { geometry, properties } of table.features()) {
      yield {
        row: results.map((name) => {
          const value = (properties.get(name) ?? null) as string | null;
          return name === "evidence" && value !== null ? JSON.parse(value) : value;
        }),
        wkb: toWkbText(geometry),
        properties: Object.fromEntries(own.map(({ name, column }) => [name, properties.get(column) ?? null])),
      };
    }
  } finally {
    await table.close();
    await file.close();
  }
}

function quoteSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The column type for geometries of these types. */
function chooseGeometryType(types: readonly string[]): string {
  return types.length === 1 ? types[0]!.toUpperCase() : "GEOMETRY";
}

/** A geometry in GeoPackage form: little-endian, in EPSG:4326, without an envelope. */
function toGeoPackageBlob(wkb: Uint8Array): Uint8Array {
  const blob = new Uint8Array(8 + wkb.length);
  blob.set([0x47, 0x50, 0, 1]);
  new DataView(blob.buffer).setInt32(4, 4326, true);
  blob.set(wkb, 8);
  return blob;
}

const WGS84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';

const TABLES = `
  CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
    organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
  INSERT INTO gpkg_spatial_ref_sys VALUES
    ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinate reference system'),
    ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
    ('WGS 84 geodetic', 4326, 'EPSG', 4326, '${WGS84}', 'longitude and latitude in degrees on WGS 84');
  CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
    description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
  CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
    geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
    CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));`;
