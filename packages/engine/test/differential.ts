import { isDeepStrictEqual } from "node:util";
import { EngineError } from "../src/base/errors.ts";
import { listPolicyWarnings } from "../src/ruleset/certain/certain-findings.ts";
import { compileRuleset } from "../src/ruleset/compile/compile.ts";
import { formatRuleset } from "../src/ruleset/compile/format-ruleset.ts";
import { lintOnSources } from "../src/ruleset/lint/lint.ts";
import type { Ruleset } from "../src/ruleset/parse/schema.ts";
import type { SourceTable } from "../src/sources/source-table.ts";
import type { Verdict } from "../src/verdict/verdict.ts";
import {
  listComparisons,
  listMeasurements,
  NaiveEvaluator,
  type NaiveVerdict,
  type Question,
} from "./naive-evaluator.ts";
import { planarKernel } from "./planar-kernel.ts";
import { type QuestionKind, randomQuestions } from "./random-rulesets.ts";
import { buildSourceTable, CASE_NOW, evaluateOnTable, type World } from "./ruleset-cases.ts";

/** A case on which the engine and the naive evaluator disagree. */
export interface Disagreement extends Question {
  readonly seed: number;
  readonly engine: unknown;
  readonly naive: unknown;
}

export interface DifferentialReport {
  /** Questions asked both ways; those that were refused, and whose verdict was degraded. */
  readonly cases: number;
  readonly refused: number;
  readonly degraded: number;
  /** Cases with a check that is open since a source failed; checks decided in spite of what is unknown. */
  readonly failed: number;
  readonly decided: number;
  /** Cases with a check that is not covered, by what is unknown to it. */
  readonly uncovered: Readonly<Record<UnknownKind, number>>;
  /** `sources[].coverage` and `overage`, how often each. */
  readonly words: Readonly<Record<string, number>>;
  /** Checks by their status and by what they read of facts and the property. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly disagreements: readonly Disagreement[];
  /** Checks said to be decided, though with the failed sources open they come out otherwise. */
  readonly unsound: readonly Disagreement[];
  /** Checks that lint says never or always trigger, and how many did otherwise. */
  readonly certain: number;
  readonly misled: readonly Disagreement[];
}

/** Kinds of content that can be unknown to a check although none of its sources failed. */
type UnknownKind = "land" | "surroundings" | "oldAreas" | "oldRegister" | "whole" | "subtracted";

/** Evaluates random rulesets on random worlds both ways. */
export function compareEvaluators(
  firstSeed: number,
  cases: number,
  kind: QuestionKind = "plain",
): DifferentialReport {
  const disagreements: Disagreement[] = [];
  const unsound: Disagreement[] = [];
  const misled: Disagreement[] = [];
  const counts = { cases: 0, refused: 0, degraded: 0, failed: 0, decided: 0, certain: 0 };
  const uncovered = { land: 0, surroundings: 0, oldAreas: 0, oldRegister: 0, whole: 0, subtracted: 0 };
  const words: Record<string, number> = {};
  const read: Record<string, number> = {};
  const tables = new TablesOfWorld();
  for (const question of randomQuestions(firstSeed, kind)) {
    if (counts.cases === cases) break;
    const { table, whole } = tables.of(question);
    const evaluator = new NaiveEvaluator(question);
    const naive = evaluator.verdict();
    // The evaluator reads trees; every other filter reaches the engine as text.
    const ruleset =
      counts.cases % 2 === 0 ? question.ruleset : formatRuleset(question.ruleset, { as: "text" });
    const engine = evaluateComparably(table, { ...question, ruleset });
    const found = { ...question, ruleset, engine, naive };
    counts.cases++;
    if (!isDeepStrictEqual(engine, naive) && !agreeOneByOne(table, question, engine, naive))
      disagreements.push(found);
    if ("error" in engine) {
      counts.refused++;
      continue;
    }
    const certain = findCertainChecks(table, ruleset);
    counts.certain += certain.size;
    const isReported = ([i, triggers]: readonly [number, boolean]): boolean =>
      engine.checks[i]!.status !== "ok" || engine.checks[i]!.triggered === triggers;
    if (![...certain].every(isReported)) misled.push({ ...found, naive: [...certain] });
    const statuses = engine.checks.map(({ status }) => status);
    if (statuses.includes("failed")) counts.failed++;
    for (const { coverage, overage } of engine.sources as { coverage?: string; overage?: boolean }[]) {
      if (coverage !== undefined) words[coverage] = (words[coverage] ?? 0) + 1;
      if (overage !== undefined) words[`overage ${overage}`] = (words[`overage ${overage}`] ?? 0) + 1;
    }
    engine.checks.forEach(({ status, triggered }, i) => {
      const word = triggered ? "triggered" : status;
      for (const kind of [word, ...evaluator.factKinds(question.ruleset.checks[i]!)])
        read[kind] = (read[kind] ?? 0) + 1;
    });
    const kinds = new Set<UnknownKind>();
    statuses.forEach((status, i) => {
      const unknown = listUnknownContent(evaluator, question.ruleset.checks[i]!);
      if (status === "ok" && unknown.length > 0) counts.decided++;
      if (status === "not_covered") for (const kind of unknown) kinds.add(kind);
    });
    for (const kind of kinds) uncovered[kind]++;
    if (engine.status === "ok") continue;
    counts.degraded++;
    const answered = evaluateComparably(whole, question);
    // Only an open source is known to be a raster.
    if ("error" in answered && answered.error === "RULESET_INVALID") continue;
    if ("error" in answered || !isConsistent(engine, answered)) unsound.push({ ...found, naive: answered });
  }
  return { ...counts, uncovered, words, kinds: read, disagreements, unsound, misled };
}

/**
 * True if each check that differs is answered alike when it is asked alone: completions of facts are tried within a bound
 * of work, of which one check may leave nothing to the next.
 */
function agreeOneByOne(
  table: SourceTable,
  question: Question,
  engine: NaiveVerdict | { readonly error: string },
  naive: NaiveVerdict | { readonly error: string },
): boolean {
  if ("error" in engine || "error" in naive) return false;
  return engine.checks.every((check, i) => {
    if (isDeepStrictEqual(check, naive.checks[i])) return true;
    const checks = [question.ruleset.checks[i]!];
    const alone = evaluateComparably(table, { ...question, ruleset: { ...question.ruleset, checks } });
    return !("error" in alone) && isDeepStrictEqual(alone.checks[0], naive.checks[i]);
  });
}

/** The tables of the world that was asked about last, with its failed sources and with all of them open. */
export class TablesOfWorld {
  #world: World | undefined;
  #tables: { readonly table: SourceTable; readonly whole: SourceTable } | undefined;

  of({ world, failed }: Question): { readonly table: SourceTable; readonly whole: SourceTable } {
    if (this.#tables === undefined || this.#world !== world) {
      this.#world = world;
      this.#tables = { table: buildSourceTable(world, failed), whole: buildSourceTable(world) };
    }
    return this.#tables;
  }
}

/** Content that a check of the naive evaluator cannot know, whether or not it needs to. */
function listUnknownContent(evaluator: NaiveEvaluator, check: Ruleset["checks"][number]): UnknownKind[] {
  const compared = listComparisons(check).flatMap(listMeasurements);
  const kinds = evaluator.reached([check]).flatMap((name): UnknownKind[] => {
    const set = evaluator.ruleset.sets[name]!;
    if ("registers" in set) return evaluator.hasTooOld(name) ? ["oldRegister"] : [];
    if (!("sources" in set)) return [];
    if (evaluator.hasTooOld(name)) return ["oldAreas"];
    if (evaluator.uncoveredParts(set).some((part) => part.size > 0)) return ["land"];
    const isNear = set.within_m !== undefined && compared.some((comparison) => comparison.set === name);
    return isNear && !evaluator.areSurroundingsCovered(set, set.within_m) ? ["surroundings"] : [];
  });
  if (kinds.length === 0) return [];
  const hasWhole = compared.some(({ of }) => of !== undefined);
  const hasSubtracted = compared.some(({ set }) => "difference" in evaluator.ruleset.sets[set]!);
  return [
    ...new Set([
      ...kinds,
      ...(hasWhole ? ["whole" as const] : []),
      ...(hasSubtracted ? ["subtracted" as const] : []),
    ]),
  ];
}

/** Checks of which lint is certain, by index: true if they always trigger, false if never. */
function findCertainChecks(table: SourceTable, ruleset: Ruleset): ReadonlyMap<number, boolean> {
  const warnings = new Set(listPolicyWarnings(compileRuleset(table, ruleset)).map(({ pointer }) => pointer));
  return new Map(
    lintOnSources(table, ruleset).flatMap(({ code, pointer, certain }): [number, boolean][] => {
      const check = pointer.split("/")[2]!;
      if (certain && pointer.startsWith("/checks") && !warnings.has(`/ruleset${pointer}`))
        throw new Error(`${code} at ${pointer} is certain, and no warning of the policy`);
      if (code === "CHECK_ALWAYS") return [[Number(check), true]];
      const isNever = code === "CHECK_NEVER" || (code === "COMPARISON_NEVER" && !pointer.includes("/any/"));
      return isNever ? [[Number(check), false]] : [];
    }),
  );
}

/** The engine's verdict on a question as the naive evaluator gives it: without digests, editions and times. */
export function evaluateComparably(
  table: SourceTable,
  { ruleset, input, strict = false, now = CASE_NOW }: Question,
): NaiveVerdict | { readonly error: string } {
  try {
    return toComparableVerdict(evaluateOnTable(table, planarKernel, ruleset, input, { strict, now }));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { error: error.code };
  }
}

function toComparableVerdict({ verdict, status, at_least, facts, checks, sources }: Verdict): NaiveVerdict {
  return {
    verdict,
    status,
    at_least,
    ...(facts !== undefined && { facts: facts.map((one) => (one.digest ? { ...one, digest: true } : one)) }),
    checks: checks.map(({ evidence, title: _, resolve_by: __, ...check }) => ({
      ...check,
      evidence: evidence.map((item) => {
        const { edition: _, ...others } = { edition: "", ...item };
        return others;
      }),
    })),
    sources: sources.map(
      ({ edition: _, collected_at: __, age_days: ___, reason: ____, cell_m: _____, ...source }) => source,
    ),
  };
}

/** True if everything decided without the failed sources stays decided, in the same way, with them. */
function isConsistent(degraded: NaiveVerdict, whole: NaiveVerdict): boolean {
  return degraded.checks.every(({ status, triggered }, i) => {
    const known = whole.checks[i]!;
    return status === "failed" || (status === known.status && triggered === known.triggered);
  });
}
