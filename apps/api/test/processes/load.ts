import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import type { Store } from "../../src/store/port/port.ts";
import { withStore } from "../store-places.ts";
import { type Answer, type ChargedAnswer, makeOrder, type Order, type Target } from "./target.ts";

/** A request of a load. */
export interface SentRequest {
  readonly order: Order;
  /** From when its turn came. */
  readonly atMs: number;
  readonly tookMs: number;
  /** Undefined where the link broke. */
  readonly answer: Answer | undefined;
}

type Receiver = Pick<Target, "ask">;

/** Requests that are sent until the load ends, and their answers. */
export class Load {
  readonly #sent: Promise<SentRequest>[] = [];
  readonly #waiting = new Set<(one: SentRequest) => void>();
  readonly #turns: Promise<void>[] = [];
  readonly #over = new AbortController();
  #running = 0;

  /** Number of requests so far. */
  get count(): number {
    return this.#sent.length;
  }

  /** Number of requests that are on their way. */
  get running(): number {
    return this.#running;
  }

  send(target: Receiver, order: Order): Promise<SentRequest> {
    const sent = this.#send(target, order);
    this.#sent.push(sent);
    return sent;
  }

  /** Takes turns, one after the other, until the load ends. */
  repeat(turn: () => Promise<unknown>): void {
    const take = async (): Promise<void> => {
      while (!this.#over.signal.aborted) await turn();
    };
    this.#turns.push(take());
  }

  /** Resolves when so many more were answered in that way; default with a charge. */
  answered(count: number, isSo: (one: SentRequest) => boolean = isAnswered): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = count;
    const receive = (one: SentRequest): void => {
      if (!isSo(one) || --left > 0) return;
      this.#waiting.delete(receive);
      resolve();
    };
    if (count === 0) resolve();
    else this.#waiting.add(receive);
    return promise;
  }

  /** Takes no more turns. Resolves when all requests are answered. */
  async end(): Promise<readonly SentRequest[]> {
    this.#over.abort();
    await Promise.all(this.#turns);
    return Promise.all(this.#sent);
  }

  async #send(target: Receiver, order: Order): Promise<SentRequest> {
    const atMs = performance.now();
    this.#running++;
    const answer = await target.ask(order).catch(() => undefined);
    this.#running--;
    const one = { order, atMs, tookMs: performance.now() - atMs, answer };
    for (const receive of this.#waiting) receive(one);
    return one;
  }
}

/**
 * A load of so many requests a second until it ends, whether or not earlier ones are answered: a caller who waits for
 * answers sends less to a slow service, and does not see how slow it is.
 *
 * @param mostRunning more than so many are not on their way at once; default 1,000
 */
export function startSteadyLoad(
  target: Receiver,
  scope: Scope,
  perSecond: number,
  { prefix = "load", mostRunning = 1_000 } = {},
): Load {
  const load = new Load();
  const began = performance.now();
  load.repeat(async () => {
    const due = Math.floor(((performance.now() - began) * perSecond) / 1_000);
    while (load.count <= due && load.running < mostRunning)
      void load.send(target, makeOrder(scope, `${prefix}-${100_000 + load.count}`));
    await sleep(2);
  });
  return load;
}

/** A process that has just started answers many times slower than a second later. */
export async function warmUpTarget(target: Receiver, scope: Scope): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const { request } = makeOrder(scope, "warm");
    const order = { request: { ...request, key: null }, degrades: false };
    await Promise.all(Array.from({ length: 16 }, () => target.ask(order)));
  }
}

/**
 * Sends each key once more, so many at once as are worked on at a time, to another process than before.
 *
 * @returns the answers by key
 *
 * @throws where a key is stuck, has two answers, or what was acknowledged under it is not replayed
 */
export async function expectReplays(
  targets: readonly Receiver[],
  scope: Scope,
  sent: readonly SentRequest[],
): Promise<ReadonlyMap<string, ChargedAnswer>> {
  const texts = new Map<string, string>();
  for (const { order, answer } of sent) {
    const { key } = order.request;
    if (key === null || answer === undefined || !("response" in answer)) continue;
    if ((texts.get(key) ?? answer.response) !== answer.response) throw new Error(`two answers under ${key}`);
    texts.set(key, answer.response);
  }
  const answers = new Map<string, ChargedAnswer>();
  const keys = [...new Set(sent.flatMap(({ order }) => order.request.key ?? []))].entries();
  const replay = async (): Promise<void> => {
    for (const [i, key] of keys) {
      const answer = await sendUntilNotBusy(targets[i % targets.length]!, makeOrder(scope, key));
      if (!("response" in answer)) throw new Error(`${key} is stuck: ${JSON.stringify(answer)}`);
      const text = texts.get(key);
      if (text !== undefined && (answer.kind !== "replayed" || answer.response !== text))
        throw new Error(`the acknowledged answer under ${key} is lost: ${JSON.stringify(answer)}`);
      answers.set(key, answer);
    }
  };
  await Promise.all(Array.from({ length: 64 }, replay));
  return answers;
}

/** Sends a request as clients do: again where a busy machine says so. */
async function sendUntilNotBusy(target: Receiver, order: Order): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    const answer = await target.ask(order);
    if (!isBusy(answer) || tried === MOST_TRIES) return answer;
    await sleep(100);
  }
}

const MOST_TRIES = 1_000;
const BUSY_CODES: ReadonlySet<string> = new Set(["IDEMPOTENCY_IN_PROGRESS", "OVERLOADED", "REQUEST_TIMEOUT"]);

/** Nothing was executed: more came than could be answered, a request was not read in time, or its twin still ran. */
export function isBusy(answer: Answer): boolean {
  return answer.kind === "refused" && BUSY_CODES.has(answer.code);
}

export function isAnswered({ answer }: Pick<SentRequest, "answer">): boolean {
  return answer !== undefined && "response" in answer;
}

/** Refused in time, with an instant to come again, because more wait than can be answered. */
export function isOverloaded({ answer }: SentRequest): boolean {
  return answer?.kind === "refused" && answer.code === "OVERLOADED" && answer.retryAfterSeconds !== undefined;
}

/** The link broke, or the service did not learn whether it charged. */
export function isUnknown({ answer }: SentRequest): boolean {
  return answer === undefined || (answer.kind === "refused" && answer.code === "OUTCOME_UNKNOWN");
}

export async function expectNoViolation(store: Store, when: string): Promise<void> {
  const [violation] = await store.findViolations({ extent: "all" });
  if (violation !== undefined) throw new Error(`${when}: ${violation.invariant} ${violation.message}`);
}

/** Units that a customer was charged, in a store in which every invariant holds. */
export function readSoundUse(url: string, scope: Scope, when: string): Promise<number> {
  return withStore(url, async (store) => {
    await expectNoViolation(store, when);
    return (await store.usage({ scope }))?.period.used ?? 0;
  });
}
