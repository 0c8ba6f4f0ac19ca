/**
 * Colours of sources, told apart on both themes and away from those of verdicts (green-blue, orange, red, grey): each
 * has a contrast of 3:1 at least on the light land and on the dark one.
 */
const LIGHT = [
  "#7b3fb5",
  "#2f6f2f",
  "#0b67b8",
  "#8a5a00",
  "#b0307f",
  "#4f5bd5",
  "#00787a",
  "#7a4a3a",
] as const;
const DARK = [
  "#c79bf0",
  "#8fce86",
  "#79b8f2",
  "#dcb35c",
  "#f08cc4",
  "#a6aefb",
  "#63cdcf",
  "#d3a898",
] as const;

/**
 * The colour of each source: the same one however many are shown, as long as the list of sources stays as it is.
 *
 * @param names of all sources with areas
 */
export function sourceColours(names: readonly string[], isDark: boolean): ReadonlyMap<string, string> {
  const colours = isDark ? DARK : LIGHT;
  return new Map([...names].sort().map((name, index) => [name, colours[index % colours.length]!]));
}
