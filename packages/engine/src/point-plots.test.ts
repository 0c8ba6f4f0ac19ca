import { createSeededRandom } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { makeBoxSnapshot } from "../test/box-snapshot.ts";
import { type Engine, openEngine } from "./engine.ts";
import { explainInput, explainQuestion } from "./explain-question.ts";
import { parseRecord, verdictRecord } from "./records/record.ts";
import { replayRecord } from "./records/replay.ts";
import type { EvaluationInput } from "./ruleset/compile/evaluation-input.ts";
import { createAreaWriter } from "./snapshot/write/writer.ts";
import { roundSquareMeters } from "./verdict/rounding.ts";
import type { Evaluation } from "./verdict/verdict.ts";

const NOW = { now: "2026-11-22T12:00:00Z" };
const RULESET = {
  sets: {
    parks: { sources: ["demo:parks"] },
    near: { sources: ["demo:parks"], within_m: 5000 },
    covering: { sources: ["demo:parks"], relation: "covers" },
  },
  checks: [
    { id: "park", set: "parks", measure: "overlap_ratio", op: ">", value: 0.25, outcome: "NON_COMPLIANT" },
    { id: "area", set: "parks", measure: "overlap_area_m2", value: 1000, outcome: "WARNING" },
    { id: "near", set: "near", measure: "min_distance_m", op: "<", value: 500, outcome: "WARNING" },
    { id: "covered", set: "covering", outcome: "NOTICE" },
  ],
};
const point = (lon: number, lat: number): object => ({ type: "Point", coordinates: [lon, lat] });
const engine = openEngine([makeBoxSnapshot("demo:parks", [10, 0, 11, 1])]);
const evaluate = (input: EvaluationInput, on: Engine = engine): Evaluation =>
  on.compile(RULESET).evaluate(input, NOW);
const refused = (input: EvaluationInput) => catchRefusal(() => evaluate(input));

describe("a point with an area", () => {
  it("is judged as its disc, which the verdict shows with its area and extent", () => {
    const { input, verdict, checks } = evaluate({ geometry: point(10.5, 0.5), area_ha: 4 });
    expect(verdict).toBe("NON_COMPLIANT");
    expect(input.area_m2).toBe(40_000);
    expect(input.disc?.type).toBe("Polygon");
    expect(input.disc?.coordinates[0]).toHaveLength(65);
    const [west, south, east, north] = input.bbox!;
    expect([west < 10.5, east > 10.5, south < 0.5, north > 0.5]).toEqual([true, true, true, true]);
    expect(checks.map(({ triggered }) => triggered)).toEqual([true, true, true, true]);
    // Half a disc lies in the park, and its centre on the border.
    const half = evaluate({ geometry: point(10, 0.5), area_ha: 4 });
    expect(half.checks[0]!.comparisons[0]!.value).toBeCloseTo(0.5, 5);
    expect(half.checks[3]!.triggered).toBe(false);
  });

  it("shows no disc where a polygon is judged", () => {
    const { disc } = evaluate({ geometry: point(10.5, 0.5), area_ha: 4 }).input;
    const { input } = evaluate({ geometry: disc! });
    expect(input).not.toHaveProperty("disc");
  });

  it("may come in another CRS", () => {
    const moved = openEngine([makeBoxSnapshot("demo:parks", [10, 0, 11, 1])], {
      crs: {
        codes: [3857],
        find: (code) =>
          code === 3857
            ? {
                transform: (position) => {
                  position[0] /= 100_000;
                  position[1] /= 100_000;
                },
                areas: [[-180, -90, 180, 90]],
                isProjected: true,
              }
            : undefined,
      },
    });
    const there = evaluate(
      { geometry: point(1_050_000, 50_000), crs: "EPSG:3857", area_ha: 2.5 },
      moved,
    ).input;
    expect(there.disc).toEqual(evaluate({ geometry: point(10.5, 0.5), area_ha: 2.5 }).input.disc);
  });

  it("has a digest of its own for each area; inputs without an area keep theirs", () => {
    const readDigest = (input: EvaluationInput) => evaluate(input).input.digest;
    const geometry = point(10.5, 0.5);
    const digests = [4, 4.000001, 5].map((area_ha) => readDigest({ geometry, area_ha }));
    expect(new Set(digests).size).toBe(3);
    const polygon = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    };
    // As every release gave it.
    expect(readDigest({ geometry: polygon })).toBe(
      "32ca1bb1ab7385c427a929fe79fe8fc8fb4ec9d8711463ff96df9dffaa1baf70",
    );
    expect(readDigest({ geometry: polygon, area_ha: null as never })).toBe(readDigest({ geometry: polygon }));
  });

  it("is incomplete without its area, whatever the question, and the plan states that", () => {
    const geometry = { type: "Feature", geometry: point(10.5, 0.5), properties: { Area: 4 } };
    const message =
      "found points without an area, expected area_ha, the hectares around each point: give it, or send the land as a Polygon";
    const faults = [{ pointer: "/area_ha", code: "INPUT_INCOMPLETE", message }];
    expect(refused({ geometry })).toMatchObject({ code: "INPUT_INCOMPLETE", message, details: { faults } });
    const { plan } = explainQuestion(engine, { ask: "evaluate", ruleset: RULESET, input: { geometry } });
    expect([plan.refusals, plan.input.geometry?.dimension]).toEqual([faults, "point"]);
    const complete = explainQuestion(engine, {
      ask: "evaluate",
      ruleset: RULESET,
      input: { geometry, area_ha: 4 },
    });
    expect(complete.plan.refusals).toEqual([]);
    expect(complete.plan.input.geometry).toMatchObject({ dimension: "polygon", position_count: 65 });
    expect(explainInput(engine, { geometry, area_ha: 4 })).toEqual({
      input: complete.plan.input,
      warnings: [],
    });
  });

  it("is refused with an area out of range, beside a polygon or a line, or without a geometry", () => {
    const geometry = point(10.5, 0.5);
    for (const area_ha of [0, 0.00009, 100_000.1, -4, Number.NaN, "4" as never]) {
      const { code, details } = refused({ geometry, area_ha });
      expect([code, details.faults?.[0]?.pointer]).toEqual(["VALIDATION_FAILED", "/area_ha"]);
    }
    for (const area_ha of [0.0001, 100_000]) {
      expect(evaluate({ geometry, area_ha }).input.area_m2).toBe(area_ha * 10_000);
    }
    const { disc } = evaluate({ geometry, area_ha: 4 }).input;
    for (const input of [{ geometry: disc!, area_ha: 4 }, { area_ha: 4 }]) {
      const { code, details } = refused(input);
      expect([code, details.faults?.[0]]).toMatchObject([
        "VALIDATION_FAILED",
        { pointer: "/area_ha", code: "AREA_NOT_OF_POINTS" },
      ]);
    }
    const line = {
      type: "LineString",
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    };
    for (const input of [{ geometry: line }, { geometry: line, area_ha: 4 }]) {
      expect(refused(input)).toMatchObject({
        code: "VALIDATION_FAILED",
        details: { faults: [{ pointer: "/geometry/type" }] },
      });
    }
  });

  it("is replayed from its record to the same verdict, the disc included", () => {
    for (const input of [
      { geometry: point(10, 0.5), area_ha: 4 },
      {
        geometry: {
          type: "MultiPoint",
          coordinates: [
            [10, 0.5],
            [10.001, 0.5],
            [12, 0],
          ],
        },
        area_ha: 4,
      },
    ]) {
      const policy = engine.compile(RULESET);
      const recorded = { input, ruleset: RULESET, policy, groups: {}, engineVersion: "1.2.3" };
      const text = JSON.stringify(verdictRecord(recorded, policy.evaluate(input, NOW)));
      const record = parseRecord(JSON.parse(text));
      expect(JSON.stringify(record)).toBe(text);
      expect(replayRecord(engine, record)).toMatchObject({ result: "identical", differs: [] });
      const moved = parseRecord(JSON.parse(text.replace('"area_ha":4', '"area_ha":5')));
      expect(replayRecord(engine, moved)).toMatchObject({ result: "differs", differs: ["input"] });
    }
  });

  const SEED = 20261122;
  const PLOTS = Number(process.env.GROUNDRULE_FULL ? 5_000 : 300);
  it(`has the verdict of its disc sent as a polygon, but for the input's digest, on ${PLOTS} plots (seed ${SEED})`, () => {
    const random = createSeededRandom(SEED);
    const writer = createAreaWriter({ source_name: "demo:parks", kind: "leaf" });
    for (let i = 0; i < 40; i++) {
      const [lon, lat] = [random.between(-181, 181), random.between(-89, 89)];
      const ring = Float64Array.of(lon, lat, lon + 2, lat, lon + 2, lat + 0.9, lon, lat);
      writer.add({ id: `${i}`, name: null, countryIso3: null, polygons: [[ring]], properties: {} });
    }
    const world = openEngine([joinFileBytes(writer.finish())]);
    const corners = world
      .intersections(
        {
          type: "Polygon",
          coordinates: [
            [
              [-179, -90],
              [0, -90],
              [179, -90],
              [179, 90],
              [0, 90],
              [-179, 90],
              [-179, -90],
            ],
          ],
        },
        { geometry: "area" },
      )
      .matches.flatMap(({ geometry }) => geometry!.coordinates.flat(2) as unknown as number[][]);
    expect(corners.length).toBeGreaterThan(100);
    let triggered = 0;
    for (let i = 0; i < PLOTS; i++) {
      const area_ha = Number((10 ** random.between(-4, 5)).toPrecision(4));
      const reach = Math.sqrt(area_ha / Math.PI) / 1110;
      const points = Array.from({ length: 1 + random.integer(3) }, () => {
        const [lon, lat] = corners[random.integer(corners.length)]!;
        return [
          lon! + random.between(-1, 1) * reach,
          Math.max(-89, Math.min(89, lat! + random.between(-1, 1) * reach)),
        ];
      });
      const geometry = { type: "MultiPoint", coordinates: points };
      const ofPoint = evaluate({ geometry, area_ha }, world);
      const { disc, ...input } = ofPoint.input;
      const ofDisc = evaluate({ geometry: disc! }, world);
      expect({ ...input, digest: "" }).toEqual({ ...ofDisc.input, digest: "" });
      expect(ofPoint.checks).toEqual(ofDisc.checks);
      expect(ofPoint.verdict).toBe(ofDisc.verdict);
      if (points.length === 1) expect(input.area_m2).toBe(roundSquareMeters(area_ha * 10_000));
      triggered += ofPoint.checks.filter((check) => check.triggered).length;
    }
    expect(triggered).toBeGreaterThan(PLOTS);
  });
});
