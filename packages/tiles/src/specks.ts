import type { RingEnvelope } from "@groundrule/engine/areas";
import { BUFFER, EXTENT, PIXEL, type TileProjection } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

const LOW = -BUFFER / PIXEL;
const HIGH = (EXTENT + BUFFER) / PIXEL;

/** Pixels of a tile that hold an area too small to be told apart. */
export class Specks {
  readonly #rows = new Map<number, Set<number>>();

  add(
    { west, south, east, north, shift }: RingEnvelope & { readonly shift: number },
    { toX, toY }: TileProjection,
  ): void {
    const column = Math.floor(toX((west + east) / 2 + shift) / PIXEL);
    const row = Math.floor(toY((south + north) / 2) / PIXEL);
    if (column < LOW || column >= HIGH || row < LOW || row >= HIGH) return;
    const columns = this.#rows.get(row);
    if (columns === undefined) this.#rows.set(row, new Set([column]));
    else columns.add(column);
  }

  /** Neighbours in a row as one rectangle, from the top to the bottom. */
  rings(): TileRing[] {
    const rings: TileRing[] = [];
    for (const [row, cells] of [...this.#rows].sort(([a], [b]) => a - b)) {
      const columns = [...cells].sort((a, b) => a - b);
      for (let first = 0; first < columns.length; ) {
        let last = first;
        while (columns[last + 1] === columns[last]! + 1) last++;
        const [left, right] = [columns[first]! * PIXEL, (columns[last]! + 1) * PIXEL];
        const [top, bottom] = [row * PIXEL, (row + 1) * PIXEL];
        rings.push([left, top, right, top, right, bottom, left, bottom]);
        first = last + 1;
      }
    }
    return rings;
  }
}
