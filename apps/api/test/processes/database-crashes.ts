import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import type { PostgresCluster } from "../postgres-cluster.ts";
import { runSqlPastStore } from "../store-places.ts";
import { expectReplays, isAnswered, isUnknown, Load, readSoundUse, type SentRequest } from "./load.ts";
import { type Answer, makeOrder, type Served, type Target } from "./target.ts";

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
  served: Served,
  url: string,
  crashes: number,
  random: () => number,
): Promise<CrashReport> {
  const { scope } = served;
  const targets = await Promise.all(Array.from({ length: 3 }, () => served.start()));
  try {
    const load = startCallerLoad(targets, scope, random);
    for (let i = 0; i < crashes; i++) {
      // Some die while they still recover, as it were; most under full load.
      await load.answered(Math.floor(random() * 60));
      await cluster.crash(random() < 0.5 ? "immediate" : "killed");
      await cluster.start();
    }
    await load.answered(60);
    const sent = await load.end();
    await readSoundUse(url, scope, "after the crashes");
    const ledger = await readLedgerCharges(url);
    const acknowledged = expectAcknowledged(sent, ledger);
    const before = new Set(ledger.map(({ key }) => key));
    let recovered = 0;
    for (const [key, { kind }] of await expectReplays(targets, scope, sent)) {
      if (before.has(key) !== (kind === "replayed"))
        throw new Error(`${key} was ${kind}, and was ${before.has(key) ? "" : "not "}in the ledger`);
      if (before.has(key) && !acknowledged.has(key)) recovered++;
    }
    await readSoundUse(url, scope, "after the replays");
    await expectNothingElse(url, sent);
    return {
      crashes,
      acknowledged: sent.filter(isAnswered).length,
      unknown: sent.filter(({ answer }) => findRefusalCode(answer) === "OUTCOME_UNKNOWN").length,
      refused: sent.filter(({ answer }) => findRefusalCode(answer) === "STORAGE_UNAVAILABLE").length,
      decisions: ledger.length,
      recovered,
    };
  } finally {
    await Promise.all(targets.map((target) => target.kill()));
  }
}

/** Eight callers a process, each sending as soon as it is answered. */
function startCallerLoad(targets: readonly Target[], scope: Scope, random: () => number): Load {
  const load = new Load();
  let keys = 0;
  for (const target of targets.flatMap((target) => Array(8).fill(target) as Target[])) {
    load.repeat(async () => {
      const chance = random();
      // One in five has a key that somebody, somewhere, has just used; one in ten has none.
      const key = chance < 0.2 ? keys - Math.floor(random() * 20) : ++keys;
      const { request } = makeOrder(scope, `crash-${100_000 + Math.max(key, 1)}`);
      const order = { request: chance > 0.9 ? { ...request, key: null } : request, degrades: false };
      if (!isAnswered(await load.send(target, order))) await sleep(20);
    });
  }
  return load;
}

interface Charged {
  readonly id: string;
  readonly key: string | null;
  readonly response: string;
}

/** The charges that the database has. */
async function readLedgerCharges(url: string): Promise<readonly Charged[]> {
  const text = "SELECT id, idempotency_key AS key, response FROM decision JOIN record ON decision_id = id";
  return (await runSqlPastStore(url, text)) as unknown as readonly Charged[];
}

/** Asserts that all acknowledged answers are in the ledger. @returns their keys */
function expectAcknowledged(sent: readonly SentRequest[], ledger: readonly Charged[]): Set<string> {
  const byId = new Map(ledger.map((charged) => [charged.id, charged]));
  const keys = new Set<string>();
  for (const { order, answer } of sent) {
    const { key } = order.request;
    if (answer === undefined || !("response" in answer)) {
      if (!EXPECTED.has(findRefusalCode(answer) ?? "")) {
        throw new Error(`${key} was answered ${JSON.stringify(answer)}`);
      }
      continue;
    }
    const charged = byId.get(answer.decisionId);
    if (charged === undefined) throw new Error(`the charge ${answer.decisionId} of ${key} is lost`);
    if (charged.key !== key || charged.response !== answer.response) {
      throw new Error(`${answer.decisionId} is not what was answered under ${key}`);
    }
    if (key !== null) keys.add(key);
  }
  return keys;
}

/** Codes of refusals while the database is down, or its machine is overloaded. */
const EXPECTED: ReadonlySet<string> = new Set([
  "STORAGE_UNAVAILABLE",
  "OUTCOME_UNKNOWN",
  "IDEMPOTENCY_IN_PROGRESS",
  "OVERLOADED",
  "REQUEST_TIMEOUT",
]);

function findRefusalCode(answer: Answer | undefined): string | undefined {
  return answer?.kind === "refused" ? answer.code : undefined;
}

/** One charge a key; of those without a key, as many as were heard of, or may have been made. */
async function expectNothingElse(url: string, sent: readonly SentRequest[]): Promise<void> {
  const ledger = await readLedgerCharges(url);
  const keys = new Set(sent.flatMap(({ order }) => order.request.key ?? []));
  const keyed = ledger.filter(({ key }) => key !== null).length;
  if (keyed !== keys.size) throw new Error(`${keys.size} keys were charged ${keyed} times`);
  const without = sent.filter(({ order }) => order.request.key === null);
  const heard = without.filter(isAnswered).length;
  const doubtful = without.filter(isUnknown).length;
  const stands = ledger.length - keyed;
  if (stands < heard || stands > heard + doubtful) {
    throw new Error(`without a key ${heard} were acknowledged, ${doubtful} unknown, ${stands} stand`);
  }
}
