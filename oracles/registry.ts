import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The EPSG registry as PROJ ships it. */
export interface Registry {
  /** A CRS by its EPSG code, or undefined. */
  findCrs(code: number): RegistryCrs | undefined;
  /** Every geographic 2D and projected CRS that is in use, by code. */
  codes(): number[];
  /** One transformation by translations, rotations and scale. */
  getHelmert(code: number): Helmert;
  /** All from a geographic CRS to WGS 84, or to a frame that the registry equates with it. */
  helmertsFrom(code: number): Helmert[];
}

export interface RegistryCrs {
  readonly code: number;
  readonly name: string;
  /** The geographic CRS under a projected one; itself for a geographic one. */
  readonly base: number;
  /** Area of use, degrees; west exceeds east where it crosses the antimeridian. */
  readonly areas: readonly Extent[];
}

export interface Extent {
  readonly name: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface Helmert {
  readonly code: number;
  readonly name: string;
  readonly source: number;
  readonly target: number;
  /** As the registry states it. */
  readonly accuracyMeters: number;
  readonly area: Extent;
  /** As towgs84 has them: metres, position vector rotations in arc seconds, parts per million. */
  readonly parameters: readonly number[];
}

/**
 * Opens the registry. It comes inside the PostGIS package, so it is the very one that the PROJ there
 * reads.
 */
export function openCrsRegistry(): Registry {
  const db = openProjDatabase();
  const all = (sql: string, ...values: SQLInputValue[]) => db.prepare(sql).all(...values) as unknown;
  const crsRows = all(`
    SELECT c.code AS code, c.name AS name, c.base AS base, e.name AS area,
      e.west_lon AS west, e.south_lat AS south, e.east_lon AS east, e.north_lat AS north
    FROM (
      SELECT 'geodetic_crs' AS kind, code, name, code AS base FROM geodetic_crs
        WHERE auth_name = 'EPSG' AND type = 'geographic 2D' AND deprecated = 0
      UNION ALL
      SELECT 'projected_crs', code, name, geodetic_crs_code FROM projected_crs
        WHERE auth_name = 'EPSG' AND deprecated = 0) c
    JOIN usage u ON u.object_table_name = c.kind AND u.object_auth_name = 'EPSG' AND u.object_code = c.code
    JOIN extent e ON e.auth_name = u.extent_auth_name AND e.code = u.extent_code
    ORDER BY c.code`) as (Extent & { code: number; name: string; base: number; area: string })[];
  const known = new Map<number, RegistryCrs & { areas: Extent[] }>();
  for (const { code, name, base, area, west, south, east, north } of crsRows) {
    const crs = known.get(code) ?? { code, name, base, areas: [] };
    crs.areas.push({ name: area, west, south, east, north });
    known.set(code, crs);
  }

  const rows = all(`
    SELECT h.code AS code, h.name AS name, h.method_code AS method, h.source_crs_code AS source,
      h.target_crs_code AS target, h.accuracy AS accuracy, h.tx AS tx, h.ty AS ty, h.tz AS tz,
      h.rx AS rx, h.ry AS ry, h.rz AS rz, h.rotation_uom_code AS unit, h.scale_difference AS scale,
      e.name AS area, e.west_lon AS west, e.south_lat AS south, e.east_lon AS east, e.north_lat AS north
    FROM helmert_transformation_table h
    JOIN usage u ON u.object_table_name = 'helmert_transformation'
      AND u.object_auth_name = 'EPSG' AND u.object_code = h.code
    JOIN extent e ON e.auth_name = u.extent_auth_name AND e.code = u.extent_code
    WHERE h.auth_name = 'EPSG' AND h.deprecated = 0 AND h.translation_uom_code = 9001
      AND h.method_code IN (${[...ROTATION_SIGN.keys()].join()})
      AND coalesce(h.scale_difference_uom_code, 9202) = 9202
      AND coalesce(h.rotation_uom_code, 9104) IN (${[...ARC_SECONDS.keys()].join()})
    GROUP BY h.code ORDER BY h.accuracy, h.code DESC`) as HelmertRow[];
  const helmerts = rows.map(toHelmert);
  const asWgs84 = new Set([WGS84]);
  for (const { source, target, parameters } of helmerts) {
    if (target === WGS84 && parameters.every((parameter) => parameter === 0)) asWgs84.add(source);
  }
  db.close();
  return {
    findCrs: (code) => known.get(code),
    codes: () => [...known.keys()],
    getHelmert(code) {
      const found = helmerts.find((helmert) => helmert.code === code);
      if (found === undefined) throw new Error(`EPSG operation ${code} is not in the registry`);
      return found;
    },
    helmertsFrom: (code) => helmerts.filter(({ source, target }) => source === code && asWgs84.has(target)),
  };
}

interface HelmertRow {
  readonly code: number;
  readonly name: string;
  readonly method: number;
  readonly source: number;
  readonly target: number;
  readonly accuracy: number;
  readonly tx: number;
  readonly ty: number;
  readonly tz: number;
  readonly rx: number | null;
  readonly ry: number | null;
  readonly rz: number | null;
  readonly unit: number | null;
  readonly scale: number | null;
  readonly area: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const WGS84 = 4326;

/** EPSG method, geocentric translations, position vector and coordinate frame, and the sign of its rotations. */
const ROTATION_SIGN: ReadonlyMap<number, number> = new Map([
  [9603, 1],
  [9606, 1],
  [9607, -1],
]);

/** EPSG unit, arc second, microradian and centesimal second, in arc seconds. */
const ARC_SECONDS: ReadonlyMap<number, number> = new Map([
  [9104, 1],
  [9109, (180 * 3600) / Math.PI / 1e6],
  [9113, 0.324],
]);

function toHelmert(row: HelmertRow): Helmert {
  const { code, name, source, target, accuracy, tx, ty, tz, west, south, east, north } = row;
  const area = { name: row.area, west, south, east, north };
  const turn = ROTATION_SIGN.get(row.method)! * (ARC_SECONDS.get(row.unit ?? 9104) ?? Number.NaN);
  const rotations = [row.rx ?? 0, row.ry ?? 0, row.rz ?? 0].map((angle) => (angle === 0 ? 0 : turn * angle));
  const parameters = [tx, ty, tz, ...rotations, row.scale ?? 0];
  return { code, name, source, target, accuracyMeters: accuracy, area, parameters };
}

/** The tables of PROJ, `proj.db`. */
export function openProjDatabase(): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-registry-"));
  try {
    const file = join(folder, "proj.db");
    writeFileSync(file, readPackedFile("share/proj/proj.db"));
    // SQLite keeps the file open; its name may go.
    const db = new DatabaseSync(file, { readOnly: true });
    db.prepare("SELECT 1 FROM metadata").get();
    return db;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file out of the archive in which the PostGIS package carries all it installs. */
function readPackedFile(name: string): Buffer {
  const archive = new URL("postgis.tar.gz", import.meta.resolve("@electric-sql/pglite-postgis"));
  const tar = gunzipSync(readFileSync(fileURLToPath(archive)));
  for (let at = 0; at + 512 <= tar.length; ) {
    const text = (from: number, length: number): string =>
      tar.toString("latin1", at + from, at + from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12), 8) || 0;
    if (text(0, 100) === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + 512 * Math.ceil(size / 512);
  }
  throw new Error(`the PostGIS package has no ${name}`);
}
