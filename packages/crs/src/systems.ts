import type { Bbox } from "@groundrule/engine";
import tables from "./systems.json" with { type: "json" };

/** How a projected system flattens the ellipsoid. */
export type Method =
  | "albers"
  | "cylindrical-equal-area"
  | "equal-earth"
  | "equidistant-cylindrical"
  | "hotine-a"
  | "hotine-b"
  | "krovak-north"
  | "lambert-azimuthal"
  | "lambert-conformal-1sp"
  | "lambert-conformal-2sp"
  | "mercator-a"
  | "mollweide"
  | "oblique-stereographic"
  | "polar-stereographic-b"
  | "polyconic"
  | "pseudo-mercator"
  | "sinusoidal"
  | "transverse-mercator";

/**
 * A parameter of a projection: the origin, the scale, false easting and northing, standard parallels, and what oblique
 * ones add.
 */
export type Parameter =
  | "azimuth"
  | "cone"
  | "k"
  | "lat0"
  | "lat1"
  | "lat2"
  | "lon0"
  | "pseudo"
  | "skew"
  | "x0"
  | "y0";

/** Degrees, metres, or a factor. Origins and offsets that are 0, and a scale of 1, are left out. */
export type Parameters = Readonly<Partial<Record<Parameter, number>>>;

/** A datum: its ellipsoid and its prime meridian. */
export interface Frame {
  /** Semi-major axis of the ellipsoid. */
  readonly semi_major_m: number;
  /** 1 / f of the ellipsoid. */
  readonly inverse_flattening: number;
  /** Name of the ellipsoid in proj4; absent if it has none. */
  readonly ellipsoid?: string;
  /** Degrees east of Greenwich, where the prime meridian is another. */
  readonly meridian_degrees?: number;
}

/** A shift of an older datum to WGS 84. */
export interface Shift {
  /** How good the EPSG registry holds it to be, and where. */
  readonly accuracy_m: number;
  readonly area: string;
  /** Metres, position vector rotations in arc seconds, parts per million; three numbers are translations alone. */
  readonly towgs84: readonly number[];
}

/** A geographic system in degrees or a projected one in metres or another unit, easting first. */
export interface System {
  /** Codes of the geographic systems under it, or its own: that of today, and a former one that files state. */
  readonly frames: readonly number[];
  /** Absent: a geographic system. */
  readonly method?: Method;
  /** Parameters of the method; absent where the method is. */
  readonly parameters?: Parameters;
  /** Metres of its unit of length; absent: metres. */
  readonly unit_m?: number;
  /** The EPSG operation among {@link SHIFTS}; absent: WGS 84 to within 1 m (NAD83, GDA94, GDA2020: 2 to 4 m). */
  readonly shift?: number;
  /** Areas of use in degrees; where one crosses the antimeridian, east lies past 180. */
  readonly areas: readonly Bbox[];
}

// Written by tools/write/write-crs-systems.ts from the EPSG registry; the types are those of its lines.
const { frames, shifts, systems } = tables as unknown as Readonly<{
  frames: Readonly<Record<string, Frame>>;
  shifts: Readonly<Record<string, Shift>>;
  systems: Readonly<Record<string, System>>;
}>;

function indexByCode<Entry>(table: Readonly<Record<string, Entry>>): ReadonlyMap<number, Entry> {
  return new Map(Object.entries(table).map(([code, entry]) => [Number(code), entry]));
}

/** By the EPSG code of the geographic system. */
export const FRAMES: ReadonlyMap<number, Frame> = indexByCode(frames);

/** By the EPSG code of the operation. */
export const SHIFTS: ReadonlyMap<number, Shift> = indexByCode(shifts);

/** The systems that are known, by EPSG code, in its order. */
export const SYSTEMS: ReadonlyMap<number, System> = indexByCode(systems);
