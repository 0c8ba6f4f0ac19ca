import { FARM_WORD, PLOT_WORD, splitNameIntoWords } from "./name-words.ts";
import { isCutOf, toPlainName } from "./plain-name.ts";

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

/** The manzana of Central America: 10,000 square varas of 0.836 m. */
const MANZANA: AreaUnit = { name: "manzanas of 0.6989 ha", squareMeters: 6988.96 };
const alqueire = (name: string, hectares: number): AreaUnit => ({
  name: `alqueires ${name} of ${hectares} ha`,
  squareMeters: hectares * 10_000,
});
const PAULISTA = alqueire("paulistas", 2.42);
/** Alqueires by the word that specifies them; without one they are those of São Paulo. */
const ALQUEIRES: readonly (readonly [RegExp, AreaUnit])[] = [
  [/^(?:mineiros?|goianos?|mg|go)$/, alqueire("mineiros", 4.84)],
  [/^(?:baianos?|ba)$/, alqueire("baianos", 9.68)],
  [/^(?:norte|nortistas?|para)$/, alqueire("do norte", 2.7225)],
  [/^(?:paulistas?|sp)$/, PAULISTA],
];

/** Names of columns with the area of a plot, made plain, with their units: those with a unit, then those without. */
const UNITS: ReadonlyMap<string, AreaUnit> = new Map([
  ...["areaha", "areainha", "areahectares", "areahectareas", "superficieha", "hectares", "hectare"].map(
    (name) => [name, HECTARE] as const,
  ),
  ...["hectareas", "ha", "has", "plotareaha"].map((name) => [name, HECTARE] as const),
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
export function detectAreaUnit(column: string): AreaUnit | undefined {
  const known = byColumn.get(column);
  if (known !== undefined) return known ?? undefined;
  const unit =
    UNITS.get(toPlainName(column)) ??
    (isCutOf(column, "area_hectares") ? HECTARE : findAreaUnit(splitNameIntoWords(column)));
  if (byColumn.size >= MOST_COLUMNS) byColumn.clear();
  byColumn.set(column, unit ?? null);
  return unit;
}

/** Units by the names of columns: files have few, and each in every plot. */
const byColumn = new Map<string, AreaUnit | null>();
const MOST_COLUMNS = 4096;

const AREA_WORD =
  /^(?:area|superficie|superf|sup|surface|luas|size|tamanho|tamano|taille|extensao|extension|total|totais|totales|totale)$/;
/** Words for how an area was found, for the number of a unit, and for the unit of a farm that is a plot. */
const PASSED_OVER = /^(?:gps|measured|medida|mesuree|land|no|number|numero|units?|unidad|unidade|unite)$/;
const UNIT_WORDS: readonly (readonly [RegExp, AreaUnit])[] = [
  [/^(?:ha|has|hectares?|hectareas?|hektar|hektare)$/, HECTARE],
  [/^(?:m2|sqm|mq)$/, SQUARE_METER],
  [/^(?:km2|sqkm)$/, SQUARE_KILOMETER],
  [/^(?:acres?|acreage|ac)$/, ACRE],
  [/^(?:manzanas?|mz|mzs|mza)$/, MANZANA],
  [/^(?:alqueires?|alq)$/, PAULISTA],
];

/**
 * The unit of a name made of words for an area, a unit and a plot alone: `Área do talhão (ha)`. Any other word makes it
 * the area of something else, such as `area_desmatada_ha`.
 */
function findAreaUnit(words: readonly string[]): AreaUnit | undefined {
  let unit: AreaUnit | undefined;
  let which: AreaUnit | undefined;
  let isArea = false;
  for (const word of words) {
    const found = UNIT_WORDS.find(([name]) => name.test(word))?.[1];
    const named = ALQUEIRES.find(([name]) => name.test(word))?.[1];
    if (found !== undefined && unit === undefined) unit = found;
    else if (named !== undefined && which === undefined) which = named;
    else if (AREA_WORD.test(word)) isArea = true;
    else if (![PLOT_WORD, FARM_WORD, PASSED_OVER].some((kind) => kind.test(word))) return undefined;
  }
  if (unit === undefined) return undefined;
  if (which !== undefined) return unit === PAULISTA ? which : undefined;
  // `ac` and `mz` alone are words of many meanings.
  return isArea || words.every((word) => word.length > 3) ? unit : undefined;
}

/**
 * The area that properties state: in `Area`, else in a column whose name contains its unit, else in `AREA` and the
 * like.
 */
export function statedArea(properties: Readonly<Record<string, unknown>>): StatedArea | undefined {
  const own = properties[AREA];
  if (own !== undefined && own !== null) return toStatedArea(AREA, HECTARE, own);
  let bare: StatedArea | undefined;
  for (const column of Object.keys(properties)) {
    const value = properties[column];
    const unit = isThere(value) ? detectAreaUnit(column) : undefined;
    if (unit === undefined) continue;
    if (toPlainName(column) !== "area") return toStatedArea(column, unit, value);
    bare ??= toStatedArea(column, unit, value);
  }
  return bare;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function toStatedArea(column: string, unit: AreaUnit, value: unknown): StatedArea {
  const hectares = typeof value === "number" ? convertToHectares(value, unit) : undefined;
  return { column, unit, value, hectares };
}

/** The hectares that an area states, also where its number was written as text. */
export function toHectares({ unit, value, hectares }: StatedArea): number | undefined {
  if (hectares !== undefined) return hectares;
  const read = readAreaText(value);
  return read === undefined ? undefined : convertToHectares(read, unit);
}

function convertToHectares(value: number, { squareMeters }: AreaUnit): number {
  if (squareMeters === HECTARE.squareMeters) return value;
  // Twelve digits, so that none comes of the conversion alone.
  return Number(((value * squareMeters) / HECTARE.squareMeters).toPrecision(12));
}

/** `3`, `3.25`, `3,25` and `3.25 ha`; a comma before three digits may part thousands, so that is no number. */
function readAreaText(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{1,12})(?:\.(\d{1,12})|,(\d{1,2}|\d{4,12}))?$/.exec(removeHectareUnit(value.trim()));
  if (match === null) return undefined;
  const [, whole, afterPoint, afterComma] = match;
  return Number(`${whole}.${afterPoint ?? afterComma ?? "0"}`);
}

function removeHectareUnit(text: string): string {
  return text.toLowerCase().endsWith("ha") ? text.slice(0, -2).trimEnd() : text;
}
