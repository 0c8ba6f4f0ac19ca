import { landBorders } from "@groundrule/borders/outlines";
import type { MultiPolygonCoordinates } from "@groundrule/engine/build";
import type { Formats } from "@groundrule/words";
import { clipPolyline } from "lineclip";
import { type Html, html, toRawHtml } from "../html.ts";
import { MAP_SHAPES, type MapArea, type MapView, toAreaKey } from "../material.ts";
import {
  Canvas,
  computeBoxArea,
  computePointsBox,
  findPlacesInside,
  formatLinePath,
  formatSvgPath,
} from "./canvas.ts";
import { listOccupiedPoints, renderMapFurniture } from "./furniture.ts";
import type { Point } from "./simplify.ts";

/** How an area of the evidence is drawn. */
export interface AreaStyle {
  /** `#rrggbb` */
  readonly color: string;
  /** The number it has in the tables, drawn where there is room; absent: it is drawn without one. */
  readonly number?: number;
}

export interface MapOptions {
  /** Index in `MAP_SHAPES`. */
  readonly shape: 0 | 1;
  readonly plot: MultiPolygonCoordinates;
  readonly property?: MultiPolygonCoordinates | undefined;
  readonly view: MapView;
  /** Letter that distinguishes the maps of one page. */
  readonly id: string;
  readonly title: string;
  readonly styleOf: (area: MapArea) => AreaStyle;
  /** Areas whose distance a check compared, by {@link toAreaKey}, with the distance as the map shows it. */
  readonly distances: ReadonlyMap<string, string>;
  readonly formats: Formats;
}

/** A map, and the signs on it, so that its legend lists no others. */
export interface DrawnMap {
  readonly svg: Html;
  readonly signs: ReadonlySet<MapSign>;
}

/** Kinds of signs on a map besides the plot. */
export type MapSign = "inside" | "outside" | "tiny" | "number" | "other" | "border" | "nearest" | "property";

/** Size below which a shape is ringed, so that it is seen. */
const TINY = 7;
/** Borders are generalised by ten kilometres or so: a narrower map would show them wrong. */
const BORDERS_FROM_METERS = 80_000;

/**
 * A map as SVG: the plot, the areas of the evidence within the frame, hatched where they lie in the
 * plot, numbered as in the tables, and around them other areas of the same sources and borders of countries; the
 * shortest way to areas whose distance was compared; scale bar, north, and the coordinates of two corners.
 *
 * Drawn on the plane of longitude and latitude, longitudes shortened as at the frame's middle.
 */
export function renderPlotMap(options: MapOptions): DrawnMap {
  const { plot, view, shape, id, title, styleOf, formats } = options;
  const canvas = new Canvas(view.frame, MAP_SHAPES[shape]);
  const areas = view.areas.map((area) => ({ area, style: styleOf(area) }));
  const patterns = [...new Set(areas.map(({ style }) => style.color))];
  const outline = canvas.polygons(plot);
  const lines = [...options.distances].flatMap(([key, text]) => {
    const area = view.areas.find((each) => toAreaKey(each) === key);
    return area === undefined ? [] : renderNearestLine(canvas, outline, canvas.polygons(area.outline), text);
  });
  const places: Point[] = [...listOccupiedPoints(canvas, 2), ...lines.map(({ middle }) => middle)];
  const { width, height } = canvas;
  const signs = new Set<MapSign>();
  const badges: Html[] = [];
  const shapes = areas.map(({ area, style }) => {
    const outline = canvas.polygons(area.outline);
    const overlap = canvas.polygons(area.overlap);
    const rings = renderTinyMarks(overlap, toRawHtml('class="shaded"'));
    for (const each of placeAreaBadge(canvas, { outline, overlap, style }, places)) badges.push(each);
    if (overlap.length > 0) signs.add("inside");
    if (rings.length > 0) signs.add("tiny");
    if (outline.flat().some((ring) => clipLineToBox(ring, [0, 0, width, height]).length > 0))
      signs.add("outside");
    const fill = `url(#${id}-hatch-${patterns.indexOf(style.color)})`;
    return html`<g style="--c: ${style.color}">
      <path d="${formatSvgPath(outline)}" class="shaded whole" stroke-width="1" stroke-dasharray="5 2"/>
      <path d="${formatSvgPath(overlap)}" fill="${toRawHtml(fill)}" class="shaded" stroke-width="1.2"/>
      ${rings}</g>`;
  });
  const others = view.others ?? [];
  const borders = listBorderLines(canvas);
  const property = canvas.polygons(options.property ?? null);
  const drawn = { number: badges, other: others, border: borders, nearest: lines, property };
  for (const [sign, what] of Object.entries(drawn))
    if (what.length > 0) signs.add(sign as keyof typeof drawn);
  const svg = html`<svg class="map${shape === 0 && " large"}" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">
  <defs>
    <clipPath id="${id}-frame"><rect width="${width}" height="${height}"/></clipPath>
    ${patterns.map(
      (
        color,
        i,
      ) => html`<pattern id="${id}-hatch-${i}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(${[45, 135, 90, 0][i % 4]})">
      <g style="--c: ${color}"><rect width="7" height="7" class="whole" fill-opacity="0.14"/><line x1="0" y1="0" x2="0" y2="7" class="shaded" stroke-width="1.7"/></g></pattern>`,
    )}
  </defs>
  <rect width="${width}" height="${height}" class="ground"/>
  <g clip-path="url(#${id}-frame)" stroke-linejoin="round">
    ${others.map((other) => html`<path d="${formatSvgPath(canvas.polygons(other))}" class="other"/>`)}
    ${borders.length > 0 && html`<path d="${formatLinePath(borders)}" class="border"/>`}
    ${shapes}
    ${areas.length === 0 && html`<path d="${formatSvgPath(outline)}" class="alone"/>`}
    ${property.length > 0 && html`<path d="${formatSvgPath(property)}" class="property"/>`}
    <path d="${formatSvgPath(outline)}" fill="none" class="halo" stroke-width="4.5"/>
    <path d="${formatSvgPath(outline)}" fill="none" class="plot" stroke-width="2"/>
    ${renderTinyMarks(outline, toRawHtml('class="plot"'))}
    ${lines.map(({ drawn }) => drawn)}
    ${badges}
  </g>
  ${renderMapFurniture(canvas, formats, 2)}
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" class="frame"/>
</svg>`;
  return { svg, signs };
}

function listBorderLines(canvas: Canvas): Point[][] {
  const { width, height, metersPerUnit } = canvas;
  if (width * metersPerUnit < BORDERS_FROM_METERS) return [];
  return landBorders().flatMap((line) => clipLineToBox(canvas.line(line), [0, 0, width, height]));
}

function clipLineToBox(line: readonly Point[], box: [number, number, number, number]): Point[][] {
  return clipPolyline(line as [number, number][], box);
}

/** Longer lines leave the frame and add little. */
function renderNearestLine(
  canvas: Canvas,
  plot: Point[][][],
  area: Point[][][],
  text: string,
): { readonly drawn: Html; readonly middle: Point }[] {
  const [from, to] = findShortestLine(plot, area) ?? [];
  if (from === undefined || to === undefined) return [];
  const [x1, y1, x2, y2] = [...from, ...to].map((value) => value.toFixed(1));
  const middle = canvas.within([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
  const isInside = to[0] >= 0 && to[0] <= canvas.width && to[1] >= 0 && to[1] <= canvas.height;
  if (!isInside || Math.hypot(to[0] - from[0], to[1] - from[1]) < 1.5) return [];
  const isSteep = Math.abs(to[1] - from[1]) > Math.abs(to[0] - from[0]);
  const [x, y] = isSteep ? [middle[0] + 6, middle[1] + 4] : [middle[0], middle[1] - 6];
  const drawn = html`<g class="nearest"><line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/><circle cx="${x1}" cy="${y1}" r="2.4"/><circle cx="${x2}" cy="${y2}" r="2.4"/><text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${isSteep && x > canvas.width - 60 ? "end" : isSteep ? "start" : "middle"}">${text}</text></g>`;
  return [{ drawn, middle }];
}

/** Its number in the tables, where there is room for it. */
function placeAreaBadge(
  canvas: Canvas,
  {
    outline,
    overlap,
    style,
  }: { readonly outline: Point[][][]; readonly overlap: Point[][][]; readonly style: AreaStyle },
  places: Point[],
): Html[] {
  if (style.number === undefined) return [];
  const inside = [...findPlacesInside(overlap), ...findPlacesInside(outline)];
  const [anchor] = inside;
  const isSmall = computeBoxArea(findLargestBox([...overlap, ...outline])) < SMALL ** 2;
  const candidates = isSmall && anchor !== undefined ? listPlacesAround(anchor) : inside;
  const place = candidates
    .map((each) => canvas.within(each))
    .find((each) => places.every((other) => isApart(each, other)));
  if (place === undefined) return [];
  places.push(place);
  return [renderAreaBadge(place, style, isSmall ? anchor : undefined)];
}

/** Rings around what would hardly be seen. */
function renderTinyMarks(polygons: readonly (readonly (readonly Point[])[])[], stroke: Html): Html[] {
  return polygons.flatMap(([outer = []]) => {
    const [west, south, east, north] = computePointsBox(outer);
    if (outer.length === 0 || Math.max(east - west, north - south) > TINY) return [];
    const [x, y] = [(west + east) / 2, (south + north) / 2].map((value) => value.toFixed(1));
    return [html`<circle cx="${x}" cy="${y}" r="8" fill="none" ${stroke} stroke-width="1.6"/>`];
  });
}

/** An area smaller than this would vanish under its badge: the badge is drawn next to it. */
const SMALL = 26;

function listPlacesAround([x, y]: Point): Point[] {
  return [
    [x + 22, y - 16],
    [x - 22, y - 16],
    [x + 22, y + 16],
    [x - 22, y + 16],
  ];
}

function findLargestBox(
  polygons: readonly (readonly (readonly Point[])[])[],
): readonly [number, number, number, number] {
  const boxes = polygons.map(([outer = []]) => computePointsBox(outer));
  return boxes.reduce((a, b) => (computeBoxArea(b) > computeBoxArea(a) ? b : a), [0, 0, 0, 0]);
}

/** Badges that far from one another can both be read. */
function isApart([ax, ay]: Point, [bx, by]: Point): boolean {
  return (ax - bx) ** 2 + (ay - by) ** 2 > 21 ** 2;
}

/** @param anchor what the badge stands beside, and is tied to by a line */
function renderAreaBadge([x, y]: Point, { color, number }: AreaStyle, anchor?: Point): Html {
  const [cx, cy] = [x.toFixed(1), y.toFixed(1)];
  return html`<g style="--c: ${color}">${anchor !== undefined && html`<line x1="${anchor[0].toFixed(1)}" y1="${anchor[1].toFixed(1)}" x2="${cx}" y2="${cy}" class="shaded" stroke-width="1.2"/>`}
    <circle cx="${cx}" cy="${cy}" r="9" class="badge shaded" stroke-width="2"/>
    <text x="${cx}" y="${(y + 3.6).toFixed(1)}" text-anchor="middle" font-size="10.5" font-weight="700" class="ink">${number}</text></g>`;
}

type Polygons = readonly (readonly (readonly Point[])[])[];

/**
 * The ends of the shortest line between the outlines of two shapes on a drawing; undefined where either has none. It
 * shows what was measured on the ellipsoid; it measures nothing.
 */
function findShortestLine(a: Polygons, b: Polygons): readonly [Point, Point] | undefined {
  const [ringsA, ringsB] = [a.flat(), b.flat()];
  let best: { readonly squared: number; readonly line: readonly [Point, Point] } | undefined;
  const consider = (from: Point, ring: readonly Point[], isTurned: boolean): void => {
    for (let i = 1; i < ring.length; i++) {
      const to = findNearestPoint(from, ring[i - 1]!, ring[i]!);
      const squared = (to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2;
      if (best === undefined || squared < best.squared) {
        best = { squared, line: isTurned ? [to, from] : [from, to] };
      }
    }
  };
  for (const ring of ringsA)
    for (const from of ring) for (const other of ringsB) consider(from, other, false);
  for (const ring of ringsB) for (const from of ring) for (const other of ringsA) consider(from, other, true);
  return best?.line;
}

function findNearestPoint([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): Point {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return [ax + along * dx, ay + along * dy];
}
