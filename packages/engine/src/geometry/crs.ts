import proj4 from "proj4";
import { EngineError } from "../errors.ts";
import { CRS_TABLE } from "./crs-table.ts";

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
 * @param crs `EPSG:n`, `OGC:CRS84`, `urn:ogc:def:crs:EPSG::n` or `urn:ogc:def:crs:OGC:1.3:CRS84`;
 *   letter case does not matter
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

/**
 * Like {@link findTransform}.
 * Fails: `CRS_UNKNOWN` with `crs` and, where it names an EPSG code, the `nearest` known ones.
 */
export function getTransform(crs: string): Transform {
  const transform = findTransform(crs);
  if (transform !== undefined) return transform;
  const code = codeOf(crs);
  const shown = JSON.stringify(crs.length > 64 ? `${crs.slice(0, 64)}…` : crs);
  if (code === undefined) {
    throw new EngineError("CRS_UNKNOWN", `the CRS ${shown} is not known; expected EPSG:<code> or OGC:CRS84`, {
      crs,
    });
  }
  const nearest = [...CRS_TABLE.keys()]
    .sort((a, b) => Math.abs(a - code) - Math.abs(b - code) || a - b)
    .slice(0, 3)
    .map((known) => `EPSG:${known}`);
  throw new EngineError(
    "CRS_UNKNOWN",
    `the CRS ${shown} is not known; the nearest codes that are: ${nearest.join(", ")}`,
    { crs, nearest },
  );
}

function codeOf(crs: string): number | undefined {
  if (/^(?:OGC:|urn:ogc:def:crs:OGC:(?:1\.3)?:)CRS84$/i.test(crs)) return 4326;
  const [, code] = /^(?:EPSG:|urn:ogc:def:crs:EPSG:[0-9.]*:)([1-9][0-9]{3,5})$/i.exec(crs) ?? [];
  return code === undefined ? undefined : Number(code);
}

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
