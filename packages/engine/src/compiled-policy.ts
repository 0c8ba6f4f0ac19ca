import { deepFreeze } from "./base/deep-freeze.ts";
import { startWorkMeter } from "./base/work-meter.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Warning } from "./geometry/plot/plot.ts";
import { evaluateOptionsShape } from "./questions/options.ts";
import { readPlainInput } from "./questions/read-question.ts";
import { listPolicyWarnings } from "./ruleset/certain/certain-findings.ts";
import type { RulesetPlan } from "./ruleset/compile/compile.ts";
import type { EvaluationInput } from "./ruleset/compile/evaluation-input.ts";
import { evaluationInputShape } from "./ruleset/compile/evaluation-input.ts";
import type { EvaluateOptions, Policy, RulesetOrigin } from "./ruleset/compile/policy.ts";
import { evaluateRuleset } from "./ruleset/evaluate/evaluate.ts";
import type { Ruleset } from "./ruleset/parse/schema.ts";
import { buildAnsweringPlan } from "./ruleset/plan/answering-plan.ts";
import { listEvaluationNeeds } from "./ruleset/plan/live-needs.ts";
import type { CheckedInput } from "./ruleset/select/checked-input.ts";
import { readShape } from "./shape/read-shape.ts";
import {
  describeLiveSource,
  isLive,
  type LiveDescription,
  type ProvidedAreas,
  readProvidedAnswers,
  toAnsweringSource,
} from "./sources/live-source.ts";
import type { DamagedSources, LiveEngineSource } from "./sources/source-table.ts";
import { MemberOrders, type WrittenJson } from "./verdict/canonical-json.ts";
import type { Evaluation } from "./verdict/verdict.ts";

/** A ruleset's plan on the sources of the engine that compiled it. */
export class CompiledPolicy implements Policy {
  readonly ruleset: Ruleset;
  readonly digest: string;
  readonly origin: RulesetOrigin | undefined;
  readonly without: readonly string[];
  readonly editions: Readonly<Record<string, string>>;
  readonly live: Readonly<Record<string, LiveDescription>>;
  // Both are members of the object and bound to it, and only they reach the plan: a copy of a policy is the same
  // policy, and no engine can run another's.
  readonly liveNeeds: Policy["liveNeeds"] = (input) => this.#listNeeds(input);
  readonly evaluate: Policy["evaluate"] = (input, options) => {
    const read = readShape(evaluateOptionsShape, options);
    return deepFreeze(this.#run(readShape(evaluationInputShape, input), read));
  };
  readonly #parts: EngineParts;
  readonly #plan: RulesetPlan;
  readonly #live: readonly LiveEngineSource[];
  readonly #inputOrders = new MemberOrders();
  readonly #verdictOrders = new MemberOrders();
  #findings: readonly Warning[] | undefined;

  constructor(parts: EngineParts, plan: RulesetPlan) {
    this.#parts = parts;
    this.#plan = plan;
    this.#live = plan.sources.filter(isLive);
    this.ruleset = plan.ruleset;
    this.digest = plan.digest;
    this.origin = plan.origin;
    this.without = plan.without;
    this.editions = Object.fromEntries(
      plan.sources.flatMap((source) =>
        "snapshot" in source ? [[source.manifest.source_name, source.snapshot.meta.edition]] : [],
      ),
    );
    this.live = Object.fromEntries(
      this.#live.map((source) => [source.manifest.source_name, describeLiveSource(source)]),
    );
    deepFreeze(this);
  }

  /** Evaluates plain data of the types that a policy declares to accept. The result is not frozen. */
  static run(
    policy: Policy,
    input: EvaluationInput,
    options: EvaluateOptions,
    written: WrittenJson,
  ): Evaluation {
    return #plan in policy ? policy.#run(input, options, written) : policy.evaluate(input, options);
  }

  #run(input: EvaluationInput, options: EvaluateOptions, written?: WrittenJson): Evaluation {
    return this.#parts.table.withoutDamaged((damaged) => this.#answer(damaged, input, options, written));
  }

  #answer(
    damaged: DamagedSources,
    raw: EvaluationInput,
    evaluateOptions: EvaluateOptions,
    written: WrittenJson | undefined,
  ): Evaluation {
    const { options, kernel, borders } = this.#parts;
    const meter = startWorkMeter(options.onMeter);
    const { input, warnings } = readPlainInput(raw, meter, options, written, this.#inputOrders);
    const plan = this.#buildPlan(input, evaluateOptions, damaged);
    const { textDigest } = options;
    const {
      verdict,
      overlaps,
      warnings: doubts,
    } = evaluateRuleset(plan, {
      ...evaluateOptions,
      kernel,
      input,
      meter,
      borders,
      textDigest,
      memberOrders: this.#verdictOrders,
    });
    const all = [...warnings, ...doubts, ...this.#listFindings()];
    return { ...verdict, ...(overlaps && { overlaps }), warnings: all };
  }

  /** The plan with live sources as they answer this question, and without sources that were found damaged. */
  #buildPlan(input: CheckedInput, { provided, now }: EvaluateOptions, damaged: DamagedSources): RulesetPlan {
    const { table, options } = this.#parts;
    const answers = readProvidedAnswers(provided, table.live);
    if (this.#live.length === 0 && damaged.size === 0) return this.#plan;
    const answering = new Map(damaged);
    for (const source of this.#live) {
      // Without a plot, no area matters.
      const areas = input.plot === undefined ? NO_AREAS : answers?.[source.manifest.source_name];
      answering.set(source, toAnsweringSource(source, areas, options.candidates, options, now));
    }
    return buildAnsweringPlan(this.#plan, answering);
  }

  /** Certain mistakes in the ruleset, which its editions settle once and for all. */
  #listFindings(): readonly Warning[] {
    this.#findings ??= listPolicyWarnings(this.#plan);
    return this.#findings;
  }

  #listNeeds(raw: unknown): ReturnType<Policy["liveNeeds"]> {
    if (this.#live.length === 0) return NOTHING;
    const { readInput, options } = this.#parts;
    const { input } = readInput(raw, startWorkMeter(options.onMeter));
    return deepFreeze(listEvaluationNeeds(this.#plan, this.#live, input));
  }
}

const NOTHING = Object.freeze([]);
const NO_AREAS: ProvidedAreas = { candidates: [] };

/**
 * Evaluates as `policy.evaluate` does, for a caller that has checked the request against a schema and also writes it
 * down. The result belongs to the caller and is not frozen.
 *
 * @param policy as an engine compiled it
 * @param input plain data with the members of its type and no others
 * @param options the same
 * @param written canonical JSON of parts of the input, which are not written again for its digest
 *
 * Fails: as `policy.evaluate`.
 */
export function evaluateWithWrittenJson(
  policy: Policy,
  input: EvaluationInput,
  options: EvaluateOptions,
  written: WrittenJson,
): Evaluation {
  return CompiledPolicy.run(policy, input, options, written);
}
