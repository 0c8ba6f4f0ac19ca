import { isObject } from "@groundrule/engine/internal/json";

/**
 * The lines of a LineString or MultiLineString.
 *
 * @returns flat `[x, y, …]`; undefined where a position is no pair of finite numbers, or a line has none
 */
export function extractLines(geometry: unknown): Float64Array[] | undefined {
  if (!isObject(geometry)) return undefined;
  const { type, coordinates } = geometry;
  const lists = type === "LineString" ? [coordinates] : coordinates;
  if (!Array.isArray(lists) || lists.length === 0) return undefined;
  const lines = lists.map(flattenPositions);
  return lines.every((line) => line !== undefined) ? lines : undefined;
}

function flattenPositions(list: unknown): Float64Array | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const xy = new Float64Array(2 * list.length);
  for (const [i, position] of list.entries()) {
    const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return undefined;
    xy.set([x as number, y as number], 2 * i);
  }
  return xy;
}
