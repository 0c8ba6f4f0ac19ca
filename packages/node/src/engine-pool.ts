import { availableParallelism } from "node:os";
import {
  EngineError,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationInput,
  type Provided,
} from "@groundrule/engine";
import {
  boolean,
  carriedOrigin,
  number,
  object,
  optional,
  readShape,
  type Shape,
} from "@groundrule/engine/internal";
import { type EngineSettings, type PlainSettings, plainSettings } from "./threads/engine-settings.ts";
import {
  type EvaluationResult,
  type EvaluationTask,
  type Settled,
  unsettle,
} from "./threads/evaluation-task.ts";
import { sharedBorders } from "./threads/host.ts";
import { PoolError, type PoolLimits, WorkerPool } from "./threads/worker-pool.ts";

/**
 * Engines in worker threads over the same shared editions, for evaluating many plots. Each input gets the same answer
 * as from a policy of an engine in this thread.
 */
export class EnginePool {
  readonly #pool: WorkerPool<PlainSettings, EvaluationTask, EvaluationResult>;
  #settings: EngineSettings;
  /** Sent to the workers once an input names a country. */
  #borders: SharedArrayBuffer | undefined;

  /**
   * @param settings for example a {@link DataView}
   * @param limits by default as many workers as the host has cores, 1,000 waiting inputs and 1 s of CPU per input
   *
   * Fails: `VALIDATION_FAILED` for an unknown limit, and for a limit under which no worker answers.
   */
  constructor(settings: EngineSettings, limits: Partial<PoolLimits> = {}) {
    this.#settings = settings;
    const script = import.meta.url.endsWith(".ts") ? "./engine-worker.ts" : "./engine-worker.js";
    this.#pool = new WorkerPool(new URL(script, import.meta.url), plainSettings(settings), {
      size: availableParallelism(),
      maxQueue: 1000,
      deadlineMs: 1000,
      ...readShape(limitsShape, limits),
    });
  }

  /**
   * Evaluates one ruleset on many inputs, which are sent to a worker together. Each input has its own answer or error:
   * a refusal of the engine, or `EVALUATION_ABORTED` when the deadline passed or the worker died. When that happens to
   * several inputs at once, each of them is evaluated again separately.
   *
   * @param provided areas from live sources for each input
   *
   * Fails: as `Engine.compile`; with a {@link PoolError}, `OVERLOADED` when the queue is full, `POOL_CLOSED`.
   */
  async evaluateAll(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
    provided: readonly (Provided | undefined)[] = [],
  ): Promise<(Evaluation | EngineError | PoolError)[]> {
    try {
      const answers = await this.#evaluate(ruleset, inputs, options, provided);
      return answers.map((answer) => answerOrError(() => unsettle(answer)));
    } catch (error) {
      if (!(error instanceof PoolError && error.code === "EVALUATION_ABORTED")) throw error;
      return Promise.all(
        inputs.map((input, i) =>
          this.#evaluate(ruleset, [input], options, [provided[i]])
            .then(([answer]) => unsettle(answer!))
            .catch(errorOfAnswer),
        ),
      );
    }
  }

  /** Switches every worker to other editions. Inputs that are being evaluated finish on the editions they began with. */
  use(settings: EngineSettings): void {
    this.#settings = settings;
    this.#pool.configure(plainSettings(settings, this.#borders));
  }

  /** Finishes the inputs that were accepted, then ends the workers. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #evaluate(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
    provided: readonly (Provided | undefined)[],
  ): Promise<readonly Settled<Evaluation>[]> {
    if (this.#borders === undefined && inputs.some(namesCountry)) {
      this.#borders = sharedBorders();
      this.use(this.#settings);
    }
    const origin = carriedOrigin(ruleset);
    const task: EvaluationTask = {
      ruleset: JSON.stringify(ruleset),
      ...(origin !== undefined && { origin }),
      inputs: JSON.stringify(inputs),
      options,
      ...(provided.some((areas) => areas !== undefined) && { provided: JSON.stringify(provided) }),
    };
    return unsettle(await this.#pool.run(task, { weight: inputs.length }));
  }
}

function namesCountry(input: object): boolean {
  return "country_iso3" in input && input.country_iso3 !== undefined;
}

const limitsShape: Shape<Partial<PoolLimits>> = object<Partial<PoolLimits>>(
  {
    size: optional(number({ whole: true, min: 1 })),
    maxQueue: optional(number({ whole: true, min: 0 })),
    deadlineMs: optional(number({ above: 0 })),
    patience: optional(number({ above: 0 })),
    lot: optional(number({ whole: true, min: 1 })),
    asNeeded: optional(boolean()),
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

/** Converts an error that replaces an answer. A bug is rethrown. */
function errorOfAnswer(error: unknown): EngineError | PoolError {
  if (error instanceof EngineError || error instanceof PoolError) return error;
  throw error;
}
