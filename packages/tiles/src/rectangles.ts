import { NOTHING } from "./cell-code.ts";
import { PIXEL } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";

/** Cells of a tile: its columns and rows, and the value of each place. */
export interface CellMesh {
  /** Left of each column, then right of the last, units of the tile. */
  readonly xs: readonly number[];
  /** Top of each row, then the bottom of the last. */
  readonly ys: readonly number[];
  /** Row by row: what is drawn in one colour has one number; {@link NOTHING} is not drawn. */
  readonly codes: Int32Array;
}

/** The rectangles of each number: neighbours in a row as one, and rows below each other that agree in their ends. */
export function mergeCellsToRectangles({ xs, ys, codes }: CellMesh): Map<number, TileRing[]> {
  const width = xs.length - 1;
  const rectangles = new Map<number, TileRing[]>();
  const close = (code: number, from: number, to: number, top: number, bottom: number): void => {
    const [left, upper] = [xs[from]!, ys[top]!];
    // A shape thinner than a pixel is drawn one pixel wide.
    const right = Math.max(xs[to]!, left + PIXEL);
    const lower = Math.max(ys[bottom]!, upper + PIXEL);
    const ring = [left, upper, right, upper, right, lower, left, lower];
    const its = rectangles.get(code);
    if (its === undefined) rectangles.set(code, [ring]);
    else its.push(ring);
  };
  /** By the column where it begins: a rectangle that may go on in this row. */
  const ends = new Int32Array(width);
  const tops = new Int32Array(width);
  const open = new Int32Array(width).fill(NOTHING);
  for (let row = 0; row < ys.length - 1; row++) {
    for (let column = 0; column < width; ) {
      const code = codes[row * width + column]!;
      let end = column + 1;
      while (end < width && codes[row * width + end] === code) end++;
      const goesOn = open[column] === code && ends[column] === end;
      for (let at = column; at < end; at++) {
        if (open[at] === NOTHING || (goesOn && at === column)) continue;
        close(open[at]!, at, ends[at]!, tops[at]!, row);
        open[at] = NOTHING;
      }
      if (!goesOn) {
        open[column] = code;
        ends[column] = end;
        tops[column] = row;
      }
      column = end;
    }
  }
  for (let at = 0; at < width; at++) {
    if (open[at] !== NOTHING) close(open[at]!, at, ends[at]!, tops[at]!, ys.length - 1);
  }
  return rectangles;
}
