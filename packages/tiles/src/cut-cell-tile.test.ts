import { openEngine } from "@groundrule/engine";
import { createRasterWriter } from "@groundrule/engine/build";
import { BACKGROUND, NODATA, readSourceCells, type SourceCells } from "@groundrule/engine/internal";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import {
  makeRasterAreas,
  makeRasterFile,
  RASTER_MANIFEST,
  type RasterContent,
} from "../../engine/test/rasters.ts";
import { computeTilePlace, readTileFeatures } from "../test/tiles.ts";
import { cutCellTile } from "./cut-cell-tile.ts";
import { createTileProjection, EXTENT, type TilePlace } from "./tile-place.ts";

const SEED = 20_261_128;

function createSource(content: RasterContent): SourceCells {
  return readSourceCells(openEngine([{ bytes: makeRasterFile(content) }]), "test:raster")!;
}

/** A raster at 10° E, 10° N whose cells are 1/4000 degree. */
function createRaster(
  columns: number,
  rows: number,
  areaCount: number,
  holds: (row: number, column: number) => number,
): RasterContent {
  const cells = Uint16Array.from({ length: columns * rows }, (_, i) =>
    holds(Math.floor(i / columns), i % columns),
  );
  return { grid: { a: 40_000, b: 40_000, s: 1, t: 1, n: 4000, columns, rows }, areaCount, cells };
}

interface Drawn {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Left, top, right and bottom of each rectangle. */
  readonly boxes: readonly (readonly [number, number, number, number])[];
}

function drawTile(
  cells: SourceCells,
  place: TilePlace,
): { readonly areas: Drawn[]; readonly coverage: Drawn[] } {
  const tile = cutCellTile(cells, place);
  const of = (name: "areas" | "coverage"): Drawn[] =>
    readTileFeatures(tile, name).map((feature) => ({
      properties: feature.properties,
      boxes: feature.loadGeometry().map((ring) => [ring[0]!.x, ring[0]!.y, ring[2]!.x, ring[2]!.y] as const),
    }));
  return { areas: of("areas"), coverage: of("coverage") };
}

/** The features that hold a place of the tile. */
function at(features: readonly Drawn[], x: number, y: number): Drawn[] {
  return features.filter(({ boxes }) =>
    boxes.some(([left, top, right, bottom]) => left <= x && x < right && top <= y && y < bottom),
  );
}

describe("a tile of cells", () => {
  const random = createSeededRandom(SEED);
  const noise = createRaster(700, 600, 5, () => {
    const value = random.integer(7);
    return value === 5 ? BACKGROUND : value === 6 ? NODATA : value;
  });
  const { grid, cells } = noise;
  const noisy = createSource(noise);
  const valueAt = (column: number, row: number): number | undefined =>
    column < 0 || row < 0 || column >= grid.columns || row >= grid.rows
      ? undefined
      : cells[row * grid.columns + column];

  it("has every cell at its place, with its name and colour, once it is near enough", () => {
    const place = computeTilePlace(14, 10.05, 9.95);
    const { toLongitude, toLatitude } = createTileProjection(place);
    const { areas, coverage } = drawTile(noisy, place);
    expect(areas.map(({ properties }) => properties)).toEqual(
      [0, 1, 2, 3, 4].map((index) => ({
        source_id: `${index + 1}`,
        name: `Value ${index + 1}`,
        index,
        color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      })),
    );
    expect(new Set(areas.map(({ properties }) => properties.color)).size).toBe(5);
    let compared = 0;
    for (let i = 0; i < 3_000; i++) {
      const [x, y] = [random.between(0, EXTENT), random.between(0, EXTENT)];
      const [column, row] = [toLongitude(x) * 4000 - 40_000, 40_000 - toLatitude(y) * 4000];
      // A line of the grid is rounded to a unit, of which a cell has 45.
      if ([column, row].some((value) => Math.abs(value - Math.round(value)) < 0.03)) continue;
      const value = valueAt(Math.floor(column), Math.floor(row));
      const found = at(areas, x, y).map(({ properties }) => properties.index);
      expect(found).toEqual(value === undefined || value >= 5 ? [] : [value]);
      expect(at(coverage, x, y)).toHaveLength(value === undefined || value === NODATA ? 0 : 1);
      compared++;
    }
    expect(compared).toBeGreaterThan(2_000);
  });

  it.each([13, 12, 11, 10])("shows at zoom %i what lies below each place, to two pixels or a few", (z) => {
    const place = computeTilePlace(z, 10.09, 9.93);
    const { toLongitude, toLatitude } = createTileProjection(place);
    const { areas } = drawTile(noisy, place);
    expect(areas.reduce((sum, { boxes }) => sum + boxes.length, 0)).toBeLessThanOrEqual(16_000);
    let compared = 0;
    for (let i = 0; i < 500; i++) {
      const [x, y] = [random.between(0, EXTENT), random.between(0, EXTENT)];
      const [found, ...others] = at(areas, x, y).map(({ properties }) => properties.index);
      expect(others).toEqual([]);
      if (found === undefined) continue;
      // Some cell of what the block covers holds it.
      const reach = 64;
      const columns = [x - reach, x + reach].map((units) => toLongitude(units) * 4000 - 40_000);
      const rows = [y - reach, y + reach].map((units) => 40_000 - toLatitude(units) * 4000);
      const near: (number | undefined)[] = [];
      for (let row = Math.floor(rows[0]!); row <= rows[1]!; row++) {
        for (let column = Math.floor(columns[0]!); column <= columns[1]!; column++)
          near.push(valueAt(column, row));
      }
      expect(near).toContain(found);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it("shows a few cells among many at every zoom, fainter the fewer they are", () => {
    const side = 2_000;
    // An area in one cell each, far from each other, where every block but the finest skips some rows.
    const lone = [503, 1_311, 1_850].map((at, i) => ({ row: at, column: side - at, area: i }));
    const content = createRaster(side, side, 4, () => BACKGROUND);
    for (const { row, column, area } of lone) content.cells[row * side + column] = area;
    for (let row = 200; row < 330; row++) content.cells.fill(3, row * side + 200, row * side + 330);
    const cellsOfIt = createSource(content);
    for (const z of [14, 12, 11, 10, 8]) {
      for (const { row, column, area } of lone) {
        const place = computeTilePlace(z, 10 + (column + 0.5) / 4000, 10 - (row + 0.5) / 4000);
        const found = drawTile(cellsOfIt, place).areas.filter(({ properties }) => properties.index === area);
        const { toX, toY } = createTileProjection(place);
        const [x, y] = [toX(10 + (column + 0.5) / 4000), toY(10 - (row + 0.5) / 4000)];
        const far = found.flatMap(({ boxes }) =>
          boxes.map(([left, top, right, bottom]) => Math.max(left - x, x - right, top - y, y - bottom)),
        );
        // Within the block, or where its row was not read somewhere in its tile of 256 by 256 cells.
        const tile = toX(10 + 256 / 4000) - toX(10);
        expect(Math.min(...far), `area ${area} at zoom ${z}`).toBeLessThanOrEqual(z > 10 ? 16 : tile);
        // Whole where it is the very cell at the middle of its block.
        for (const { properties } of found)
          expect(properties.share ?? 0).toBeLessThanOrEqual(z > 9 ? 0.6 : 0.2);
      }
      const whole = computeTilePlace(z, 10 + 265 / 4000, 10 - 265 / 4000);
      expect(drawTile(cellsOfIt, whole).areas.find(({ properties }) => properties.index === 3)).toMatchObject(
        {
          properties: { color: expect.any(String) },
        },
      );
    }
  });

  it("shows a raster of one cell from afar, and nothing where there is none", () => {
    const one = createSource(createRaster(1, 1, 1, () => 0));
    for (const z of [0, 5, 9]) {
      const { areas } = drawTile(one, computeTilePlace(z, 10.0001, 9.9999));
      expect(areas.map(({ properties }) => properties)).toEqual([
        { source_id: "1", name: "Value 1", index: 0 },
      ]);
    }
    expect(cutCellTile(one, computeTilePlace(9, -10, 10))).toHaveLength(0);
  });

  it("draws from the sums of whole tiles what is too much to read, with the share of areas", () => {
    const columns = 262_400;
    // In every tile a quarter of area 1, or of 1 and 0; then without data.
    const valueAt = (column: number): number =>
      column >= 131_072 ? NODATA : column % 256 < 48 ? 1 : column % 256 < 64 ? 0 : BACKGROUND;
    const content: RasterContent = {
      grid: { a: -180_000 + 0, b: 40_000, s: 1, t: 20_000, n: 1000, columns, rows: 2 },
      areaCount: 2,
      cells: Uint16Array.from({ length: 2 * columns }, (_, i) => valueAt(i % columns)),
    };
    let reads = 0;
    const whole = createSource(content);
    const counting: SourceCells = {
      ...whole,
      layer: {
        ...whole.layer,
        grid: whole.layer.grid,
        areaCount: 2,
        cells: {
          tiling: whole.layer.cells.tiling,
          // The raster recurs after a turn round the earth, in the buffer of the tile.
          readRow: (row, from, to, runs) => {
            expect(to - from).toBeLessThan(6_000);
            return whole.layer.cells.readRow(row, from, to, runs);
          },
          tileBytes: (row, column) => whole.layer.cells.tileBytes(row, column),
          sums: (row, column) => {
            reads++;
            return whole.layer.cells.sums(row, column);
          },
        },
      },
    };
    const { areas, coverage } = drawTile(counting, { z: 0, x: 0, y: 0 });
    expect(reads).toBe(1_025);
    // A quarter of the cells, told in fifths.
    const shares = areas.flatMap(({ properties: { index, share } }) => (share ? [[index, share]] : []));
    expect(shares).toEqual([[1, 0.4]]);
    const half = ((131_072 / 1000) * EXTENT) / 360;
    const right = (features: readonly Drawn[]) =>
      Math.max(
        ...features.flatMap(({ boxes }) => boxes.flatMap(([, , edge]) => (edge < EXTENT ? edge : []))),
      );
    expect(Math.abs(right(areas) - half)).toBeLessThanOrEqual(1);
    expect(Math.abs(right(coverage) - half)).toBeLessThanOrEqual(1);
  });

  it("draws as covered only what lies in the declared territory, too", () => {
    const writer = createRasterWriter(
      { ...RASTER_MANIFEST, coverage: { polygons: "land.geojson" } },
      grid,
      makeRasterAreas(5),
    );
    const stored = Uint8Array.from(cells);
    for (let row = 0; writer.nextRows > 0; ) {
      const end = row + writer.nextRows;
      writer.add(stored.subarray(row * grid.columns, end * grid.columns));
      row = end;
    }
    const ring = Float64Array.from(createBoxPositions(10.045, 9.93, 10.055, 9.97).flat());
    const pieces = [{ polygons: [[ring]], countries: [] }];
    const file = writer.finish({ extent: "polygons", known: "declared", pieces });
    const bounded = readSourceCells(openEngine([{ bytes: joinFileBytes(file) }]), "test:raster")!;
    const place = computeTilePlace(14, 10.05, 9.95);
    const { toLongitude } = createTileProjection(place);
    const [all, some] = [drawTile(noisy, place), drawTile(bounded, place)];
    expect(some.areas).toEqual(all.areas);
    let [inside, outside] = [0, 0];
    for (let i = 0; i < 500; i++) {
      const [x, y] = [random.between(0, EXTENT), random.between(0, EXTENT)];
      const longitude = toLongitude(x);
      // By the middle of each cell.
      if (Math.min(Math.abs(longitude - 10.045), Math.abs(longitude - 10.055)) < 0.0002) continue;
      const isInside = longitude > 10.045 && longitude < 10.055;
      expect(at(some.coverage, x, y).length).toBe(isInside ? at(all.coverage, x, y).length : 0);
      if (isInside) inside++;
      else outside++;
    }
    expect(Math.min(inside, outside)).toBeGreaterThan(50);
  });
});
