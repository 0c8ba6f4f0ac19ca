import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import { type Answer, type Order, orderOf, type Target } from "./target.ts";

/** One request of a load. */
export interface SentRequest {
  readonly order: Order;
  /** From when its turn came. */
  readonly atMs: number;
  readonly tookMs: number;
  /** Undefined where the link broke. */
  readonly answer: Answer | undefined;
}

/**
 * Asks at that rate until it is stopped, whether or not what was asked before is answered: who waits for
 * answers asks a slow service less often, and does not see how slow it is.
 */
export class SteadyLoad {
  readonly #sent: Promise<SentRequest>[] = [];
  readonly #waiting = new Set<(one: SentRequest) => void>();
  readonly #asking: Promise<void>;
  readonly #over = new AbortController();
  #running = 0;

  /** @param mostRunning more than so many are not on their way at once; default 1,000 */
  constructor(
    target: Pick<Target, "ask">,
    scope: Scope,
    perSecond: number,
    {
      prefix = "load",
      mostRunning = 1_000,
    }: { readonly prefix?: string; readonly mostRunning?: number } = {},
  ) {
    const began = performance.now();
    const ask = async (): Promise<SentRequest> => {
      const order = orderOf(scope, `${prefix}-${100_000 + this.#sent.length}`);
      const atMs = performance.now();
      this.#running++;
      const answer = await target.ask(order).catch(() => undefined);
      this.#running--;
      const one = { order, atMs, tookMs: performance.now() - atMs, answer };
      for (const hear of this.#waiting) hear(one);
      return one;
    };
    this.#asking = (async () => {
      while (!this.#over.signal.aborted) {
        const due = Math.floor(((performance.now() - began) * perSecond) / 1_000);
        while (this.#sent.length <= due && this.#running < mostRunning) this.#sent.push(ask());
        await sleep(2);
      }
    })();
  }

  /** Resolves when so many more were answered in that way; default with a charge. */
  heard(count: number, isSo: (one: SentRequest) => boolean = isAnswered): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = count;
    const hear = (one: SentRequest): void => {
      if (!isSo(one) || --left > 0) return;
      this.#waiting.delete(hear);
      resolve();
    };
    this.#waiting.add(hear);
    return promise;
  }

  /** Asks no more. Resolves when all is answered. */
  async stop(): Promise<readonly SentRequest[]> {
    this.#over.abort();
    await this.#asking;
    return Promise.all(this.#sent);
  }
}

/** Asks one after the other, so that each is a commit of its own; until the link breaks. */
export async function askInTurn(
  target: Pick<Target, "ask">,
  scope: Scope,
  count: number,
): Promise<readonly SentRequest[]> {
  const sent: SentRequest[] = [];
  while (sent.length < count && (sent.length === 0 || sent.at(-1)?.answer !== undefined)) {
    const order = orderOf(scope, `turn-${1_000 + sent.length}`);
    const atMs = performance.now();
    const answer = await target.ask(order).catch(() => undefined);
    sent.push({ order, atMs, tookMs: performance.now() - atMs, answer });
  }
  return sent;
}

/** A process that has just started answers many times slower than a second later. */
export async function warmUp(target: Pick<Target, "ask">, scope: Scope): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const { request } = orderOf(scope, "warm");
    const order = { request: { ...request, key: null }, degrades: false };
    await Promise.all(Array.from({ length: 16 }, () => target.ask(order)));
  }
}

/** Asks each once more, so many at once as are worked on at a time. */
export async function askAllAgain(
  target: Pick<Target, "ask">,
  sent: readonly SentRequest[],
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < sent.length; from += 64) {
    const batch = sent.slice(from, from + 64);
    answers.push(...(await Promise.all(batch.map(({ order }) => target.ask(order)))));
  }
  return answers;
}

export function isAnswered({ answer }: SentRequest): boolean {
  return answer !== undefined && "response" in answer;
}

/** Refused in time, and told when to come again, because more wait than can be answered. */
export function isOverloaded({ answer }: SentRequest): boolean {
  return answer?.kind === "refused" && answer.code === "OVERLOADED" && answer.retryAfterSeconds !== undefined;
}
