import type { Compass } from "@groundrule/words";
import type { FeatureCollection, Geometry } from "geojson";
import { wrapLongitude } from "../drawing/coordinates.ts";

const STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];

/** Number of lines across a view: few enough to count, close enough to measure by. */
const LINES = 6;

/** Web Mercator ends here. */
const GREATEST_LATITUDE = 85;

/** Degrees between lines, such that about six cross a view of this width. */
export function computeGraticuleStep(degrees: number): number {
  return STEPS.find((step) => step * LINES <= degrees) ?? STEPS.at(-1)!;
}

/**
 * Meridians and parallels around a view, half a view beyond it, so that they are there while it is dragged; and a point
 * for each label, on the left or the lower edge of the view.
 *
 * @param bounds degrees; `east` may be beyond 180
 */
export function buildGraticule(
  bounds: { readonly west: number; readonly south: number; readonly east: number; readonly north: number },
  { n: up, s: down, e: right, w: left }: Compass,
): FeatureCollection<Geometry, { readonly label: string; readonly anchor: "left" | "bottom" }> {
  const width = Math.min(360, bounds.east - bounds.west);
  const step = computeGraticuleStep(width);
  const west = Math.max(bounds.west - width / 2, -540);
  const east = Math.min(bounds.east + width / 2, 540);
  const south = Math.max(bounds.south - width / 2, -GREATEST_LATITUDE);
  const north = Math.min(bounds.north + width / 2, GREATEST_LATITUDE);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  const degrees = (value: number, positive: string, negative: string): string =>
    `${Math.abs(value).toFixed(decimals)}° ${value < 0 ? negative : positive}`;
  const lines: { readonly label: string; readonly line: [number, number][] }[] = [];
  for (let n = Math.ceil(west / step); n * step <= east; n++) {
    const line: [number, number][] = [
      [n * step, south],
      [n * step, north],
    ];
    lines.push({ label: degrees(wrapLongitude(n * step), right, left), line });
  }
  for (let n = Math.ceil(south / step); n * step <= north; n++) {
    const line: [number, number][] = [
      [west, n * step],
      [east, n * step],
    ];
    lines.push({ label: degrees(n * step, up, down), line });
  }
  return {
    type: "FeatureCollection",
    features: lines.flatMap(({ label, line }) => {
      const [[x, y], [end]] = line as [[number, number], [number, number]];
      const isMeridian = x === end;
      const properties = { label, anchor: isMeridian ? "bottom" : "left" } as const;
      const coordinates = isMeridian ? [x, bounds.south] : [bounds.west, y];
      return [
        { type: "Feature", properties, geometry: { type: "LineString", coordinates: line } },
        { type: "Feature", properties, geometry: { type: "Point", coordinates } },
      ];
    }),
  };
}
