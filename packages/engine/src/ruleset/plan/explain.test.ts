import { createSeededRandom } from "@groundrule/testing/random";
import { BOW_TIE, createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import type { Box } from "../../../test/planar-kernel.ts";
import { type CaseFile, makeSnapshotBytes, toBoxesGeometry } from "../../../test/ruleset-cases.ts";
import { EngineError } from "../../base/errors.ts";
import { type Engine, openEngine } from "../../engine.ts";
import { explainQuestion } from "../../explain-question.ts";

const random = createSeededRandom(20_261);
const randomBox = (spread: number, size: number): Box => {
  const [west, south] = [random.integer(spread), random.integer(spread)];
  return [west, south, west + 1 + random.integer(size), south + 1 + random.integer(size)];
};
const SOURCES: CaseFile["sources"] = {
  "demo:parks": {
    collected_at: "2026-06-01T00:00:00Z",
    areas: Array.from({ length: 300 }, (_, i) => ({ id: `p${i}`, boxes: [randomBox(400, 12)] })),
  },
  "demo:lands": {
    areas: Array.from({ length: 40 }, (_, i) => ({ id: `l${i}`, boxes: [randomBox(400, 60)] })),
  },
  "demo:listed": {
    schemes: ["us:ein"],
    records: [{ id: "r", identifiers: [{ scheme: "us:ein", value: "1" }] }],
  },
};

function open(failed: readonly string[] = []): Engine {
  const inputs = Object.entries(SOURCES).map(([name, data]) => {
    const bytes = makeSnapshotBytes(name, data);
    if (!failed.includes(name)) return { bytes };
    return { manifest: { source_name: name, kind: "leaf" as const }, failed: "provider timed out" };
  });
  return openEngine(inputs, { groups: { demo: ["demo:parks", "demo:lands"] } });
}

const RULESET = {
  name: "plots",
  sets: {
    near: { sources: ["demo:parks"], within_m: 2000 },
    on: { sources: ["demo"], where: "name IS NULL  or(category = 'x')" },
    both: { intersection: ["near", "on"] },
    listed: { registers: ["demo:listed"], asks: "owner" },
  },
  checks: [
    { id: "both", set: "both", measure: "overlap_area_m2", outcome: "WARNING" },
    { id: "owner", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};
const PLOT: readonly Box[] = [[100, 100, 140, 140]];
const GEOMETRY = toBoxesGeometry(PLOT);

describe("explain", () => {
  it("lists sources, sets, checks and the order of work of an evaluation", () => {
    const engine = open();
    const { plan } = explainQuestion(engine, {
      ask: "evaluate",
      ruleset: RULESET,
      input: { geometry: GEOMETRY },
    });
    expect(plan.ruleset).toEqual({ name: "plots", version: null, digest: engine.compile(RULESET).digest });
    expect(plan.input.geometry).toEqual({
      dimension: "polygon",
      position_count: 5,
      bbox: [0.1, 0.1, 0.14, 0.14],
    });
    expect(plan.sources.map(({ source_name, within_m }) => [source_name, within_m])).toEqual([
      ["demo:lands", undefined],
      ["demo:listed", undefined],
      ["demo:parks", 2000],
    ]);
    expect(plan.sources[2]).toMatchObject({
      status: "ok",
      feature_count: 300,
      collected_at: "2026-06-01T00:00:00Z",
    });
    expect(plan.sets.map(({ name, needs }) => [name, ...needs])).toEqual([
      ["near", "geometry"],
      ["on", "geometry"],
      ["both", "geometry"],
      ["listed", "identifier:owner"],
    ]);
    expect(plan.sets.map(({ where }) => where)).toEqual([
      undefined,
      "name IS NULL OR category = 'x'",
      undefined,
      undefined,
    ]);
    expect(plan.sets[2]!.operands).toEqual({ op: "intersection", sets: ["near", "on"] });
    expect(plan.sets[1]!.sources.map(({ edition }) => edition)).toEqual(
      ["demo:lands", "demo:parks"].map(
        (name) => plan.sources.find(({ source_name }) => source_name === name)!.edition,
      ),
    );
    expect(plan.steps).toEqual([
      { do: "measure", source_name: "demo:parks", within_m: 2000 },
      { do: "select", set: "near" },
      { do: "measure", source_name: "demo:lands" },
      { do: "select", set: "on" },
      { do: "select", set: "both" },
      { do: "look_up", source_name: "demo:listed" },
      { do: "select", set: "listed" },
      { do: "judge", check: "both" },
      { do: "judge", check: "owner" },
    ]);
    expect(plan.refusals).toMatchObject([{ code: "INPUT_INCOMPLETE", pointer: "/scheme" }]);
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it("counts no fewer candidates than areas are found, and the same each time", () => {
    const engine = open();
    for (let i = 0; i < 60; i++) {
      const geometry = toBoxesGeometry([randomBox(420, 40)]);
      const found = engine.intersections(geometry).sources;
      const { plan } = explainQuestion(engine, { ask: "intersections", geometry });
      expect(explainQuestion(engine, { ask: "intersections", geometry }).plan).toEqual(plan);
      const options = { maxDistanceMeters: random.integer(20_000) };
      const near = engine.distance(geometry, options).sources;
      const nearPlan = explainQuestion(engine, { ask: "distance", geometry, options }).plan;
      expect(nearPlan.steps[0]).toMatchObject({ do: "measure", within_m: options.maxDistanceMeters });
      for (const [s, { candidates, feature_count }] of plan.sources.entries()) {
        expect(candidates).toBeGreaterThanOrEqual(found[s]!.matched);
        expect(nearPlan.sources[s]!.candidates).toBeGreaterThanOrEqual(near[s]!.matched);
        expect(nearPlan.sources[s]!.candidates).toBeLessThanOrEqual(feature_count);
      }
    }
  });

  it("counts candidates of longitudes that run on past the antimeridian", () => {
    const engine = open();
    const shifted = {
      type: "Polygon",
      coordinates: [createBoxPositions(360, 0, 360.4, 0.4)],
    };
    const plain = {
      type: "Polygon",
      coordinates: [createBoxPositions(0, 0, 0.4, 0.4)],
    };
    const count = (geometry: object) =>
      explainQuestion(engine, { ask: "intersections", geometry }).plan.sources.map(
        ({ candidates }) => candidates,
      );
    expect(count(shifted)).toEqual(count(plain));
    expect(count(plain)[1]).toBeGreaterThan(250);
  });

  it("reads no candidate of a failed source, and names it where it can leave a check open", () => {
    const engine = open(["demo:lands"]);
    const { plan } = explainQuestion(engine, { ask: "evaluate", ruleset: RULESET, input: {} });
    expect(plan.sources[0]).toMatchObject({
      status: "failed",
      reason: "provider timed out",
      candidates: null,
    });
    expect(plan.checks.map(({ failed_sources }) => failed_sources)).toEqual([["demo:lands"], []]);
    expect(plan.steps).not.toContainEqual({ do: "measure", source_name: "demo:lands" });
    expect(plan.refusals.map(({ pointer }) => pointer)).toEqual(["/geometry", "/geometry", "/scheme"]);
  });

  it("plans a look-up, and refuses what the question would refuse", () => {
    const engine = open();
    const { plan } = explainQuestion(engine, { ask: "subjects", scheme: { type: "us:ein", value: "1" } });
    expect(plan.steps).toEqual([{ do: "look_up", source_name: "demo:listed" }]);
    expect(plan.input.schemes).toEqual([{ type: "us:ein" }]);
    const refused = (ask: () => unknown): string => {
      try {
        ask();
      } catch (error) {
        if (error instanceof EngineError) return error.code;
      }
      return "";
    };
    expect([
      refused(() => explainQuestion(engine, { ask: "subjects", scheme: { type: "br:cpf", value: "1" } })),
      refused(() => explainQuestion(engine, { ask: "intersections", geometry: BOW_TIE })),
      refused(() =>
        explainQuestion(engine, { ask: "distance", geometry: GEOMETRY, options: { maxDistanceMeters: -1 } }),
      ),
      refused(() =>
        explainQuestion(engine, { ask: "evaluate", ruleset: { sets: {}, checks: [] }, input: {} }),
      ),
    ]).toEqual(["SCHEME_UNSUPPORTED", "GEOMETRY_INVALID", "VALIDATION_FAILED", "RULESET_INVALID"]);
  });
});
