import { isCutOf, plainName } from "./plain-name.ts";

/** A unit of areas. */
export interface AreaUnit {
  /** As people read it. */
  readonly name: string;
  /** In one of it. */
  readonly squareMeters: number;
}

const HECTARE: AreaUnit = { name: "ha", squareMeters: 10_000 };
const SQUARE_METER: AreaUnit = { name: "m²", squareMeters: 1 };
const SQUARE_KILOMETER: AreaUnit = { name: "km²", squareMeters: 1_000_000 };
/** The international acre. */
const ACRE: AreaUnit = { name: "acres", squareMeters: 4046.8564224 };

/** Names of columns that hold the area of a plot, made plain, with their units: those that tell it, then those that do not. */
const UNITS: ReadonlyMap<string, AreaUnit> = new Map([
  ...["areaha", "areainha", "areahectares", "areahectareas", "superficieha", "hectares", "hectare"].map(
    (name) => [name, HECTARE] as const,
  ),
  ...["hectareas", "ha", "plotareaha"].map((name) => [name, HECTARE] as const),
  ...["aream2", "areasqm", "sqm", "squaremeters", "squaremetres", "superficiem2"].map(
    (name) => [name, SQUARE_METER] as const,
  ),
  ...["areakm2", "areasqkm"].map((name) => [name, SQUARE_KILOMETER] as const),
  ...["areaacres", "areaac", "acres", "acreage"].map((name) => [name, ACRE] as const),
  ["area", HECTARE],
]);

/** The name by which the EU's information system reads an area, in hectares. */
const AREA = "Area";

/** The area that the properties of a plot state. */
export interface StatedArea {
  /** The property that states it. */
  readonly column: string;
  readonly unit: AreaUnit;
  /** As found. */
  readonly value: unknown;
  /** Undefined where what was found is no number. */
  readonly hectares: number | undefined;
}

/**
 * The unit of a column of areas, by its name. A bare `Area` is in hectares.
 *
 * @param column its name, as the file writes it
 *
 * @returns undefined of a column of anything else
 */
export function areaUnitOf(column: string): AreaUnit | undefined {
  return UNITS.get(plainName(column)) ?? (isCutOf(column, "area_hectares") ? HECTARE : undefined);
}

/** The area that properties state: in `Area`, else in a column whose name tells its unit, else in `AREA` and the like. */
export function statedArea(properties: Readonly<Record<string, unknown>>): StatedArea | undefined {
  const own = properties[AREA];
  if (own !== undefined && own !== null) return stated(AREA, HECTARE, own);
  let bare: StatedArea | undefined;
  for (const column of Object.keys(properties)) {
    const value = properties[column];
    const unit = isThere(value) ? areaUnitOf(column) : undefined;
    if (unit === undefined) continue;
    if (plainName(column) !== "area") return stated(column, unit, value);
    bare ??= stated(column, unit, value);
  }
  return bare;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function stated(column: string, unit: AreaUnit, value: unknown): StatedArea {
  const hectares = typeof value === "number" ? inHectares(value, unit) : undefined;
  return { column, unit, value, hectares };
}

/** The hectares that an area states, also where its number was written as text. */
export function hectaresOf({ unit, value, hectares }: StatedArea): number | undefined {
  if (hectares !== undefined) return hectares;
  const read = readAreaText(value);
  return read === undefined ? undefined : inHectares(read, unit);
}

function inHectares(value: number, { squareMeters }: AreaUnit): number {
  if (squareMeters === HECTARE.squareMeters) return value;
  // Twelve digits, so that none comes of the conversion alone.
  return Number(((value * squareMeters) / HECTARE.squareMeters).toPrecision(12));
}

/** `3`, `3.25`, `3,25` and `3.25 ha`; a comma before three digits may part thousands, so that is no number. */
function readAreaText(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{1,12})(?:\.(\d{1,12})|,(\d{1,2}|\d{4,12}))?$/.exec(withoutUnit(value.trim()));
  if (match === null) return undefined;
  const [, whole, afterPoint, afterComma] = match;
  return Number(`${whole}.${afterPoint ?? afterComma ?? "0"}`);
}

function withoutUnit(text: string): string {
  return text.toLowerCase().endsWith("ha") ? text.slice(0, -2).trimEnd() : text;
}
