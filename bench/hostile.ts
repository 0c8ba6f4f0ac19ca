/**
 * What the worst questions cost: each is answered or refused, and the CPU time it takes.
 *
 *   node bench/hostile.ts [PATTERN]
 *
 * Two layers: an area of 100,000 vertices and a spiral of 50,000; and 35,628 clearings. Plots of nearly
 * 100,000 positions, valid and not, the world, zigzags, outlines, fields by the thousand; asked for overlaps,
 * their geometries, distances and rulesets. Each is asked three times after a first; the least counts,
 * since the machine is shared and the work is the same each time.
 */
import { cpus, loadavg } from "node:os";
import { type Engine, EngineError, openEngine, type SourceInput } from "@groundrule/engine";
import { createAreaWriter } from "@groundrule/engine/build";
import { explainQuestion } from "@groundrule/engine/rulesets";
import { parallelEdges, randomRadii, slantedComb, spiral, star } from "@groundrule/testing/hard-rings";
import type { Random } from "@groundrule/testing/random";
import { box } from "@groundrule/testing/shapes";
import { fileBytes } from "@groundrule/testing/snapshot-bytes";
import { clearings, fractalRing, seededRandom } from "./data.ts";

const SEED = 5;
const POSITIONS = 99_990;
/** Degrees the plots are brought to; the area reaches over most of them. */
const SIZE = 8;
const ANSWERED_MS = 250;
const REFUSED_MS = 100;
const NOW = { now: "2026-01-01T00:00:00Z" };

const random = seededRandom(SEED);
const outline = fractalRing(random, 0, 0, 3.5, 100_000);
const large = openEngine([source("bench:area", [outline, fit(spiral(50_000))])]);
const dense = openEngine([source("bench:clearings", clearings(random, 35_628))]);

type Asked = Readonly<Record<string, () => unknown>>;
const cases: Record<string, Asked> = {};

for (const [name, ring] of Object.entries({
  "slanted comb": slantedComb(POSITIONS),
  "slanted comb of 40,000": slantedComb(40_000),
  "random radii": randomRadii(POSITIONS),
  "random radii, 40,000": randomRadii(40_000),
  "parallel edges": parallelEdges(POSITIONS),
  spiral: spiral(POSITIONS),
  "spiral, 10⁵ crossings": crossedSpiral(POSITIONS),
  "star {n, 2}": star(POSITIONS - 1, 2),
  "star {n, n/2 − 1}": star(POSITIONS - 1, POSITIONS / 2 - 2),
  "fractal outline": fractalRing(random, 0, 0, 3.5, POSITIONS - 10_000),
})) {
  cases[name] = questions(large, polygon(fit(ring)), { distance: [10_000] });
}
const brazil = fractalRing(random, 0, 0, 11, 9_000);
const plots: Readonly<Record<string, object>> = {
  "the world": polygon(box(-180, -90, 180, 90)),
  "square of 30°": polygon(box(-15, -15, 15, 15)),
  "square of 4,361 areas": polygon(box(-5.2, -5.2, 5.2, 5.2)),
  "outline of 22°": polygon(brazil),
  "outline of 22°, 90,000 positions": polygon(fractalRing(random, 0, 0, 11, 90_000)),
  "zigzag of 40 teeth": polygon(zigzag(40)),
  "zigzag of 400 teeth": polygon(zigzag(400)),
  "zigzag of 4,000 teeth": polygon(zigzag(4_000)),
  "100 fields": fields(random, 100),
  "500 fields": fields(random, 500),
  "3,000 fields": fields(random, 3_000),
  "20,000 fields": fields(random, 20_000),
  "3,000 fields of 6 km": fields(random, 3_000, 0.06),
};
for (const [name, plot] of Object.entries(plots))
  cases[name] = questions(dense, plot, { distance: [10_000] });
const rings = (plot: object) => (plot as { coordinates: number[][][][] }).coordinates.map(([ring]) => ring!);
for (const [name, plot] of Object.entries({
  "a point": { type: "Point", coordinates: [1, 1] },
  "a field of 50 positions": polygon(round(50, 0.005)),
  "a circle of 200 positions": polygon(round(200, 0.1)),
  "3,000 points": { type: "MultiPoint", coordinates: rings(plots["3,000 fields"]!).map(([first]) => first) },
  "3,000 lines": { type: "MultiLineString", coordinates: rings(plots["3,000 fields"]!) },
  "line of 800 positions": { type: "LineString", coordinates: positions(zigzag(400)).slice(0, 800) },
  "line of 8,000 positions": { type: "LineString", coordinates: positions(zigzag(4_000)).slice(0, 8_000) },
})) {
  cases[name] = questions(dense, plot, { distance: [10_000, 100_000, 1_000_000] });
}
cases["100 fields, farther"] = distances(dense, plots["100 fields"]!, [100_000, 1_000_000]);
cases["3,000 fields, farther"] = distances(dense, plots["3,000 fields"]!, [100_000, 1_000_000]);
cases["outline of 22°, farther"] = distances(dense, polygon(brazil), [100_000, 1_000_000]);
const sets = Object.fromEntries(
  Array.from({ length: 300 }, (_, i) => [`s${i}`, { sources: ["bench:clearings"] }]),
);
const manySets = {
  sets,
  checks: Object.keys(sets).map((set) => ({ id: set, set, outcome: "NOTICE" })),
};
cases["300 sets of 30°"] = {
  ruleset: () => dense.compile(manySets).evaluate({ geometry: plots["square of 30°"]! }, NOW),
  explain: () =>
    explainQuestion(dense, {
      ask: "evaluate",
      ruleset: manySets,
      input: { geometry: plots["square of 30°"]! },
    }),
};

console.log(
  `node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; at most ${ANSWERED_MS} ms of CPU answered, ${REFUSED_MS} ms refused\n`,
);
console.log(`${"plot".padEnd(34)}${"question".padEnd(18)}${"ms".padStart(6)}  answer`);
const pattern = new RegExp(process.argv[2] ?? "");
let over = 0;
for (const [name, asked] of Object.entries(cases)) {
  for (const [question, ask] of Object.entries(asked)) {
    if (!pattern.test(`${name} ${question}`)) continue;
    let answer = "";
    const times = Array.from({ length: 4 }, () => {
      const before = process.cpuUsage();
      answer = outcome(ask);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    const least = Math.min(...times.slice(1));
    const isOver = least > (answer.startsWith("answered") ? ANSWERED_MS : REFUSED_MS);
    if (isOver) over++;
    console.log(
      `${name.padEnd(34)}${question.padEnd(18)}${least.toFixed(0).padStart(6)}${isOver ? " !" : "  "}${answer}`,
    );
  }
}
console.log(over === 0 ? "\nnone took longer" : `\n${over} took longer`);
process.exitCode = over === 0 ? 0 : 1;

/** Everything that can be asked about a plot, farther distances beside. */
function questions(engine: Engine, geometry: object, { distance }: { distance: readonly number[] }): Asked {
  const [name] = engine.sources().map(({ source_name }) => source_name);
  const all = { sources: [name!] };
  const isArea = /Polygon/.test((geometry as { type: string }).type);
  const compiled = (sets: object, ...checks: object[]) =>
    engine.compile({
      sets,
      checks: checks.map((check, i) => ({ id: `c${i}`, set: "a", outcome: "NOTICE", ...check })),
    });
  const rulesets = {
    count: compiled({ a: all }, {}),
    share: compiled({ a: all }, { measure: "overlap_ratio" }),
    relations: compiled({ a: { ...all, relation: "covered_by" } }, {}),
    near: compiled({ a: all, near: { ...all, within_m: 10_000 } }, { set: "near" }),
    far: compiled({ a: all, near: { ...all, within_m: 1_000_000 } }, { set: "near" }),
    derived: compiled(
      {
        x: { ...all, where: { op: "<", args: [{ property: "n" }, 5] } },
        a: { difference: ["y", "x"] },
        y: all,
      },
      {},
    ),
  };
  return {
    overlap: () => engine.intersections(geometry),
    geometry: () => engine.intersections(geometry, { geometry: "overlap" }),
    ...distances(engine, geometry, distance),
    ...(isArea &&
      Object.fromEntries(
        Object.entries(rulesets).map(([what, rules]) => [
          `ruleset, ${what}`,
          () => rules.evaluate({ geometry }, NOW),
        ]),
      )),
  };
}

function distances(engine: Engine, geometry: object, meters: readonly number[]): Asked {
  return Object.fromEntries(
    meters.map((maxDistanceMeters) => [
      `within ${maxDistanceMeters / 1000} km`,
      () => engine.distance(geometry, { maxDistanceMeters }),
    ]),
  );
}

function outcome(ask: () => unknown): string {
  try {
    const answer = ask() as { matches?: { geometry_status?: string }[] };
    const left = answer.matches?.filter(({ geometry_status }) => geometry_status !== undefined).length ?? 0;
    const matches = answer.matches === undefined ? "" : `, ${answer.matches.length} areas`;
    return `answered${matches}${left === 0 ? "" : `, ${left} without geometry`}`;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

function source(source_name: string, rings: readonly Float64Array[]): SourceInput {
  const writer = createAreaWriter({ source_name, kind: "leaf" });
  rings.forEach((ring, i) => {
    writer.add({ id: `${i}`, name: null, countryIso3: null, polygons: [[ring]], properties: { n: i % 10 } });
  });
  return { bytes: fileBytes(writer.finish()) };
}

/** A spiral with a zigzag over it: about 10⁵ crossings. */
function crossedSpiral(n: number): Float64Array {
  const wound = spiral(n - 400);
  const xy = [...fit(wound).subarray(0, wound.length - 2)];
  for (let i = 0; i < 400; i++) xy.push(i % 2 === 0 ? -SIZE / 2 : SIZE / 2, ((i - 200) / 400) * SIZE);
  return Float64Array.from([...xy, xy[0]!, xy[1]!]);
}

/** Teeth from one end of the clearings to the other. */
function zigzag(teeth: number): Float64Array {
  const xy: number[] = [];
  for (let i = 0; i < teeth; i++) xy.push(-15 + (30 * i) / teeth, -15, -15 + (30 * (i + 0.5)) / teeth, 15);
  return Float64Array.from([...xy, 15, -15, 15, -16, -15, -16, xy[0]!, xy[1]!]);
}

/** Squares of 5 hectares, or of a size in degrees, strewn over six degrees. */
function fields(random: Random, count: number, size = 0.002): object {
  const side = Math.ceil(Math.sqrt(count));
  const coordinates = Array.from({ length: count }, (_, i) => {
    const x = -3 + (6 * ((i % side) + 0.3 * random.next())) / side;
    const y = -3 + (6 * (Math.floor(i / side) + 0.3 * random.next())) / side;
    return [positions(box(x, y, x + size, y + size))];
  });
  return { type: "MultiPolygon", coordinates };
}

function round(n: number, radius: number): Float64Array {
  const angle = (i: number) => (2 * Math.PI * (i % n)) / n;
  return Float64Array.from(
    Array.from({ length: n + 1 }, (_, i) => [
      radius * Math.cos(angle(i)),
      radius * Math.sin(angle(i)),
    ]).flat(),
  );
}

/** The ring moved and scaled to the square of `SIZE` degrees about 0, 0. */
function fit(ring: Float64Array): Float64Array {
  const bounds = (axis: 0 | 1) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = axis; i < ring.length; i += 2) {
      low = Math.min(low, ring[i]!);
      high = Math.max(high, ring[i]!);
    }
    return [(low + high) / 2, high - low] as const;
  };
  const [x, y] = [bounds(0), bounds(1)];
  return ring.map((value, i) => ((value - (i % 2 === 0 ? x : y)[0]) / (i % 2 === 0 ? x : y)[1]) * SIZE);
}

function polygon(ring: Float64Array): object {
  return { type: "Polygon", coordinates: [positions(ring)] };
}

function positions(ring: Float64Array): number[][] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]);
}
