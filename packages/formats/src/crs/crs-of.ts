import type { Parameters } from "@groundrule/crs/systems";
import { buildProjDefinition } from "./definition-by-parameters.ts";
import { type DescribedCrs, normalizeCrsName, RADIANS_PER_DEGREE } from "./described-crs.ts";
import { FRAMES, type Frame, GEOGRAPHIC_CODES, PROJECTED } from "./known-crs.ts";
import { toProjection } from "./methods.ts";
import { describeProjJson } from "./proj-json-crs.ts";
import { parseWktCrs } from "./wkt-crs.ts";

/**
 * The code of the CRS that well-known text describes: WKT 1 as OGC and Esri write it, and WKT 2; else its definition by
 * its parameters, for which the registry has no code (Esri's Albers of a continent).
 *
 * A code that the text states counts, unless the table of `@groundrule/crs` has other parameters for it. Without one
 * (Esri's `.prj`), datum, ellipsoid, prime meridian, unit, method and every parameter must agree with one system of
 * the table. The text's name never decides, but refuses where it names another system. Heights are passed over.
 * The order of axes is not looked at: files hold x before y whatever their text says.
 *
 * @returns `EPSG:n`, `OGC:CRS84`, `+proj=aea +lat_1=…` as `crsTable` parses it, or undefined: never a guess
 */
export function findWktCrs(wkt: string): string | undefined {
  const crs = parseWktCrs(wkt);
  return crs && findCrsCode(crs);
}

/**
 * The code of the CRS that PROJJSON describes (GeoParquet): as {@link findWktCrs}.
 *
 * @param value as `JSON.parse` makes it
 */
export function findProjJsonCrs(value: unknown): string | undefined {
  const crs = describeProjJson(value);
  return crs && findCrsCode(crs);
}

function findCrsCode(crs: DescribedCrs): string | undefined {
  if (crs.id === "OGC:CRS84") return crs.id;
  const stated = /^EPSG:([1-9]\d{3,4})$/.exec(crs.id ?? "");
  if (stated !== null && Number(stated[1]) <= LAST_CODE) {
    return contradictsCode(crs, Number(stated[1])) ? undefined : crs.id;
  }
  const found = crs.kind === "geographic" ? findGeographicCode(crs) : findProjectedCode(crs);
  if (found !== undefined) return isNamedOtherwise(crs, found) ? undefined : `EPSG:${found}`;
  const frame = isOfTable(crs) ? undefined : findDatumFrame(crs);
  return frame && isEastNorth(crs) ? buildProjDefinition(crs, frame.code) : undefined;
}

/** Codes above are not of the EPSG registry: 32767 is "user-defined", 900913 and 102100 are others'. */
const LAST_CODE = 32766;

/** How far numbers may lie apart, in degrees (1 cm), metres, and as factors (1 cm in 10,000 km). */
const CLOSE = { degrees: 1e-7, meters: 1e-3, factor: 1e-9, flattening: 5e-7 };
/** A stated code is contradicted by what no rounding explains. */
const LOOSE = { degrees: 1e-4, meters: 1, factor: 1e-6, flattening: 1e-2 };
type Tolerance = typeof CLOSE;

function findGeographicCode(crs: DescribedCrs): number | undefined {
  const frame = findDatumFrame(crs);
  return frame !== undefined && GEOGRAPHIC_CODES.has(frame.code) && isInDegrees(crs) ? frame.code : undefined;
}

function findProjectedCode(crs: DescribedCrs): number | undefined {
  const frame = findDatumFrame(crs);
  const projection = toProjection(crs);
  if (frame === undefined || projection === undefined || !isEastNorth(crs)) return undefined;
  const matches = PROJECTED.filter(
    ({ bases, method, parameters, unitMeters }) =>
      bases.includes(frame.code) &&
      hasUnit(crs, unitMeters) &&
      method === projection.method &&
      parametersAgree(parameters, projection.parameters, CLOSE),
  );
  // Two systems can be one in all but their names: the name decides, or the frame that the registry has today.
  const named = matches.filter(({ names }) =>
    names.some((name) => normalizeCrsName(name) === normalizeCrsName(crs.name)),
  );
  const current = matches.filter(({ bases }) => bases[0] === frame.code);
  const chosen = [named, current, matches].find(({ length }) => length === 1);
  return chosen?.[0]?.code;
}

/** The datum by its name, or by the code of the geographic system, and of the shape and meridian that it has. */
function findDatumFrame(crs: DescribedCrs): Frame | undefined {
  const named = listFramesByDatumName(crs.datumName);
  const fits = (frame: Frame): boolean => hasShape(crs, frame, CLOSE) && hasMeridian(crs, frame, CLOSE);
  const [only, ...others] = named.length > 0 ? named.filter(fits) : listFramesById(crs).filter(fits);
  if (only === undefined || others.length > 0) return undefined;
  const base = FRAMES_BY_CRS_NAME.get(normalizeCrsName(crs.baseName));
  return base === undefined || base.includes(only) ? only : undefined;
}

function listFramesByDatumName(datumName: string): readonly Frame[] {
  return FRAMES_BY_DATUM_NAME.get(normalizeDatumName(datumName)) ?? [];
}

function listFramesById(crs: DescribedCrs): readonly Frame[] {
  return FRAMES.filter(({ code }) => crs.baseId === `EPSG:${code}`);
}

/** Without Esri's `D_`, and without what the EPSG registry adds to a datum that has several realizations. */
function normalizeDatumName(name: string): string {
  return normalizeCrsName(name.replace(/^D_/, "").replace(/[ _]ensemble$/i, ""));
}

const FRAMES_BY_DATUM_NAME = groupItemsByKeys(FRAMES, ({ datumNames }) => datumNames.map(normalizeDatumName));
const FRAMES_BY_CRS_NAME = groupItemsByKeys(FRAMES, ({ names }) => names.map(normalizeCrsName));
const CODES_BY_NAME = groupItemsByKeys(
  [...PROJECTED, ...FRAMES.filter(({ code }) => GEOGRAPHIC_CODES.has(code))],
  (crs) => crs.names.map(normalizeCrsName),
);

function groupItemsByKeys<Item>(
  items: readonly Item[],
  keys: (item: Item) => readonly string[],
): Map<string, Item[]> {
  const byKey = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of new Set(keys(item))) byKey.set(key, [...(byKey.get(key) ?? []), item]);
  }
  return byKey;
}

/** Text has the same words for this projection of the ellipsoid and of a sphere (EPSG:3975). */
const NEEDS_NAME: ReadonlySet<number> = new Set([6933]);

/** A Mercator that calls itself WGS_84_Pseudo_Mercator is not the one that its parameters describe. */
function isNamedOtherwise(crs: DescribedCrs, code: number): boolean {
  const named = CODES_BY_NAME.get(normalizeCrsName(crs.name)) ?? [];
  if (NEEDS_NAME.has(code)) return !named.some((other) => other.code === code);
  return named.length > 0 && named.every((other) => other.code !== code);
}

/** A definition that calls itself a system of the table, and has other parameters, contradicts itself. */
function isOfTable(crs: DescribedCrs): boolean {
  return CODES_BY_NAME.has(normalizeCrsName(crs.name));
}

function contradictsCode(crs: DescribedCrs, code: number): boolean {
  const frame = FRAMES.find((known) => known.code === code);
  if (frame !== undefined && GEOGRAPHIC_CODES.has(code)) {
    return crs.kind !== "geographic" || !isInDegrees(crs) || contradictsFrame(crs, frame);
  }
  const known = PROJECTED.find((projected) => projected.code === code);
  if (known === undefined) return false;
  if (crs.kind !== "projected" || !hasUnit(crs, known.unitMeters)) return true;
  const frames = FRAMES.filter((each) => known.bases.includes(each.code));
  if (frames.every((each) => contradictsFrame(crs, each))) return true;
  const projection = toProjection(crs);
  return (
    projection !== undefined &&
    (projection.method !== known.method || !parametersAgree(known.parameters, projection.parameters, LOOSE))
  );
}

function contradictsFrame(crs: DescribedCrs, frame: Frame): boolean {
  const named = listFramesByDatumName(crs.datumName);
  return (
    (named.length > 0 && !named.some((other) => other === frame || sharesDatumName(other, frame))) ||
    !hasShape(crs, frame, LOOSE) ||
    !hasMeridian(crs, frame, LOOSE)
  );
}

/** Files name ETRS89 where the registry since distinguishes the Finnish realization of it. */
function sharesDatumName(other: Frame, frame: Frame): boolean {
  return other.names.some((name) => frame.names.includes(name));
}

function hasShape(crs: DescribedCrs, frame: Frame, tolerance: Tolerance): boolean {
  return (
    Math.abs(crs.semiMajorMeters - frame.semiMajorMeters) <= tolerance.meters &&
    Math.abs(crs.inverseFlattening - frame.inverseFlattening) <= tolerance.flattening
  );
}

function hasMeridian(crs: DescribedCrs, frame: Frame, tolerance: Tolerance): boolean {
  return crs.meridianDegrees.some(
    (degrees) => Math.abs(degrees - frame.meridianDegrees) <= tolerance.degrees,
  );
}

function isInDegrees({ unit }: DescribedCrs): boolean {
  return unit === undefined || Math.abs(unit / RADIANS_PER_DEGREE - 1) < 1e-9;
}

/** Feet and chains are written with fewer digits than the registry has. */
function hasUnit({ unit }: DescribedCrs, meters: number): boolean {
  return unit === undefined ? meters === 1 : Math.abs(unit / meters - 1) < 1e-9;
}

/** Systems of the table count to the east and north; those at a pole name both axes alike. */
function isEastNorth({ directions }: DescribedCrs): boolean {
  const isPolar = new Set(directions).size === 1;
  return directions.every((direction) => direction !== "west" && (direction !== "south" || isPolar));
}

const UNITS: Readonly<Record<keyof Parameters, "degrees" | "meters" | "factor">> = {
  lat0: "degrees",
  lon0: "degrees",
  lat1: "degrees",
  lat2: "degrees",
  azimuth: "degrees",
  skew: "degrees",
  cone: "degrees",
  pseudo: "degrees",
  x0: "meters",
  y0: "meters",
  k: "factor",
};
const DEFAULTS: Parameters = { k: 1, lat0: 0, lon0: 0, x0: 0, y0: 0 };

/** True if two projections of one method are the same; an omitted parameter has its neutral value, or none. */
function parametersAgree(a: Parameters, b: Parameters, tolerance: Tolerance): boolean {
  return Object.entries(UNITS).every(([key, unit]) => {
    const parameter = key as keyof Parameters;
    const first = a[parameter] ?? DEFAULTS[parameter];
    const second = b[parameter] ?? DEFAULTS[parameter];
    if (first === undefined || second === undefined) return first === second;
    const apart = unit === "degrees" ? wrapDegrees(first - second) : first - second;
    return Math.abs(apart) <= tolerance[unit];
  });
}

/** −36.97° and 323.03° are one azimuth. */
function wrapDegrees(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}
