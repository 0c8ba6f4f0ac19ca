import { EngineError } from "../../base/errors.ts";
import type { Bbox } from "../earth/bbox.ts";

/**
 * Transforms a position of another CRS, in place, to longitude and latitude on WGS 84. Returns non-finite numbers if
 * the CRS has no such place.
 *
 * Positions come as GeoJSON has them, longitude or easting first, whatever axis order the EPSG registry
 * gives the CRS. Longitudes run on past ±180 rather than jump: a field across the antimeridian in UTM
 * zone 60 stays in one piece.
 */
export type Transform = (position: [number, number]) => void;

/** Everything needed to read positions in a CRS. */
export interface CrsDefinition {
  readonly transform: Transform;
  /** Areas of use in the EPSG registry, degrees. */
  readonly areas: readonly Bbox[];
  /** True if its coordinates are lengths rather than degrees. */
  readonly isProjected: boolean;
  /** How accurate its shift to WGS 84 is where that is coarser than 10 m, metres: plots are warned of it. */
  readonly accuracyMeters?: number;
}

/**
 * Coordinate reference systems by their code in the EPSG registry. The engine itself knows only
 * longitude and latitude on WGS 84; `crsTable` of `@groundrule/crs` holds the others.
 */
export interface CrsTable {
  /** Every code it holds. */
  readonly codes: readonly number[];
  /** The CRS of a code; undefined where the table does not hold it. */
  find(code: number): CrsDefinition | undefined;
  /**
   * The CRS of a definition by its parameters (`+proj=aea +lat_1=…`); undefined where it cannot be computed.
   *
   * @param definition as PROJ writes it
   */
  parse?(definition: string): CrsDefinition | undefined;
  /** Codes that the table holds whose areas of use are nearest to that of a code, the nearest first. */
  nearest?(code: number): readonly number[];
}

/** A CRS that is known. */
export interface Crs extends CrsDefinition {
  /** As it was named. */
  readonly name: string;
}

/**
 * The CRS of a name. `OGC:CRS84` and `EPSG:4326` change no bit of a position, and need no table.
 *
 * @param name `EPSG:n`, `OGC:CRS84`, either as a URN (`urn:ogc:def:crs:EPSG::n`, `urn:x-ogc:…`) or URL
 *   (`http://www.opengis.net/def/crs/EPSG/0/n`) of the OGC, `WGS 84`, or a definition that the table parses; letter case
 *   does not matter
 * @param table holds every other CRS; absent: there are none
 * @param tableOption what a caller passes the table as, for errors
 *
 * Fails: `CRS_UNKNOWN` with `crs` and, where it names an EPSG code that the table does not hold, the
 * `nearest` that it does.
 */
export function getCrs(name: string, table?: CrsTable | undefined, tableOption = "crsTable"): Crs {
  const code = parseCrsCode(name);
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  const definition =
    code === WGS84_CODE ? WGS84 : code === undefined ? table?.parse?.(name) : table?.find(code);
  if (code === undefined && definition === undefined) {
    const expected = `EPSG:<code> or OGC:CRS84; ${TRANSFORM}`;
    throw new EngineError("CRS_UNKNOWN", `found the CRS ${shown}, expected ${expected}`, { crs: name });
  }
  if (definition !== undefined) return { name, ...definition };
  if (table === undefined) {
    throw new EngineError(
      "CRS_UNKNOWN",
      `the CRS ${shown} is unknown without a table of CRSs; pass crsTable of @groundrule/crs as ${tableOption}`,
      { crs: name },
    );
  }
  const nearest = (table.nearest?.(code!) ?? []).map((known) => `EPSG:${known}`);
  const near = nearest.length === 0 ? "" : `; known codes of the same area are ${nearest.join(", ")}`;
  throw new EngineError("CRS_UNKNOWN", `the CRS ${shown} is unknown${near}; ${TRANSFORM}`, {
    crs: name,
    nearest,
  });
}

const TRANSFORM = "or transform the file: `ogr2ogr -t_srs EPSG:4326 out.gpkg in.gpkg`";

/**
 * True if two names mean one CRS; unknown names do if they differ only in letter case.
 *
 * @param one `EPSG:n`, `OGC:CRS84` or anything else
 * @param other likewise
 */
export function isSameCrs(one: string, other: string): boolean {
  const code = parseCrsCode(one);
  return code === undefined ? one.toUpperCase() === other.toUpperCase() : code === parseCrsCode(other);
}

/** True if a name means longitude and latitude on WGS 84, the CRS in which plots store positions. */
export function isNameOfWgs84(name: string): boolean {
  return name === "EPSG:4326" || parseCrsCode(name) === WGS84_CODE;
}

/** Degrees of longitude or latitude, whichever are more, by which a position lies outside all the areas; 0: in one. */
export function measureDegreesOutside(areas: readonly Bbox[], longitude: number, latitude: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [west, south, east, north] of areas) {
    const middle = (west + east) / 2;
    const turned = longitude - 360 * Math.round((longitude - middle) / 360);
    const outside = Math.max(west - turned, turned - east, south - latitude, latitude - north, 0);
    if (outside < least) least = outside;
  }
  return least;
}

const WGS84_CODE = 4326;
const WGS84: CrsDefinition = { transform: () => {}, areas: [[-180, -90, 180, 90]], isProjected: false };

function parseCrsCode(crs: string): number | undefined {
  if (WGS84_NAME.test(crs)) return WGS84_CODE;
  const [, text] = EPSG_NAME.exec(crs) ?? [];
  if (text === undefined) return undefined;
  const code = Number(text);
  return SAME_CODES.get(code) ?? code;
}

/** CRS84 as the OGC has named it over the years, and WGS 84 as programs call it. */
const WGS84_NAME =
  /^(?:(?:OGC:|CRS:|urn:(?:x-)?ogc:def:crs:OGC:(?:1\.3|2)?:|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/(?:1\.3|0)\/)(?:CRS)?84|CRS84|(?:GCS[ _])?WGS[ _]?(?:19)?84)$/i;
const EPSG_NAME =
  /^(?:(?:EPSG|ESRI):{1,2}|urn:(?:x-)?ogc:def:crs:EPSG:(?:[0-9.]*:)?|https?:\/\/www\.opengis\.net\/(?:def\/crs\/EPSG\/[0-9.]+\/|gml\/(?:srs\/)?epsg(?:\.xml)?#))([1-9][0-9]{3,5})$/i;

/** Codes that are others' names of one CRS: Google's and Esri's of the Mercator of web maps, and what the registry replaced. */
const SAME_CODES: ReadonlyMap<number, number> = new Map([
  [900913, 3857],
  [102100, 3857],
  [102113, 3857],
  [3785, 3857],
  [2214, 3119],
]);
