import type { Bbox, CrsDefinition, CrsTable, Transform } from "@groundrule/engine";
import proj4 from "proj4";
import { AREAS_OF_USE } from "#areas-of-use";
import { formatDefinition } from "./format-definition.ts";
import { parseProjDefinition } from "./parse-definition.ts";
import { type Method, SHIFTS, SYSTEMS, type System } from "./systems.ts";

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
 * `systems.json` states, mostly 1 m, in the area it states; coarser than 10 m only where a producing country has
 * none better, which plots are warned of (docs/decisions/crs.md).
 */
export const crsTable: CrsTable = {
  codes: [...SYSTEMS.keys()],
  find: (code) => {
    const system = SYSTEMS.get(code);
    return system && createCrsDefinition(system);
  },
  parse: (definition) => {
    const parsed = parseProjDefinition(definition);
    if (parsed === undefined) return undefined;
    const { projection, meridian, inverse } = parsed;
    const isProjected = projection !== "longlat";
    const near = isProjected ? () => meridian : (x: number) => x;
    return { transform: createInverseTransform(inverse, near), areas: [WORLD], isProjected };
  },
  nearest: (code) => listNearestByArea(AREAS_OF_USE, code),
};

const WORLD: Bbox = [-180, -90, 180, 90];
/** A shift as good as that needs no warning, metres. */
const GOOD_METERS = 10;

function createCrsDefinition(system: System): CrsDefinition {
  const definition = formatDefinition(system);
  const accuracy = system.shift === undefined ? 0 : SHIFTS.get(system.shift)!.accuracy_m;
  return {
    transform: AGREES_WITH_WGS84.test(definition) ? () => {} : createTransformToDegrees(definition, system),
    areas: system.areas,
    isProjected: system.method !== undefined,
    ...(accuracy > GOOD_METERS && { accuracyMeters: accuracy }),
  };
}

const AGREES_WITH_WGS84 = /^\+proj=longlat (?:\+datum=WGS84|\+ellps=(?:WGS84|GRS80))$/;

function createTransformToDegrees(definition: string, system: System): Transform {
  return createInverseTransform(proj4(definition).inverse, createMeridianLookup(system));
}

/** @param meridian the longitude near which that of a position with easting x is to be sought */
function createInverseTransform(
  inverse: (position: [number, number]) => readonly number[],
  meridian: (x: number) => number,
): Transform {
  return (position) => {
    const middle = meridian(position[0]);
    const [longitude, latitude] = inverse([position[0], position[1]]) as [number, number];
    position[0] = roundDegrees(longitude + 360 * Math.round((middle - longitude) / 360));
    position[1] = roundDegrees(latitude);
  };
}

const METERS_PER_DEGREE_OF_MERCATOR = 111319.49079327358;
const MERCATORS: ReadonlySet<Method> = new Set(["equidistant-cylindrical", "mercator-a", "pseudo-mercator"]);

/**
 * The longitude near which those of positions with easting x are to be sought. proj4 folds
 * longitudes into ±180; this unfolds them.
 */
function createMeridianLookup({ method, parameters = {} }: System): (x: number) => number {
  const { lon0 = 0, x0 = 0 } = parameters;
  if (method === undefined) return (x) => x;
  if (MERCATORS.has(method)) return (x) => lon0 + (x - x0) / METERS_PER_DEGREE_OF_MERCATOR;
  return () => lon0;
}

function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}

const MOST = 3;

/**
 * Codes of the table whose areas of use are nearest to that of a code, the nearest first: by what both areas share of
 * what they cover together.
 *
 * @param lines as `AREAS_OF_USE` has them
 * @returns empty where the code is not in the registry, or no area meets its own
 */
function listNearestByArea(lines: readonly string[], code: number): number[] {
  const area = findAreaOfUse(lines, code);
  if (area === undefined) return [];
  return [...SYSTEMS]
    .filter(([, { method }]) => method !== undefined)
    .map(([known, { areas }]) => ({
      known,
      share: areas.reduce((most, other) => Math.max(most, computeSharedPart(area, inWholeDegrees(other))), 0),
    }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || a.known - b.known)
    .slice(0, MOST)
    .map(({ known }) => known);
}

function findAreaOfUse(lines: readonly string[], code: number): Bbox | undefined {
  for (const line of lines) {
    const [box, codes] = line.split(":") as [string, string];
    const isHere = codes.split(" ").some((part) => {
      const [first, last = first] = part.split("-").map(Number) as [number, number?];
      return code >= first && code <= last;
    });
    if (isHere) return box.split(" ").map(Number) as unknown as Bbox;
  }
  return undefined;
}

function inWholeDegrees([west, south, east, north]: Bbox): Bbox {
  return [Math.floor(west), Math.floor(south), Math.ceil(east), Math.ceil(north)];
}

/** The area that two boxes share, as a part of the area that they cover together. */
function computeSharedPart(a: Bbox, b: Bbox): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (computeBoxArea(a) + computeBoxArea(b) - shared);
}

function computeBoxArea([west, south, east, north]: Bbox): number {
  return (east - west) * (north - south);
}
