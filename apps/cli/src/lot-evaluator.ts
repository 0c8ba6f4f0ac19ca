import type { EngineError, EvaluateOptions, Evaluation, EvaluationInput, Provided } from "@groundrule/engine";
import type { EnginePool, PoolError } from "@groundrule/node";

type Answer = Evaluation | EngineError | PoolError;

interface Held {
  readonly input: EvaluationInput;
  readonly provided: Provided | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Most plots that cross to a worker together: enough to make the crossing cheap. */
const LOT_SIZE = 32;

/**
 * Evaluates plots on a pool in lots. A lot leaves as soon as a worker is free, with the plots that
 * wait by then: a slow stream has no delay, a fast one full lots.
 */
export class LotEvaluator {
  readonly #pool: EnginePool;
  readonly #ruleset: object;
  readonly #options: EvaluateOptions;
  readonly #workers: number;
  readonly #held: Held[] = [];
  #running = 0;

  constructor(pool: EnginePool, ruleset: object, options: EvaluateOptions, workers: number) {
    this.#pool = pool;
    this.#ruleset = ruleset;
    this.#options = options;
    this.#workers = workers;
  }

  /**
   * The verdict, or why there is none. Fails only where the pool can answer nothing.
   *
   * @param provided what live sources answered
   */
  evaluate(input: EvaluationInput, provided?: Provided): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#held.push({ input, provided, resolve, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#running < this.#workers && this.#held.length > 0) {
      this.#running++;
      void this.#run(this.#held.splice(0, LOT_SIZE));
    }
  }

  async #run(lot: readonly Held[]): Promise<void> {
    try {
      const inputs = lot.map((held) => held.input);
      const provided = lot.map((held) => held.provided);
      const answers = await this.#pool.evaluateAll(this.#ruleset, inputs, this.#options, provided);
      for (const [i, held] of lot.entries()) held.resolve(answers[i]!);
    } catch (error) {
      for (const held of lot) held.reject(error);
    } finally {
      this.#running--;
      this.#dispatch();
    }
  }
}
