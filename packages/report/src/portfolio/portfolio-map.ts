import { countryOutlines } from "@groundrule/borders/outlines";
import type { Bbox } from "@groundrule/engine";
import { clipPolygon } from "lineclip";
import { type Html, html, raw } from "../html.ts";
import type { Tongue } from "../languages/language.ts";
import { boxOf, Canvas, pathOf } from "../maps/canvas.ts";
import { type Point, simplify } from "../maps/simplify.ts";
import { PLOT_STATUSES, type PlotStatus, type Portfolio, type PortfolioEntry } from "./portfolio-rows.ts";

const SHAPE = { width: 1000, height: 430 } as const;
/** Degrees of latitude that the map shows at least, and at most. */
const LEAST_DEGREES = 0.02;
const MOST_DEGREES = 150;
const MARGIN = 0.08;
const BLEED = 8;
/** A plot that is drawn larger has an outline, else a dot. */
const OUTLINED = 7;
/** Positions of outlines that a page holds at most; where there are more, every plot is a dot. */
const MOST_POSITIONS = 60_000;

/** A map of all plots in the colours of their verdicts; undefined where no plot has a place. */
export function renderPlotMap(
  { entries }: Portfolio,
  colorOf: (status: PlotStatus) => string,
  { words, formats }: Tongue,
): Html | undefined {
  const placed = entries.filter(({ middle }) => middle !== undefined);
  if (placed.length === 0) return undefined;
  const canvas = new Canvas(frameOf(placed), SHAPE);
  const { width, height } = SHAPE;
  const title = words.mapOfPlots(placed.length, formats.plain(placed.length));
  const marks = marksOf(canvas, placed);
  // The worst on top.
  const layers = PLOT_STATUSES.toReversed().map((status) => {
    const { dots, outlines } = marks.get(status)!;
    const color = colorOf(status);
    return html`${outlines.length > 0 && html`<path d="${raw(outlines.join(""))}" fill="${color}" fill-opacity="0.25" stroke="${color}" stroke-width="1.1"/>`}${dots.size > 0 && html`<path d="${raw([...dots].join(""))}" fill="none" stroke="${color}" stroke-width="4.4" stroke-linecap="round"/>`}`;
  });
  return html`<svg class="map" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">
<rect width="${width}" height="${height}" class="sea"/>
<path d="${pathOf(countryOutlines().map(({ coordinates }) => coordinates.flat().flatMap((ring) => landRing(canvas, ring))))}" class="land"/>
${layers}
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" class="frame"/>
</svg>`;
}

/** What all plots lie in, on the shorter way round the earth, with a margin. */
function frameOf(placed: readonly PortfolioEntry[]): Bbox {
  const longitudes = placed.map(({ middle }) => middle![0]).sort((a, b) => a - b);
  let [widest, start] = [longitudes[0]! + 360 - longitudes.at(-1)!, longitudes[0]!];
  for (let i = 1; i < longitudes.length; i++) {
    const gap = longitudes[i]! - longitudes[i - 1]!;
    if (gap > widest) [widest, start] = [gap, longitudes[i]!];
  }
  let [west, east, south, north] = [start, start + 360 - widest, 90, -90];
  for (const { rings, middle } of placed) {
    for (const [longitude, latitude] of [middle!, ...rings.flat()]) {
      [south, north] = [Math.min(south, latitude!), Math.max(north, latitude!)];
      const turned = longitude! + 360 * Math.round(((west + east) / 2 - longitude!) / 360);
      if (widest > 180) [west, east] = [Math.min(west, turned), Math.max(east, turned)];
    }
  }
  [south, north] = [Math.max(-90, south), Math.min(90, north)];
  const middle: Point = [(west + east) / 2, (south + north) / 2];
  const stretch = Math.max(0.05, Math.cos((middle[1] * Math.PI) / 180));
  const shape = SHAPE.width / SHAPE.height;
  const seen = Math.max(north - south, ((east - west) * stretch) / shape) * (1 + 2 * MARGIN);
  const half = Math.min(MOST_DEGREES, Math.max(LEAST_DEGREES, seen)) / 2;
  const wide = (half * shape) / stretch;
  return [middle[0] - wide, middle[1] - half, middle[0] + wide, middle[1] + half];
}

function landRing(canvas: Canvas, ring: readonly (readonly number[])[]): (readonly Point[])[] {
  const { width, height } = SHAPE;
  const points = canvas.line(ring);
  const [west, south, east, north] = boxOf(points);
  const turn = canvas.turn((west + east) / 2);
  if (west + turn > width || east + turn < 0 || south > height || north < 0) return [];
  const moved = points.map(([x, y]): [number, number] => [x + turn, y]);
  const cut = clipPolygon(moved, [-BLEED, -BLEED, width + BLEED, height + BLEED]);
  return cut.length < 4 ? [] : [simplify([...cut, cut[0]!], 0.4)];
}

interface Marks {
  readonly dots: Set<string>;
  readonly outlines: string[];
}

/** Dots at the same place are one. */
function marksOf(canvas: Canvas, placed: readonly PortfolioEntry[]): ReadonlyMap<PlotStatus, Marks> {
  const marks = new Map(
    PLOT_STATUSES.map((status): [PlotStatus, Marks] => [status, { dots: new Set(), outlines: [] }]),
  );
  const drawn = outlinesOf(canvas, placed);
  placed.forEach(({ status, middle }, i) => {
    const { dots, outlines } = marks.get(status)!;
    const outline = drawn[i] ?? [];
    if (outline.length > 0) outlines.push(pathOf([outline]).text);
    else {
      const [x, y] = canvas.point(...middle!);
      dots.add(`M${(Math.round(x * 2) / 2).toFixed(1)} ${(Math.round(y * 2) / 2).toFixed(1)}h0`);
    }
  });
  return marks;
}

/** For each plot its outline where it is drawn large enough, else nothing. */
function outlinesOf(canvas: Canvas, placed: readonly PortfolioEntry[]): (readonly (readonly Point[])[])[] {
  let positions = 0;
  const outlines = placed.map(({ rings }) => {
    if (positions > MOST_POSITIONS) return [];
    const lines = rings.map((ring) =>
      ring.map(([longitude, latitude]) => canvas.point(longitude!, latitude!)),
    );
    const [west, south, east, north] = boxOf(lines.flat());
    if (!(Math.max(east - west, north - south) > OUTLINED)) return [];
    const simple = lines.map((line) => simplify(line, 0.4)).filter((line) => line.length > 3);
    positions += simple.flat().length;
    return simple;
  });
  return positions > MOST_POSITIONS ? placed.map(() => []) : outlines;
}
