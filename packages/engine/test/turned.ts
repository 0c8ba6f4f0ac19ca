import type { Random } from "@groundrule/testing/random";
import type { Polygons } from "@groundrule/testing/shapes";
import { createBoxRing, moveRing } from "@groundrule/testing/shapes";
import { intersectEvenOdd } from "../src/geometry/noding/even-odd.ts";

// Shapes about a meridian, and the ways of writing them at the antimeridian.

const MERIDIAN = 90;

/** Longitudes are multiples of 2⁻²⁰ degrees: moved by 90 or 360 they stay what they are. */
export function snapRingToGrid(ring: Float64Array): Float64Array {
  return ring.map((value) => Math.round(value * 1048576) / 1048576);
}

/** The ring with a position wherever it crosses 90° east. */
export function splitAtMeridian(ring: Float64Array): Float64Array {
  const out = [ring[0]!, ring[1]!];
  for (let i = 2; i < ring.length; i += 2) {
    const [x0, y0, x1, y1] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
    if ((x0 < MERIDIAN && x1 > MERIDIAN) || (x0 > MERIDIAN && x1 < MERIDIAN)) {
      const y = y0 + ((y1 - y0) * (MERIDIAN - x0)) / (x1 - x0);
      out.push(MERIDIAN, Math.round(y * 1048576) / 1048576);
    }
    out.push(x1, y1);
  }
  return Float64Array.from(out);
}

/**
 * Polygons about 90° east moved to 180°: left whole, past +180 or past −180, or split there; a region of
 * several parts in several ways.
 */
export function moveToAntimeridian(random: Random, polygons: Polygons, isPlot: boolean): Polygons {
  const way = random.integer(isPlot ? 3 : 4);
  if (way === 3) return polygons.flatMap((polygon) => rewritePolygons(random, [polygon], random.integer(3)));
  return rewritePolygons(random, polygons, way);
}

function rewritePolygons(random: Random, polygons: Polygons, way: number): Polygons {
  if (way < 2) return polygons.map((rings) => rings.map((ring) => moveRing(ring, way === 0 ? 90 : -270, 0)));
  const half = (west: number, east: number, by: number): Polygons =>
    intersectEvenOdd([polygons.flat(), [createBoxRing(west, -90, east, 90)]]).map((rings) =>
      rings.map((ring) => moveRing(ring, by, 0)),
    );
  return random.next() < 0.5
    ? [...half(-100, MERIDIAN, 90), ...half(MERIDIAN, 280, -270)]
    : [...half(MERIDIAN, 280, -270), ...half(-100, MERIDIAN, 90)];
}

/** Cells of longitude round the earth, and bands of latitude from pole to pole. */
export const COLUMNS = 8;
export const BANDS = 4;

/** Cells as polygons: the plane is cut open at any of the meridians between columns. */
export function toCellPolygons(cells: ReadonlySet<number>, firstColumn: number): Polygons {
  const [width, height] = [360 / COLUMNS, 180 / BANDS];
  const boxes = [...cells].map((cell) => {
    const [column, band] = [cell % COLUMNS, Math.floor(cell / COLUMNS)];
    const turn = column < firstColumn ? COLUMNS : 0;
    const west = -180 + (column + turn) * width;
    return createBoxRing(west, -90 + band * height, west + width, -90 + (band + 1) * height);
  });
  return intersectEvenOdd([boxes]);
}

/** The corners of cells, numbered; all those at a pole are one. */
export function collectCellCorners(cells: ReadonlySet<number>): Set<number> {
  const corners = new Set<number>();
  for (const cell of cells) {
    const [column, band] = [cell % COLUMNS, Math.floor(cell / COLUMNS)];
    for (const row of [band, band + 1]) {
      for (const c of [column, (column + 1) % COLUMNS]) {
        corners.add(row === 0 || row === BANDS ? -1 - row : row * COLUMNS + c);
      }
    }
  }
  return corners;
}
