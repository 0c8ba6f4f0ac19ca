import type { SourceCells } from "@groundrule/engine/internal";

/** Red, green and blue of colours that are away from those of verdicts, in an order in which neighbours differ little. */
const STOPS = [
  [0x6a, 0x3d, 0x9a],
  [0x2f, 0x6f, 0xc4],
  [0x1d, 0x93, 0x9c],
  [0x9a, 0x8a, 0x4a],
  [0xb5, 0x5f, 0x9b],
] as const;

/**
 * The colour of an area of a raster on maps, `#rrggbb`: its manifest's, else on a scale in the order of the values.
 * Undefined for an area that is the only one and has none there: it has the colour of its source.
 */
export function cellColor(
  { layer: { areaCount }, ...source }: SourceCells,
  area: number,
): string | undefined {
  const told = source.color(area);
  if (told !== undefined || areaCount < 2) return told;
  const at = (area / (areaCount - 1)) * (STOPS.length - 1);
  const from = Math.min(Math.floor(at), STOPS.length - 2);
  const part = at - from;
  const mixed = [0, 1, 2].map((i) => Math.round(STOPS[from]![i]! * (1 - part) + STOPS[from + 1]![i]! * part));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
