import { createSeededRandom } from "@groundrule/testing/random";
import { catchRefusal } from "@groundrule/testing/refusal";
import { BOW_TIE, createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { candidateAreas, MAX_CANDIDATES } from "./areas/candidate-areas.ts";
import { snapshotOf } from "./areas/snapshot-of.ts";
import { openEngine } from "./engine.ts";
import { explainQuestion } from "./explain-question.ts";
import { lintRuleset } from "./lint-ruleset.ts";
import { parseRecord, verdictRecord } from "./records/record.ts";
import { replayRecord } from "./records/replay.ts";
import type { EvaluateOptions } from "./ruleset/compile/policy.ts";
import type { StoredManifest } from "./snapshot/manifest.ts";
import type { CandidateArea } from "./sources/live-source.ts";

const square = (west: number, south: number, side = 1): object => ({
  type: "Polygon",
  coordinates: [createBoxPositions(west, south, west + side, south + side)],
});

const manifest: StoredManifest = {
  source_name: "live:parks",
  kind: "leaf",
  category: "park",
  coverage: "global",
  coverage_known: "declared",
  columns: { kind: "string", since: "date", rank: "number" },
};

const candidates: readonly CandidateArea[] = [
  { id: "b", name: "B", country_iso3: "BRA", geometry: square(1, 1), properties: { kind: "x", rank: 2 } },
  { id: "a", geometry: square(0, 0), properties: { since: "2020-01-31" } },
];

const ruleset = {
  sets: { parks: { sources: ["live:parks"] } },
  checks: [{ id: "in-park", set: "parks", outcome: "NON_COMPLIANT" }],
} as const;

const now = "2026-01-01T00:00:00Z";
const input = { geometry: square(0.5, 0.5) };

describe("a live source", () => {
  const engine = openEngine([{ manifest, live: true }], { candidates: candidateAreas });

  it("fails without an answer, and is no failure of the engine", () => {
    const policy = engine.compile(ruleset);
    const verdict = policy.evaluate(input, { now });
    expect(verdict).toMatchObject({ verdict: "DEGRADED", at_least: "COMPLIANT" });
    expect(verdict.sources).toEqual([
      { source_name: "live:parks", status: "failed", matched: 0, reason: "the live source was not queried" },
    ]);
    expect(engine.failures()).toEqual([]);
  });

  it("is queried for what lies on the property too, and answers for it", () => {
    const onProperty = {
      ...ruleset,
      checks: [{ ...ruleset.checks[0], measure: "count", op: ">", value: 1, on: "property" }],
    } as const;
    const around = { geometry: square(0.9, 0.9, 0.05), property: square(0.5, 0.5, 0.8) };
    const policy = engine.compile(onProperty);
    const [need] = policy.liveNeeds(around);
    const isQueried = (lon: number, lat: number): boolean =>
      need!.boxes.some(
        ([west, south, east, north]) => west <= lon && lon <= east && south <= lat && lat <= north,
      );
    expect([isQueried(0.92, 0.92), isQueried(1.2, 1.2), isQueried(5, 5)]).toEqual([true, true, false]);
    const { checks } = policy.evaluate(around, { now, provided: { "live:parks": { candidates } } });
    expect(checks[0]!.evidence.map((one) => [one.source_id, "on" in one && one.on])).toEqual([
      ["a", "property"],
      ["b", "property"],
    ]);
  });

  it("answers with the edition of the snapshot of its candidates", () => {
    const policy = engine.compile(ruleset);
    const verdict = policy.evaluate(input, { now, provided: { "live:parks": { candidates } } });
    expect(verdict.verdict).toBe("NON_COMPLIANT");
    const features = [...candidates].reverse().map(({ id, name, country_iso3, geometry, properties }) => ({
      type: "Feature",
      geometry,
      properties: { kind: null, since: null, rank: null, ...properties, id, name, iso: country_iso3 },
    }));
    const built = snapshotOf("live:parks", features, {
      id: "id",
      name: "name",
      country: "iso",
      category: "park",
      coverage: "global",
      columns: manifest.columns,
      properties: ["kind", "since", "rank"],
    });
    expect(verdict.sources[0]).toEqual({
      source_name: "live:parks",
      status: "ok",
      edition: built.edition,
      collected_at: now,
      age_days: 0,
      matched: 2,
      left_out: 0,
      coverage: "full",
    });
  });

  it("keeps its own time of collection, where the manifest declares one", () => {
    const dated = { ...manifest, collected_at: "2025-12-01T00:00:00Z" };
    const policy = openEngine([{ manifest: dated, live: true }], { candidates: candidateAreas }).compile(
      ruleset,
    );
    const { sources } = policy.evaluate(input, { now, provided: { "live:parks": { candidates } } });
    expect(sources[0]).toMatchObject({ collected_at: "2025-12-01T00:00:00Z", age_days: 31 });
  });

  it("answers the same whatever the order of its candidates, and takes one that came twice for one", () => {
    const policy = engine.compile(ruleset);
    const of = (areas: readonly CandidateArea[]) =>
      policy.evaluate(input, { now, provided: { "live:parks": { candidates: areas } } });
    expect(of([...candidates, candidates[0]!].reverse())).toEqual(of(candidates));
  });

  it("repairs its candidates as a build does, to the same digest, and counts those that are no areas", () => {
    const random = createSeededRandom(5);
    for (let i = 0; i < 60; i++) {
      const areas = Array.from({ length: 8 }, (_, k): CandidateArea => {
        const ring = Array.from({ length: 2 + random.integer(9) }, () => [
          random.integer(6) / 2,
          random.integer(6) / 2,
        ]);
        return { id: `${k}`, geometry: { type: "Polygon", coordinates: [[...ring, ring[0]]] } };
      });
      const features = areas.map(({ id, geometry }) => ({ type: "Feature", geometry, properties: { id } }));
      const options = { id: "id", category: "park", coverage: "global", onFault: "leaveOut" } as const;
      const built = snapshotOf("live:parks", features, { ...options, properties: [] });
      const none = openEngine([{ manifest: { ...manifest, columns: {} }, live: true }], {
        candidates: candidateAreas,
      });
      const { sources } = none.intersections(square(0.2, 0.2, 2), {
        provided: { "live:parks": { candidates: areas } },
      });
      expect(sources[0]).toMatchObject({ edition: built.edition, left_out: built.leftOut });
    }
  });

  it.each([
    ["an id that is no text", [{ id: 7, geometry: BOW_TIE }], "found 7 as the id of candidate 1"],
    ["nothing at all", [null], "found nothing as the id of candidate 1"],
    [
      "a value of another type",
      [{ id: "a", geometry: BOW_TIE, properties: { rank: "2" } }],
      'found "2" in column "rank" of candidate "a", expected a number or null',
    ],
    [
      "a day that there is not",
      [{ id: "a", geometry: BOW_TIE, properties: { since: "2021-02-30" } }],
      'in column "since" of candidate "a", expected a date or null',
    ],
    [
      "two areas of one id",
      [
        { id: "a", geometry: square(0, 0) },
        { id: "a", geometry: square(0, 1) },
      ],
      'two areas have the id "a"',
    ],
  ])("fails with a reason for %s", (_, answer, reason) => {
    const policy = engine.compile(ruleset);
    const areas = answer as unknown as readonly CandidateArea[];
    const { verdict, sources } = policy.evaluate(input, {
      now,
      provided: { "live:parks": { candidates: areas } },
    });
    expect(verdict).toBe("DEGRADED");
    expect(sources[0]).toMatchObject({ status: "failed", reason: expect.stringContaining(reason) });
  });

  it.each([
    [
      "more areas than it may have",
      {
        candidates: Array.from({ length: MAX_CANDIDATES + 1 }, (_, i) => ({ id: `${i}`, geometry: BOW_TIE })),
      },
      { unit: "areas", found: MAX_CANDIDATES + 1, allowed: MAX_CANDIDATES },
    ],
    [
      "areas that take too much work to check",
      { candidates: [{ id: "a", geometry: makeComb(3_000) }] },
      { unit: "units of work" },
    ],
    [
      "more than the source gives for one question",
      { excess: { unit: "bytes", found: 80, allowed: 70 } },
      { unit: "bytes", found: 80, allowed: 70 },
    ],
  ] as const)(
    "refuses a question that wants %s, and tells nothing of the other sources",
    (_, answer, details) => {
      const options = { now, provided: { "live:parks": answer } };
      const evaluate = () => engine.compile(ruleset).evaluate(input, options);
      const intersect = () => engine.intersections(square(0, 0), options);
      for (const query of "excess" in answer ? [evaluate, intersect] : [evaluate]) {
        expect(catchRefusal(query)).toMatchObject({
          code: "GEOMETRY_TOO_COMPLEX",
          message: expect.stringContaining('of the live source "live:parks" near the plot, expected at most'),
          details: { source_name: "live:parks", ...details },
        });
      }
    },
  );

  it("reports the reason that its caller gave", () => {
    const { sources } = engine.distance(square(3, 3), {
      maxDistanceMeters: 10,
      provided: { "live:parks": { failed: "no answer within 50 ms" } },
    });
    expect(sources).toEqual([
      { source_name: "live:parks", status: "failed", matched: 0, reason: "no answer within 50 ms" },
    ]);
  });

  it.each([
    ["a name that is no live source", { "live:park": { candidates: [] } }, "/provided/live:park"],
    ["neither candidates nor a failure", { "live:parks": {} }, "/provided/live:parks"],
    ["an excess without numbers", { "live:parks": { excess: { unit: "areas" } } }, "/provided/live:parks"],
    ["a list", [], "/provided"],
    ["nothing", { "live:parks": null }, "/provided/live:parks"],
  ])("refuses as provided %s", (_, provided, pointer) => {
    const options = { now, provided: provided as never };
    for (const query of [
      () => engine.compile(ruleset).evaluate(input, options),
      () => engine.intersections(square(0, 0), options),
    ]) {
      expect(catchRefusal(query)).toMatchObject({
        code: "VALIDATION_FAILED",
        details: { faults: [{ pointer }] },
      });
    }
  });

  it("needs no answer where the input has no plot, and is not queried", () => {
    const subjects = {
      sets: { parks: { sources: ["live:parks"] }, also: { sources: ["live:parks"], within_m: 10_000 } },
      checks: [{ id: "parks", set: "parks", outcome: "WARNING" }],
    };
    const policy = engine.compile(subjects);
    expect(catchRefusal(() => policy.liveNeeds({})).code).toBe("INPUT_INCOMPLETE");
    const [need] = policy.liveNeeds(input);
    // A set that no check uses queries nothing.
    expect(need!.boxes[0]![0]).toBeGreaterThan(0.499);
  });

  it("is listed, explained and linted as what it is", () => {
    expect(engine.sources()[0]).toMatchObject({
      source_name: "live:parks",
      kind: "leaf",
      feature_count: 0,
      live: true,
    });
    const { plan } = explainQuestion(engine, { ask: "evaluate", ruleset, input });
    expect(plan.sources[0]).toMatchObject({ status: "ok", live: true, candidates: null });
    expect(plan.checks[0]!.failed_sources).toEqual([]);
    expect(plan.steps[0]).toEqual({ do: "measure", source_name: "live:parks" });
    expect(lintRuleset(engine, ruleset).map(({ code }) => code)).not.toContain("SOURCE_FAILED");
    const typed = { ...ruleset, sets: { parks: { sources: ["live:parks"], where: "rank = 'x'" } } };
    expect(catchRefusal(() => engine.compile(typed)).code).toBe("RULESET_INVALID");
  });

  it.each([
    ["no columns", { ...manifest, columns: undefined }, "/sources/0/manifest/columns"],
    ["another kind", { ...manifest, kind: "subject_register" }, "/sources/0/manifest/kind"],
    ["a coverage whose territory is not there", { ...manifest, coverage: ["BRA"] }, "/sources/0/blank"],
  ])("is refused with %s", (_, answer, pointer) => {
    const refusal = catchRefusal(() => openEngine([{ manifest: answer as StoredManifest, live: true }]));
    expect(refusal).toMatchObject({ code: "VALIDATION_FAILED", details: { faults: [{ pointer }] } });
  });

  it("reports what an engine without a reader of candidates lacks", () => {
    const bare = openEngine([{ manifest, live: true }]);
    const { sources } = bare.intersections(square(0, 0), { provided: { "live:parks": { candidates } } });
    expect(sources[0]).toMatchObject({ status: "failed", reason: expect.stringContaining("candidateAreas") });
  });
});

describe("a record of a verdict over a live source", () => {
  const engine = openEngine([{ manifest, live: true }], { candidates: candidateAreas });
  const policy = engine.compile(ruleset);
  const record = (provided: EvaluateOptions["provided"]) => {
    const evaluation = policy.evaluate(input, { now, provided });
    const recorded = { input, ruleset, policy, groups: {}, engineVersion: "1.2.3", provided };
    return JSON.parse(JSON.stringify(verdictRecord(recorded, evaluation)));
  };

  it.each([
    ["what it answered", { "live:parks": { candidates } }, "NON_COMPLIANT"],
    ["why it failed", { "live:parks": { failed: "no answer within 50 ms" } }, "DEGRADED"],
  ])("holds %s, and is replayed from it alone", (_, provided, verdict) => {
    const written = record(provided);
    expect(written.request.provided).toEqual(JSON.parse(JSON.stringify(provided)));
    const read = parseRecord(written);
    const again = openEngine(
      Object.values(read.request.live!).map((live) => ({ ...live, live: true as const, blank: undefined })),
      { candidates: candidateAreas },
    );
    expect(replayRecord(again, read)).toMatchObject({ result: "identical", verdict: { replayed: verdict } });
  });

  it("is another one once a candidate is", () => {
    const written = record({ "live:parks": { candidates } });
    written.request.provided["live:parks"].candidates[0].geometry = square(1, 1, 2);
    expect(replayRecord(engine, parseRecord(written))).toMatchObject({
      result: "differs",
      differs: ["edition"],
    });
    written.request.provided["live:parks"] = { candidates: 7 };
    expect(catchRefusal(() => parseRecord(written)).code).toBe("VALIDATION_FAILED");
  });
});

/** Teeth that cross one another: as many crossings as there are pairs. */
function makeComb(teeth: number): object {
  const ring: number[][] = [];
  for (let i = 0; i < teeth; i++) ring.push([i / teeth, i % 2], [1 - i / teeth, (i + 1) % 2]);
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}
