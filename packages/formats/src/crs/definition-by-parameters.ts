import {
  formatDefinition,
  type Method,
  type Parameter,
  type Parameters,
  SYSTEMS,
} from "@groundrule/crs/systems";
import { type DescribedCrs, RADIANS_PER_DEGREE } from "./described-crs.ts";
import { toProjection } from "./methods.ts";

/**
 * A system that has no code, by its parameters: in the words of PROJ, as `crsTable` parses them. Its datum is shifted to
 * WGS 84 as the systems of the table on it are.
 *
 * @param frame EPSG code of the geographic system on its datum
 * @returns undefined where method or unit are not known, parameters do not belong to the method, or systems of that datum
 *   are shifted in several ways
 */
export function buildProjDefinition(crs: DescribedCrs, frame: number): string | undefined {
  const shift = shiftOfFrame(frame);
  if (shift === undefined) return undefined;
  const of = { frames: [frame], ...(shift !== NONE && { shift }) };
  if (crs.kind === "geographic") {
    const isInDegrees = crs.unit === undefined || Math.abs(crs.unit / RADIANS_PER_DEGREE - 1) < 1e-9;
    return isInDegrees ? formatDefinition(of) : undefined;
  }
  const projection = toProjection(crs);
  const unit = crs.unit ?? 1;
  if (projection === undefined || !methodAcceptsParameters(projection.method, projection.parameters))
    return undefined;
  return unit >= 0.01 && unit <= 10_000
    ? formatDefinition({ ...of, ...projection, unit_m: unit })
    : undefined;
}

const NONE = 0;

/** The operation by which the systems of a datum are shifted, {@link NONE} where it agrees with WGS 84. */
function shiftOfFrame(frame: number): number | undefined {
  const own = SYSTEMS.get(frame);
  if (own !== undefined) return own.shift ?? NONE;
  const shifts = [...SYSTEMS.values()].flatMap(({ frames, shift = NONE }) =>
    frames[0] === frame ? [shift] : [],
  );
  return new Set(shifts).size === 1 ? shifts[0] : undefined;
}

const ORIGIN = ["lat0", "lon0", "x0", "y0"] as const;

/** The parameters of each method that proj4 computes as PROJ does, and those that it must have. */
const USED: Readonly<
  Partial<Record<Method, { readonly all: readonly Parameter[]; readonly needed?: readonly Parameter[] }>>
> = {
  albers: { all: [...ORIGIN, "lat1", "lat2"] },
  "cylindrical-equal-area": { all: ["lon0", "x0", "y0", "lat1"] },
  "equal-earth": { all: ["lon0", "x0", "y0"] },
  "hotine-a": { all: [...ORIGIN, "k", "azimuth", "skew"], needed: ["lat0", "azimuth", "skew"] },
  "hotine-b": { all: [...ORIGIN, "k", "azimuth", "skew"], needed: ["lat0", "azimuth", "skew"] },
  "lambert-azimuthal": { all: ORIGIN },
  "lambert-conformal-1sp": { all: [...ORIGIN, "k"], needed: ["lat0"] },
  "lambert-conformal-2sp": { all: [...ORIGIN, "lat1", "lat2"] },
  "mercator-a": { all: ["lon0", "k", "x0", "y0"] },
  mollweide: { all: ["lon0", "x0", "y0"] },
  "oblique-stereographic": { all: [...ORIGIN, "k"] },
  polyconic: { all: ORIGIN },
  sinusoidal: { all: ["lon0", "x0", "y0"] },
  "transverse-mercator": { all: [...ORIGIN, "k"] },
};

const MOST: Readonly<Record<"lat" | "lon" | "offset", number>> = { lat: 90, lon: 360, offset: 1e8 };

function methodAcceptsParameters(method: Method, parameters: Parameters): boolean {
  const used = USED[method];
  if (used === undefined) return false;
  const found = Object.entries(parameters) as [Parameter, number][];
  const isComplete = (used.needed ?? []).every((key) => parameters[key] !== undefined);
  const parallels = (parameters.lat1 ?? 0) + (parameters.lat2 ?? 0);
  const isConic = method === "albers" || method === "lambert-conformal-2sp";
  return (
    isComplete &&
    // Parallels alike north and south of the equator make no cone.
    !(isConic && Math.abs(parallels) < 1e-6) &&
    found.every(([key, value]) => used.all.includes(key) && isPossible(key, value))
  );
}

function isPossible(key: Parameter, value: number): boolean {
  if (key === "k") return value >= 0.5 && value <= 2;
  const kind = key.startsWith("lat") ? "lat" : key === "x0" || key === "y0" ? "offset" : "lon";
  return Math.abs(value) <= MOST[kind];
}
