import { DatabaseSync } from "node:sqlite";
import { encodeWkb, type Geometry } from "./wkb-encoder.ts";

/** A layer as tests write it: its columns with their types, and its rows. */
export interface LayerFile {
  readonly name: string;
  /** Absent: a table of attributes. */
  readonly geometryType?: string;
  readonly srsId?: number;
  readonly columns: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly (null | number | bigint | string | Uint8Array)[])[];
}

/** Writes a GeoPackage of a few layers, and does with it what `also` says before it is closed. */
export function writeGeoPackage(
  path: string,
  layers: readonly LayerFile[],
  also: (database: DatabaseSync) => void = () => undefined,
  pragmas = "PRAGMA page_size = 1024;",
): void {
  const database = new DatabaseSync(path, { defensive: false });
  database.exec(`${pragmas} PRAGMA synchronous = OFF; PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
      organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('Cartesian', -1, 'NONE', -1, 'undefined', NULL),
      ('geographic', 0, 'NONE', 0, 'undefined', NULL), ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84"]', NULL),
      ('UTM 22S', 31982, 'epsg', 31982, 'PROJCS["UTM"]', NULL), ('Our own', 100001, 'ACME', 7, 'undefined', NULL);
    CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT DEFAULT '', last_change DATETIME, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
      srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
      geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name));`);
  for (const { name, geometryType, srsId = 4326, columns, rows } of layers) {
    const isSpatial = geometryType !== undefined;
    const declared = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`);
    database.exec(`CREATE TABLE "${name}" (${declared.join(", ")})`);
    database
      .prepare("INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES (?, ?, ?, ?)")
      .run(name, isSpatial ? "features" : "attributes", `The ${name}`, isSpatial ? srsId : null);
    if (isSpatial)
      database
        .prepare("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)")
        .run(name, geometryType, srsId);
    const insert = database.prepare(`INSERT INTO "${name}" VALUES (${declared.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...row);
  }
  also(database);
  database.close();
}

/** A geometry as a GeoPackage stores it, with an envelope of the kind asked for. */
export function encodeGeometryBlob(
  geometry: Geometry,
  { srsId = 4326, envelope = 0, flags = 0, isLittle = true } = {},
): Uint8Array {
  const header = new DataView(new ArrayBuffer(8 + [0, 32, 48, 48, 64, 0, 0, 0][envelope]!));
  header.setUint16(0, 0x4750);
  header.setUint8(3, flags | (envelope << 1) | (isLittle ? 1 : 0));
  header.setInt32(4, srsId, isLittle);
  return Uint8Array.of(...new Uint8Array(header.buffer), ...encodeWkb(geometry));
}
