import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { EngineError } from "../src/base/errors.ts";
import { type Engine, openEngine } from "../src/engine.ts";
import { explainQuestion } from "../src/explain-question.ts";
import { lintRuleset } from "../src/lint-ruleset.ts";
import { parseRecord, verdictRecord } from "../src/records/record.ts";
import { replayRecord } from "../src/records/replay.ts";
import { compileRuleset } from "../src/ruleset/compile/compile.ts";
import { type EngineSource, SourceTable } from "../src/sources/source-table.ts";
import type { CheckResult, Verdict } from "../src/verdict/verdict.ts";
import { makeBoxSnapshot } from "./box-snapshot.ts";
import type { Question } from "./naive-evaluator.ts";
import { planarKernel } from "./planar-kernel.ts";
import { randomChance, randomQuestions } from "./random-rulesets.ts";
import { buildSourceTable, evaluatePlan, makeSnapshotBytes } from "./ruleset-cases.ts";

const SEED = 7_000;
const CASES = process.env.GROUNDRULE_FULL === undefined ? 60 : 20_000;
const NOW = "2026-11-20T00:00:00Z";

describe("an evaluation without sources", () => {
  it(`is that of ${CASES} random questions whose sources failed, but for its words, and needs nothing of them`, () => {
    const random = createSeededRandom(SEED);
    const counts = { cases: 0, open: 0, decided: 0 };
    for (const question of randomQuestions(SEED)) {
      if (counts.cases === CASES) break;
      const omitted = listNamedSources(question).filter(() => randomChance(random, 0.3));
      const failing = evaluateWithout(buildSourceTable(question.world, omitted), question);
      const found = evaluateWithout(buildSourceTable(question.world), question, omitted);
      if (omitted.length === 0 || "error" in failing || "error" in found) continue;
      counts.cases++;
      const at = `seed ${question.seed} without ${omitted}: ${JSON.stringify(question.ruleset)}`;
      expect(found.sources.filter(({ status }) => status === "without").map(getName), at).toEqual(omitted);
      expect([found.status, found.verdict], at).toEqual(["ok", found.at_least]);
      for (const [i, check] of found.checks.entries()) {
        expectAlike(check, failing.checks[i]!, at);
        if (check.status === "ok") counts.decided++;
        if (check.open?.some(({ because }) => because === "without")) counts.open++;
      }
      const names = shuffle(random, [...omitted, omitted[0]!]);
      expect(evaluateWithout(buildTableWithout(question, omitted), question, names), at).toEqual(found);
    }
    expect(counts.open).toBeGreaterThan(CASES / 3);
    expect(counts.decided).toBeGreaterThan(CASES / 3);
  });

  it(`decides nothing of ${CASES} random questions that the sources and groups left out could change`, () => {
    const random = createSeededRandom(SEED);
    let decided = 0;
    let cases = 0;
    for (const question of randomQuestions(2 * SEED)) {
      if (cases === CASES) break;
      const names = listNamedSources(question, true).filter(() => randomChance(random, 0.3));
      const whole = evaluateWithout(buildSourceTable(question.world), question);
      const found = evaluateWithout(buildSourceTable(question.world), question, names);
      if (names.length === 0 || "error" in whole || "error" in found) continue;
      cases++;
      for (const [i, { status, triggered }] of found.checks.entries()) {
        if (status !== "ok") continue;
        decided++;
        expect(triggered, `seed ${question.seed} without ${names}`).toBe(whole.checks[i]!.triggered);
      }
    }
    expect(decided).toBeGreaterThan(CASES / 3);
  });
});

describe("without", () => {
  const geometry = { type: "Polygon", coordinates: [createBoxPositions(0, 0, 1, 1)] };
  const scheme = { type: "us:ein", value: "12-3456789" };
  const input = { geometry, scheme };
  const ruleset = {
    sets: {
      parks: { sources: ["all:parks"] },
      lands: { sources: ["demo:lands"] },
      listed: { registers: ["all:lists"] },
    },
    checks: [
      { id: "parks", set: "parks", outcome: "NON_COMPLIANT" },
      { id: "lands", set: "lands", outcome: "WARNING" },
      { id: "listed", set: "listed", outcome: "NON_COMPLIANT" },
    ],
  };
  const far = makeBoxSnapshot("demo:far", [5, 5, 6, 6]);
  const near = makeBoxSnapshot("demo:near", [0.5, 0, 2, 1]);
  const lands = makeBoxSnapshot("demo:lands", [5, 5, 6, 6]);
  const list = makeSnapshotBytes("demo:list", { schemes: ["us:ein"], records: [] });
  const groups = { "all:parks": ["demo:far", "demo:near"], "all:lists": ["demo:list"] };
  const engine = openEngine(
    [far, near, lands, list].map((bytes) => ({ bytes })),
    { groups },
  );

  const evaluate = (without: readonly string[], on: Engine = engine): Verdict =>
    on.compile(ruleset, undefined, { without }).evaluate(input, { now: NOW });
  const listOpen = (verdict: Verdict): readonly unknown[] => verdict.checks.map(({ open }) => open ?? []);
  const reason = (source_name: string) => ({ because: "without", source_name });
  const refusal = (ask: () => unknown): EngineError => {
    try {
      ask();
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error("nothing was refused");
  };

  it("leaves a group open whose other member covers the plot", () => {
    expect(evaluate([]).verdict).toBe("NON_COMPLIANT");
    const verdict = evaluate(["demo:near"]);
    expect(verdict).toMatchObject({ verdict: "WARNING", status: "ok" });
    expect(listOpen(verdict)).toEqual([[reason("demo:near")], [], []]);
    expect(verdict.groups).toEqual(groups);
  });

  it("leaves out a group whole, whose members then are no part of the answer", () => {
    const verdict = evaluate(["all:parks", "all:lists"]);
    expect(listOpen(verdict)).toEqual([[reason("all:parks")], [], [reason("all:lists")]]);
    expect(verdict.sources.map(({ source_name, status }) => [source_name, status])).toEqual([
      ["all:lists", "without"],
      ["all:parks", "without"],
      ["demo:lands", "ok"],
    ]);
    expect(verdict.groups).toBeUndefined();
    // The member has no part any more that could be left out.
    const { code, details } = refusal(() => evaluate(["all:parks", "demo:near"]));
    expect(code).toBe("SOURCE_UNKNOWN");
    expect(details.faults).toMatchObject([{ pointer: "/without/1" }]);
  });

  it("gives both reasons where one member of a group failed and another is left out", () => {
    const failed = { manifest: { source_name: "demo:far", kind: "leaf" as const }, failed: "damaged" };
    const broken = openEngine([failed, ...[near, lands, list].map((bytes) => ({ bytes }))], { groups });
    const verdict = evaluate(["demo:near"], broken);
    expect(verdict.verdict).toBe("DEGRADED");
    expect(listOpen(verdict)[0]).toEqual([
      { because: "failed", source_name: "demo:far" },
      reason("demo:near"),
    ]);
  });

  it("is what the ruleset names, each once, ascending; other names are refused with the nearest one", () => {
    const { without } = engine.compile(ruleset, undefined, {
      without: ["demo:near", "all:lists", "demo:near"],
    });
    expect(without).toEqual(["all:lists", "demo:near"]);
    const { code, message, details } = refusal(() => evaluate(["demo:near", "demo:land"]));
    expect(code).toBe("SOURCE_UNKNOWN");
    expect(message).toContain('"demo:land"');
    expect(message).toContain('"demo:lands"');
    expect(details.faults).toMatchObject([{ pointer: "/without/1" }]);
    expect(refusal(() => evaluate(["__proto__"])).code).toBe("SOURCE_UNKNOWN");
    const malformed = { without: "demo:near" } as unknown as { without: string[] };
    expect(refusal(() => engine.compile(ruleset, undefined, malformed)).code).toBe("VALIDATION_FAILED");
  });

  it("does not mend a ruleset that names one source as areas and as a register", () => {
    const sets = { areas: { sources: ["x:both"] }, listed: { registers: ["x:both"] } };
    const checks = Object.keys(sets).map((set) => ({ id: set, set, outcome: "WARNING" }));
    const both = { sets, checks };
    const { details } = refusal(() => engine.compile(both, undefined, { without: ["x:both"] }));
    expect(details.faults).toMatchObject([{ code: "SOURCE_KIND", pointer: "/sets/listed/registers/0" }]);
    const asAreas = { sets: { lists: { sources: ["all:lists"] } }, checks: [{ ...checks[0], set: "lists" }] };
    const known = refusal(() => engine.compile(asAreas, undefined, { without: ["all:lists"] }));
    expect(known.details.faults).toMatchObject([{ code: "SOURCE_KIND" }]);
  });

  it("names only what an engine restricted to some sources shows, and reveals nothing else", () => {
    const some = engine.within(["demo:lands"]);
    const found = refusal(() => evaluate(["all:parks"], some));
    expect(found.details.unknown_sources).toEqual(["all:lists"]);
    const hidden = refusal(() => evaluate(["all:parks", "all:lists", "demo:near"], some));
    expect(hidden.message).not.toMatch(/far/);
    const verdict = evaluate(["all:parks", "all:lists"], some);
    expect(verdict).toEqual(evaluate(["all:parks", "all:lists"]));
    expect(verdict.digest).toBe(evaluate(["all:lists", "all:parks"]).digest);
    expect(verdict.digest).not.toBe(evaluate(["all:lists"]).digest);
  });

  it("never queries a live source that is left out", () => {
    const manifest = { source_name: "demo:lands", kind: "leaf" as const, columns: {} };
    const inputs = [...[far, near, list].map((bytes) => ({ bytes })), { manifest, live: true as const }];
    const live = openEngine(inputs, { groups });
    const policy = live.compile(ruleset, undefined, { without: ["demo:lands"] });
    expect([policy.live, policy.liveNeeds(input)]).toEqual([{}, []]);
    expect(policy.evaluate(input, { now: NOW })).toEqual({
      ...evaluate(["demo:lands"]),
      warnings: expect.anything(),
    });
  });

  it("replays from a record where what was left out is absent, of a group or not", () => {
    for (const without of [["demo:near"], ["all:parks"], ["all:lists", "demo:lands"], ["demo:list"]]) {
      const policy = engine.compile(ruleset, undefined, { without });
      const question = { input, ruleset, policy, groups, engineVersion: "1.2.3" };
      const record = verdictRecord(question, policy.evaluate(input, { now: NOW }));
      expect(record.request.options).toEqual({ without });
      const read = parseRecord(JSON.parse(JSON.stringify(record)));
      expect(replayRecord(engine, read), `${without}`).toMatchObject({ result: "identical" });
      expect(Object.keys(read.groups ?? {})).not.toContain(without[0]);
      const others = { ...read, request: { ...read.request, options: {} } };
      expect(replayRecord(engine, others).result).toBe("differs");
    }
  });

  it("lists what is left out in a plan, and lints nothing in it", () => {
    const options = { without: ["all:parks"] };
    const { plan } = explainQuestion(engine, { ask: "evaluate", ruleset, input, options });
    const [first] = plan.sources;
    expect(first).toEqual({
      ...{ source_name: "all:parks", kind: "leaf", status: "without" },
      ...{ feature_count: 0, candidates: null },
    });
    expect(plan.steps).not.toContainEqual(expect.objectContaining({ source_name: "demo:near" }));
    const absent = openEngine([{ bytes: lands }]);
    const missing = ["all:lists", "all:parks"];
    expect(lintRuleset(absent, ruleset).map(({ code }) => code)).toContain("SOURCE_UNKNOWN");
    const found = lintRuleset(absent, ruleset, { without: missing });
    expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
    const whole = lintRuleset(engine, ruleset, { without: missing });
    expect(whole.map(({ pointer }) => pointer)).not.toContain("/sets/parks/sources/0");
    expect(lintRuleset(absent, ruleset, { without: [...missing, "x"] })).toMatchObject([
      { code: "SOURCE_UNKNOWN", severity: "error", pointer: "/without/2" },
    ]);
  });
});

/** The verdict on a question without some sources, or the code of what refuses it. */
function evaluateWithout(
  table: SourceTable,
  { ruleset, input, strict = false, now = NOW }: Question,
  without: readonly string[] = [],
): Verdict | { readonly error: string } {
  try {
    return evaluatePlan(compileRuleset(table, ruleset, { without }), planarKernel, input, { strict, now });
  } catch (error) {
    if (error instanceof EngineError) return { error: error.code };
    throw error;
  }
}

/** The sources that a question's ruleset names, ascending; those of `withGroups` as it names them. */
function listNamedSources({ ruleset, world }: Question, withGroups = false): readonly string[] {
  const names = Object.values(ruleset.sets).flatMap((set) =>
    "sources" in set ? set.sources : "registers" in set ? set.registers : [],
  );
  return [...new Set(withGroups ? names : names.flatMap((name) => world.groups?.[name] ?? name))].sort();
}

/** The sources of a question but for some, whose places in groups are kept. */
function buildTableWithout({ world }: Question, omitted: readonly string[]): SourceTable {
  const whole = buildSourceTable(world);
  const members = new Set(Object.values(world.groups ?? {}).flat());
  const sources = Object.keys(world.sources).flatMap((source_name): EngineSource[] => {
    if (!omitted.includes(source_name)) return [whole.find(source_name)!];
    if (!members.has(source_name)) return [];
    return [{ manifest: { source_name, kind: "leaf" }, failed: "it was left out", removed: true }];
  });
  return new SourceTable(sources, world.groups);
}

/** A check is decided, or open for some of the reasons, as where what is left out failed. */
function expectAlike(check: CheckResult, failing: CheckResult, at: string): void {
  const { outcome: _, status, open = [], resolve_by: __, ...others } = check;
  const { outcome: ___, status: failed, open: reasons = [], resolve_by: ____, ...expected } = failing;
  expect(others, at).toEqual(expected);
  expect(status === "ok", at).toBe(failed === "ok");
  expect(status, at).not.toBe("failed");
  const known = reasons.map((reason) =>
    reason.because === "failed" ? { because: "without", source_name: reason.source_name } : reason,
  );
  for (const reason of open) expect(known, at).toContainEqual(reason);
}

function getName({ source_name }: { readonly source_name: string }): string {
  return source_name;
}

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const keyed = items.map((item) => [random.next(), item] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
}
