import { availableParallelism } from "node:os";
import {
  EngineError,
  type EngineErrorCode,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationInput,
  type Provided,
  type RulesetOrigin,
} from "@groundrule/engine";
import {
  boolean,
  findCarriedOrigin,
  fitting,
  number,
  object,
  optional,
  readShape,
  type Shape,
} from "@groundrule/engine/internal";
import { type EngineSettings, type PlainSettings, toPlainSettings } from "./threads/engine-settings.ts";
import { getSharedBorders } from "./threads/host.ts";
import { PoolError, type PoolLimits, WorkerPool } from "./threads/worker-pool.ts";

/** The limits of an {@link EnginePool}, and where its workers are. */
export interface EnginePoolOptions extends PoolLimits {
  /**
   * The module that the workers run, for a program whose bundle does not have it next to the pool: the bundle of
   * `@groundrule/node/engine-worker`. Default: the module of this package.
   */
  readonly worker?: URL;
}

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
   * @param options by default as many workers as the host has cores, 1,000 waiting inputs and 1 s of CPU per input
   *
   * Fails: `VALIDATION_FAILED` for an unknown limit, and for a limit under which no worker answers.
   */
  constructor(settings: EngineSettings, options: Partial<EnginePoolOptions> = {}) {
    this.#settings = settings;
    const { worker = getWorkerModuleUrl(), ...limits } = readShape(optionsShape, options);
    this.#pool = new WorkerPool(worker, toPlainSettings(settings), {
      size: availableParallelism(),
      maxQueue: 1000,
      deadlineMs: 1000,
      ...limits,
    });
  }

  /**
   * Evaluates one ruleset on many inputs, which are sent to a worker together. Each input has its own answer or error:
   * a refusal of the engine, or `EVALUATION_ABORTED` when the deadline passed or the worker died. When that happens to
   * several inputs at once, each of them is evaluated again separately.
   *
   * @param provided areas from live sources for each input
   *
   * Fails: as `Engine.compile`; with a {@link PoolError}, `OVERLOADED` when the queue is full, `POOL_CLOSED`, and
   * `WORKER_UNAVAILABLE` when no worker can start.
   */
  async evaluateAll(
    ruleset: object,
    inputs: readonly EvaluationInput[],
    options: EvaluateOptions,
    provided: readonly (Provided | undefined)[] = [],
  ): Promise<(Evaluation | EngineError | PoolError)[]> {
    try {
      return await this.#evaluate(ruleset, inputs, options, provided);
    } catch (error) {
      if (!(error instanceof PoolError && error.code === "EVALUATION_ABORTED")) throw error;
      return Promise.all(
        inputs.map((input, i) =>
          this.#evaluate(ruleset, [input], options, [provided[i]]).then(([answer]) => answer!, toAnswerError),
        ),
      );
    }
  }

  /**
   * Switches every worker to other editions. Inputs that are being evaluated finish on the editions they began with.
   *
   * Fails: `VALIDATION_FAILED` for what is no settings.
   */
  use(settings: EngineSettings): void {
    this.#settings = settings;
    this.#pool.configure(toPlainSettings(settings, this.#borders));
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
  ): Promise<(Evaluation | EngineError)[]> {
    if (this.#borders === undefined && inputs.some(namesCountry)) {
      this.#borders = getSharedBorders();
      this.use(this.#settings);
    }
    const origin = findCarriedOrigin(ruleset);
    const task: EvaluationTask = {
      ruleset: JSON.stringify(ruleset),
      ...(origin !== undefined && { origin }),
      inputs: JSON.stringify(inputs),
      options,
      ...(provided.some((areas) => areas !== undefined) && { provided: JSON.stringify(provided) }),
    };
    const result = await this.#pool.run(task, { weight: inputs.length }).catch(throwPoolError);
    if ("error" in result) throw toEngineError(result);
    return result.value.map((answer) => ("error" in answer ? toEngineError(answer) : answer.value));
  }
}

/** Inputs to evaluate one ruleset on, as they are sent to a worker: texts are copied far faster than objects. */
export interface EvaluationTask {
  /** JSON text of the ruleset, by which workers find the policy they compiled earlier. */
  readonly ruleset: string;
  /** Name and version that the ruleset carries, which its text does not have. */
  readonly origin?: RulesetOrigin;
  /** JSON text of the {@link EvaluationInput}s. */
  readonly inputs: string;
  readonly options: EvaluateOptions;
  /** JSON text of what live sources answered for each input, null where they were not asked; absent: none was. */
  readonly provided?: string;
}

/** An answer for each input, or why the ruleset does not compile. */
export type EvaluationResult = Settled<readonly Settled<Evaluation>[]>;

/** A value, or the error in its place, as plain values. */
export type Settled<T> =
  | { readonly value: T }
  | {
      readonly error: { readonly code: EngineErrorCode; readonly message: string; readonly details: object };
    };

/** The worker of this package; a bundle of CommonJS has no `import.meta.url`. */
function getWorkerModuleUrl(): URL {
  const here: string | undefined = import.meta.url;
  const script = here?.endsWith(".ts") ? "./engine-worker.ts" : "./engine-worker.js";
  return new URL(script, here ?? "file:///");
}

const optionsShape: Shape<Partial<EnginePoolOptions>> = object<Partial<EnginePoolOptions>>(
  {
    size: optional(number({ whole: true, min: 1 })),
    maxQueue: optional(number({ whole: true, min: 0 })),
    deadlineMs: optional(number({ above: 0 })),
    patience: optional(number({ above: 0 })),
    lot: optional(number({ whole: true, min: 1 })),
    asNeeded: optional(boolean()),
    worker: optional(fitting<URL>((value) => value instanceof URL, "a URL")),
  },
  { words: "an object of limits" },
);

function namesCountry(input: object): boolean {
  return "country_iso3" in input && input.country_iso3 !== undefined;
}

/** Rejects with the error of a pool. Any other error is the failed start of a worker, after which none starts. */
function throwPoolError(error: Error): never {
  if (error instanceof PoolError) throw error;
  throw new PoolError(
    "WORKER_UNAVAILABLE",
    `no worker can start: ${error.message}; in a bundle, name the module of the workers with the option "worker"`,
  );
}

function toEngineError({
  error: { code, message, details },
}: Extract<Settled<unknown>, { error: object }>): EngineError {
  return new EngineError(code, message, details as EngineError["details"]);
}

/** Converts an error that replaces an answer. A bug is rethrown. */
function toAnswerError(error: unknown): EngineError | PoolError {
  if (error instanceof EngineError || error instanceof PoolError) return error;
  throw error;
}
