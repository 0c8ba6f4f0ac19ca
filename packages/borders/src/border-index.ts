import type { BorderPiece } from "./decode-pieces.ts";

/** Side of a cell, degrees: that of the grid by which `npm run tool -- write-borders` cuts pieces. */
const CELL_DEGREES = 5;
const CELLS_ROUND = 360 / CELL_DEGREES;

/** Finds the piece of the borders that holds a place. */
export class BorderIndex {
  readonly #cells = new Map<number, BorderPiece[]>();

  constructor(pieces: readonly BorderPiece[]) {
    for (const piece of pieces) {
      for (const cell of iterateGridCellNumbers(piece)) {
        const known = this.#cells.get(cell);
        if (known === undefined) this.#cells.set(cell, [piece]);
        else known.push(piece);
      }
    }
  }

  /**
   * The countries whose widened territory holds a place, ISO 3166-1 alpha-3, ascending; none on land without a code.
   *
   * @param longitude degrees; beyond ±180 it runs on round the earth
   * @param latitude degrees
   * @returns undefined in the sea, and where there is no such place
   */
  countriesAt(longitude: number, latitude: number): readonly string[] | undefined {
    const x = longitude - 360 * Math.round(longitude / 360);
    const pieces = this.#cells.get(computeCellNumber(x, latitude)) ?? [];
    return pieces.find((piece) => containsPosition(piece, x, latitude))?.countries;
  }
}

function computeCellNumber(x: number, y: number): number {
  return Math.floor(y / CELL_DEGREES) * CELLS_ROUND + Math.floor(x / CELL_DEGREES);
}

function* iterateGridCellNumbers({ polygons }: BorderPiece): Generator<number> {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [outer] of polygons) {
    for (let i = 0; i < outer!.length; i += 2) {
      const [x, y] = [outer![i]!, outer![i + 1]!];
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [south, north] = [Math.min(south, y), Math.max(north, y)];
    }
  }
  // A piece that ends on a line of the grid also counts to the cell beyond: positions on the line are looked for there.
  for (let row = Math.floor(south / CELL_DEGREES); row <= Math.floor(north / CELL_DEGREES); row++) {
    for (let column = Math.floor(west / CELL_DEGREES); column <= Math.floor(east / CELL_DEGREES); column++)
      yield row * CELLS_ROUND + column;
  }
}

/** By how often a line to the east of a place meets the rings; of neighbours, one holds what lies on their edge. */
function containsPosition({ polygons }: BorderPiece, x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygons.flat()) {
    for (let i = 2; i < ring.length; i += 2) {
      const [ax, ay, bx, by] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
      if (ay > y === by > y) continue;
      if (x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
  }
  return inside;
}
