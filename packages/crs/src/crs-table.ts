import type { CrsDefinition, CrsTable, Transform } from "@groundrule/engine";
import proj4 from "proj4";
import { AREAS_OF_USE } from "./areas-of-use.ts";
import { DEFINITIONS } from "./definitions.ts";

/**
 * The coordinate reference systems that are known, by their code in the EPSG registry, each with its area
 * of use and its transform to longitude and latitude on WGS 84.
 *
 * EPSG:4326 and the geographic systems that agree with WGS 84 to within its own accuracy (SIRGAS 2000,
 * ETRS89, NAD83, GDA and others) change nothing, to the bit. All others go through proj4, which uses the
 * host's sine and logarithm: their last digit may differ between hosts. Results are rounded to 1e-9°,
 * about 0.1 mm.
 *
 * Error: under 1 mm against PROJ for the same shift (3 mm in EPSG:3035 and EPSG:8857). Systems of an
 * older datum are shifted by one operation of the EPSG registry, without grid files: good to what
 * `definitions.ts` states, mostly 1 m and never worse than 10 m, in the area it states. Systems for which
 * there is none so good are not known (docs/decisions/0012-crs-shifts.md).
 */
export const crsTable: CrsTable = {
  codes: [...DEFINITIONS.keys()],
  find: (code) => {
    const definition = DEFINITIONS.get(code);
    return definition === undefined ? undefined : crsOf(definition, code);
  },
};

function crsOf(definition: string, code: number): CrsDefinition {
  return {
    transform: AGREES_WITH_WGS84.test(definition) ? () => {} : transformOf(definition),
    areas: AREAS_OF_USE.get(code)!,
    isProjected: !definition.startsWith("+proj=longlat "),
  };
}

const AGREES_WITH_WGS84 = /^\+proj=longlat (?:\+datum=WGS84|\+ellps=(?:WGS84|GRS80))$/;

function transformOf(definition: string): Transform {
  const inverse = proj4(definition).inverse;
  const meridian = meridianOf(definition);
  return (position) => {
    const middle = meridian(position[0]);
    const [longitude, latitude] = inverse([position[0], position[1]]);
    position[0] = rounded(longitude + 360 * Math.round((middle - longitude) / 360));
    position[1] = rounded(latitude);
  };
}

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
