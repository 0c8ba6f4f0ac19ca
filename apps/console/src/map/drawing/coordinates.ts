import type { Compass } from "@groundrule/words";

/** One `[longitude, latitude]` in degrees. */
export type Position = readonly [longitude: number, latitude: number];

/** Corners parsed from text, or the first line that cannot be parsed. */
export type ReadCorners =
  | { readonly corners: readonly Position[] }
  | {
      readonly fault: "line" | "latitude" | "longitude" | "few" | "many";
      readonly line: number;
      readonly text: string;
    };

const MOST_CORNERS = 10_000;

/**
 * A position for people: `9.12346° S, 59.12346° W`.
 *
 * @param decimals of each degree
 * @param letters of the points of the compass, in the user's language
 */
export function formatPosition([longitude, latitude]: Position, decimals: number, letters: Compass): string {
  const wrapped = wrapLongitude(longitude);
  const north = latitude < 0 ? letters.s : letters.n;
  const east = wrapped < 0 ? letters.w : letters.e;
  return `${Math.abs(latitude).toFixed(decimals)}° ${north}, ${Math.abs(wrapped).toFixed(decimals)}° ${east}`;
}

/** The longitude within one turn, −180 to 180. */
export function wrapLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** Decimals of a degree needed to distinguish neighbouring pixels at a zoom. */
export function computeZoomDecimals(zoom: number): number {
  return Math.min(7, Math.max(2, Math.round(zoom / 3)));
}

/**
 * Corners as people enter them, one a line: latitude and longitude in degrees, separated by a comma, a semicolon or
 * space; a decimal comma is read where numbers are separated by something else. A last line equal to the first, as
 * GeoJSON closes its rings, is left out.
 *
 * Fails: never; an unreadable line is returned with its number, counted from 1.
 */
export function parseCorners(text: string): ReadCorners {
  const corners: Position[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const entered = line.trim();
    if (entered === "") continue;
    const place = { line: index + 1, text: entered.slice(0, 80) };
    const numbers = parseNumberPair(entered);
    if (numbers === undefined) return { fault: "line", ...place };
    const [latitude, longitude] = numbers;
    if (Math.abs(latitude) > 90) return { fault: "latitude", ...place };
    if (Math.abs(longitude) > 180) return { fault: "longitude", ...place };
    corners.push([longitude, latitude]);
    if (corners.length > MOST_CORNERS) return { fault: "many", ...place };
  }
  const [first] = corners;
  const last = corners.at(-1);
  if (corners.length > 3 && first![0] === last![0] && first![1] === last![1]) corners.pop();
  if (corners.length < 3) return { fault: "few", line: corners.length, text: "" };
  return { corners };
}

/** Parses a position on one line, like {@link parseCorners}; undefined if it is malformed. */
export function parsePosition(line: string): Position | undefined {
  const [latitude, longitude] = parseNumberPair(line) ?? [Number.NaN, Number.NaN];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [longitude, latitude] : undefined;
}

function parseNumberPair(entered: string): [number, number] | undefined {
  const separator = entered.includes(";") ? ";" : /\s/.test(entered) && !/,\s/.test(entered) ? " " : ",";
  const parts = entered.split(separator === " " ? /\s+/ : separator).map((part) => part.trim());
  if (parts.length !== 2) return undefined;
  const numbers = parts.map((part) => {
    const written = separator === "," ? part : part.replace(",", ".");
    return /^[+-]?\d{1,3}(?:\.\d{1,20})?$/.test(written) ? Number(written) : Number.NaN;
  });
  if (numbers.some(Number.isNaN)) return undefined;
  return [numbers[0]!, numbers[1]!];
}

/** Formats corners as text that {@link parseCorners} parses. */
export function formatCorners(corners: readonly Position[]): string {
  return corners.map(([longitude, latitude]) => `${latitude}, ${longitude}`).join("\n");
}

/** A polygon with these corners in order, closed and counter-clockwise as RFC 7946 requires. */
export function toPolygon(corners: readonly Position[]): {
  readonly type: "Polygon";
  readonly coordinates: [number, number][][];
} {
  const ring = corners.map(([x, y]): [number, number] => [x, y]);
  let doubled = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length]!;
    doubled += x * nextY - nextX * y;
  }
  if (doubled < 0) ring.reverse();
  return { type: "Polygon", coordinates: [[...ring, [...ring[0]!]]] };
}
