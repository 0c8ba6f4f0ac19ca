import { createSeededRandom, type Random } from "@groundrule/testing/random";
import {
  createBoxRing,
  createCombRing,
  createStarRing,
  toPositions,
  toRing,
} from "@groundrule/testing/shapes";
import { lineLatitude, lineLongitude, type RasterGrid } from "../src/geometry/raster/grid.ts";
import { BACKGROUND, NODATA } from "../src/geometry/raster/raster-layer.ts";
import { createRasterWriter } from "../src/snapshot/write/raster-writer.ts";
import { snapshotBytes } from "../src/snapshot/write/snapshot-bytes.ts";
import { makeBoxSnapshot } from "./box-snapshot.ts";
import { makeRasterAreas } from "./rasters.ts";

/*
 * Questions on rasters that take much work of few bytes: plots with far parts, edges along lines of cells, teeth and
 * slivers, on tiles of noise, of runs and of one value, on one grid and on others.
 */

const WEST = -60;
const NORTH = -2;

function createRasterGrid(lines: number, columns: number, rows: number): RasterGrid {
  return { a: WEST * lines, b: NORTH * lines, s: 1, t: 1, n: lines, columns, rows };
}

/** Rasters of one corner: noise of many values, of few, runs, a patch in land of one value, and a grid of its own. */
export function makeHardSources(side: number): ReadonlyMap<string, ArrayBuffer> {
  const random = createSeededRandom(42);
  const of = (
    name: string,
    grid: RasterGrid,
    areas: number,
    valueAt: (row: number, column: number) => number,
  ) => {
    const writer = createRasterWriter({ source_name: name, kind: "leaf" }, grid, makeRasterAreas(areas));
    for (let row = 0; writer.nextRows > 0; ) {
      const rows = writer.nextRows;
      const cells = new Uint16Array(rows * grid.columns);
      for (let i = 0; i < cells.length; i++)
        cells[i] = valueAt(row + Math.floor(i / grid.columns), i % grid.columns);
      writer.add(cells);
      row += rows;
    }
    return [name, snapshotBytes(writer.finish()).buffer] as const;
  };
  const fine = createRasterGrid(4000, side, side);
  const other = { ...createRasterGrid(3000, side, side >> 1), a: WEST * 3000 + 0.3 };
  return new Map([
    of("h:many", fine, 2_000, () => random.integer(2_000)),
    of("h:few", fine, 3, () => pickItem([0, 1, 2, BACKGROUND, NODATA], random)),
    of("h:runs", fine, 40, (row, column) => ((row >> 5) + (column >> 4)) % 40),
    of("h:plain", fine, 2, (row, column) => (row < 300 && column < 300 ? 1 : 0)),
    of("h:other", other, 5, () => random.integer(5)),
    ["h:rings", makeBoxSnapshot("h:rings", [WEST, NORTH - side / 8000, WEST + side / 8000, NORTH])],
  ]);
}

function pickItem<Item>(items: readonly Item[], random: Random): Item {
  return items[random.integer(items.length)]!;
}

export interface HardQuestion {
  readonly seed: number;
  readonly what: string;
  readonly ruleset: object;
  readonly geometry: { readonly type: "MultiPolygon"; readonly coordinates: number[][][][] };
}

/** Seeded questions on the sources of a side. */
export function* generateHardQuestions(firstSeed: number, side: number): Generator<HardQuestion> {
  for (let seed = firstSeed; ; seed++) {
    const random = createSeededRandom(seed);
    const [what, rings] = randomHardRings(random, side);
    const sources = ["h:many", "h:few", "h:runs", "h:plain", "h:other", "h:rings"].filter(
      () => random.next() < 0.45,
    );
    if (sources.length === 0) sources.push("h:many");
    const sets: Record<string, object> = Object.fromEntries(
      sources.map((source, i) => [
        `s${i}`,
        {
          sources: [source],
          ...(random.next() < 0.2 && { relation: pickItem(["touches", "covers", "covered_by"], random) }),
          ...(random.next() < 0.3 && source !== "h:rings" && { where: "value > 1" }),
        },
      ]),
    );
    const names = Object.keys(sets);
    if (names.length > 1 && random.next() < 0.7) {
      sets.d = {
        [pickItem(["union", "intersection", "difference"], random)]: names.slice(0, 2 + random.integer(3)),
      };
    }
    const measures = ["overlap_area_m2", "count", "overlap_ratio"];
    const checks = Object.keys(sets).map((set) => ({
      id: set,
      set,
      measure: pickItem(measures, random),
      value: 0.5,
      outcome: "WARNING",
    }));
    const coordinates = rings.map((ring) => [toPositions(ring)]);
    yield {
      seed,
      what: `${what} on ${sources}`,
      ruleset: { sets, checks },
      geometry: { type: "MultiPolygon", coordinates },
    };
  }
}

function randomHardRings(random: Random, side: number): readonly [string, Float64Array[]] {
  const grid = createRasterGrid(4000, side, side);
  const size = 10 ** random.between(0.5, Math.log10(side));
  const at = (column: number, row: number) => [lineLongitude(grid, column), lineLatitude(grid, row)] as const;
  const room = Math.max(0, side - size);
  const [column, row] = [random.next() * room, random.next() * room];
  const [west, north] = at(column, row);
  const degrees = size / 4000;
  const far = (count: number): Float64Array[] =>
    Array.from({ length: count }, () => {
      const [x, y] = [random.between(-179, 179), random.between(-84, 84)];
      return createBoxRing(x, y, x + 1e-5, y + 1e-5);
    });
  const apart = random.next() < 0.4 ? far(1 + random.integer(3)) : [];
  switch (random.integer(8)) {
    case 0:
      return [
        "star",
        [
          createStarRing(
            random,
            west + degrees / 2,
            north - degrees / 2,
            degrees / 2,
            5 + random.integer(3_000),
          ),
          ...apart,
        ],
      ];
    case 1:
      return [
        "comb",
        [createCombRing(west, north - degrees, degrees, degrees, 1 + random.integer(1_500)), ...apart],
      ];
    case 2: {
      const teeth = 1 + random.integer(1_500);
      const turned = createCombRing(0, 0, degrees, degrees, teeth).map((_, i, all) =>
        i % 2 === 0 ? west + all[i + 1]! : north - all[i - 1]!,
      );
      return ["comb along parallels", [toRing(toPositions(turned.subarray(0, -2))), ...apart]];
    }
    case 3: {
      const [c, r] = [Math.floor(column), Math.floor(row)];
      const steps = 1 + random.integer(400);
      const step = Math.max(1, Math.floor(size / steps / 2));
      const rings = Array.from({ length: steps }, (_, i) => {
        const [a, b] = [
          at(c + 2 * i * step, r + 2 * i * step),
          at(c + (2 * i + 1) * step, r + (2 * i + 1) * step),
        ];
        return createBoxRing(a[0], b[1], b[0], a[1]);
      });
      return ["cells on a diagonal", [...rings, ...apart]];
    }
    case 4: {
      const count = 2 + random.integer(2_000);
      const parts = Array.from({ length: count }, (_, i) => {
        const x = west + (degrees * i) / count;
        const w = (degrees / count) * random.between(1e-6, 0.5);
        const lean = degrees * random.between(0, 0.3);
        return toRing([
          [x, north],
          [x + w, north],
          [x + w + lean, north - degrees],
          [x + lean, north - degrees],
        ]);
      });
      return ["strips", [...parts.slice(0, 1), ...apart, ...parts.slice(1)]];
    }
    case 5: {
      const span = 128 * 256;
      const parts = Array.from({ length: 2 + random.integer(400) }, (_, i) => {
        const [x, y] = at((i % 3) * span + random.next() * 200, Math.floor(random.next() * side));
        return createBoxRing(x, y - 0.0003, x + 0.0003, y);
      });
      return ["parts 128 tiles apart", parts];
    }
    case 6: {
      const x1 = west + degrees;
      return [
        "a bow",
        [
          toRing([
            [west, north],
            [x1, north - 1e-9],
            [x1, north - degrees],
            [x1 - 1e-9, north - 2e-9],
          ]),
          ...apart,
        ],
      ];
    }
    default: {
      const edges = 2 + random.integer(3_000);
      const ring = Array.from({ length: edges }, (_, i) => {
        const angle = (2 * Math.PI * i) / edges;
        const reach = (degrees / 2) * (i % 2 === 0 ? 1 : random.between(0.2, 1));
        return [
          west + degrees / 2 + reach * Math.cos(angle),
          north - degrees / 2 + reach * Math.sin(angle),
        ] as const;
      });
      return ["spikes", [toRing(ring), ...apart]];
    }
  }
}
