import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import {
  createCountingReader,
  makeLatticeWindow,
  makeRasterFile,
  makeSmallRaster,
  openVerifiedRaster,
  type RasterContent,
} from "../../../test/rasters.ts";
import { BACKGROUND, NODATA } from "../../geometry/raster/raster-layer.ts";
import { cellSquareMetersInRow } from "../raster/tile-areas.ts";
import type { RasterSnapshot } from "../snapshot.ts";
import { type CellContent, diffRasters } from "./diff-rasters.ts";
import { openSnapshot } from "./reader.ts";

describe("the difference of two rasters", () => {
  it("is none where they hold the same", () => {
    const snapshot = openVerifiedRaster(makeRasterFile(makeSmallRaster()));
    expect(diffRasters(snapshot, snapshot)).toEqual({ blocks: 20, changedBlocks: 0, changes: [] });
  });

  it.each([
    ["cells of one window", [0, 0], [700, 1_100], 20, 20],
    ["areas that are new", [0, 0], [700, 1_100], 20, 23],
    ["cells of two bytes in place of one", [0, 0], [700, 1_100], 20, 300],
    ["a window that begins elsewhere", [49, -286], [600, 1_300], 20, 20],
    ["a window far away", [2_000, 2_000], [100, 100], 20, 20],
  ] as const)("is that of every cell: %s", (_, [south, east], [rows, columns], was, is) => {
    const before = makeSmallRaster(was);
    const after = changeCells(makeLatticeWindow(285_913 + south, 432_763 + east, rows, columns, was));
    after.areaCount = is;
    if (is > was) after.cells[777] = is - 1;
    const found = diffRasters(
      openVerifiedRaster(makeRasterFile(before)),
      openVerifiedRaster(makeRasterFile(after)),
    )!;
    const expected = diffCellByCell(before, after, south, east);
    const sums = new Map(
      found.changes.map((each) => [`${formatContent(each.before)} ${formatContent(each.after)}`, each]),
    );
    expect([...sums.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [key, [cells, squareMeters]] of expected) {
      expect(sums.get(key)!.cells, key).toBe(cells);
      expect(Math.abs(sums.get(key)!.squareMeters - squareMeters)).toBeLessThan(1e-9 * squareMeters);
    }
    expect(found.changedBlocks).toBeGreaterThan(0);
    expect(found.changedBlocks).toBeLessThan(found.blocks + (south > 1_000 ? 1 : 0));
    const counts = found.changes.map(({ cells }) => cells);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });

  it("goes by the ids of areas, whatever their numbers", () => {
    const before = makeSmallRaster(3);
    const renumbered = { ...before, cells: before.cells.map((cell) => (cell < 3 ? 2 - cell : cell)) };
    const after = openVerifiedRaster(makeRasterFile(renumbered));
    const attributes = { ...bindMethods(after), id: (row: number) => `${3 - row}` };
    const difference = diffRasters(openVerifiedRaster(makeRasterFile(before)), { ...after, attributes });
    expect(difference).toMatchObject({ changedBlocks: 0, changes: [] });
  });

  it("reads no block but those that differ", () => {
    const before = makeSmallRaster();
    const after = { ...before, cells: before.cells.slice() };
    after.cells[50 * 1_100 + 600] = after.cells[50 * 1_100 + 600] === 0 ? 1 : 0;
    const ranges = [before, after].map((content) => createCountingReader(makeRasterFile(content)));
    const [was, is] = ranges.map((range) => openSnapshot(range) as RasterSnapshot) as [
      RasterSnapshot,
      RasterSnapshot,
    ];
    const opening = ranges.map(({ taken }) => taken);
    expect(diffRasters(was, is)).toMatchObject({ changedBlocks: 1, changes: [{ cells: 1 }] });
    // Twenty digests, and one packed tile at most.
    for (const [i, { taken }] of ranges.entries()) expect(taken - opening[i]!).toBeLessThan(68_000);
  });

  it("is undefined where the lattices differ", () => {
    const before = makeSmallRaster();
    const shifted = (change: object) =>
      openVerifiedRaster(makeRasterFile({ ...before, grid: { ...before.grid, ...change } }));
    const was = openVerifiedRaster(makeRasterFile(before));
    expect(diffRasters(was, shifted({ a: before.grid.a + 0.5 }))).toBeUndefined();
    expect(diffRasters(was, shifted({ n: 4001 }))).toBeUndefined();
    expect(diffRasters(was, shifted({ t: 2, b: before.grid.b }))).toBeUndefined();
    // The same lattice in other numbers.
    const { a, b } = before.grid;
    expect(diffRasters(was, shifted({ a: 2 * a, b: 2 * b, s: 2, t: 2, n: 8000 }))?.changes).toEqual([]);
  });
});

/** The attributes of a snapshot as an object whose methods can be replaced. */
function bindMethods({ attributes }: RasterSnapshot): RasterSnapshot["attributes"] {
  return {
    rowCount: attributes.rowCount,
    columns: attributes.columns,
    id: (row) => attributes.id(row),
    name: (row) => attributes.name(row),
    countryIso3: (row) => attributes.countryIso3(row),
    value: (row, column) => attributes.value(row, column),
    properties: (row) => attributes.properties(row),
    summary: (column) => attributes.summary(column),
  };
}

/** A raster with other values here and there. */
function changeCells(content: RasterContent): RasterContent & { areaCount: number } {
  const random = createSeededRandom(3);
  const cells = content.cells.slice();
  for (let n = 0; n < 40; n++) {
    const at = random.integer(Math.min(cells.length, 60_000));
    cells.fill([0, 1, BACKGROUND, NODATA][n % 4]!, at, at + random.integer(20));
  }
  return { ...content, cells };
}

/** Cells and square metres by what they held and hold. */
function diffCellByCell(before: RasterContent, after: RasterContent, south: number, east: number) {
  const sums = new Map<string, [cells: number, squareMeters: number]>();
  const at = ({ grid, cells }: RasterContent, row: number, column: number) =>
    row < 0 || column < 0 || row >= grid.rows || column >= grid.columns
      ? NODATA
      : cells[row * grid.columns + column]!;
  const endRow = Math.max(before.grid.rows, after.grid.rows + south);
  const endColumn = Math.max(before.grid.columns, after.grid.columns + east);
  for (let row = Math.min(0, south); row < endRow; row++) {
    const area = cellSquareMetersInRow(before.grid, row);
    for (let column = Math.min(0, east); column < endColumn; column++) {
      const was = at(before, row, column);
      const is = at(after, row - south, column - east);
      if (was === is) continue;
      const key = `${was < BACKGROUND ? was + 1 : was} ${is < BACKGROUND ? is + 1 : is}`;
      const [cells, squareMeters] = sums.get(key) ?? [0, 0];
      sums.set(key, [cells + 1, squareMeters + area]);
    }
  }
  return sums;
}

function formatContent(content: CellContent): string {
  if (content.is === "area") return content.id;
  return `${content.is === "nodata" ? NODATA : BACKGROUND}`;
}
