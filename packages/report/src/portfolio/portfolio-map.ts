import type { Bbox } from "@groundrule/engine";
import type { ReportTongue } from "@groundrule/words/languages";
import { type Html, html, toRawHtml } from "../html.ts";
import { Canvas, computePointsBox, formatSvgPath } from "../maps/canvas.ts";
import { listDrawnCountries, renderCountryLabel } from "../maps/countries.ts";
import { listOccupiedPoints, renderMapFurniture } from "../maps/furniture.ts";
import { type Point, simplifyRing } from "../maps/simplify.ts";
import { formatToneStyle } from "../page/tone.ts";
import { PLOT_STATUSES, type PlotStatus, type Portfolio, type PortfolioEntry } from "./portfolio-rows.ts";

interface MapShape {
  readonly width: number;
  readonly height: number;
}

/** As wide as the page, so that a unit is a pixel there: for plots that lie far apart from west to east. */
const WIDE: MapShape = { width: 1072, height: 380 };
/** For other plots, which are then drawn larger, above all on a phone. */
const TALL: MapShape = { width: 720, height: 500 };
/** One of several maps, two of them in a row. */
const PART: MapShape = { width: 528, height: 380 };
/** Plots are drawn on one map where they would need more. */
const MOST_MAPS = 4;
/** The share of plots that a map leaves out, one of so many, if the others are then drawn so many times as large. */
const OUTLIERS = { of: 20, least: 10, most: 20, times: 4 } as const;
/** Degrees: plots with more land or sea between them are drawn on maps of their own. */
const FAR = 12;
/** Degrees of latitude that the map shows at least, and at most. */
const LEAST_DEGREES = 0.02;
const MOST_DEGREES = 150;
const MARGIN = 0.06;
/** How far outlines may depart, in units of the drawing. */
const TOLERANCE = 0.4;
/** Degrees between lines of the graticule: the widest of which a map has enough. */
const STEPS = [30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];
const LEAST_LINES = 6;
/** Codes of countries keep away from so many plots. */
const AVOIDED = 500;
/** A plot that is drawn larger has an outline, else a dot. */
const OUTLINED = 7;
/** Positions of outlines that a page holds at most; where there are more, every plot is a dot. */
const MOST_POSITIONS = 60_000;

/** Maps of all plots. */
export interface PlotMap {
  readonly svg: Html;
  /**
   * Where each plot is drawn, in their order: x, y and how far its outline reaches, in units of the drawing, and the number
   * of its map.
   */
  readonly places: readonly (readonly [x: number, y: number, reach: number, map: number] | undefined)[];
  /** Plots that are not drawn, because they lie far from all others. */
  readonly far: readonly PortfolioEntry[];
}

/**
 * A map of all plots in the colours of their verdicts, or one of each group that lies far from the others; undefined where
 * no plot has a place.
 */
export function renderPlotMap({ entries }: Portfolio, tongue: ReportTongue): PlotMap | undefined {
  const placed = entries.filter(({ middle }) => middle !== undefined);
  if (placed.length === 0) return undefined;
  const found = groupPlotsByPlace(placed);
  const isFar = (group: readonly PortfolioEntry[]): boolean => group.length * OUTLIERS.of <= placed.length;
  const near = found.filter((group) => !isFar(group)).map(sortFarthestLast);
  const isOne = near.length === 0 || near.length > MOST_MAPS;
  const groups = isOne ? [placed] : near.map(({ plots, drawn }) => plots.slice(0, drawn));
  const far = isOne
    ? []
    : [...near.flatMap(({ plots, drawn }) => plots.slice(drawn)), ...found.filter(isFar).flat()];
  const places = new Map<PortfolioEntry, readonly [number, number, number, number]>();
  const maps = groups.map((group, number) => {
    const shape = groups.length > 1 ? PART : isWide(group) ? WIDE : TALL;
    const canvas = new Canvas(computeMapFrame(group, shape), shape);
    const drawn = projectPlotOutlines(canvas, group, MOST_POSITIONS / groups.length);
    group.forEach((entry, i) => {
      places.set(entry, [...canvas.point(...entry.middle!), measureHalfExtent(drawn[i]!), number]);
    });
    return renderPlotsMap(canvas, group, drawn, number, tongue);
  });
  return {
    svg: html`<div class="maps${groups.length > 1 && " several"}">${maps}</div>`,
    places: entries.map((entry) => places.get(entry)),
    far,
  };
}

/** Plots of a group, those farthest from its median last, and how many are drawn: all, unless few make the map small. */
function sortFarthestLast(group: readonly PortfolioEntry[]): {
  readonly plots: readonly PortfolioEntry[];
  readonly drawn: number;
} {
  if (group.length < OUTLIERS.least) return { plots: group, drawn: group.length };
  const [west, , east] = computePlotsExtent(group);
  const turn = (longitude: number): number =>
    longitude + 360 * Math.round(((west + east) / 2 - longitude) / 360);
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;
  const x = median(group.map(({ middle }) => turn(middle![0])));
  const y = median(group.map(({ middle }) => middle![1]));
  const stretch = Math.cos((y * Math.PI) / 180);
  const distance = ({ middle }: PortfolioEntry): number =>
    Math.hypot((turn(middle![0]) - x) * stretch, middle![1] - y);
  const plots = group.toSorted((a, b) => distance(a) - distance(b));
  const left = Math.min(OUTLIERS.most, Math.max(1, Math.floor(group.length / OUTLIERS.of)));
  const reach = (of: readonly PortfolioEntry[]): number => {
    const [from, south, to, north] = computePlotsExtent(of);
    return Math.max((to - from) * stretch, north - south);
  };
  const others = reach(plots.slice(0, group.length - left));
  const isSmall = others * OUTLIERS.times < reach(group);
  const first = isSmall ? plots.findIndex((plot) => distance(plot) > others) : -1;
  return { plots, drawn: first === -1 ? group.length : first };
}

function renderPlotsMap(
  canvas: Canvas,
  placed: readonly PortfolioEntry[],
  drawn: ReturnType<typeof projectPlotOutlines>,
  number: number,
  { words, formats }: ReportTongue,
): Html {
  const { width, height } = canvas;
  const title = words.mapOfPlots(placed.length, formats.plain(placed.length));
  const marks = collectPlotMarks(canvas, placed, drawn);
  // The worst on top.
  const layers = PLOT_STATUSES.toReversed().map((status) => {
    const { dots, outlines } = marks.get(status)!;
    return html`<g style="${formatToneStyle(status)}">${outlines.length > 0 && html`<path d="${toRawHtml(outlines.join(""))}" class="outlined${status === "ERROR" ? " sent" : ""}"/>`}${dots.size > 0 && html`<path d="${toRawHtml([...dots].join(""))}" class="dotted"/>`}</g>`;
  });
  const countries = listDrawnCountries(canvas, TOLERANCE);
  const taken = [
    ...listOccupiedPoints(canvas, 4),
    ...placed.slice(0, AVOIDED).map(({ middle }) => canvas.point(...middle!)),
  ];
  return html`<svg class="map" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">
<defs><clipPath id="plots-frame${number}"><rect width="${width}" height="${height}"/></clipPath></defs>
<rect width="${width}" height="${height}" class="sea"/>
<g clip-path="url(#plots-frame${number})">
<path d="${formatSvgPath(countries.map(({ rings }) => rings))}" class="land"/>
<path d="${renderMapGraticule(canvas)}" class="graticule"/>
${countries.map((country) => renderCountryLabel(canvas, country, taken))}
${layers}
<circle class="lit" hidden/>
</g>
${renderMapFurniture(canvas, formats, 4)}
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" class="frame"/>
</svg>`;
}

/** Plots by where they lie: those in neighbouring squares of the graticule are together, the largest group first. */
function groupPlotsByPlace(placed: readonly PortfolioEntry[]): readonly (readonly PortfolioEntry[])[] {
  const columns = 360 / FAR;
  const toSquare = ({ middle }: PortfolioEntry): number => {
    const [longitude, latitude] = middle!;
    const x = ((Math.floor(longitude / FAR) % columns) + columns) % columns;
    return x + columns * Math.floor((latitude + 90) / FAR);
  };
  const left = new Map<number, PortfolioEntry[]>();
  for (const entry of placed) {
    const square = toSquare(entry);
    const plots = left.get(square);
    if (plots === undefined) left.set(square, [entry]);
    else plots.push(entry);
  }
  const groups: PortfolioEntry[][] = [];
  for (const [start] of left) {
    const group: PortfolioEntry[] = [];
    const waiting = [start];
    for (let square = waiting.pop(); square !== undefined; square = waiting.pop()) {
      const plots = left.get(square);
      if (plots === undefined) continue;
      left.delete(square);
      for (const plot of plots) group.push(plot);
      const [x, y] = [square % columns, Math.floor(square / columns)];
      for (const up of [-1, 0, 1]) {
        for (const aside of [-1, 0, 1]) waiting.push(((x + aside + columns) % columns) + columns * (y + up));
      }
    }
    if (group.length > 0) groups.push(group);
  }
  return groups.sort((a, b) => b.length - a.length);
}

/** True if plots lie so far apart from west to east that they fill a wide map. */
function isWide(placed: readonly PortfolioEntry[]): boolean {
  const [west, south, east, north] = computePlotsExtent(placed);
  const stretch = Math.cos((((south + north) / 2) * Math.PI) / 180);
  return (east - west) * stretch > 2 * (north - south);
}

/** Meridians and parallels at round degrees. */
function renderMapGraticule(canvas: Canvas): Html {
  const { width, height } = canvas;
  const [west, north] = canvas.position(0, 0);
  const [east, south] = canvas.position(width, height);
  const step = STEPS.find((each) => (east - west) / each >= LEAST_LINES) ?? STEPS.at(-1)!;
  const between = (from: number, to: number): number[] =>
    Array.from(
      { length: Math.max(0, Math.floor(to / step) - Math.ceil(from / step) + 1) },
      (_, i) => (Math.ceil(from / step) + i) * step,
    );
  const x = (longitude: number): string => (((longitude - west) / (east - west)) * width).toFixed(1);
  const y = (latitude: number): string => canvas.point((west + east) / 2, latitude)[1].toFixed(1);
  return toRawHtml(
    [
      ...between(west, east).map((longitude) => `M${x(longitude)} 0V${height}`),
      ...between(south, north).map((latitude) => `M0 ${y(latitude)}H${width}`),
    ].join(""),
  );
}

/** Box of all plots, on the shorter way round the earth. */
function computePlotsExtent(placed: readonly PortfolioEntry[]): Bbox {
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
  return [west, Math.max(-90, south), east, Math.min(90, north)];
}

/** Frame of a map of plots: all of them, with a margin. */
function computeMapFrame(placed: readonly PortfolioEntry[], { width, height }: MapShape): Bbox {
  const [west, south, east, north] = computePlotsExtent(placed);
  const middle: Point = [(west + east) / 2, (south + north) / 2];
  const stretch = Math.max(0.05, Math.cos((middle[1] * Math.PI) / 180));
  const shape = width / height;
  const seen = Math.max(north - south, ((east - west) * stretch) / shape) * (1 + 2 * MARGIN);
  const half = Math.min(MOST_DEGREES, Math.max(LEAST_DEGREES, seen)) / 2;
  const wide = (half * shape) / stretch;
  return [middle[0] - wide, middle[1] - half, middle[0] + wide, middle[1] + half];
}

interface Marks {
  readonly dots: Set<string>;
  readonly outlines: string[];
}

/** Dots at the same place are one. */
function collectPlotMarks(
  canvas: Canvas,
  placed: readonly PortfolioEntry[],
  drawn: ReturnType<typeof projectPlotOutlines>,
): ReadonlyMap<PlotStatus, Marks> {
  const marks = new Map(
    PLOT_STATUSES.map((status): [PlotStatus, Marks] => [status, { dots: new Set(), outlines: [] }]),
  );
  placed.forEach(({ status, middle }, i) => {
    const { dots, outlines } = marks.get(status)!;
    const outline = drawn[i]!;
    if (outline.length > 0) outlines.push(formatSvgPath([outline]).text);
    else {
      const [x, y] = canvas.point(...middle!);
      dots.add(`M${(Math.round(x * 2) / 2).toFixed(1)} ${(Math.round(y * 2) / 2).toFixed(1)}h0`);
    }
  });
  return marks;
}

/** For each plot its outline where it is drawn large enough, else nothing: nowhere, where all have too many positions. */
function projectPlotOutlines(
  canvas: Canvas,
  placed: readonly PortfolioEntry[],
  most: number,
): (readonly (readonly Point[])[])[] {
  let positions = 0;
  const outlines = placed.map(({ rings }) => {
    if (positions > most) return [];
    const lines = rings.map((ring) =>
      ring.map(([longitude, latitude]) => canvas.point(longitude!, latitude!)),
    );
    const [west, south, east, north] = computePointsBox(lines.flat());
    if (!(Math.max(east - west, north - south) > OUTLINED)) return [];
    const simple = lines.map((line) => simplifyRing(line, TOLERANCE)).filter((line) => line.length > 3);
    positions += simple.flat().length;
    return simple;
  });
  return positions > most ? placed.map(() => []) : outlines;
}

/** Half of what an outline spans. */
function measureHalfExtent(outline: readonly (readonly Point[])[]): number {
  const [west, south, east, north] = computePointsBox(outline.flat());
  return outline.length === 0 ? 0 : Math.hypot(east - west, north - south) / 2;
}
