import type { MultiPolygonCoordinates } from "@groundrule/engine/build";
import { decimal, formatPlace } from "./format.ts";
import { type Html, html, raw } from "./html.ts";
import { MAP_SHAPES, type MapArea, type MapView } from "./material.ts";
import { type Point, simplify } from "./simplify.ts";

/** How an area of the evidence is drawn. */
export interface AreaStyle {
  /** `#rrggbb` */
  readonly color: string;
  /** The number it has in the tables, drawn where there is room; absent: it is drawn without one. */
  readonly number?: number;
}

export interface MapOptions {
  /** Of `MAP_SHAPES`. */
  readonly shape: 0 | 1;
  readonly plot: MultiPolygonCoordinates;
  readonly view: MapView;
  /** Tells maps of one page apart: a letter. */
  readonly id: string;
  readonly title: string;
  readonly styleOf: (area: MapArea) => AreaStyle;
}

/** Nothing closer than this is told apart on paper. */
const TOLERANCE = 0.3;
/** What is smaller is ringed, so that it is seen. */
const TINY = 7;

/**
 * A map as SVG: the plot, the areas of the evidence within the frame, hatched where they lie in the
 * plot, numbered as in the tables; scale bar, north, and the coordinates of two corners.
 *
 * Drawn on the plane of longitude and latitude, longitudes shortened as at the frame's middle.
 */
export function renderMap({ plot, view, shape, id, title, styleOf }: MapOptions): Html {
  const canvas = new Canvas(view, MAP_SHAPES[shape]);
  const areas = view.areas.map((area) => ({ area, style: styleOf(area) }));
  const patterns = [...new Set(areas.map(({ style }) => style.color))];
  const places: Point[] = occupied(canvas);
  const badges: Html[] = [];
  const shapes = areas.map(({ area, style }) => {
    const outline = canvas.polygons(area.outline);
    const overlap = canvas.polygons(area.overlap);
    if (style.number !== undefined) {
      const inside = [...placesInside(overlap), ...placesInside(outline)];
      const [anchor] = inside;
      const isSmall = sizeOf(largestBox([...overlap, ...outline])) < SMALL ** 2;
      const candidates = isSmall && anchor !== undefined ? placesAround(anchor) : inside;
      const shown = candidates.map((each) => canvas.within(each));
      const place = shown.find((each) => places.every((other) => isApart(each, other)));
      if (place !== undefined) {
        places.push(place);
        badges.push(badge(place, style, isSmall ? anchor : undefined));
      }
    }
    const fill = `url(#${id}-hatch-${patterns.indexOf(style.color)})`;
    return html`
      <path d="${pathOf(outline)}" fill="${style.color}" fill-opacity="0.09" stroke="${style.color}" stroke-width="1" stroke-dasharray="5 2"/>
      <path d="${pathOf(overlap)}" fill="${raw(fill)}" stroke="${style.color}" stroke-width="1.2"/>
      ${tinyOnes(overlap, style.color)}`;
  });
  const outline = canvas.polygons(plot);
  const { width, height } = canvas;
  return html`<svg class="map" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">
  <defs>
    <clipPath id="${id}-frame"><rect width="${width}" height="${height}"/></clipPath>
    ${patterns.map(
      (
        color,
        i,
      ) => html`<pattern id="${id}-hatch-${i}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(${[45, 135, 90, 0][i % 4]})">
      <rect width="7" height="7" fill="${color}" fill-opacity="0.14"/><line x1="0" y1="0" x2="0" y2="7" stroke="${color}" stroke-width="1.7"/></pattern>`,
    )}
  </defs>
  <rect width="${width}" height="${height}" fill="#fafaf7"/>
  <g clip-path="url(#${id}-frame)" stroke-linejoin="round">
    ${shapes}
    <path d="${pathOf(outline)}" fill="none" stroke="#ffffff" stroke-width="4.5"/>
    <path d="${pathOf(outline)}" fill="none" stroke="#111111" stroke-width="2"/>
    ${tinyOnes(outline, "#111111")}
    ${badges}
  </g>
  ${furniture(canvas)}
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" stroke="#777777"/>
</svg>`;
}

/** Longitudes and latitudes on a drawing whose middle is the frame's. */
class Canvas {
  readonly width: number;
  readonly height: number;
  /** Units of the drawing a degree of latitude. */
  readonly #scale: number;
  readonly #stretch: number;
  readonly #middle: Point;

  constructor(
    { frame: [west, south, east, north] }: MapView,
    { width, height }: (typeof MAP_SHAPES)[number],
  ) {
    this.width = width;
    this.height = height;
    this.#middle = [(west + east) / 2, (south + north) / 2];
    this.#stretch = Math.max(0.02, Math.cos((this.#middle[1] * Math.PI) / 180));
    this.#scale = Math.min(width / ((east - west) * this.#stretch), height / (north - south));
  }

  /** Simplified to what can be seen; an area beyond the antimeridian is drawn on the frame's side. */
  polygons(coordinates: MultiPolygonCoordinates | null): Point[][][] {
    return (coordinates ?? []).map((rings) =>
      rings.map((ring) => [
        ...simplify(
          ring.map((position) => this.#point(position)),
          TOLERANCE,
        ),
      ]),
    );
  }

  /** The point, or the one nearest to it that a badge has room around. */
  within([x, y]: Point): Point {
    const inside = (value: number, most: number) => Math.min(most - 12, Math.max(12, value));
    return [inside(x, this.width), inside(y, this.height)];
  }

  /** Metres a unit of the drawing, from west to east in its middle (WGS 84; Snyder 1987, eq. 4-21). */
  get metersPerUnit(): number {
    const phi = (this.#middle[1] * Math.PI) / 180;
    const e2 = 0.00669437999014;
    const perDegree = ((Math.PI / 180) * 6_378_137 * Math.cos(phi)) / Math.sqrt(1 - e2 * Math.sin(phi) ** 2);
    return Math.max(perDegree, 1) / (this.#scale * this.#stretch);
  }

  corner(x: number, y: number): string {
    const lon = this.#middle[0] + (x - this.width / 2) / (this.#scale * this.#stretch);
    const lat = this.#middle[1] - (y - this.height / 2) / this.#scale;
    return formatPlace(lon, Math.min(90, Math.max(-90, lat)));
  }

  #point([lon, lat]: readonly number[]): Point {
    const away = lon! - this.#middle[0];
    const turned = away - 360 * Math.round(away / 360);
    return [
      this.width / 2 + turned * this.#stretch * this.#scale,
      this.height / 2 - (lat! - this.#middle[1]) * this.#scale,
    ];
  }
}

function pathOf(polygons: readonly (readonly (readonly Point[])[])[]): Html {
  const rings = polygons.flat().filter((ring) => ring.length > 2);
  const text = rings.map((ring) => {
    const points = ring.slice(0, -1).map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
    return `M${points.join("L")}Z`;
  });
  return raw(text.join(""));
}

/** Rings around what would hardly be seen. */
function tinyOnes(polygons: readonly (readonly (readonly Point[])[])[], color: string): Html[] {
  return polygons.flatMap(([outer = []]) => {
    const [west, south, east, north] = boxOf(outer);
    if (outer.length === 0 || Math.max(east - west, north - south) > TINY) return [];
    const [x, y] = [(west + east) / 2, (south + north) / 2].map((value) => value.toFixed(1));
    return [html`<circle cx="${x}" cy="${y}" r="8" fill="none" stroke="${color}" stroke-width="1.6"/>`];
  });
}

function boxOf(ring: readonly Point[]): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    [west, south] = [Math.min(west, x), Math.min(south, y)];
    [east, north] = [Math.max(east, x), Math.max(north, y)];
  }
  return [west, south, east, north];
}

/** An area smaller than this would vanish under its badge: the badge stands beside it. */
const SMALL = 26;

function placesAround([x, y]: Point): Point[] {
  return [
    [x + 22, y - 16],
    [x - 22, y - 16],
    [x + 22, y + 16],
    [x - 22, y + 16],
  ];
}

function largestBox(
  polygons: readonly (readonly (readonly Point[])[])[],
): readonly [number, number, number, number] {
  const boxes = polygons.map(([outer = []]) => boxOf(outer));
  return boxes.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a), [0, 0, 0, 0]);
}

/** Shares of its height at which a place for a badge is sought; none where a vertex is likely to lie. */
const HEIGHTS = [0.4987, 0.2513, 0.7489, 0.3754, 0.6247, 0.1261, 0.8738];

/** Places inside the largest polygon, as far apart as its shape allows: the best first. */
function placesInside(polygons: readonly (readonly (readonly Point[])[])[]): Point[] {
  const [largest] = polygons
    .map((rings) => ({ rings, box: boxOf(rings[0] ?? []) }))
    .sort((a, b) => sizeOf(b.box) - sizeOf(a.box));
  if (largest === undefined) return [];
  const [, south, , north] = largest.box;
  return HEIGHTS.flatMap((share) => {
    const y = south + (north - south) * share;
    const crossings = largest.rings.flatMap((ring) => crossingsAt(ring, y)).sort((a, b) => a - b);
    const stretches = crossings.flatMap((from, i) =>
      i % 2 === 1 || i + 1 >= crossings.length ? [] : [[from, crossings[i + 1]!] as const],
    );
    const [widest] = stretches.sort(([a, b], [c, d]) => d - c - (b - a));
    if (widest === undefined) return [];
    const [from, to] = widest;
    return [0.5, 0.25, 0.75].map((along): Point => [from + (to - from) * along, y]);
  });
}

function sizeOf([west, south, east, north]: readonly [number, number, number, number]): number {
  return (east - west) * (north - south);
}

/** Badges that far from one another can both be read. */
function isApart([ax, ay]: Point, [bx, by]: Point): boolean {
  return (ax - bx) ** 2 + (ay - by) ** 2 > 21 ** 2;
}

function crossingsAt(ring: readonly Point[], y: number): number[] {
  return ring.slice(1).flatMap(([bx, by], i) => {
    const [ax, ay] = ring[i]!;
    return ay > y === by > y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
  });
}

/** @param anchor what the badge stands beside, and is tied to by a line */
function badge([x, y]: Point, { color, number }: AreaStyle, anchor?: Point): Html {
  const [cx, cy] = [x.toFixed(1), y.toFixed(1)];
  return html`<g>${anchor !== undefined && html`<line x1="${anchor[0].toFixed(1)}" y1="${anchor[1].toFixed(1)}" x2="${cx}" y2="${cy}" stroke="${color}" stroke-width="1.2"/>`}
    <circle cx="${cx}" cy="${cy}" r="9" fill="#ffffff" stroke="${color}" stroke-width="2"/>
    <text x="${cx}" y="${(y + 3.6).toFixed(1)}" text-anchor="middle" font-size="10.5" font-weight="700" fill="#111111">${number}</text></g>`;
}

/** Where north and the scale bar stand: no badge may. */
function occupied({ width, height }: Canvas): Point[] {
  const bar = [14, 35, 56, 77, 98].map((x): Point => [x, height - 22]);
  return [[width - 24, 20], [width - 24, 34], ...bar];
}

const BAR_SHARE = 0.25;

/** Scale bar, north, and where two opposite corners lie. */
function furniture(canvas: Canvas): Html {
  const { width, height, metersPerUnit } = canvas;
  const meters = roundLength(BAR_SHARE * width * metersPerUnit);
  const length = meters / metersPerUnit;
  const label = meters < 1000 ? `${decimal(meters, 0)} m` : `${decimal(meters / 1000, 0)} km`;
  const [x, y] = [14, height - 14];
  const end = (x + length).toFixed(1);
  return html`<g font-size="10.5" fill="#111111">
    <rect x="6" y="${height - 40}" width="${(length + 40).toFixed(1)}" height="34" fill="#ffffff" fill-opacity="0.86"/>
    <rect x="${x}" y="${y - 6}" width="${(length / 2).toFixed(1)}" height="5" fill="#111111"/>
    <rect x="${x}" y="${y - 6}" width="${length.toFixed(1)}" height="5" fill="none" stroke="#111111"/>
    <text x="${x}" y="${y - 10}">0</text>
    <text x="${end}" y="${y - 10}" text-anchor="middle">${label}</text>
    <g transform="translate(${width - 24} 14)"><circle cx="0" cy="12" r="16" fill="#ffffff" fill-opacity="0.86"/><path d="M0 -1L5.5 15L0 11L-5.5 15Z" fill="#111111"/><text x="0" y="25" text-anchor="middle" font-weight="700">N</text></g>
    <text x="8" y="15" stroke="#ffffff" stroke-width="3" paint-order="stroke" font-size="9.5">${canvas.corner(0, 0)}</text>
    <text x="${width - 8}" y="${height - 8}" text-anchor="end" stroke="#ffffff" stroke-width="3" paint-order="stroke" font-size="9.5">${canvas.corner(width, height)}</text>
  </g>`;
}

/** The greatest of 1, 2, 5 times a power of ten that is no longer. */
function roundLength(meters: number): number {
  const power = 10 ** Math.floor(Math.log10(meters));
  return [5, 2, 1].map((step) => step * power).find((length) => length <= meters) ?? power;
}
