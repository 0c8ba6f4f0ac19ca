import type { Bbox } from "@groundrule/engine";
import type { MultiPolygonCoordinates } from "@groundrule/engine/build";
import { type Html, toRawHtml } from "../html.ts";
import { type Point, simplifyRing } from "./simplify.ts";

/** Distance below which points cannot be distinguished on paper. */
const TOLERANCE = 0.3;

/** Longitudes and latitudes on a drawing whose middle is the frame's, longitudes shortened as there. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Units of the drawing a degree of latitude. */
  readonly #scale: number;
  readonly #stretch: number;
  readonly #middle: Point;

  constructor(
    [west, south, east, north]: Bbox,
    { width, height }: { readonly width: number; readonly height: number },
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
        ...simplifyRing(
          ring.map(([lon, lat]) => this.point(lon!, lat!)),
          TOLERANCE,
        ),
      ]),
    );
  }

  /** A line or ring in one piece, on the side of the antimeridian on which its first position is nearer. */
  line(positions: readonly (readonly number[])[]): Point[] {
    const [first] = positions;
    if (first === undefined) return [];
    const turns = 360 * Math.round((first[0]! - this.#middle[0]) / 360);
    return positions.map(([lon, lat]) => this.#place(lon! - turns - this.#middle[0], lat!));
  }

  point(lon: number, lat: number): Point {
    const away = lon - this.#middle[0];
    return this.#place(away - 360 * Math.round(away / 360), lat);
  }

  /** How far a drawing moves for its middle to be on the frame's side of the antimeridian. */
  turn(x: number): number {
    const round = 360 * this.#stretch * this.#scale;
    return -round * Math.round((x - this.width / 2) / round);
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

  /** Longitude and latitude of a place on the drawing, degrees. */
  position(x: number, y: number): readonly [number, number] {
    const lon = this.#middle[0] + (x - this.width / 2) / (this.#scale * this.#stretch);
    const lat = this.#middle[1] - (y - this.height / 2) / this.#scale;
    return [lon, Math.min(90, Math.max(-90, lat))];
  }

  #place(degreesEast: number, lat: number): Point {
    return [
      this.width / 2 + degreesEast * this.#stretch * this.#scale,
      this.height / 2 - (lat - this.#middle[1]) * this.#scale,
    ];
  }
}

/** Rings as the data of an SVG path. */
export function formatSvgPath(polygons: readonly (readonly (readonly Point[])[])[]): Html {
  const rings = polygons.flat().filter((ring) => ring.length > 2);
  return toRawHtml(rings.map((ring) => `M${formatPathPoints(ring.slice(0, -1))}Z`).join(""));
}

/** Lines as the data of an SVG path. */
export function formatLinePath(lines: readonly (readonly Point[])[]): Html {
  return toRawHtml(lines.map((line) => `M${formatPathPoints(line)}`).join(""));
}

function formatPathPoints(points: readonly Point[]): string {
  return points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
}

/** Least and greatest x and y: infinite for no points. */
export function computePointsBox(ring: readonly Point[]): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    [west, south] = [Math.min(west, x), Math.min(south, y)];
    [east, north] = [Math.max(east, x), Math.max(north, y)];
  }
  return [west, south, east, north];
}

export function computeBoxArea([west, south, east, north]: readonly [
  number,
  number,
  number,
  number,
]): number {
  return (east - west) * (north - south);
}

/** Shares of its height at which a place for a label is sought; none where a vertex is likely to lie. */
const HEIGHTS = [0.4987, 0.2513, 0.7489, 0.3754, 0.6247, 0.1261, 0.8738];

/** Places inside the largest polygon, as far apart as its shape allows: the best first. */
export function findPlacesInside(polygons: readonly (readonly (readonly Point[])[])[]): Point[] {
  const [largest] = polygons
    .map((rings) => ({ rings, box: computePointsBox(rings[0] ?? []) }))
    .sort((a, b) => computeBoxArea(b.box) - computeBoxArea(a.box));
  if (largest === undefined) return [];
  const [, south, , north] = largest.box;
  return HEIGHTS.flatMap((share) => {
    const y = south + (north - south) * share;
    const crossings = largest.rings.flatMap((ring) => findRingCrossings(ring, y)).sort((a, b) => a - b);
    const stretches = crossings.flatMap((from, i) =>
      i % 2 === 1 || i + 1 >= crossings.length ? [] : [[from, crossings[i + 1]!] as const],
    );
    const [widest] = stretches.sort(([a, b], [c, d]) => d - c - (b - a));
    if (widest === undefined) return [];
    const [from, to] = widest;
    return [0.5, 0.25, 0.75].map((along): Point => [from + (to - from) * along, y]);
  });
}

function findRingCrossings(ring: readonly Point[], y: number): number[] {
  return ring.slice(1).flatMap(([bx, by], i) => {
    const [ax, ay] = ring[i]!;
    return ay > y === by > y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
  });
}
