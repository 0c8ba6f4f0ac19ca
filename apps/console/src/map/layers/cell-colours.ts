import type { ExpressionSpecification } from "maplibre-gl";

/** The years of a raster that a ruleset selects. */
export interface SelectedYears {
  readonly first: number;
  readonly last: number;
}

/** The colour of forest, over which loss stands out. */
export function getForestColour(isDark: boolean): string {
  return isDark ? "#20402c" : "#cfe6d2";
}

/** The colours of the first and of the last year of a ramp, of one hue. */
export function getRampEnds(isDark: boolean): readonly [string, string] {
  return isDark ? ["#f6d3e8", "#c0338a"] : ["#e7a3cb", "#6b0f4b"];
}

/**
 * The years that filters select of a raster whose values are years, by the day that each compares with.
 *
 * @param filters of all sets of the source, as text; undefined: the set has none
 * @param observedUntil last day of the data
 * @returns undefined if some filter is about anything but later days, or the data have no later year
 */
export function findSelectedYears(
  filters: readonly (string | undefined)[],
  observedUntil: string | undefined,
): SelectedYears | undefined {
  const firsts = filters.map((filter = "") => {
    const [, op, day] = / OR |NOT /.test(filter) ? [] : (/ (>=?) DATE\('([\d-]+)'\)/.exec(filter) ?? []);
    return new Date(Date.parse(day ?? "") + (op === ">" ? 86_400_000 : 0)).getUTCFullYear();
  });
  // One that is not a number makes the least none.
  const first = firsts.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const last = Number(observedUntil?.slice(0, 4));
  return first < last ? { first, last } : undefined;
}

/** The colour of years before the first. */
const EARLIER = "#8a8f94";

/** The colour in which {@link buildYearFill} draws a value, in CSS syntax. */
export function getYearColour({ first, last }: SelectedYears, name: string, isDark: boolean): string {
  const [old, young] = getRampEnds(isDark);
  const year = Number(/20\d\d/.exec(name)?.[0] ?? 0);
  const share = Math.min(1, (year - first) / (last - first));
  return share < 0 ? EARLIER : `color-mix(in srgb, ${young} ${100 * share}%, ${old})`;
}

/** The fill of cells by the year in the names of their values, since tiles have no dates: a ramp, and grey for others. */
export function buildYearFill({ first, last }: SelectedYears, isDark: boolean) {
  const [old, young] = getRampEnds(isDark);
  const name = ["coalesce", ["get", "name"], ""];
  const start = ["index-of", "20", name];
  const year = ["to-number", ["slice", name, start, ["+", start, 4]], 0];
  const isEarlier = ["<", year, first];
  const ramp = ["interpolate", ["linear"], year, first, old, last, young];
  return {
    colour: ["case", isEarlier, EARLIER, ramp] as object as ExpressionSpecification,
    opacity: ["case", isEarlier, 0.25, 0.85] as object as ExpressionSpecification,
  };
}
