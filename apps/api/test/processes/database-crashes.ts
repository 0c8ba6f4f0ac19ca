import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresCluster } from "../postgres-cluster.ts";
import { runPast, withStore } from "../store-places.ts";
import { expectSound } from "./kill.ts";
import type { ServedByCommand, ServeTarget } from "./serve-target.ts";
import { type Answer, type Order, orderOf } from "./target.ts";

export interface CrashReport {
  readonly crashes: number;
  /** Answers that said they were charged, or replayed what was. */
  readonly acknowledged: number;
  /** `OUTCOME_UNKNOWN`. */
  readonly unknown: number;
  /** Refused because the database was down. */
  readonly refused: number;
  /** Decisions in the ledger before everybody asked again. */
  readonly decisions: number;
  /** Charges whose answer was not heard, and which were replayed to whoever asked again. */
  readonly recovered: number;
}

/** How a server's log must be written that forgets as much as it may in a crash. */
export const FORGETFUL: readonly string[] = [
  "wal_writer_delay=10s",
  "commit_delay=5000",
  "commit_siblings=1",
];

interface SentOrder {
  readonly order: Order;
  readonly answer: Answer | undefined;
}

/**
 * T-15-crash. PostgreSQL goes down so many times under the load of three processes, and comes back each time. Then
 * everybody asks again under their keys.
 *
 * @throws where a charge that was acknowledged is not in the ledger, or not with that answer; where a
 *   key was charged twice, is stuck, or is answered otherwise than before; or where an invariant does
 *   not hold
 */
export async function crashUnderLoad(
  cluster: PostgresCluster,
  served: ServedByCommand,
  url: string,
  crashes: number,
  random: () => number,
): Promise<CrashReport> {
  const targets = await Promise.all(Array.from({ length: 3 }, () => served.start()));
  try {
    const load = new Load(targets, served, random);
    for (let i = 0; i < crashes; i++) {
      // Some die while they still recover, as it were; most under full load.
      await load.acknowledged(Math.floor(random() * 60));
      await cluster.crash(random() < 0.5 ? "immediate" : "killed");
      await cluster.start();
    }
    await load.acknowledged(60);
    const sent = await load.end();
    await expectSoundLedger(url);
    const ledger = await readLedger(url);
    const texts = expectAcknowledged(sent, ledger);
    const recovered = await askKeysAgain(targets, served, sent, texts, ledger);
    await expectSoundLedger(url);
    await expectNothingElse(url, sent);
    return {
      crashes,
      acknowledged: sent.filter(({ answer }) => answer !== undefined && "response" in answer).length,
      unknown: sent.filter(({ answer }) => codeOf(answer) === "OUTCOME_UNKNOWN").length,
      refused: sent.filter(({ answer }) => codeOf(answer) === "STORAGE_UNAVAILABLE").length,
      decisions: ledger.length,
      recovered,
    };
  } finally {
    await Promise.all(targets.map((target) => target.kill()));
  }
}

/** Eight callers a process, each asking as soon as it is answered. */
class Load {
  readonly #sent: SentOrder[] = [];
  readonly #callers: Promise<void>[];
  readonly #over = new AbortController();
  #heard = 0;
  #wait: { readonly until: number; readonly resolve: () => void } | undefined;

  constructor(targets: readonly ServeTarget[], { scope }: ServedByCommand, random: () => number) {
    let keys = 0;
    const call = async (target: ServeTarget): Promise<void> => {
      while (!this.#over.signal.aborted) {
        const chance = random();
        // One in five is asked under a key that somebody, somewhere, has just asked under; one in ten under none.
        const key = chance < 0.2 ? keys - Math.floor(random() * 20) : ++keys;
        const { request } = orderOf(scope, `crash-${100_000 + Math.max(key, 1)}`);
        const order = { request: chance > 0.9 ? { ...request, key: null } : request, degrades: false };
        const answer = await target.ask(order).catch(() => undefined);
        this.#sent.push({ order, answer });
        if (answer !== undefined && "response" in answer) this.#hear();
        else await sleep(20);
      }
    };
    this.#callers = targets.flatMap((target) => Array.from({ length: 8 }, () => call(target)));
  }

  /** Resolves when so many more have been answered. */
  acknowledged(more: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wait = { until: this.#heard + more, resolve };
    if (more === 0) resolve();
    return promise;
  }

  async end(): Promise<readonly SentOrder[]> {
    this.#over.abort();
    await Promise.all(this.#callers);
    return this.#sent;
  }

  #hear(): void {
    this.#heard++;
    if (this.#wait !== undefined && this.#heard >= this.#wait.until) this.#wait.resolve();
  }
}

interface Charged {
  readonly id: string;
  readonly key: string | null;
  readonly response: string;
}

/** The charges that the database has. */
async function readLedger(url: string): Promise<readonly Charged[]> {
  const text = "SELECT id, idempotency_key AS key, response FROM decision JOIN record ON decision_id = id";
  return (await runPast(url, text)) as unknown as readonly Charged[];
}

/** The answers received under each key; asserts that all are in the ledger. */
function expectAcknowledged(sent: readonly SentOrder[], ledger: readonly Charged[]): Map<string, string> {
  const byId = new Map(ledger.map((charged) => [charged.id, charged]));
  const texts = new Map<string, string>();
  for (const { order, answer } of sent) {
    const { key } = order.request;
    if (answer === undefined || !("response" in answer)) {
      if (!EXPECTED.has(codeOf(answer) ?? "")) {
        throw new Error(`${key} was answered ${JSON.stringify(answer)}`);
      }
      continue;
    }
    const charged = byId.get(answer.decisionId);
    if (charged === undefined) throw new Error(`the charge ${answer.decisionId} of ${key} is lost`);
    if (charged.key !== key || charged.response !== answer.response) {
      throw new Error(`${answer.decisionId} is not what was answered under ${key}`);
    }
    if (key !== null) texts.set(key, answer.response);
  }
  return texts;
}

/** Codes of refusals while the database is down, or its machine is overloaded. */
const EXPECTED: ReadonlySet<string> = new Set([
  "STORAGE_UNAVAILABLE",
  "OUTCOME_UNKNOWN",
  "IDEMPOTENCY_IN_PROGRESS",
  "OVERLOADED",
  "REQUEST_TIMEOUT",
]);

function codeOf(answer: Answer | undefined): string | undefined {
  return answer?.kind === "refused" ? answer.code : undefined;
}

/** Each key once more, of another process than before; how many charges were heard of only now. */
async function askKeysAgain(
  targets: readonly ServeTarget[],
  { scope }: ServedByCommand,
  sent: readonly SentOrder[],
  texts: ReadonlyMap<string, string>,
  ledger: readonly Charged[],
): Promise<number> {
  const stood = new Set(ledger.map(({ key }) => key));
  const keys = [...new Set(sent.flatMap(({ order }) => order.request.key ?? []))];
  let recovered = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      while (next < keys.length) {
        const i = next++;
        const key = keys[i]!;
        const answer = await insist(targets[i % targets.length]!, orderOf(scope, key));
        if (!("response" in answer)) throw new Error(`${key} is stuck: ${JSON.stringify(answer)}`);
        const text = texts.get(key);
        if (stood.has(key) !== (answer.kind === "replayed")) {
          throw new Error(`${key} was ${answer.kind}, and ${stood.has(key) ? "stood" : "did not stand"}`);
        }
        if (text !== undefined && answer.response !== text) throw new Error(`two answers under ${key}`);
        if (text === undefined && stood.has(key)) recovered++;
      }
    }),
  );
  return recovered;
}

async function insist(target: ServeTarget, order: Order): Promise<Answer> {
  for (let tried = 0; ; tried++) {
    const answer = await target.ask(order);
    if (tried >= 50 || !["OVERLOADED", "REQUEST_TIMEOUT"].includes(codeOf(answer) ?? "")) return answer;
    await sleep(100);
  }
}

/** One charge a key; of those without a key, as many as were heard of, or may have been made. */
async function expectNothingElse(url: string, sent: readonly SentOrder[]): Promise<void> {
  const ledger = await readLedger(url);
  const keys = new Set(sent.flatMap(({ order }) => order.request.key ?? []));
  const keyed = ledger.filter(({ key }) => key !== null).length;
  if (keyed !== keys.size) throw new Error(`${keys.size} keys were charged ${keyed} times`);
  const without = sent.filter(({ order }) => order.request.key === null);
  const heard = without.filter(({ answer }) => answer !== undefined && "response" in answer).length;
  const doubtful = without.filter(
    ({ answer }) => answer === undefined || codeOf(answer) === "OUTCOME_UNKNOWN",
  ).length;
  const stands = ledger.length - keyed;
  if (stands < heard || stands > heard + doubtful) {
    throw new Error(`without a key ${heard} were acknowledged, ${doubtful} unknown, ${stands} stand`);
  }
}

function expectSoundLedger(url: string): Promise<void> {
  return withStore(url, (store) => expectSound(store, "after the crashes"));
}
