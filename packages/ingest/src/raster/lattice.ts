import { computeTiling, lineLatitude, lineLongitude, type RasterGrid } from "@groundrule/engine/internal";
import { gdalWarp, MOST_CELLS, type RasterPlace } from "@groundrule/formats/geotiff";
import { createIngestError } from "../ingest-error.ts";

/** A file of cells, as far as its place on a grid goes. */
export interface Placed {
  readonly name: string;
  readonly place: RasterPlace;
  readonly columns: number;
  readonly rows: number;
}

/** Lines that go on without end: a grid without its size. */
export type Lattice = Pick<RasterGrid, "a" | "b" | "s" | "t" | "n">;

/** Where a file lies on a lattice: lines counted from its own first ones. */
export interface Spot {
  readonly column: number;
  readonly row: number;
}

/** How far a line may lie from where tags put it, in cells. */
const TOLERANCE = 1e-6;
/** And a step of several units from its tag: almost any step lies as near to some such fraction as `TOLERANCE` allows. */
const FRACTION_TOLERANCE = 1e-9;
/** And the last line of a file, as its step's rounding adds up. */
const MOST_DRIFT = 1e-3;
/** Most steps of a unit: 1/4000° is one of 4000; 0.3° three of 10. */
const MOST_STEPS = 10;
/** Most tiles of a grid, each 16 bytes of the index, with or without a file: the earth at 10 m has 142 million. */
const MOST_TILES = 150_000_000;
const METERS_PER_DEGREE = 111_319.49079327358;

/**
 * The lattice of some files: a denominator and whole numbers wherever the tags lie so near to one, else the step and
 * corner that the north-western file is tagged with. The order of files does not matter.
 *
 * Fails: `GRID_MISMATCH` for a file whose cells are not the lattice's.
 */
export function deriveLattice(files: readonly Placed[]): Lattice {
  const sorted = files.toSorted(
    (a, b) => b.place.north - a.place.north || a.place.west - b.place.west || b.columns - a.columns,
  );
  const first = sorted[0]!;
  const lattice = findFileLattice(first) ?? toTaggedLattice(first.place);
  for (const file of sorted) locateOnLattice(lattice, file);
  return lattice;
}

/**
 * Where a file lies on a lattice.
 *
 * Fails: `GRID_MISMATCH`.
 */
export function locateOnLattice(lattice: Lattice, { name, place, columns, rows }: Placed): Spot {
  const { a, b, s, t, n } = lattice;
  const column = (place.west * n - a) / s;
  const row = (b - place.north * n) / t;
  const spot = { column: Math.round(column), row: Math.round(row) };
  const stepsFit = isStep(place.columnStep, n, s, columns) && isStep(place.rowStep, n, t, rows);
  if (stepsFit && isNear(column, spot.column) && isNear(row, spot.row)) return spot;
  const [found, expected] = stepsFit
    ? [
        `a corner at ${place.west}, ${place.north}, ${column - spot.column} cells east and ${row - spot.row} south of a line`,
        `it within ${TOLERANCE} cell of the lines of the other files`,
      ]
    : [
        `cells of ${place.columnStep}° × ${place.rowStep}°`,
        `of ${s / n}° × ${t / n}°, as the other files have`,
      ];
  throw createIngestError("GRID_MISMATCH", found, expected, {
    place: { entry: name },
    mend: `cells of one source lie on one grid: build another source of this file, or bring it to the grid: ${gdalWarp(name, `-tr ${s / n} ${t / n} -tap`)}`,
  });
}

/** The grid that holds some files. Fails: `GRID_MISMATCH` where it leaves the earth, or has more lines than a grid may. */
export function createGrid(
  lattice: Lattice,
  spots: readonly (Spot & { columns: number; rows: number })[],
): RasterGrid {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { column, row, columns, rows } of spots) {
    west = Math.min(west, column);
    north = Math.min(north, row);
    east = Math.max(east, column + columns);
    south = Math.max(south, row + rows);
  }
  return createCheckedGrid(lattice, west, north, east - west, south - north);
}

/** Some columns and rows of a lattice as a grid of their own. Fails: `GRID_MISMATCH`. */
export function createCheckedGrid(
  { a, b, s, t, n }: Lattice,
  column: number,
  row: number,
  columns: number,
  rows: number,
): RasterGrid {
  const grid = { a: a + column * s, b: b - row * t, s, t, n, columns, rows };
  const [west, east] = [lineLongitude(grid, 0), lineLongitude(grid, columns)];
  const [north, south] = [lineLatitude(grid, 0), lineLatitude(grid, rows)];
  const isOnEarth = west >= -540 && east <= 540 && north <= 90 && south >= -90;
  // A turn of 360 columns of 1° is whole; one of a rounded step may end an ulp after it.
  if (isOnEarth && columns * s <= 360 * n * (1 + 1e-12) && columns <= MOST_CELLS && rows <= MOST_CELLS) {
    const { tileColumns, tileRows } = computeTiling(grid);
    if (tileColumns * tileRows <= MOST_TILES) return grid;
    const found = `files from ${west}, ${south} to ${east}, ${north}, whose grid has ${tileColumns * tileRows} tiles`;
    throw createIngestError("GRID_MISMATCH", found, `at most ${MOST_TILES}`, {
      mend: "build sources of files that lie so far apart each on their own",
    });
  }
  const found = `${columns} × ${rows} cells from ${west}, ${south} to ${east}, ${north}`;
  const expected = `at most ${MOST_CELLS} each way and one turn, longitudes within ±540 and latitudes within ±90`;
  throw createIngestError("GRID_MISMATCH", found, expected);
}

/** How many metres the lines lie at most from where the files' tags put them. */
export function measureSnapMeters(lattice: Lattice, files: readonly Placed[]): number {
  const { a, b, s, t, n } = lattice;
  let most = 0;
  for (const file of files) {
    const { place, columns, rows } = file;
    const { column, row } = locateOnLattice(lattice, file);
    const off = [
      place.west - (a + column * s) / n,
      place.west + columns * place.columnStep - (a + (column + columns) * s) / n,
      place.north - (b - row * t) / n,
      place.north - rows * place.rowStep - (b - (row + rows) * t) / n,
    ];
    for (const degrees of off) most = Math.max(most, Math.abs(degrees) * METERS_PER_DEGREE);
  }
  return most;
}

function toTaggedLattice({ west, north, columnStep, rowStep }: RasterPlace): Lattice {
  return { a: west, b: north, s: columnStep, t: rowStep, n: 1 };
}

function findFileLattice({ place, columns, rows }: Placed): Lattice | undefined {
  const { west, north, columnStep, rowStep } = place;
  for (let s = 1; s <= MOST_STEPS; s++) {
    const n = Math.round(s / columnStep);
    const t = Math.round(n * rowStep);
    if (n < 1 || t < 1 || t > MOST_STEPS) continue;
    const tolerance = s === 1 && t === 1 ? TOLERANCE : FRACTION_TOLERANCE;
    if (!isStep(columnStep, n, s, columns, tolerance) || !isStep(rowStep, n, t, rows, tolerance)) continue;
    const [a, b] = [Math.round(west * n), Math.round(north * n)];
    if (isNear((west * n) / s, a / s) && isNear((north * n) / t, b / t)) return { a, b, s, t, n };
  }
  return undefined;
}

function isStep(
  degrees: number,
  n: number,
  s: number,
  count: number,
  tolerance: number = TOLERANCE,
): boolean {
  const off = Math.abs(degrees * n - s) / s;
  return off <= tolerance && off * count <= MOST_DRIFT;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= TOLERANCE;
}
