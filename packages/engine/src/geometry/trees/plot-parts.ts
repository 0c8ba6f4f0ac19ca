import type { Plot } from "../plot/plot.ts";
import { cellAbove, cellBelow } from "./cells.ts";
import { buildRingIndex, createRingList, type RingIndex, type RingList, searchRings } from "./ring-index.ts";

/** A plot's polygons, lines or points by their envelopes. */
export class PlotParts {
  readonly #index: RingIndex;
  readonly #found: RingList = createRingList();

  constructor({ xy, ringStarts, polygonStarts }: Plot) {
    const parts = polygonStarts.length - 1;
    const boxes = new Int32Array(4 * parts);
    for (let part = 0; part < parts; part++) {
      const outer = polygonStarts[part]!;
      let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 2 * ringStarts[outer]!; i < 2 * ringStarts[outer + 1]!; i += 2) {
        west = Math.min(west, xy[i]!);
        south = Math.min(south, xy[i + 1]!);
        east = Math.max(east, xy[i]!);
        north = Math.max(north, xy[i + 1]!);
      }
      boxes.set([cellBelow(west), cellBelow(south), cellAbove(east), cellAbove(north)], 4 * part);
    }
    this.#index = buildRingIndex(boxes);
  }

  /** The parts whose envelopes meet the closed box, and perhaps some beside it, ascending. */
  near(west: number, south: number, east: number, north: number): RingList {
    const found = this.#found;
    searchRings(this.#index, west, south, east, north, found);
    return found;
  }

  /** The boxes that searches compared since last asked. */
  takeCompared(): number {
    const { compared } = this.#found;
    this.#found.compared = 0;
    return compared;
  }
}
