import { locatorFrame, outlineAt, outlinesNear } from "@groundrule/borders/locator";
import { type CountryOutline, countryOutlines } from "@groundrule/borders/outlines";
import type { Position } from "../drawing/coordinates.ts";
import type { Bounds } from "../layers/plot-features.ts";

/** Size of the small map, CSS pixels. */
export const LOCATOR = { width: 128, height: 88 } as const;

/** Corners closer than this to the previous one, in CSS pixels, are left out. */
const TOLERANCE = 0.6;
/** Kilometres per degree of a great circle. */
const KM_PER_DEGREE = 111.195;

/** A small map that shows where a view is. */
export interface LocatorMap {
  /** Countries that the view may be in, that of its middle first. */
  readonly near: readonly CountryOutline[];
  /** The country at the view's middle, as SVG path data; empty at sea. */
  readonly home: string;
  /** All other countries in the small map, as one path. */
  readonly others: string;
  /** The view, in CSS pixels from the upper left of the small map. */
  readonly view: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** A round length, and its CSS pixels. */
  readonly scale: { readonly km: number; readonly width: number };
}

/** @param view west, south, east and north, degrees; longitudes may be beyond ±180 */
export function buildLocatorMap(view: Bounds, middle: Position): LocatorMap {
  const home = outlineAt(middle);
  const frame = locatorFrame(middle, home, LOCATOR.width / LOCATOR.height);
  const { homePath, othersPath } = drawLandPaths(frame, home);
  const point = createPointProjection(frame, LOCATOR);
  const turn = 360 * Math.round((middle[0] - (frame[0] + frame[2]) / 2) / 360);
  const [x, y] = point([view[0] - turn, view[3]]);
  const [right, bottom] = point([view[2] - turn, view[1]]);
  const kmPerPixel = ((frame[3] - frame[1]) * KM_PER_DEGREE) / LOCATOR.height;
  const km = roundDownScaleLength((LOCATOR.width / 2) * kmPerPixel);
  return {
    near: outlinesNear(middle),
    home: homePath,
    others: othersPath,
    view: { x, y, width: right - x, height: bottom - y },
    scale: { km, width: km / kmPerPixel },
  };
}

/** The greatest of 1, 2, 5, 10, … that is not above a length. */
function roundDownScaleLength(km: number): number {
  const ten = 10 ** Math.floor(Math.log10(km));
  return ([5, 2, 1].find((digit) => digit * ten <= km) ?? 1) * ten;
}

/** Width and height of a small map, CSS pixels. */
type Size = Readonly<Record<"width" | "height", number>>;

function createPointProjection(
  [west, south, east, north]: Bounds,
  { width, height }: Size,
): (position: Position) => [number, number] {
  return ([longitude, latitude]) => [
    ((longitude - west) / (east - west)) * width,
    ((north - latitude) / (north - south)) * height,
  ];
}

/** The land of the last drawn frame: views mostly move within one country. */
let last: { readonly key: string; readonly homePath: string; readonly othersPath: string } | undefined;

function drawLandPaths(frame: Bounds, home: CountryOutline | undefined): NonNullable<typeof last> {
  const key = `${home?.iso3} ${frame.join()}`;
  if (last?.key !== key) {
    const path = ({ coordinates }: CountryOutline): string =>
      buildRingsPath(coordinates.flat(), frame, LOCATOR);
    const others = countryOutlines().filter((country) => country !== home);
    last = { key, homePath: home === undefined ? "" : path(home), othersPath: others.map(path).join("") };
  }
  return last;
}

/** Rings in a small map, as SVG path data. */
export function buildRingsPath(rings: readonly (readonly Position[])[], frame: Bounds, size: Size): string {
  const point = createPointProjection(frame, size);
  const middle = (frame[0] + frame[2]) / 2;
  return rings.map((ring) => buildRingPath(ring, point, middle, size)).join("");
}

/** A ring on the frame's side of the antimeridian; empty if none of it is in the frame. */
function buildRingPath(
  ring: readonly Position[],
  point: (position: Position) => readonly [number, number],
  middle: number,
  { width, height }: Size,
): string {
  let [west, east] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x] of ring) [west, east] = [Math.min(west, x), Math.max(east, x)];
  const turn = 360 * Math.round(((west + east) / 2 - middle) / 360);
  const kept: (readonly [number, number])[] = [];
  let [left, right, top, bottom] = [true, true, true, true];
  for (const [longitude, latitude] of ring) {
    const [x, y] = point([longitude - turn, latitude]);
    left &&= x < 0;
    right &&= x > width;
    top &&= y < 0;
    bottom &&= y > height;
    const before = kept.at(-1);
    if (before === undefined || Math.hypot(x - before[0], y - before[1]) >= TOLERANCE) kept.push([x, y]);
  }
  if (left || right || top || bottom || kept.length < 3) return "";
  return `M${kept.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}
