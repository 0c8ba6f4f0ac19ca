import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type CellsManifest, type Engine, type Evaluation, openEngine } from "@groundrule/engine";
import { prepareArea, snapshotOf } from "@groundrule/engine/build";
import { openLocalFile } from "@groundrule/formats";
import { openGeoTiff } from "@groundrule/formats/geotiff";
import { buildRaster } from "@groundrule/ingest";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxPositions, toPositions } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { beforeAll, describe, expect, it } from "vitest";
import { readAllCells } from "../../packages/formats/test/all-cells.ts";
import { presets, presetVersions } from "./index.ts";

const folder = process.env.GROUNDRULE_REAL_DATA;
if (folder === undefined) {
  console.warn("preset.eudr is asked of no real plots and rasters: GROUNDRULE_REAL_DATA names no folder.");
}

const SEED = 31;
/** Without losses, a question takes most work: one plot in so many is evaluated so. */
const EVERY = process.env.GROUNDRULE_FULL === undefined ? 8 : 1;
/** The last day on which the crops, which end with 2023, are not too old. */
const NOW = "2025-12-31T12:00:00Z";
const STEPS = 4000;

type Position = readonly [lon: number, lat: number];
type Ring = readonly Position[];

interface Plot {
  readonly id: string;
  readonly polygons: readonly (readonly Ring[])[];
}

/** A raster as its file has it: one value a cell, row by row; west and north in steps. */
interface Crop {
  readonly west: number;
  readonly north: number;
  readonly columns: number;
  readonly rows: number;
  readonly cells: readonly number[];
}

/** Fictional areas of whole cells: from and to a column, or a row. */
const BENCHMARKS = [
  { benchmark: "low", from: 0, to: 80 },
  { benchmark: "standard", from: 80, to: 140 },
  { benchmark: "High", from: 140, to: 166 },
  { benchmark: "hihg", from: 166, to: 180 },
  { benchmark: null, from: 180, to: 192 },
] as const;
const INDIGENOUS_TO = 30;
const PROTECTED_FROM = 190;

/**
 * The crops are those of Global Forest Change 2023 in the Dominican Republic, with tree cover of 2000 above 10 % in place of
 * a map of forest of 2020. Every other source is made up, and covers the crop alone.
 */
describe.skipIf(folder === undefined)("preset.eudr on the Whisp examples and the fields of the world", () => {
  let cover: Crop;
  let loss: Crop;
  let engine: Engine;
  let failed: Engine;
  let plots: readonly Plot[];
  let moved: readonly { readonly plot: Plot; readonly isWhole: boolean }[];
  let movedVerdicts: readonly Evaluation[];
  const table: string[] = [];

  beforeAll(async () => {
    cover = await readCrop("treecover2000");
    loss = await readCrop("lossyear");
    const made = makeFictionalPlots(loss);
    const forest = await openRasterSource("preset:forest_2020", "treecover2000", {
      values: [{ value: 11, through: 100, name: "Canopy above 10 %" }],
      background: [{ value: 0, through: 10 }],
      nodata: [255],
    });
    const lost = await openRasterSource("preset:tree_cover_loss", "lossyear", {
      values: Array.from({ length: 23 }, (_, i) => {
        const year = 2001 + i;
        return { value: i + 1, properties: { from: `${year}-01-01`, to: `${year}-12-31` } };
      }),
      background: [{ value: 0 }],
      nodata: [255],
    });
    engine = openEngine([forest, lost, ...made]);
    const manifest = {
      source_name: "preset:tree_cover_loss",
      kind: "leaf",
      columns: { from: "date", to: "date" },
    } as const;
    failed = openEngine([forest, { manifest, failed: "its file is not there" }, ...made]);
    plots = ["plots_whisp_examples", "plots_fields_world"].flatMap(readPlots);
    const random = createSeededRandom(SEED);
    moved = plots.map((plot) => moveIntoCrop(plot, loss, random.next(), random.next()));
    movedVerdicts = judged(
      engine,
      "moved into the crops",
      moved.map(({ plot }) => plot),
    );
  });

  it("are 2,660 plots and two crops of the same 42,432 cells, none of them without data", () => {
    expect(plots).toHaveLength(2660);
    expect([loss.columns, loss.rows]).toEqual([192, 221]);
    expect({ ...cover, cells: 0 }).toEqual({ ...loss, cells: 0 });
    expect(cover.cells.includes(255) || loss.cells.includes(255)).toBe(false);
  });

  it("calls none COMPLIANT where they lie, for no source covers any of them", () => {
    const verdicts = judged(engine, "where they lie", plots);
    for (const { verdict, sources, checks } of verdicts) {
      expect(verdict).toBe("WARNING");
      expect(new Set(sources.map(({ coverage }) => coverage))).toEqual(new Set(["none"]));
      const { status, outcome } = checks.find(({ id }) => id === "deforestation-possible")!;
      expect([status, outcome]).toEqual(["not_covered", "WARNING"]);
    }
  });

  it("measures what arithmetic cell by cell does where they are moved into the crops, and decides by it", () => {
    let worst = 0;
    for (const [i, { verdict, checks }] of movedVerdicts.entries()) {
      const { plot, isWhole } = moved[i]!;
      if (!isWhole) {
        // Larger than the crop: what lies outside is not known.
        expect([plot.id, verdict === "COMPLIANT"]).toEqual([plot.id, false]);
        continue;
      }
      const sums = sumCrops(plot, cover, loss);
      for (const [id, expected] of Object.entries(listExpectedMeasures(sums))) {
        const { comparisons, status } = checks.find((check) => check.id === id)!;
        expect([plot.id, id, status]).toEqual([plot.id, id, "ok"]);
        for (const [k, squareMeters] of expected.entries()) {
          // Printed areas have two decimals.
          const apart = Math.abs(comparisons[k]!.value! - squareMeters);
          worst = Math.max(worst, apart);
          if (apart > 0.0051)
            expect([plot.id, id, comparisons[k]!.value]).toEqual([plot.id, id, squareMeters]);
        }
      }
      expect([plot.id, verdict]).toEqual([plot.id, computeExpectedVerdict(sums)]);
    }
    const larger = moved.filter(({ isWhole }) => !isWhole).length;
    table.push(`largest difference from arithmetic: ${worst.toFixed(4)} m²; ${larger} larger than the crops`);
    expect(larger).toBeLessThan(30);
    expect(new Set(movedVerdicts.map(({ verdict }) => verdict))).toEqual(
      new Set(["COMPLIANT", "WARNING", "NON_COMPLIANT"]),
    );
  });

  it("decides as its third version does where nothing is declared", () => {
    const earlier = presetVersions().find(({ name, version }) => name === "preset.eudr" && version === 3)!;
    const policy = engine.compile(earlier.ruleset);
    const verdicts = moved.map(
      ({ plot }) => policy.evaluate({ geometry: toGeometry(plot) }, { now: NOW }).verdict,
    );
    expect(movedVerdicts.map(({ verdict }) => verdict)).toEqual(verdicts);
  });

  it("leaves a warning of each that it refuses where a document states that there was no conversion", () => {
    const refused = moved.flatMap(({ plot }, i) =>
      movedVerdicts[i]!.verdict === "NON_COMPLIANT" ? [plot] : [],
    );
    expect(refused.length).toBeGreaterThan(20);
    const document = { id: "D-1", issuer: "State", issued_on: "2025-01-01" };
    const verdicts = judged(engine, "the refused, with a document", refused, { no_conversion: document });
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["WARNING"]));
  });

  it("calls all DEGRADED where the source of losses failed", () => {
    const verdicts = judged(
      failed,
      "moved, with losses failed",
      moved.filter((_, i) => i % EVERY === 0).map(({ plot }) => plot),
    );
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["DEGRADED"]));
    console.log(table.join("\n"));
  });

  function judged(engine: Engine, title: string, all: readonly Plot[], facts = {}): readonly Evaluation[] {
    const policy = engine.compile(presets().get("preset.eudr")!);
    const verdicts = all.map((plot) => policy.evaluate({ geometry: toGeometry(plot), facts }, { now: NOW }));
    for (const [kind, isExample] of [
      ["examples", true],
      ["fields", false],
    ] as const) {
      const words = verdicts.flatMap(({ verdict }, i) =>
        all[i]!.id.startsWith("whisp") === isExample ? [verdict] : [],
      );
      const counts = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"].map(
        (word) => `${words.filter((each) => each === word).length} ${word}`,
      );
      table.push(`${title}, ${kind}: ${counts.join(", ")}`);
    }
    return verdicts;
  }
});

async function readCrop(name: string): Promise<Crop> {
  const file = await openLocalFile(toPath(name));
  const { image, place } = await openGeoTiff(file);
  const { columns, rows } = image;
  const cells = await readAllCells(image);
  await file.close();
  const [west, north] = [place.west, place.north].map((degrees) => Math.round(degrees * STEPS));
  return { west: west!, north: north!, columns, rows, cells };
}

function toPath(name: string): string {
  return join(folder!, "rasters", `hansen_2023_v1_11_${name}_crop.tif`);
}

async function openRasterSource(source_name: string, name: string, cells: CellsManifest) {
  const file = await openLocalFile(toPath(name));
  const manifest = { source_name, kind: "leaf", observed_until: "2023-12-31", cells } as const;
  const { file: built } = await buildRaster([file], manifest);
  await file.close();
  return { bytes: joinFileBytes(built) };
}

function makeFictionalPlots(crop: Crop) {
  const box = (c0: number, r0: number, c1: number, r1: number) => ({
    type: "Polygon",
    coordinates: [
      createBoxPositions(
        (crop.west + c0) / STEPS,
        (crop.north - r1) / STEPS,
        (crop.west + c1) / STEPS,
        (crop.north - r0) / STEPS,
      ),
    ],
  });
  const { columns, rows } = crop;
  const source = (name: string, areas: readonly { geometry: object; properties: object }[], more = {}) =>
    snapshotOf(
      name,
      areas.map(({ geometry, properties }, id) => ({
        type: "Feature",
        geometry,
        properties: { id, ...properties },
      })),
      { id: "id", fictional: true, coverage: box(0, 0, columns, rows), ...more },
    );
  return [
    source("preset:indigenous_lands", [{ geometry: box(0, 0, columns, INDIGENOUS_TO), properties: {} }]),
    source("preset:conservation_units", [
      { geometry: box(0, PROTECTED_FROM, columns, rows), properties: {} },
    ]),
    source(
      "preset:country_benchmark",
      BENCHMARKS.map(({ benchmark, from, to }) => ({
        geometry: box(from, 0, to, rows),
        properties: { benchmark },
      })),
    ),
  ];
}

function readPlots(name: string): Plot[] {
  const text = gunzipSync(readFileSync(join(folder!, `${name}.geojson.gz`))).toString("utf8");
  const { features } = JSON.parse(text) as {
    features: readonly { geometry: object; properties: { id: string } }[];
  };
  return features.map(({ geometry, properties }) => ({
    id: name === "plots_whisp_examples" ? `whisp ${properties.id}` : properties.id,
    polygons: repairGeometry(geometry),
  }));
}

function toGeometry({ polygons }: Plot) {
  return { type: "MultiPolygon", coordinates: polygons };
}

/** One field has a ring that touches itself. */
function repairGeometry(geometry: object): Plot["polygons"] {
  return prepareArea(geometry).polygons.map((rings) => rings.map(toPositions));
}

/** The plot somewhere inside the crop, as `u` and `v` from 0 to 1 say; one that is larger about its middle. */
function moveIntoCrop({ id, polygons }: Plot, crop: Crop, u: number, v: number) {
  const [xs, ys] = [0, 1].map((k) => polygons.flat(2).map((position) => position[k]!)) as [
    number[],
    number[],
  ];
  const move = (all: readonly number[], low: number, size: number, part: number) => {
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const spare = size - (most - least);
    return { by: low - least + spare * (spare > 0 ? part : 0.5), isWhole: spare > 0 };
  };
  const x = move(xs, crop.west / STEPS, crop.columns / STEPS, u);
  const y = move(ys, (crop.north - crop.rows) / STEPS, crop.rows / STEPS, v);
  const shifted = polygons.map((rings) =>
    rings.map((ring) => ring.map(([lon, lat]): Position => [lon + x.by, lat + y.by])),
  );
  const plot = { id, polygons: repairGeometry({ type: "MultiPolygon", coordinates: shifted }) };
  return { plot, isWhole: x.isWhole && y.isWhole };
}

/** Square metres of a plot by what the cells hold, each cell cut out of the plot and measured for itself. */
interface Sums {
  deforested: number;
  indigenous: number;
  protected: number;
  /** By the index of `BENCHMARKS`. */
  readonly benchmarks: number[];
}

function sumCrops({ polygons }: Plot, cover: Crop, loss: Crop): Sums {
  const sums: Sums = { deforested: 0, indigenous: 0, protected: 0, benchmarks: BENCHMARKS.map(() => 0) };
  for (const rings of polygons) {
    for (const [k, ring] of rings.entries()) {
      const sign = Math.sign(shoelace(ring)) * (k === 0 ? 1 : -1);
      for (const { row, column, area } of iterateCells(ring, loss)) {
        const squareMeters = sign * area;
        const i = row * loss.columns + column;
        if (cover.cells[i]! > 10 && loss.cells[i]! >= 21) sums.deforested += squareMeters;
        if (row < INDIGENOUS_TO) sums.indigenous += squareMeters;
        if (row >= PROTECTED_FROM) sums.protected += squareMeters;
        sums.benchmarks[BENCHMARKS.findIndex(({ to }) => column < to)]! += squareMeters;
      }
    }
  }
  return sums;
}

/** Measures of each check. */
function listExpectedMeasures({ deforested, indigenous, protected: park, benchmarks }: Sums) {
  const [low, standard, high, misspelt, untold] = benchmarks as [number, number, number, number, number];
  return {
    deforestation: [deforested],
    "deforestation-possible": [deforested],
    "indigenous-land": [indigenous],
    "protected-area": [park],
    "country-high-risk": [high],
    "country-benchmark-unknown": [misspelt + untold],
    "country-low-risk": [low, standard + high + misspelt + untold],
  };
}

function computeExpectedVerdict(sums: Sums): string {
  const isPrinted = (squareMeters: number) => squareMeters >= 0.005;
  if (sums.deforested >= 5000.005) return "NON_COMPLIANT";
  const [, , high, misspelt, untold] = sums.benchmarks as [number, number, number, number, number];
  const warned = [sums.deforested, sums.indigenous, sums.protected, high, misspelt + untold];
  return warned.some(isPrinted) ? "WARNING" : "COMPLIANT";
}

function* iterateCells(ring: Ring, crop: Crop): Iterable<{ row: number; column: number; area: number }> {
  const rowAt = (lat: number) => crop.north - lat * STEPS;
  const columnAt = (lon: number) => lon * STEPS - crop.west;
  const lats = ring.map(([, lat]) => lat);
  const lastRow = Math.min(crop.rows - 1, Math.floor(rowAt(Math.min(...lats))));
  for (let row = Math.max(0, Math.floor(rowAt(Math.max(...lats)))); row <= lastRow; row++) {
    const bottom = (crop.north - row - 1) / STEPS;
    const band = cut(cut(ring, 1, bottom, 1), 1, (crop.north - row) / STEPS, -1);
    if (band.length === 0) continue;
    const lons = band.map(([lon]) => lon);
    const lastColumn = Math.min(crop.columns - 1, Math.floor(columnAt(Math.max(...lons))));
    for (let column = Math.max(0, Math.floor(columnAt(Math.min(...lons)))); column <= lastColumn; column++) {
      const left = (crop.west + column) / STEPS;
      const part = cut(cut(band, 0, left, 1), 0, (crop.west + column + 1) / STEPS, -1);
      yield { row, column, area: measureRingArea(part, bottom) };
    }
  }
}

/** The part of a ring on one side of a line (Sutherland and Hodgman): above it where `side` is 1, below where −1. */
function cut(ring: Ring, axis: 0 | 1, line: number, side: 1 | -1): Ring {
  const kept: Position[] = [];
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [from, to] = [ring[j]!, ring[i]!];
    const [before, after] = [side * (from[axis] - line), side * (to[axis] - line)];
    if (before < 0 !== after < 0) {
      const t = before / (before - after);
      const other = from[1 - axis]! + t * (to[1 - axis]! - from[1 - axis]!);
      kept.push(axis === 0 ? [line, other] : [other, line]);
    }
    if (after >= 0) kept.push(to);
  }
  return kept;
}

/** Square metres of a small ring on WGS 84, positive counter-clockwise, by Simpson's rule along its edges. */
function measureRingArea(ring: Ring, bottom: number): number {
  const ground = zoneAreaTo(bottom);
  const height = (lat: number) => zoneAreaTo(lat) - ground;
  let sum = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [[x0, y0], [x1, y1]] = [ring[j]!, ring[i]!];
    if (x0 === x1) continue;
    sum -= ((x1 - x0) * (height(y0) + 4 * height((y0 + y1) / 2) + height(y1))) / 6;
  }
  return sum;
}

/** Square metres from the equator to a latitude, for each degree of longitude (Snyder, USGS PP 1395, eq. 3-12). */
function zoneAreaTo(latitude: number): number {
  const flattening = 1 / 298.257223563;
  const squared = flattening * (2 - flattening);
  const [e, b] = [Math.sqrt(squared), 6_378_137 * (1 - flattening)];
  const sine = Math.sin((latitude * Math.PI) / 180);
  return ((Math.PI / 180) * (b * b) * (sine / (1 - squared * sine * sine) + Math.atanh(e * sine) / e)) / 2;
}

function shoelace(ring: Ring): number {
  let doubled = 0;
  const [x, y] = ring[0]!;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    doubled += (ring[j]![0] - x) * (ring[i]![1] - y) - (ring[i]![0] - x) * (ring[j]![1] - y);
  }
  return doubled;
}
