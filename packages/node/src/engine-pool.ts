import { availableParallelism } from "node:os";
import {
  type Answer,
  type DistanceMatch,
  type DistanceOptions,
  EngineError,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationInput,
  type Explanation,
  type GeometryInput,
  type IntersectionMatch,
  type IntersectionsOptions,
  type Question,
  type RulesetOrigin,
  type Scheme,
  type SubjectMatch,
  type SubjectsOptions,
} from "@groundrule/engine";
import type { LintFinding } from "@groundrule/engine/rulesets";
import { type EngineSettings, type PlainSettings, plainSettings } from "./engine-settings.ts";
import { type EngineAnswers, type EngineTask, type Settled, unsettle } from "./engine-task.ts";
import { PoolError, type PoolLimits, WorkerPool } from "./worker-pool.ts";

/**
 * Engines on worker threads over the same shared editions. Each question is answered as
 * {@link Engine} answers it; what the engine throws arrives as it threw it.
 *
 * Questions take patterns of the sources available to who asks, as {@link Engine.within} does.
 *
 * Every question also fails with a {@link PoolError}: `EVALUATION_ABORTED` past the deadline or
 * when a worker dies, `OVERLOADED` when the queue is full, `POOL_CLOSED`.
 */
export class EnginePool {
  readonly #pool: WorkerPool<PlainSettings, EngineTask, Settled<EngineAnswers[EngineTask["ask"]]>>;

  /**
   * @param settings a {@link DataView} is one
   * @param limits by default as many workers as the host has cores, 1,000 waiting, 1 s of CPU a question
   */
  constructor(settings: EngineSettings, limits: Partial<PoolLimits> = {}) {
    const script = import.meta.url.endsWith(".ts") ? "./engine-worker.ts" : "./engine-worker.js";
    this.#pool = new WorkerPool(new URL(script, import.meta.url), plainSettings(settings), {
      size: availableParallelism(),
      maxQueue: 1000,
      deadlineMs: 1000,
      ...limits,
    });
  }

  intersections(
    geometry: GeometryInput,
    options: IntersectionsOptions = {},
    within?: readonly string[],
  ): Promise<Answer<IntersectionMatch>> {
    return this.#ask({ ask: "intersections", geometry, options, within });
  }

  distance(
    geometry: GeometryInput,
    options: DistanceOptions,
    within?: readonly string[],
  ): Promise<Answer<DistanceMatch>> {
    return this.#ask({ ask: "distance", geometry, options, within });
  }

  subjects(
    scheme: Scheme,
    options: SubjectsOptions = {},
    within?: readonly string[],
  ): Promise<Answer<SubjectMatch>> {
    return this.#ask({ ask: "subjects", scheme, options, within });
  }

  explain(question: Question, within?: readonly string[]): Promise<Explanation> {
    return this.#ask({ ask: "explain", question, within });
  }

  lint(ruleset: object, within?: readonly string[]): Promise<readonly LintFinding[]> {
    return this.#ask({ ask: "lint", ruleset, within });
  }

  /** Compiles the ruleset where the worker has not yet, and evaluates it. */
  async evaluate(
    ruleset: object,
    input: EvaluationInput,
    options: EvaluateOptions,
    origin?: RulesetOrigin,
    within?: readonly string[],
  ): Promise<Evaluation> {
    const [settled] = await this.#evaluate(ruleset, [input], options, origin, within);
    return unsettle(settled!);
  }

  /**
   * Evaluates one ruleset on many inputs, in one crossing. Each has its own answer or error; where the
   * lot ran past its deadline or lost its worker, its inputs are asked again one by one.
   */
  async evaluateAll(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
  ): Promise<(Evaluation | EngineError | PoolError)[]> {
    try {
      const answers = await this.#evaluate(ruleset, inputs, options, undefined);
      return await Promise.all(answers.map((answer) => answerOrError(() => unsettle(answer))));
    } catch (error) {
      if (!(error instanceof PoolError && error.code === "EVALUATION_ABORTED")) throw error;
      return Promise.all(inputs.map((input) => answerOrError(() => this.evaluate(ruleset, input, options))));
    }
  }

  /** Switches every worker to other editions; a question that runs finishes on its own. */
  use(settings: EngineSettings): void {
    this.#pool.configure(plainSettings(settings));
  }

  /** Answers what was asked, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  #evaluate(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
    origin: RulesetOrigin | undefined,
    within?: readonly string[],
  ): Promise<EngineAnswers["evaluate"]> {
    const task = {
      ask: "evaluate",
      ruleset: JSON.stringify(ruleset),
      origin,
      inputs: JSON.stringify(inputs),
      options,
      within,
    } as const;
    return this.#ask(task, inputs.length);
  }

  async #ask<Ask extends EngineTask["ask"]>(
    task: EngineTask & { readonly ask: Ask },
    weight = 1,
  ): Promise<EngineAnswers[Ask]> {
    return unsettle(await this.#pool.run(task, weight)) as EngineAnswers[Ask];
  }
}

async function answerOrError<T>(answer: () => T | Promise<T>): Promise<T | EngineError | PoolError> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof EngineError || error instanceof PoolError) return error;
    throw error;
  }
}
