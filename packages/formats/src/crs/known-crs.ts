import { FRAMES as DATUMS, type Method, type Parameters, SYSTEMS } from "@groundrule/crs/systems";
import tables from "./names.json" with { type: "json" };

/** A datum, and the geographic system on it. */
export interface Frame {
  /** EPSG code of the geographic system. */
  readonly code: number;
  /** Names of the geographic system. */
  readonly names: readonly string[];
  /** Names of the datum. */
  readonly datumNames: readonly string[];
  readonly semiMajorMeters: number;
  readonly inverseFlattening: number;
  /** Prime meridian, degrees east of Greenwich. */
  readonly meridianDegrees: number;
}

/** A projected system, easting first. */
export interface Projected {
  readonly code: number;
  /** Codes of its {@link Frame}s: that of today, and a former one. */
  readonly bases: readonly number[];
  readonly names: readonly string[];
  readonly method: Method;
  /** Parameters, the northern of two standard parallels first: their order makes no difference. */
  readonly parameters: Parameters;
  /** Metres of its unit. */
  readonly unitMeters: number;
}

// Written by tools/write/write-crs-systems.ts from the EPSG registry and Esri's names; the types are those of its lines.
const names = tables as unknown as Readonly<{
  frames: Readonly<Record<string, { readonly crs: readonly string[]; readonly datum: readonly string[] }>>;
  systems: Readonly<Record<string, readonly string[]>>;
}>;

/** The geographic systems that are known themselves; other frames only bear projected ones. */
export const GEOGRAPHIC_CODES: ReadonlySet<number> = new Set(
  [...SYSTEMS].filter(([, { method }]) => method === undefined).map(([code]) => code),
);

export const FRAMES: readonly Frame[] = [...DATUMS].map(([code, datum]) => ({
  code,
  names: names.frames[code]!.crs,
  datumNames: names.frames[code]!.datum,
  semiMajorMeters: datum.semi_major_m,
  inverseFlattening: datum.inverse_flattening,
  meridianDegrees: datum.meridian_degrees ?? 0,
}));

export const PROJECTED: readonly Projected[] = [...SYSTEMS].flatMap(([code, system]) => {
  const { frames, method, parameters = {}, unit_m: unitMeters = 1 } = system;
  if (method === undefined) return [];
  const known = { code, bases: frames, names: names.systems[code]!, method, unitMeters };
  return [{ ...known, parameters: orderParallelsFromNorth(parameters) }];
});

/** Parameters with the northern one of two standard parallels first. */
export function orderParallelsFromNorth(parameters: Parameters): Parameters {
  const { lat1, lat2 } = parameters;
  if (lat1 === undefined || lat2 === undefined || lat1 >= lat2) return parameters;
  return { ...parameters, lat1: lat2, lat2: lat1 };
}
