import {
  type Engine,
  EngineError,
  type EngineErrorCode,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationInput,
  type Policy,
  type Provided,
  type RulesetOrigin,
} from "@groundrule/engine";
import { RecentlyUsed } from "../recently-used.ts";

/**
 * One ruleset and the inputs to evaluate it on, in the form sent to a worker: texts are copied far faster than objects.
 */
export interface EvaluationTask {
  /** JSON text of the ruleset, by which workers find the policy they compiled earlier. */
  readonly ruleset: string;
  /** Name and version of the ruleset, which its text lacks. */
  readonly origin?: RulesetOrigin;
  /** JSON text of the {@link EvaluationInput}s. */
  readonly inputs: string;
  readonly options: EvaluateOptions;
  /**
   * JSON text of the areas from live sources for each input, null for an input without a query; absent: none was
   * queried.
   */
  readonly provided?: string;
}

/** An answer for each input, or the reason why the ruleset does not compile. */
export type EvaluationResult = Settled<readonly Settled<Evaluation>[]>;

/** A value, or the error in its place, as plain values. */
export type Settled<T> =
  | { readonly value: T }
  | {
      readonly error: { readonly code: EngineErrorCode; readonly message: string; readonly details: object };
    };

/** Evaluates batches on one engine, and caches the rulesets it compiled lately. */
export class EvaluationTasks {
  readonly #engine: Engine;
  readonly #policies = new RecentlyUsed<string, Policy>(POLICIES_KEPT);

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  answer({ ruleset, origin, inputs, options, provided }: EvaluationTask): EvaluationResult {
    return settle(() => {
      const key = origin === undefined ? ruleset : `${origin.name}@${origin.version} ${ruleset}`;
      const policy = this.#policies.getOrMake(key, () => this.#engine.compile(JSON.parse(ruleset), origin));
      const parsed = JSON.parse(inputs) as readonly EvaluationInput[];
      if (provided === undefined) return parsed.map((input) => settle(() => policy.evaluate(input, options)));
      const areas = JSON.parse(provided) as readonly (Provided | null)[];
      return parsed.map((input, i) =>
        settle(() => policy.evaluate(input, { ...options, provided: areas[i] ?? undefined })),
      );
    });
  }
}

/** Returns the value, or rethrows the error. */
export function unsettle<T>(settled: Settled<T>): T {
  if ("value" in settled) return settled.value;
  const { code, message, details } = settled.error;
  throw new EngineError(code, message, details as EngineError["details"]);
}

const POLICIES_KEPT = 32;

/** A bug is not an answer: it is rethrown and ends the worker. */
function settle<T>(answer: () => T): Settled<T> {
  try {
    return { value: answer() };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, details } = error;
    return { error: { code, message, details } };
  }
}
