import type { RingEnvelope } from "@groundrule/engine/internal";
import { BUFFER, EXTENT, PIXEL, type TileProjection } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

const LOW = -BUFFER / PIXEL;
const HIGH = (EXTENT + BUFFER) / PIXEL;
/** Pixels from which on the middle of an area does not show where it is. */
const LARGE = 16;

/** Larger specks with envelopes of their own; the rest of them share one. */
const BLOCKS = 2_000;

/** `[left, top, right, bottom]` in pixels of the tile. */
type Block = readonly [number, number, number, number];

/** Places of areas that are not drawn separately: pixels of the small ones, envelopes of those that are too many. */
export class Specks {
  readonly #rows = new Map<number, Set<number>>();
  readonly #blocks = new Map<string, Block>();
  #rest: Block | undefined;

  add(
    { west, south, east, north, shift }: RingEnvelope & { readonly shift: number },
    { toX, toY }: TileProjection,
  ): void {
    const [left, right] = [toX(west + shift) / PIXEL, toX(east + shift) / PIXEL];
    const [top, bottom] = [toY(north) / PIXEL, toY(south) / PIXEL];
    if (right - left > LARGE || bottom - top > LARGE) this.#addBlock(left, top, right, bottom);
    else this.#addPixel(Math.floor((left + right) / 2), Math.floor((top + bottom) / 2));
  }

  #addBlock(left: number, top: number, right: number, bottom: number): void {
    const clamped = (at: number): number => Math.min(HIGH, Math.max(LOW, at));
    const block: Block = [
      clamped(Math.floor(left)),
      clamped(Math.floor(top)),
      clamped(Math.ceil(right)),
      clamped(Math.ceil(bottom)),
    ];
    const key = block.join(" ");
    if (this.#blocks.has(key)) return;
    if (this.#blocks.size < BLOCKS) this.#blocks.set(key, block);
    else this.#rest = this.#rest === undefined ? block : mergeBlocks(this.#rest, block);
  }

  #addPixel(column: number, row: number): void {
    if (column < LOW || column >= HIGH || row < LOW || row >= HIGH) return;
    const columns = this.#rows.get(row);
    if (columns === undefined) this.#rows.set(row, new Set([column]));
    else columns.add(column);
  }

  /** Envelopes, then neighbours in a row as one rectangle, from the top to the bottom. */
  rings(): TileRing[] {
    const blocks = [...this.#blocks.values(), ...(this.#rest === undefined ? [] : [this.#rest])];
    const rings = blocks.map(toRectangle);
    for (const [row, cells] of [...this.#rows].sort(([a], [b]) => a - b)) {
      const columns = [...cells].sort((a, b) => a - b);
      for (let first = 0; first < columns.length; ) {
        let last = first;
        while (columns[last + 1] === columns[last]! + 1) last++;
        rings.push(toRectangle([columns[first]!, row, columns[last]! + 1, row + 1]));
        first = last + 1;
      }
    }
    return rings;
  }
}

function mergeBlocks(one: Block, other: Block): Block {
  const [left, top, right, bottom] = one;
  return [
    Math.min(left, other[0]),
    Math.min(top, other[1]),
    Math.max(right, other[2]),
    Math.max(bottom, other[3]),
  ];
}

function toRectangle(block: Block): TileRing {
  const [left, top, right, bottom] = block.map((at) => at * PIXEL) as unknown as Block;
  return [left, top, right, top, right, bottom, left, bottom];
}
