import proj4 from "proj4";
import { EngineError } from "../base/errors.ts";
import { CRS_AREAS } from "./crs-areas.ts";
import { CRS_TABLE } from "./crs-table.ts";
import type { Bbox } from "./earth/bbox.ts";

/**
 * Turns a position of another CRS, in place, into longitude and latitude on WGS 84. Gives
 * non-finite numbers where the CRS has no such place.
 */
export type Transform = (position: [number, number]) => void;

/**
 * The transform from a CRS to longitude and latitude on WGS 84, or undefined where it is not known.
 *
 * Coordinates come as GeoJSON has them, longitude or easting first, whatever axis order the EPSG
 * registry gives the CRS. Results are rounded to 1e-9°, about 0.1 mm. Longitudes run on past ±180
 * rather than jump: a field across the antimeridian in UTM zone 60 stays in one piece.
 *
 * OGC:CRS84, EPSG:4326 and the geographic systems that agree with WGS 84 to within its own accuracy
 * (SIRGAS 2000, ETRS89, NAD83, GDA and others) change nothing, to the bit. All others go through
 * proj4, which uses the host's sine and logarithm: their last digit may differ between hosts.
 *
 * Error: under 1 mm against PROJ for the same shift (3 mm in EPSG:3035 and EPSG:8857). Systems of an
 * older datum are shifted by one operation of the EPSG registry, without grid files: good to what the
 * table states, mostly 1 m and never worse than 10 m, in the area it states. Systems for which there
 * is none so good are not known (docs/decisions/0012-crs-shifts.md).
 *
 * @param crs `EPSG:n`, `OGC:CRS84`, or either as a URN (`urn:ogc:def:crs:EPSG::n`) or URL
 *   (`http://www.opengis.net/def/crs/EPSG/0/n`) of the OGC; letter case does not matter
 */
export function findTransform(crs: string): Transform | undefined {
  const code = codeOf(crs);
  const definition = code === undefined ? undefined : CRS_TABLE.get(code);
  if (definition === undefined) return undefined;
  if (AGREES_WITH_WGS84.test(definition)) return () => {};

  const inverse = proj4(definition).inverse;
  const meridian = meridianOf(definition);
  return (position) => {
    const middle = meridian(position[0]);
    const [longitude, latitude] = inverse([position[0], position[1]]);
    position[0] = rounded(longitude + 360 * Math.round((middle - longitude) / 360));
    position[1] = rounded(latitude);
  };
}

/** A CRS that is known. */
export interface Crs {
  /** As it was named. */
  readonly name: string;
  readonly transform: Transform;
  /** Where the EPSG registry says it is in use, degrees. */
  readonly areas: readonly Bbox[];
  /** Whether its coordinates are metres rather than degrees. */
  readonly isProjected: boolean;
}

/**
 * The CRS of a name that {@link findTransform} knows.
 * Fails: `CRS_UNKNOWN` with `crs` and, where it names an EPSG code, the `nearest` known ones.
 */
export function getCrs(name: string): Crs {
  const code = codeOf(name);
  const transform = findTransform(name);
  if (code !== undefined && transform !== undefined) {
    const isProjected = !CRS_TABLE.get(code)!.startsWith("+proj=longlat ");
    return { name, transform, areas: CRS_AREAS.get(code)!, isProjected };
  }
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  if (code === undefined) {
    throw new EngineError("CRS_UNKNOWN", `the CRS ${shown} is not known; expected EPSG:<code> or OGC:CRS84`, {
      crs: name,
    });
  }
  const nearest = [...CRS_TABLE.keys()]
    .sort((a, b) => Math.abs(a - code) - Math.abs(b - code) || a - b)
    .slice(0, 3)
    .map((known) => `EPSG:${known}`);
  throw new EngineError(
    "CRS_UNKNOWN",
    `the CRS ${shown} is not known; the nearest codes that are: ${nearest.join(", ")}`,
    { crs: name, nearest },
  );
}

/** Whether two names mean one CRS; unknown ones do where they are the same but for letter case. */
export function isSameCrs(one: string, other: string): boolean {
  const code = codeOf(one);
  return code === undefined ? one.toUpperCase() === other.toUpperCase() : code === codeOf(other);
}

/** Degrees of longitude or latitude, whichever are more, by which a position lies outside all the areas; 0: in one. */
export function degreesOutside(areas: readonly Bbox[], longitude: number, latitude: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [west, south, east, north] of areas) {
    const middle = (west + east) / 2;
    const turned = longitude - 360 * Math.round((longitude - middle) / 360);
    const outside = Math.max(west - turned, turned - east, south - latitude, latitude - north, 0);
    if (outside < least) least = outside;
  }
  return least;
}

function codeOf(crs: string): number | undefined {
  if (CRS84_NAME.test(crs)) return 4326;
  const [, code] = EPSG_NAME.exec(crs) ?? [];
  return code === undefined ? undefined : Number(code);
}

const CRS84_NAME =
  /^(?:OGC:|urn:ogc:def:crs:OGC:(?:1\.3)?:|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/(?:1\.3|0)\/)CRS84$/i;
const EPSG_NAME =
  /^(?:EPSG:|urn:ogc:def:crs:EPSG:[0-9.]*:|https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[0-9.]+\/)([1-9][0-9]{3,5})$/i;

const AGREES_WITH_WGS84 = /^\+proj=longlat (?:\+datum=WGS84|\+ellps=(?:WGS84|GRS80))$/;

const METERS_PER_DEGREE_OF_MERCATOR = 111319.49079327358;

/**
 * The longitude near which those of positions with easting x are to be sought. proj4 folds
 * longitudes into ±180; this unfolds them.
 */
function meridianOf(definition: string): (x: number) => number {
  const number = (name: string): number => Number(new RegExp(`\\+${name}=(\\S+)`).exec(definition)?.[1] ?? 0);
  const [, projection] = /\+proj=(\S+)/.exec(definition) ?? [];
  if (projection === "longlat") return (x) => x;
  if (projection === "merc" || projection === "eqc") {
    const falseEasting = number("x_0");
    const central = number("lon_0");
    return (x) => central + (x - falseEasting) / METERS_PER_DEGREE_OF_MERCATOR;
  }
  const central = projection === "utm" ? 6 * number("zone") - 183 : number("lon_0");
  return () => central;
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}
