import type { SourceManifest } from "@groundrule/engine";
import type { RasterAreaInput } from "@groundrule/engine/build";
import type { Feature } from "geojson";
import type { Random } from "./random.ts";
import { fractalOutline, type Ring } from "./shapes.ts";
import { TITLES } from "./titles.ts";

/** A map of cells: a value of its manifest's table for each. */
export interface DemoRaster {
  readonly manifest: SourceManifest;
  readonly grid: typeof GRID;
  /** The areas, by the numbers that cells hold. */
  readonly areas: readonly RasterAreaInput[];
  /**
   * Cells of some rows, row by row: each the number of an area, or 254, background.
   *
   * @param from first row of the grid
   */
  cells(from: number, rows: number): Uint8Array;
}

/** The Brazilian window with half a degree around it, in cells of 1/2000 degree: some 55 m, a third of a hectare. */
const GRID = { a: -125_000, b: -9_000, s: 1, t: 1, n: 2000, columns: 20_000, rows: 16_000 } as const;
const BACKGROUND = 254;
const FIRST_YEAR = 2001;
const LAST_YEAR = 2025;
/** The last year before the cut-off of Regulation (EU) 2023/1115. */
const CUT_OFF_YEAR = 2020;

type Place = readonly [lon: number, lat: number];

/** Areas from which the maps are drawn, besides their own random shapes. */
export interface DemoGround {
  readonly clearings: readonly Feature[];
  readonly rivers: readonly Feature[];
  /** Around it there is much loss, so that a plot drawn there has some. */
  readonly frontier: Place;
}

/**
 * Two maps of one grid that agree with each other and with the demo's clearings: forest at the end of 2020, and the
 * year in which tree cover was lost. What was cleared until 2020 is no forest, what was cleared later was; on old
 * farmland, which is none, there is later loss as well, of planted trees.
 */
export function makeDemoRasters(
  random: Random,
  { clearings, rivers, frontier }: DemoGround,
  common: Pick<SourceManifest, "license_spdx" | "collected_at">,
): readonly DemoRaster[] {
  const forest = new Painting(0);
  const loss = new Painting(BACKGROUND);
  const clear = (ring: Ring, year: number): void => {
    if (year < FIRST_YEAR) return;
    loss.paint(ring, year - FIRST_YEAR);
    forest.paint(ring, year > CUT_OFF_YEAR ? 0 : BACKGROUND);
  };
  const farms = Array.from({ length: 220 }, () => {
    const center: Place = [random.between(-62, -53), random.between(-12, -5)];
    return { center, radiusKm: random.logBetween(1.5, 22) };
  });
  for (const { center, radiusKm } of farms) {
    const ring = fractalOutline(random, center, radiusKm, 6, 0.9);
    forest.paint(ring, BACKGROUND);
    if (random.next() < 0.5) loss.paint(ring, random.integer(0, CUT_OFF_YEAR - FIRST_YEAR));
  }
  for (const river of rivers) forest.paint(getOuterRing(river), BACKGROUND);
  for (const clearing of clearings) {
    const detected: unknown = clearing.properties?.detected;
    if (typeof detected === "string") clear(getOuterRing(clearing), Number(detected.slice(0, 4)));
  }
  const aside = () => random.between(-0.07, 0.07) + random.between(-0.07, 0.07);
  for (let i = 0; i < 500; i++) {
    const center: Place = [frontier[0] + aside(), frontier[1] + aside()];
    const hectares = random.logBetween(1, 15);
    const ring = fractalOutline(random, center, Math.sqrt(hectares / 314), 3, 0.9);
    clear(ring, random.integer(CUT_OFF_YEAR - 1, LAST_YEAR));
  }
  for (const { center, radiusKm } of farms) {
    const plantation = fractalOutline(random, center, radiusKm / 8, 4, 0.6);
    loss.paint(plantation, random.integer(CUT_OFF_YEAR + 1, LAST_YEAR) - FIRST_YEAR);
    forest.paint(plantation, BACKGROUND);
  }
  const shared = { ...common, fictional: true, kind: "leaf", country_iso3: "BRA" } as const;
  const forestValues = [{ value: 1, name: "Forest at the end of 2020", color: "#1b7837" }];
  const lossValues = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, i) => {
    const year = FIRST_YEAR + i;
    const properties = { from: `${year}-01-01`, to: `${year}-12-31` };
    return { value: year - 2000, name: `Tree cover lost in ${year}`, color: yearColor(i), properties };
  });
  return [
    {
      manifest: {
        ...shared,
        source_name: "demo:forest_2020",
        ...TITLES["demo:forest_2020"],
        category: "forest",
        observed_until: "2020-12-31",
        groups: ["preset:forest_2020"],
        cells: { values: forestValues, background: [{ value: 0, name: "No forest at the end of 2020" }] },
      },
      grid: GRID,
      areas: forestValues.map(({ value, name }) => toRasterArea(value, name, {})),
      cells: (from, rows) => forest.cells(from, rows),
    },
    {
      manifest: {
        ...shared,
        source_name: "demo:tree_cover_loss",
        ...TITLES["demo:tree_cover_loss"],
        category: "tree cover loss",
        observed_until: `${LAST_YEAR}-12-31`,
        groups: ["preset:tree_cover_loss"],
        cells: { values: lossValues, background: [{ value: 0, name: "No loss found" }] },
      },
      grid: GRID,
      areas: lossValues.map(({ value, name, properties }) => toRasterArea(value, name, properties)),
      cells: (from, rows) => loss.cells(from, rows),
    },
  ];
}

function toRasterArea(
  value: number,
  name: string,
  properties: Readonly<Record<string, string>>,
): RasterAreaInput {
  return { id: `${value}`, name, countryIso3: "BRA", properties: { value, ...properties } };
}

/** From yellow to dark red. */
function yearColor(i: number): string {
  const share = i / (LAST_YEAR - FIRST_YEAR);
  const channel = (from: number, to: number) =>
    Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, "0");
  return `#${channel(255, 128)}${channel(220, 0)}${channel(80, 38)}`;
}

/** Rings painted one over another: a cell has the value of the last ring around its middle. */
class Painting {
  readonly #ground: number;
  /** For each row, in the order of painting: first column, column after the last, value. */
  readonly #spans: number[][] = Array.from({ length: GRID.rows }, () => []);

  constructor(ground: number) {
    this.#ground = ground;
  }

  paint(ring: Ring, value: number): void {
    const crossings = new Map<number, number[]>();
    for (let i = 0; i + 1 < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i]!, ring[i + 1]!];
      const [low, high] = y1 < y2 ? [y1, y2] : [y2, y1];
      // Rows whose middle lies above the lower end, and not above the upper one.
      for (let row = findFirstRow(high); row < findFirstRow(low); row++) {
        if (row < 0 || row >= GRID.rows) continue;
        const latitude = (GRID.b - row - 0.5) / GRID.n;
        const longitude = x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1);
        const found = crossings.get(row);
        if (found === undefined) crossings.set(row, [longitude]);
        else found.push(longitude);
      }
    }
    for (const [row, longitudes] of crossings) {
      longitudes.sort((a, b) => a - b);
      for (let i = 0; i + 1 < longitudes.length; i += 2) {
        const from = Math.max(0, findFirstColumn(longitudes[i]!));
        const to = Math.min(GRID.columns, findFirstColumn(longitudes[i + 1]!));
        if (from < to) this.#spans[row]!.push(from, to, value);
      }
    }
  }

  cells(from: number, rows: number): Uint8Array {
    const cells = new Uint8Array(rows * GRID.columns).fill(this.#ground);
    for (let r = 0; r < rows; r++) {
      const spans = this.#spans[from + r]!;
      const start = r * GRID.columns;
      for (let i = 0; i < spans.length; i += 3)
        cells.fill(spans[i + 2]!, start + spans[i]!, start + spans[i + 1]!);
    }
    return cells;
  }
}

/** First row whose middle lies south of a latitude, or on it. */
function findFirstRow(latitude: number): number {
  return Math.ceil(GRID.b - latitude * GRID.n - 0.5);
}

/** First column whose middle lies east of a longitude, or on it. */
function findFirstColumn(longitude: number): number {
  return Math.ceil(longitude * GRID.n - GRID.a - 0.5);
}

function getOuterRing({ geometry }: Feature): Ring {
  return geometry.type === "Polygon" ? (geometry.coordinates[0] as Ring) : [];
}
