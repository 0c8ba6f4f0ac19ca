import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import type { Store } from "../../src/store/port/port.ts";
import { withSeed } from "../seed.ts";
import { withStore } from "../store-places.ts";
import { withSqliteUrl } from "../temporary-folder.ts";
import { forkChargingProcess } from "./fork-target.ts";
import { expectReplays, isAnswered, isBusy, Load, readSoundUse, type SentRequest } from "./load.ts";
import { makeOrder, type Served, type Target, type Targets } from "./target.ts";

export interface KillReport {
  /** Keys whose answer was heard before the process died. */
  readonly acknowledged: number;
  /** Charges that stand though their answer was lost, and were replayed to whoever asked again. */
  readonly recovered: number;
  /** True if it died before all requests were answered, or as it started. */
  readonly diedAtWork: boolean;
  /** From the start of the next process to the last answer to those who asked again. */
  readonly recoveryMs: number;
}

/**
 * T-07 and T-08. Asks 80 times under 60 keys, one in seven degraded, while the process is killed;
 * then everybody asks again of the next.
 *
 * @param killAt a named point and a count; default at random, a moment after so many answers
 *
 * @throws where an acknowledged charge is lost, anything is charged twice, a key is stuck, or an
 *   invariant is broken
 */
export async function killAndRecover(
  targets: Targets,
  url: string,
  random: () => number,
  { killAt }: { readonly killAt?: string } = {},
): Promise<KillReport> {
  const killAtStart = killAt !== undefined && START_POINTS.has(getPointName(killAt)) ? killAt : undefined;
  // Making the file is a start too.
  if (killAtStart !== undefined)
    await expectDeathAtStart(() => forkChargingProcess(url, { killAt: killAtStart }));
  const served = await targets(url, 1_000);
  const target = await served.start(killAtStart === undefined ? killAt : undefined);
  const load = new Load();
  for (let i = 0; i < 80; i++) {
    const key = `job-${1_000 + Math.floor(random() * 60)}`;
    void load.send(target, makeOrder(served.scope, key, random() < 1 / 7));
  }
  if (killAt === undefined || killAtStart !== undefined) {
    // Not after so much time, by which a slow machine would die before its work, a fast one after it. The
    // moment is for what happens between answers.
    await load.answered(Math.floor(random() * load.count), () => true);
    await sleep(random() * MOMENT_MS);
  } else {
    // A point that is not reached often enough lets everybody be answered; the process dies then.
    await Promise.race([target.gone, load.end()]);
  }
  await target.kill();
  const sent = await load.end();
  if (killAtStart !== undefined) await expectDeathAtStart(() => served.start(killAtStart));
  const report = await expectReplaysAfterKill(served, url, sent, killAt ?? "");
  return {
    ...report,
    diedAtWork: killAtStart !== undefined || sent.some(({ answer }) => answer === undefined),
  };
}

/** A few commits take as long. */
const MOMENT_MS = 10;

/**
 * Kills that often, and on until a charge was acknowledged and a process died at its work: otherwise
 * nothing would be seen.
 */
export async function killUntilSeen(
  seed: number,
  times: number,
  kill: (random: () => number) => Promise<KillReport>,
): Promise<object> {
  const sum = { times, acknowledged: 0, recovered: 0, died: 0, slowestRecoveryMs: 0 };
  for (let i = 0; i < times || sum.acknowledged === 0 || sum.died === 0; i++) {
    if (i === times + 50) throw new Error(`too few charges or deaths: ${JSON.stringify(sum)}`);
    const report = await withSeed(seed + i, kill);
    sum.acknowledged += report.acknowledged;
    sum.recovered += report.recovered;
    sum.died += Number(report.diedAtWork);
    sum.slowestRecoveryMs = Math.max(sum.slowestRecoveryMs, Math.round(report.recoveryMs));
  }
  return sum;
}

/**
 * T-08. Kills at one of the turns of a point, at random. Where a slow machine passes the point less often,
 * because more is written in a group, it is killed at an earlier turn.
 */
export async function killAtPoint(
  targets: Targets,
  point: string,
  most: number,
  random: () => number,
): Promise<void> {
  for (let turn = 1 + Math.floor(random() * most); turn > 0; turn >>= 1) {
    const killAt = `${point}:${turn}`;
    const report = await withSqliteUrl((url) => killAndRecover(targets, url, random, { killAt }));
    if (report.diedAtWork) return;
  }
  throw new Error(`${point} was not reached`);
}

async function expectDeathAtStart(start: () => Promise<Target>): Promise<void> {
  const started = await start().catch(() => undefined);
  if (started === undefined) return;
  await started.kill();
  throw new Error("the process got past the point of its start where it was to die");
}

async function expectReplaysAfterKill(
  served: Served,
  url: string,
  sent: readonly SentRequest[],
  killAt: string,
): Promise<Omit<KillReport, "diedAtWork">> {
  const wrong = sent.find((one) => !isExpected(one, killAt));
  if (wrong !== undefined) throw new Error(`unexpected: ${JSON.stringify(wrong)}`);
  const began = performance.now();
  await using target = await served.start();
  const { scope } = served;
  const before = await readSoundUse(url, scope, "after the kill");
  await withStore(url, async (store) => {
    await expectWholeRotation(store, scope);
    if (getPointName(killAt) === "run freeze") await store.freeze({ scope, reason: null });
  });
  const { size } = await expectReplays([target], scope, sent);
  const recoveryMs = performance.now() - began;
  const used = await readSoundUse(url, scope, "after the replays");
  if (used !== size) throw new Error(`${size} keys were charged ${used} units`);
  const acknowledged = new Set(sent.filter(isAnswered).map(({ order }) => order.request.key)).size;
  return { acknowledged, recovered: before - acknowledged, recoveryMs };
}

/** An answer that its order may bring, or none because the process died. */
function isExpected({ order: { degrades }, answer }: SentRequest, killAt: string): boolean {
  if (answer === undefined || "response" in answer || isBusy(answer)) return true;
  if (answer.kind !== "refused") return answer.kind === "uncharged" && degrades;
  // Over HTTP what degrades is another body, which a key that was charged does not take.
  if (answer.code === "IDEMPOTENCY_KEY_CONFLICT") return degrades;
  return answer.code === "STORAGE_UNAVAILABLE" && getPointName(killAt) === "run freeze";
}

/** A key was rotated or was not: the last alone has no successor, and every other one ends. */
async function expectWholeRotation(store: Store, { organization }: Scope): Promise<void> {
  const keys = await store.listApiKeys({ organization });
  const ids = new Set(keys.map(({ id }) => id));
  const isWhole = keys.every(({ successorId, expiresAtMs }) => {
    return successorId === null || (ids.has(successorId) && expiresAtMs !== null);
  });
  const last = keys.filter(({ successorId }) => successorId === null);
  if (!isWhole || (keys.length > 0 && last.length !== 1)) throw new Error("a key was rotated by half");
}

function getPointName(killAt: string): string {
  return killAt.split(":")[0]!;
}

/** Passed while the process starts, not while it is asked. */
const START_POINTS: ReadonlySet<string> = new Set(["migrate", "migrated"]);

/**
 * Where T-08 ends the process, and how often each is passed at least: in the protocol, around each
 * step of a group's transaction, in the writes that are not charges, and in the transaction a file
 * is opened with, both when it is made and when the next process recovers it.
 */
export const KILL_POINTS = {
  received: 80,
  execute: 40,
  executed: 40,
  begin: 4,
  begun: 4,
  "run settleBatch": 4,
  ran: 4,
  commit: 4,
  committed: 4,
  settled: 60,
  answered: 60,
  "run addCounts": 1,
  "run freeze": 3,
  "run rotateApiKey": 3,
  migrate: 1,
  migrated: 1,
} as const;

/**
 * Where T-08 ends the command over HTTP: as the system is asked to write to the state file's log, to
 * make it durable, to send an answer. Each with the calls in one thread, from and to, that belong to
 * the 80 requests on a quiet machine; those before are the start's.
 */
export const KILL_CALLS = { pwrite64: [46, 110], fsync: [4, 5], write: [14, 120] } as const;

/** One of the turns of a point, at random. */
export function pickKillTurn(point: string, from: number, to: number, random: () => number): string {
  return `${point}:${from + Math.floor(random() * (to - from + 1))}`;
}
