/**
 * Measures the cost of the worst plot of nearly 100,000 positions that is answered: CPU time of the whole answer, and
 * of its validity check.
 *
 *     node bench/speed/hostile.ts
 *
 * Plots are outlines, combs, spirals, radii, and as many small parts or holes as fit, over an area of 100,000 vertices
 * and over 35,628 small ones. Each question is asked three times after a first; the least counts. Beside the
 * milliseconds stands how often `JSON.parse` reads the same plot in that time, which can be compared between machines.
 */
import { type Engine, EngineError, openEngine } from "@groundrule/engine";
import { findPolygonFaults } from "@groundrule/engine/internal";
import {
  createParallelEdges,
  createSlantedComb,
  createWoundBand,
  randomRadii,
} from "@groundrule/testing/hard-rings";
import { createBoxRing, toPositions } from "@groundrule/testing/shapes";
import { fractalRing, makeRingSource, randomClearings, seededRandom } from "../data.ts";
import { measureCpuMicros } from "../measure.ts";
import { buildMaximumRow, runMeasurementAlone, type SpeedResult } from "./row.ts";

const POSITIONS = 99_990;
const NOW = { now: "2026-01-01T00:00:00Z" };
/** Degrees the plots reach over. */
const SIZE = 8;

interface Cost {
  readonly what: string;
  readonly ms: number;
  /** How often `JSON.parse` reads the plot in this time. */
  readonly parses: number;
}

async function measureHostile(): Promise<SpeedResult> {
  const random = seededRandom(5);
  const large = openEngine([
    makeRingSource("bench:area", [
      fractalRing(random, 0, 0, 3.5, 100_000),
      fitRingToSquare(createWoundBand(50_000)),
    ]),
  ]);
  const dense = openEngine([makeRingSource("bench:clearings", randomClearings(random, 35_628))]);
  const answers: Cost[] = [];
  const checks: Cost[] = [];
  for (const [name, polygons] of Object.entries(makeHostilePlots())) {
    const geometry = { type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map(toPositions)) };
    const text = JSON.stringify(geometry);
    const parse = measureLeastMs(() => JSON.parse(text))!;
    const check = measureLeastMs(() => findPolygonFaults(polygons))!;
    checks.push({ what: name, ms: check, parses: check / parse });
    for (const [layer, engine] of Object.entries({ "two large areas": large, "35,628 areas": dense })) {
      for (const [question, ask] of Object.entries(makeHostileQuestions(engine, geometry))) {
        const ms = measureLeastMs(ask);
        if (ms !== undefined)
          answers.push({ what: `${name}, ${question}, ${layer}`, ms, parses: ms / parse });
      }
    }
  }
  return [
    buildWorstCostRow("worst accepted plot of 100,000 positions, whole answer", answers, 150),
    buildWorstCostRow("worst check of a plot of 100,000 positions", checks, 50),
  ];
}

function buildWorstCostRow(figure: string, costs: readonly Cost[], goal: number) {
  const worst = costs.reduce((a, b) => (a.ms > b.ms ? a : b));
  const words = `${figure} (${worst.what}; ${worst.parses.toFixed(1)} × JSON.parse of it)`;
  return buildMaximumRow(words, worst.ms, goal, "ms");
}

function makeHostilePlots(): Readonly<Record<string, Float64Array[][]>> {
  const random = seededRandom(9);
  const single = (ring: Float64Array): Float64Array[][] => [[fitRingToSquare(ring)]];
  /** Squares of a grid, as wide as `share` of its cells. */
  const squares = (side: number, share: number): Float64Array[] =>
    Array.from({ length: side * side }, (_, i) => {
      const [x, y] = [i % side, Math.floor(i / side)].map((k) => (k! / side - 0.5) * SIZE) as [
        number,
        number,
      ];
      return createBoxRing(x, y, x + (SIZE / side) * share, y + (SIZE / side) * share);
    });
  return {
    outline: [[fractalRing(random, 0, 0, 3.5, POSITIONS)]],
    "slanted comb": single(createSlantedComb(POSITIONS)),
    "random radii": single(randomRadii(POSITIONS)),
    "parallel edges": single(createParallelEdges(POSITIONS)),
    spiral: single(createWoundBand(POSITIONS)),
    "24,964 parts": squares(158, 0.4).map((ring) => [ring]),
    "24,649 holes": [[createBoxRing(-5, -5, 5, 5), ...squares(157, 0.4)]],
  };
}

function makeHostileQuestions(engine: Engine, geometry: object): Readonly<Record<string, () => unknown>> {
  const all = { sources: [engine.sources()[0]!.source_name] };
  const compiled = (set: object, check: object) =>
    engine.compile({
      sets: { a: { ...all, ...set } },
      checks: [{ id: "c", set: "a", outcome: "NOTICE", ...check }],
    });
  const count = compiled({}, {});
  const share = compiled({}, { measure: "overlap_ratio" });
  const relations = compiled({ relation: "covered_by" }, {});
  return {
    overlap: () => engine.intersections(geometry),
    geometries: () => engine.intersections(geometry, { geometry: "overlap" }),
    "within 10 km": () => engine.distance(geometry, { maxDistanceMeters: 10_000 }),
    count: () => count.evaluate({ geometry }, NOW),
    share: () => share.evaluate({ geometry }, NOW),
    relations: () => relations.evaluate({ geometry }, NOW),
  };
}

/** The least of three runs after a first; nothing where the engine refuses. */
function measureLeastMs(run: () => unknown): number | undefined {
  const times: number[] = [];
  for (let k = 0; k < 4; k++) {
    let refused = false;
    const micros = measureCpuMicros(() => {
      try {
        run();
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        refused = true;
      }
    });
    if (refused) return undefined;
    times.push(micros / 1000);
  }
  return Math.min(...times.slice(1));
}

/** The ring moved and scaled to a square about 0, 0. */
function fitRingToSquare(ring: Float64Array): Float64Array {
  const ranges = [0, 1].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = axis; i < ring.length; i += 2) {
      low = Math.min(low, ring[i]!);
      high = Math.max(high, ring[i]!);
    }
    return { middle: (low + high) / 2, size: high - low };
  });
  return ring.map((value, i) => ((value - ranges[i % 2]!.middle) / ranges[i % 2]!.size) * SIZE);
}

await runMeasurementAlone(import.meta, measureHostile);
