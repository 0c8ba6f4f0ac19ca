/**
 * Colours of sources, distinguishable on both themes and from those of plots, with a verdict or without: each has a
 * contrast of at least 3:1 on the light land and on the dark one, and a distance of at least 0.08 from each of theirs
 * in OKLab.
 */
export const SOURCE_COLOURS = {
  light: ["#7b3fb5", "#5a6b00", "#0b67b8", "#94405f", "#b0307f", "#4f5bd5", "#2b3a67", "#7a4a3a"],
  dark: ["#c07df5", "#8fce86", "#4a9cff", "#d8d45e", "#f08cc4", "#8a83ff", "#c8d0ff", "#c98f7c"],
} as const;

/**
 * The colour of each source: the same however many are shown, while the list of sources stays the same.
 *
 * @param names of all sources with areas
 */
export function assignSourceColours(names: readonly string[], isDark: boolean): ReadonlyMap<string, string> {
  const colours = SOURCE_COLOURS[isDark ? "dark" : "light"];
  return new Map([...names].sort().map((name, index) => [name, colours[index % colours.length]!]));
}

/** The sources whose colour another one has already: their areas get dashed lines. */
export function listRepeatedColourSources(names: readonly string[]): ReadonlySet<string> {
  return new Set([...names].sort().slice(SOURCE_COLOURS.light.length));
}
