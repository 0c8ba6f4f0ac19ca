import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxRing, createCombRing, reverseRing, toRing } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { ANSWER_WORK, WorkMeter } from "./base/work-meter.ts";
import { openEngine } from "./engine.ts";
import { parsePlot } from "./geometry/plot/parse-plot.ts";
import { createAreaWriter } from "./snapshot/write/writer.ts";

const NOW = { now: "2026-01-11T12:00:00Z" };

/** Areas of a source, each of one ring. */
function makeAreaSource(source_name: string, rings: readonly Float64Array[]): { bytes: ArrayBuffer } {
  const writer = createAreaWriter({ source_name, kind: "leaf" });
  rings.forEach((ring, i) => {
    writer.add({ id: `${i}`, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
  });
  return { bytes: joinFileBytes(writer.finish()) };
}

const toGeometry = (...rings: readonly Float64Array[]) => ({
  type: "MultiPolygon",
  coordinates: rings.map((ring) => [
    Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
  ]),
});

/** A comb of slanted teeth, and the same lying: every tooth of the one crosses every tooth of the other. */
const upright = createCombRing(0, 0, 1, 1, 400);
const lying = reverseRing(upright.map((_, i) => upright[i ^ 1]!));
const plot = toGeometry(upright);

describe("the work of an answer", () => {
  it("is counted over all its sources: what one of them allows, many of them do not", () => {
    const sources = Array.from({ length: 30 }, (_, i) => makeAreaSource(`t:${i}`, [lying]));
    expect(openEngine(sources.slice(0, 1)).intersections(plot).matches).toHaveLength(1);
    const engine = openEngine(sources);
    expect(engine.intersections(plot, { sources: ["t:7"] }).matches).toHaveLength(1);
    const { code, details } = catchRefusal(() => engine.intersections(plot));
    expect(code).toBe("GEOMETRY_TOO_COMPLEX");
    expect(details.allowed).toBe(ANSWER_WORK);
    expect(details.counted).toBeGreaterThan(ANSWER_WORK);
    expect(catchRefusal(() => engine.intersections(plot)).details).toEqual(details);
    // Neither order of sources nor what a worker did before changes the count.
    const other = openEngine(sources.toReversed());
    other.intersections(toGeometry(createBoxRing(0, 0, 1, 1)), { sources: ["t:3"] });
    expect(catchRefusal(() => other.intersections(plot)).details).toEqual(details);
  });

  it("is counted over all sets and checks of a ruleset", () => {
    const sources = Array.from({ length: 30 }, (_, i) => makeAreaSource(`t:${i}`, [lying]));
    const engine = openEngine(sources);
    const rules = (count: number) =>
      engine.compile({
        sets: Object.fromEntries(sources.slice(0, count).map((_, i) => [`s${i}`, { sources: [`t:${i}`] }])),
        checks: sources.slice(0, count).map((_, i) => ({ id: `c${i}`, set: `s${i}`, outcome: "NOTICE" })),
      });
    expect(rules(1).evaluate({ geometry: plot }, NOW).verdict).toBe("COMPLIANT");
    const { code, details } = catchRefusal(() => rules(30).evaluate({ geometry: plot }, NOW));
    expect([code, details.allowed]).toEqual(["GEOMETRY_TOO_COMPLEX", ANSWER_WORK]);
  });

  it("keeps the numbers of overlaps whose geometries no longer fit", () => {
    const teeth = createCombRing(0, 0, 1, 1, 60);
    const across = reverseRing(teeth.map((_, i) => teeth[i ^ 1]!));
    const areas = Array.from({ length: 12 }, (_, i) =>
      across.map((x, k) => (k % 2 === 0 ? x : x + i * 1e-5)),
    );
    const engine = openEngine([makeAreaSource("t:a", areas)]);
    const numbers = engine.intersections(toGeometry(teeth)).matches;
    const { matches } = engine.intersections(toGeometry(teeth), { geometry: "overlap" });
    const drawn = matches.filter(({ geometry }) => geometry !== null);
    const left = matches.filter(({ geometry_status }) => geometry_status === "too_complex");
    expect(drawn.length + left.length).toBe(12);
    expect(Math.min(drawn.length, left.length)).toBeGreaterThan(0);
    expect(left.every(({ geometry }) => geometry === null)).toBe(true);
    // Matches with a geometry come first, in the order of the answer.
    expect(matches.slice(0, drawn.length)).toEqual(drawn);
    expect(matches.map(({ geometry: _, geometry_status: __, ...rest }) => rest)).toEqual(numbers);
  });

  it("leaves out a region that no check compares", () => {
    // Two combs that cross each other everywhere: their union is beyond any budget, their number is not.
    const fine = createCombRing(0, 0, 1, 1, 10_000);
    const engine = openEngine([makeAreaSource("t:a", [fine, reverseRing(fine.map((_, i) => fine[i ^ 1]!))])]);
    const query = (measure?: string) =>
      engine
        .compile({
          sets: { a: { sources: ["t:a"] } },
          checks: [{ id: "c", set: "a", ...(measure !== undefined && { measure }), outcome: "NOTICE" }],
        })
        .evaluate({ geometry: toGeometry(createBoxRing(-1, -1, 2, 2)) }, NOW).checks[0]!.comparisons[0]!
        .value;
    expect(query()).toBe(2);
    expect(query("max_overlap_area_m2")).toBeGreaterThan(0);
    expect(catchRefusal(() => query("overlap_area_m2")).code).toBe("GEOMETRY_TOO_COMPLEX");
  });

  it("counts lines by the areas they meet, not by their edges times the areas", () => {
    const areas = Array.from({ length: 3000 }, (_, i) => {
      const [x, y] = [(i % 60) * 0.1, Math.floor(i / 60) * 0.1];
      return createBoxRing(x, y, x + 0.05, y + 0.05);
    });
    const engine = openEngine([makeAreaSource("t:a", areas)]);
    const zigzag = toRing(
      Array.from({ length: 400 }, (_, i) => [(i / 400) * 6, i % 2 === 0 ? 0 : 5] as const),
    );
    const line = { type: "LineString", coordinates: toGeometry(zigzag).coordinates[0]![0]!.slice(0, -1) };
    const { code } = catchRefusal(() => engine.intersections(line));
    expect(code).toBe("GEOMETRY_TOO_COMPLEX");
    const short = { type: "LineString", coordinates: line.coordinates.slice(0, 12) };
    expect(engine.intersections(short).matches.length).toBeGreaterThan(50);
  });

  it("is counted part by part where each meets most areas, and refused as soon as it is too much", () => {
    const areas = Array.from({ length: 10_000 }, (_, i) => {
      const [x, y] = [(i % 100) * 0.1, Math.floor(i / 100) * 0.1];
      return createBoxRing(x, y, x + 0.05, y + 0.05);
    });
    const engine = openEngine([makeAreaSource("t:a", areas)]);
    const slivers = Array.from({ length: 4000 }, (_, i) => {
      const x = -10 + i * 0.005;
      return toRing([
        [x, -1],
        [x + 12, 11],
        [x + 11.999, 11],
      ]);
    });
    const { code, details } = catchRefusal(() => engine.intersections(toGeometry(...slivers)));
    expect(code).toBe("GEOMETRY_TOO_COMPLEX");
    expect(details.counted).toBeLessThan(1.05 * ANSWER_WORK);
  });

  it("is little for strips side by side and aslant, though the box of each holds corners of most others", () => {
    const strips = Array.from({ length: 6000 }, (_, i) => {
      const x = i * 0.001;
      return toRing([
        [x, 0],
        [x + 10, 10],
        [x + 9.9998, 10],
      ]);
    });
    const engine = openEngine([makeAreaSource("t:a", [createBoxRing(50, 50, 51, 51)])]);
    const work = (count: number): number => {
      const meter = new WorkMeter();
      parsePlot(toGeometry(...strips.slice(0, count)), { meter });
      return meter.counted;
    };
    expect(work(6000)).toBeLessThan(8 * work(1000));
    expect(engine.intersections(toGeometry(...strips)).matches).toEqual([]);
  });

  it("counts what filters compare, patterns by the characters they try", () => {
    const writer = createAreaWriter({ source_name: "t:a", kind: "leaf" });
    for (let i = 0; i < 500; i++) {
      const [x, y] = [(i % 25) * 0.1, Math.floor(i / 25) * 0.1];
      const ring = createBoxRing(x, y, x + 0.05, y + 0.05);
      writer.add({
        id: `${i}`,
        name: "a".repeat(400),
        countryIso3: null,
        polygons: [[ring]],
        properties: {},
      });
    }
    const engine = openEngine([{ bytes: joinFileBytes(writer.finish()) }]);
    const query = (pattern: string) => () =>
      engine
        .compile({
          sets: { a: { sources: ["t:a"], where: { op: "like", args: [{ property: "name" }, pattern] } } },
          checks: [{ id: "c", set: "a", outcome: "NOTICE" }],
        })
        .evaluate({ geometry: toGeometry(createBoxRing(-1, -1, 4, 4)) }, NOW);
    expect(query("a%")().checks[0]!.comparisons[0]!.value).toBe(500);
    const { code, details } = catchRefusal(query(`%${"a".repeat(200)}b`));
    expect([code, details.allowed]).toEqual(["GEOMETRY_TOO_COMPLEX", ANSWER_WORK]);
  });
});
