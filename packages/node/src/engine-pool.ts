import { availableParallelism } from "node:os";
import { EngineError, type EvaluateOptions, type Evaluation, type EvaluationInput } from "@groundrule/engine";
import { number, object, optional, readShape, type Shape } from "@groundrule/engine/shapes";
import { type EngineSettings, type PlainSettings, plainSettings } from "./engine-settings.ts";
import { type EvaluationResult, type EvaluationTask, type Settled, unsettle } from "./evaluation-task.ts";
import { PoolError, type PoolLimits, WorkerPool } from "./worker-pool.ts";

/**
 * Engines on worker threads over the same shared editions, for evaluating many plots: each input is
 * answered as a policy of the engine in this thread would answer it.
 */
export class EnginePool {
  readonly #pool: WorkerPool<PlainSettings, EvaluationTask, EvaluationResult>;

  /**
   * @param settings a {@link DataView} is one
   * @param limits by default as many workers as the host has cores, 1,000 inputs waiting, 1 s of CPU an input
   *
   * Fails: `VALIDATION_FAILED` for a limit nobody knows, and for one under which no worker answers.
   */
  constructor(settings: EngineSettings, limits: Partial<PoolLimits> = {}) {
    const script = import.meta.url.endsWith(".ts") ? "./engine-worker.ts" : "./engine-worker.js";
    this.#pool = new WorkerPool(new URL(script, import.meta.url), plainSettings(settings), {
      size: availableParallelism(),
      maxQueue: 1000,
      deadlineMs: 1000,
      ...readShape(limitsShape, limits),
    });
  }

  /**
   * Evaluates one ruleset on many inputs, in one crossing. Each has its own answer or error: what the
   * engine refuses, or `EVALUATION_ABORTED` past the deadline or when its worker died. Where that happens
   * to a lot, its inputs are asked again one by one.
   *
   * Fails: as `Engine.compile`; with a {@link PoolError}, `OVERLOADED` when the queue is full, `POOL_CLOSED`.
   */
  async evaluateAll(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
  ): Promise<(Evaluation | EngineError | PoolError)[]> {
    try {
      const answers = await this.#evaluate(ruleset, inputs, options);
      return answers.map((answer) => answerOrError(() => unsettle(answer)));
    } catch (error) {
      if (!(error instanceof PoolError && error.code === "EVALUATION_ABORTED")) throw error;
      return Promise.all(
        inputs.map((input) =>
          this.#evaluate(ruleset, [input], options)
            .then(([answer]) => unsettle(answer!))
            .catch(errorOfAnswer),
        ),
      );
    }
  }

  /** Switches every worker to other editions; a lot that runs finishes on its own. */
  use(settings: EngineSettings): void {
    this.#pool.configure(plainSettings(settings));
  }

  /** Answers what was asked, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #evaluate(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
  ): Promise<readonly Settled<Evaluation>[]> {
    const task = { ruleset: JSON.stringify(ruleset), inputs: JSON.stringify(inputs), options };
    return unsettle(await this.#pool.run(task, inputs.length));
  }
}

const limitsShape: Shape<Partial<PoolLimits>> = object<Partial<PoolLimits>>(
  {
    size: optional(number({ whole: true, min: 1 })),
    maxQueue: optional(number({ whole: true, min: 0 })),
    deadlineMs: optional(number({ above: 0 })),
    patience: optional(number({ above: 0 })),
    lot: optional(number({ whole: true, min: 1 })),
  },
  { words: "an object of limits" },
);

function answerOrError(answer: () => Evaluation): Evaluation | EngineError | PoolError {
  try {
    return answer();
  } catch (error) {
    return errorOfAnswer(error);
  }
}

/** What took an answer's place. A bug is thrown on. */
function errorOfAnswer(error: unknown): EngineError | PoolError {
  if (error instanceof EngineError || error instanceof PoolError) return error;
  throw error;
}
