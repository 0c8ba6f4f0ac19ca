import {
  type Answer,
  type DistanceMatch,
  type DistanceOptions,
  type Engine,
  EngineError,
  type EngineErrorCode,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationInput,
  type Explanation,
  type GeometryInput,
  type IntersectionMatch,
  type IntersectionsOptions,
  type Policy,
  type Question,
  type RulesetOrigin,
  type Scheme,
  type SubjectMatch,
  type SubjectsOptions,
} from "@groundrule/engine";
import { type LintFinding, lintRuleset } from "@groundrule/engine/rulesets";

/** A question to an engine as plain values, so that it can cross to a worker. */
export type EngineTask = {
  /** Patterns of the sources that are available to who asks; absent: all. See {@link Engine.within}. */
  readonly within?: readonly string[] | undefined;
} & (
  | {
      readonly ask: "intersections";
      readonly geometry: GeometryInput;
      readonly options: IntersectionsOptions;
    }
  | { readonly ask: "distance"; readonly geometry: GeometryInput; readonly options: DistanceOptions }
  | { readonly ask: "subjects"; readonly scheme: Scheme; readonly options: SubjectsOptions }
  | {
      readonly ask: "evaluate";
      /** JSON text; workers keep what they compiled by it. */
      readonly ruleset: string;
      readonly origin: RulesetOrigin | undefined;
      /** JSON text of {@link EvaluationInput}s: nested arrays cross to a worker far faster so. */
      readonly inputs: string;
      readonly options: EvaluateOptions;
    }
  | { readonly ask: "explain"; readonly question: Question }
  | { readonly ask: "lint"; readonly ruleset: object }
);

/** What each question is answered with; an evaluation has one answer an input. */
export interface EngineAnswers {
  readonly intersections: Answer<IntersectionMatch>;
  readonly distance: Answer<DistanceMatch>;
  readonly subjects: Answer<SubjectMatch>;
  readonly evaluate: readonly Settled<Evaluation>[];
  readonly explain: Explanation;
  readonly lint: readonly LintFinding[];
}

/** A value, or the error in its stead, as plain values. */
export type Settled<T> =
  | { readonly value: T }
  | {
      readonly error: { readonly code: EngineErrorCode; readonly message: string; readonly details: object };
    };

/** Answers tasks on one engine, and on its parts that are available to some. */
export class EngineTasks {
  readonly #engine: Engine;
  readonly #whole: PartTasks;
  readonly #parts = new Map<string, PartTasks>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#whole = new PartTasks(engine);
  }

  answer(task: EngineTask): Settled<EngineAnswers[EngineTask["ask"]]> {
    return this.#part(task.within).answer(task);
  }

  #part(within: readonly string[] | undefined): PartTasks {
    if (within === undefined) return this.#whole;
    const key = within.join(",");
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const part = new PartTasks(this.#engine.within(within));
    if (this.#parts.size >= PARTS_KEPT) this.#parts.delete(this.#parts.keys().next().value!);
    this.#parts.set(key, part);
    return part;
  }
}

/** Answers tasks on one engine, keeping the rulesets it compiled. */
class PartTasks {
  readonly #engine: Engine;
  readonly #compiled = new Map<string, Policy>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  answer(task: EngineTask): Settled<EngineAnswers[EngineTask["ask"]]> {
    return settle(() => {
      switch (task.ask) {
        case "intersections":
          return this.#engine.intersections(task.geometry, task.options);
        case "distance":
          return this.#engine.distance(task.geometry, task.options);
        case "subjects":
          return this.#engine.subjects(task.scheme, task.options);
        case "evaluate": {
          const policy = this.#compile(task.ruleset, task.origin);
          const inputs = JSON.parse(task.inputs) as readonly EvaluationInput[];
          return inputs.map((input) => settle(() => policy.evaluate(input, task.options)));
        }
        case "explain":
          return this.#engine.explain(task.question);
        case "lint":
          return lintRuleset(this.#engine, task.ruleset);
      }
    });
  }

  #compile(text: string, origin: RulesetOrigin | undefined): Policy {
    const key = `${origin?.name ?? ""}@${origin?.version ?? ""} ${text}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const compiled = this.#engine.compile(JSON.parse(text), origin);
    if (this.#compiled.size >= COMPILED_KEPT) this.#compiled.delete(this.#compiled.keys().next().value!);
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

/** The value, or the error thrown anew. */
export function unsettle<T>(settled: Settled<T>): T {
  if ("value" in settled) return settled.value;
  const { code, message, details } = settled.error;
  throw new EngineError(code, message, details as EngineError["details"]);
}

/** Rulesets a worker keeps compiled; the oldest makes room. */
const COMPILED_KEPT = 32;
/** Parts of the engine a worker keeps; the oldest makes room. */
const PARTS_KEPT = 256;

/** A bug is no answer: it is thrown on, and ends the worker. */
function settle<T>(answer: () => T): Settled<T> {
  try {
    return { value: answer() };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, details } = error;
    return { error: { code, message, details } };
  }
}
