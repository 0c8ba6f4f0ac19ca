import { deepFreeze } from "./base/deep-freeze.ts";
import { mismatchError, readUntrusted } from "./base/read-untrusted.ts";
import { startWorkMeter, type WorkMeter } from "./base/work-meter.ts";
import type { Engine } from "./engine.ts";
import { type EngineParts, getEngineParts } from "./engine-parts.ts";
import type { Warning } from "./geometry/plot/plot.ts";
import {
  compileOptionsShape,
  intersectionsOptionsShape,
  readDistanceOptions,
  rulesetOriginShape,
  subjectsOptionsShape,
} from "./questions/options.ts";
import type { Question, SpatialOptions } from "./questions/questions.ts";
import { selectAreaSources } from "./questions/read-question.ts";
import { compileRuleset } from "./ruleset/compile/compile.ts";
import type { EvaluationInput, GeometryInput } from "./ruleset/compile/evaluation-input.ts";
import {
  describePlannedInput,
  explainAreaQuestion,
  explainEvaluation,
  explainSubjectQuestion,
  type PlannedKernel,
} from "./ruleset/plan/explain.ts";
import type { Explanation, Plan } from "./ruleset/plan/plan.ts";
import { describeValue } from "./shape/describe-value.ts";
import { readShape } from "./shape/read-shape.ts";
import { prepareLookUp } from "./subjects/look-up.ts";

/**
 * Plan of a question, without its answer. Refuses what the question itself refuses, except that missing parts of an
 * evaluation's input are listed in the plan.
 *
 * Fails: as the question itself does.
 */
export function explainQuestion(engine: Engine, question: Question): Explanation {
  const { kernel, semantics } = engine;
  return deepFreeze(explain(getEngineParts(engine), { kernel, semantics }, question));
}

/** An evaluation's input as it would be judged. */
export interface ExplainedInput {
  /** As plans describe it. */
  readonly input: Plan["input"];
  /** Corrections of the input, and doubtful places in it. */
  readonly warnings: readonly Warning[];
}

/**
 * Describes the input that an evaluation would judge, without a ruleset: checks it as an evaluation does. Points
 * without an area are returned as points, which no evaluation accepts.
 *
 * @param input as `evaluate` of a policy takes it
 *
 * Fails: as an evaluation does for what it is evaluated on.
 */
export function explainInput(engine: Engine, input: EvaluationInput): ExplainedInput {
  const { options, readInput } = getEngineParts(engine);
  const { input: checked, warnings } = readInput(input, startWorkMeter(options.onMeter));
  return deepFreeze({ input: describePlannedInput(checked.plot, checked.schemes), warnings });
}

function explain(parts: EngineParts, kernel: PlannedKernel, question: Question): Explanation {
  const { table, options, readInput } = parts;
  const meter = startWorkMeter(options.onMeter);
  const ask: unknown = readUntrusted(question, "", () => (question as Question | null | undefined)?.ask);
  if (!KINDS.includes(ask)) {
    const message = `found ${describeValue(ask)} as the kind of question, expected evaluate, intersections, distance or subjects`;
    throw mismatchError("/ask", message, "VALUE_INVALID");
  }
  switch (question.ask) {
    case "evaluate": {
      const origin = question.origin && readShape(rulesetOriginShape, question.origin, { name: "origin" });
      const compiled = readShape(compileOptionsShape, question.options ?? {});
      const plan = compileRuleset(table, question.ruleset, { origin, ...compiled });
      const { input, warnings } = readInput(question.input, meter);
      return { plan: explainEvaluation(plan, kernel, input, meter), warnings };
    }
    case "subjects": {
      const asking = readShape(subjectsOptionsShape, question.options ?? {});
      const { registers, parsed: options, warnings } = prepareLookUp(table, question.scheme, asking);
      return { plan: explainSubjectQuestion(registers, kernel, options), warnings };
    }
    case "intersections": {
      const options = readShape(intersectionsOptionsShape, question.options ?? {});
      return explainSpatial(parts, kernel, question.geometry, options, undefined, meter);
    }
    case "distance": {
      const options = readDistanceOptions(question.options);
      return explainSpatial(parts, kernel, question.geometry, options, options.maxDistanceMeters, meter);
    }
  }
}

const KINDS: readonly unknown[] = ["evaluate", "intersections", "distance", "subjects"];

function explainSpatial(
  { table, parsePlot }: EngineParts,
  kernel: PlannedKernel,
  geometry: GeometryInput,
  { sources: names, crs }: SpatialOptions,
  withinMeters: number | undefined,
  meter: WorkMeter,
): Explanation {
  const sources = selectAreaSources(table, names);
  const { plot, warnings } = parsePlot(geometry, crs, meter);
  return { plan: explainAreaQuestion(sources, kernel, plot, withinMeters, meter), warnings };
}
