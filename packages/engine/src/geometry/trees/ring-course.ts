import type { Bbox } from "../earth/bbox.ts";
import { CELL_DEGREES, cellBoxesMeet, toCellBox } from "./cells.ts";
import { FAN_OUT } from "./chain-tree.ts";
import { type Chains, createChains, getLevelSpan, openChains } from "./chains.ts";
import type { AreaLayer } from "./layer.ts";

/** The view of a drawing, and its resolution. */
export interface RingView {
  /** The view, `[west, south, east, north]` in degrees, with longitudes in the layer's own range. */
  readonly bbox: Bbox;
  /** Degrees of longitude too small to be visible. */
  readonly longitude: number;
  /** Degrees of latitude too small to be visible, by the whole degree of the latitude without its sign: 91 entries. */
  readonly latitudes: Float64Array;
}

/** A ring as a view shows it. */
export interface RingCourse {
  /** Indices of positions in the layer, in the ring's order; the first is not repeated. */
  readonly positions: readonly number[];
  /** Chains and positions that were looked at. */
  readonly work: number;
  /** True if the ring took more work than allowed, so that positions that a viewer would miss were left out. */
  readonly isCoarse: boolean;
}

/**
 * Positions that draw a ring in a view. Within the view the polygon through them is the ring itself, but for positions
 * that nobody can distinguish; beyond it, whatever lies on one side of the view is left out, so that the polygon still
 * winds around the view as the ring does. Which positions are distinguished follows from the ring and from how closely
 * it is drawn, not from the box: two views that are equally close show the same polygon where they overlap.
 *
 * It descends the ring's chain tree: a chain that is beyond the view, or too small to be seen, costs one step whatever
 * its length. Where that takes more than `most` steps, it begins anew and descends no further than to a level with a
 * sixteenth as many chains, and each of them is drawn by its first position.
 *
 * @param ring index of a ring in the layer
 * @param most at least 128, so that a ring with a single chain is never coarse
 */
export function computeRingCourse(layer: AreaLayer, ring: number, view: RingView, most: number): RingCourse {
  const { xy, ringStarts, chainBoxes, chainIntegrals, chainStarts } = layer;
  const [from, to] = [ringStarts[ring]!, ringStarts[ring + 1]!];
  openChains(CHAINS, xy, from, to, chainBoxes, chainIntegrals, chainStarts[ring]!, 0);
  const close = new Course(CHAINS, view, most, POSITIONS);
  if (close.isWithin) return { positions: close.positions, work: close.work, isCoarse: false };
  let level = 0;
  while (countNodesFromLevel(CHAINS, level) > Math.max(LEAST_COARSE, most / 16)) level++;
  const coarse = new Course(CHAINS, view, Number.POSITIVE_INFINITY, level);
  return { positions: coarse.positions, work: close.work + coarse.work, isCoarse: true };
}

const CHAINS: Chains = createChains();

/** Below the leaves: the positions of a ring. */
const POSITIONS = -1;

/** Chains from which on a level draws a ring roughly: the next has at least an eighth as many. */
const LEAST_COARSE = 64;

/** Nodes of a level and of those above it. */
function countNodesFromLevel({ levelStarts, levels }: Chains, level: number): number {
  return levelStarts[levels]! - levelStarts[level]!;
}

class Course {
  readonly positions: number[] = [];
  work = 0;
  readonly #chains: Chains;
  readonly #view: RingView;
  /** The box of the view in cells. */
  readonly #box: Int32Array;
  readonly #most: number;
  /** The level at which it stops. */
  readonly #lowest: number;
  /** On which sides of the view the last position kept is, and the one before it. */
  #last = 0;
  #before = 0;

  constructor(chains: Chains, view: RingView, most: number, lowest: number) {
    this.#chains = chains;
    this.#view = view;
    this.#most = most;
    this.#lowest = lowest;
    const [west, south, east, north] = view.bbox;
    this.#box = toCellBox(west, south, east, north);
    const top = chains.levels - 1;
    this.#descend(top, chains.levelStarts[top]!);
  }

  /** True if the walk took no more work than allowed; otherwise it ended in the middle. */
  get isWithin(): boolean {
    return this.work <= this.#most;
  }

  #descend(level: number, node: number): void {
    const { boxes, first, edges, levelStarts, node: root } = this.#chains;
    this.work++;
    const box = 4 * (root + node);
    const index = node - levelStarts[level]!;
    const span = getLevelSpan(this.#chains, level);
    const start = first + index * span;
    if (level === this.#lowest || !cellBoxesMeet(boxes, box, this.#box, 0) || this.#isTiny(boxes, box)) {
      this.#keep(start);
    } else if (level > 0) {
      const below = levelStarts[level - 1]!;
      const end = Math.min(below + (index + 1) * FAN_OUT, levelStarts[level]!);
      for (let child = below + index * FAN_OUT; child < end && this.isWithin; child++) {
        this.#descend(level - 1, child);
      }
    } else {
      this.#follow(start, Math.min(start + span, first + edges));
    }
  }

  #isTiny(boxes: Int32Array, box: number): boolean {
    const south = boxes[box + 1]!;
    return (
      (boxes[box + 2]! - boxes[box]!) * CELL_DEGREES <= this.#view.longitude &&
      (boxes[box + 3]! - south) * CELL_DEGREES <= this.#latitude(south * CELL_DEGREES)
    );
  }

  #latitude(degrees: number): number {
    return this.#view.latitudes[Math.floor(Math.abs(degrees))]!;
  }

  /** The positions of a leaf. Each leaf begins anew: what was kept before it depends on the view. */
  #follow(start: number, end: number): void {
    this.work += end - start;
    const { xy } = this.#chains;
    const { longitude } = this.#view;
    const latitude = this.#latitude(xy[2 * start + 1]!);
    let lastX = Number.POSITIVE_INFINITY;
    let lastY = Number.POSITIVE_INFINITY;
    for (let i = start; i < end; i++) {
      const [x, y] = [xy[2 * i]!, xy[2 * i + 1]!];
      if (Math.abs(x - lastX) < longitude && Math.abs(y - lastY) < latitude) continue;
      this.#keep(i);
      lastX = x;
      lastY = y;
    }
  }

  /** Keeps a position, in place of the last one where that one is between two others on the same side of the view. */
  #keep(i: number): void {
    const { xy } = this.#chains;
    const [west, south, east, north] = this.#view.bbox;
    const [x, y] = [xy[2 * i]!, xy[2 * i + 1]!];
    const sides = (x < west ? 1 : x > east ? 2 : 0) | (y < south ? 4 : y > north ? 8 : 0);
    if ((sides & this.#last & this.#before) !== 0) {
      this.positions[this.positions.length - 1] = i;
    } else {
      this.positions.push(i);
      this.#before = this.#last;
    }
    this.#last = sides;
  }
}
