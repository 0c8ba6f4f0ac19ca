import { computeBbox } from "../earth/bbox.ts";
import type { Plot } from "../plot/plot.ts";
import { writeBox } from "./cells.ts";
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
      const [west, south, east, north] = computeBbox(xy, ringStarts[outer]!, ringStarts[outer + 1]!);
      writeBox(boxes, part, west, south, east, north);
    }
    this.#index = buildRingIndex(boxes);
  }

  /** The parts whose envelopes meet the closed box, and perhaps some beside it, ascending. */
  near(west: number, south: number, east: number, north: number): RingList {
    const found = this.#found;
    searchRings(this.#index, west, south, east, north, found);
    return found;
  }

  /** The boxes that searches compared since the last call. */
  takeCompared(): number {
    const { compared } = this.#found;
    this.#found.compared = 0;
    return compared;
  }
}
