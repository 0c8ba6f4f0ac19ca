import { computeTiling, lineLatitude, lineLongitude, type RasterGrid } from "../../geometry/raster/grid.ts";
import { MAX_ABSOLUTE_LATITUDE, MAX_ABSOLUTE_LONGITUDE, MAX_GRID_CELLS } from "../format.ts";

/** A fault of a grid. */
export interface GridFault {
  readonly found: string;
  readonly expected: string;
}

/** The first fault of a grid, by the rules of `docs/formats/snapshot.md`; undefined where it has none. */
export function findGridFault(grid: RasterGrid): GridFault | undefined {
  const { a, b, s, t, n, columns, rows } = grid;
  const fault = (found: string, expected: string): GridFault => ({ found, expected });
  for (const [name, count] of [
    ["columns", columns],
    ["rows", rows],
  ] as const) {
    if (!(Number.isInteger(count) && count >= 1 && count <= MAX_GRID_CELLS)) {
      return fault(`${count} ${name}`, `1 to ${MAX_GRID_CELLS}`);
    }
  }
  if (!(s > 0 && t > 0 && n > 0)) return fault(`steps of ${s} and ${t} in 1/${n} degrees`, "steps above 0");
  const { columnOffset, rowOffset } = computeTiling(grid);
  // Numbers that overflow are refused here.
  if (!(columnOffset >= 0 && rowOffset >= 0)) return fault(`an origin of ${a}, ${b}`, "finite numbers");
  const [west, east] = [lineLongitude(grid, 0), lineLongitude(grid, columns)];
  const [north, south] = [lineLatitude(grid, 0), lineLatitude(grid, rows)];
  if (!(west >= -MAX_ABSOLUTE_LONGITUDE && east <= MAX_ABSOLUTE_LONGITUDE)) {
    return fault(`longitudes from ${west} to ${east}`, `within ±${MAX_ABSOLUTE_LONGITUDE}`);
  }
  if (!(south >= -MAX_ABSOLUTE_LATITUDE && north <= MAX_ABSOLUTE_LATITUDE)) {
    return fault(`latitudes from ${south} to ${north}`, `within ±${MAX_ABSOLUTE_LATITUDE}`);
  }
  if (east - west > 360) return fault(`${east - west} degrees of longitude`, "at most one turn");
  const areApart =
    west < lineLongitude(grid, 1) &&
    lineLongitude(grid, columns - 1) < east &&
    north > lineLatitude(grid, 1) &&
    lineLatitude(grid, rows - 1) > south;
  return areApart ? undefined : fault("two lines in one place", "lines that are apart");
}
