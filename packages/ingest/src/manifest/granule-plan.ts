import { array, choice, number, object, optional, type Shape, text } from "@groundrule/engine/internal";

/**
 * How the files of a raster lie: squares that begin at whole multiples of their side, from 180° W and 90° N. A template
 * names their north-western corner by `{lat}` and `{lon}`, degrees without a sign, of at least so many digits in
 * `{lat:2}` and `{lon:3}`, by `{ns}` (`N`, also of 0, or `S`) and by `{ew}` (`E`, also of 0, or `W`).
 */
export interface GranulePlan {
  /** Degrees along each side; divides 90. */
  readonly degrees: number;
  /** `[west, south, east, north]`: beyond there are none. */
  readonly bounds: readonly number[];
  /** The template of the files of the mask; `cells` states which of its values hide a cell. */
  readonly mask?: string | undefined;
  /** `nodata`: where the publisher has no such file, nothing was examined. Absent: the sync fails. */
  readonly absent?: "nodata" | undefined;
}

/** Placeholders in templates of addresses for a granule's north-western corner. */
const PLACEHOLDERS = /\{(lat|lon)(?::([1-3]))?\}|\{(ns|ew)\}/g;

/** True if an address distinguishes each granule from every other. */
export function isTemplate(address: string): boolean {
  const named = new Set([...address.matchAll(PLACEHOLDERS)].map(([, number, , letter]) => number ?? letter));
  return named.size === 4;
}

/** An address of the granule whose north-western corner this is, degrees. */
export function fillAddressTemplate(template: string, north: number, west: number): string {
  return template.replace(PLACEHOLDERS, (_, number?: string, width?: string, letter?: string) => {
    if (number !== undefined) {
      return String(Math.abs(number === "lat" ? north : west)).padStart(Number(width ?? 1), "0");
    }
    if (letter === "ns") return north < 0 ? "S" : "N";
    return west < 0 ? "W" : "E";
  });
}

const degree = number({ min: -180, max: 180 });
/** The member `granules` of a plan to fetch. */
export const granulesShape: Shape<GranulePlan> = object<GranulePlan>({
  degrees: number({ above: 0, max: 90 }),
  bounds: array(degree, { min: 4, max: 4 }),
  mask: optional(text({ min: 1, max: 4096 })),
  absent: optional(choice("nodata")),
});
