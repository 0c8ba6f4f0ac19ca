import type { Bbox } from "@groundrule/engine";
import { SYSTEMS } from "./systems.ts";

const MOST = 3;

/**
 * Codes of the table whose areas of use are nearest to that of a code, the nearest first: by what both areas share of
 * what they cover together.
 *
 * @param lines as `AREAS_OF_USE` has them
 * @returns empty where the code is not in the registry, or no area meets its own
 */
export function nearestByArea(lines: readonly string[], code: number): number[] {
  const area = areaOf(lines, code);
  if (area === undefined) return [];
  return [...SYSTEMS]
    .filter(([, { method }]) => method !== undefined)
    .map(([known, { areas }]) => ({
      known,
      share: areas.reduce((most, other) => Math.max(most, sharedPart(area, inWholeDegrees(other))), 0),
    }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || a.known - b.known)
    .slice(0, MOST)
    .map(({ known }) => known);
}

function areaOf(lines: readonly string[], code: number): Bbox | undefined {
  for (const line of lines) {
    const [box, codes] = line.split(":") as [string, string];
    const isHere = codes.split(" ").some((part) => {
      const [first, last = first] = part.split("-").map(Number) as [number, number?];
      return code >= first && code <= last;
    });
    if (isHere) return box.split(" ").map(Number) as unknown as Bbox;
  }
  return undefined;
}

function inWholeDegrees([west, south, east, north]: Bbox): Bbox {
  return [Math.floor(west), Math.floor(south), Math.ceil(east), Math.ceil(north)];
}

/** The area that two boxes share, as a part of the area that they cover together. */
function sharedPart(a: Bbox, b: Bbox): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (sizeOf(a) + sizeOf(b) - shared);
}

function sizeOf([west, south, east, north]: Bbox): number {
  return (east - west) * (north - south);
}
