import { createIngestError } from "../ingest-error.ts";
import type { Placed } from "./lattice.ts";

/** Where a granule lies by its name and the template of its address, degrees. */
export interface GranuleSquare {
  /** A coordinate of its north-western corner. */
  readonly west: number;
  /** A coordinate of its north-western corner. */
  readonly north: number;
  /** Along each side. */
  readonly degrees: number;
}

/** Cells by which a granule may reach beyond its square: publishers add a row that the next one has too. */
const MARGIN_CELLS = 1;

/**
 * Checks that a granule lies where its name says, so that a publisher's mistake does not put cells elsewhere on the earth.
 *
 * Fails: `GRID_MISMATCH`.
 */
export function checkGranuleSquare(
  { name, place, columns, rows }: Placed,
  { west, north, degrees }: GranuleSquare,
): void {
  const { columnStep, rowStep } = place;
  const [east, south] = [place.west + columns * columnStep, place.north - rows * rowStep];
  const [x, y] = [MARGIN_CELLS * columnStep * 1.001, MARGIN_CELLS * rowStep * 1.001];
  const isWithin =
    place.west >= west - x &&
    east <= west + degrees + x &&
    place.north <= north + y &&
    south >= north - degrees - y;
  if (isWithin) return;
  const found = `cells from ${place.west}, ${south} to ${east}, ${place.north}`;
  const expected = `them within ${west}, ${north - degrees} to ${west + degrees}, ${north}, as the name of the granule says`;
  throw createIngestError("GRID_MISMATCH", found, expected, {
    place: { entry: name },
    mend: 'check the template of its address, and "degrees" of its granules',
  });
}
