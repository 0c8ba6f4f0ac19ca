import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Scope } from "../../src/ledger/scope.ts";
import { StoreError } from "../../src/store/port/store-error.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { PASSWORD } from "../postgres-cluster.ts";
import { createLiveScope, makeSettlement } from "../settlement.ts";
import { withStore } from "../store-places.ts";
import { type Cut, startTcpProxy } from "../tcp-proxy.ts";
import { forkChargingProcess } from "./fork-target.ts";
import { expectNoViolation, readSoundUse } from "./load.ts";
import { type Answer, makeOrder, type Target } from "./target.ts";

/** Runs an action on so many processes over one database. */
export async function withProcesses<Result>(
  url: string,
  count: number,
  action: (targets: readonly Target[]) => Promise<Result>,
): Promise<Result> {
  const targets = await Promise.all(Array.from({ length: count }, () => forkChargingProcess(url)));
  try {
    return await action(targets);
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
  }
}

/** T-02: more is asked than the quota holds, of several processes at once. */
export async function raceForQuota(
  url: string,
  targets: readonly Target[],
  { requests, quota, greatestUnits }: { requests: number; quota: number; greatestUnits: number },
  random: () => number,
): Promise<void> {
  await withStore(url, async (store) => {
    const scope = await createLiveScope(store, quota);
    const sent = Array.from({ length: requests }, (_, i) => ({
      units: 1 + Math.floor(random() * greatestUnits),
      target: targets[i % targets.length]!,
    }));
    const outcomes = await Promise.all(
      sent.map(({ units, target }, i) =>
        target.ask({
          request: { ...makeOrder(scope, `race-${10_000 + i}`).request, units },
          degrades: false,
        }),
      ),
    );
    const charged = outcomes.reduce((sum, { kind }, i) => sum + (kind === "charged" ? sent[i]!.units : 0), 0);
    const used = (await store.usage({ scope }))?.period.used ?? 0;
    if (charged !== used || used > quota)
      throw new Error(`${charged} units acknowledged, ${used} used of ${quota}`);
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.kind === "charged") continue;
      const isExceeded = outcome.kind === "refused" && outcome.code === "QUOTA_EXCEEDED";
      if (!isExceeded) throw new Error(`unexpected: ${JSON.stringify(outcome)}`);
      if (Number(outcome.details.used) + sent[i]!.units <= quota) throw new Error("refused what fitted");
    }
    // Units of one always fit until the last is taken.
    if (greatestUnits === 1 && used !== Math.min(quota, requests))
      throw new Error(`${used} used of ${quota}`);
    await expectNoViolation(store, "after the race");
  });
}

/** T-03 over several processes: one charge and one answer for a key that all are asked with. */
export async function raceForKey(url: string, targets: readonly Target[], requests: number): Promise<void> {
  await withStore(url, async (store) => {
    const scope = await createLiveScope(store, 100);
    const outcomes = await Promise.all(
      Array.from({ length: requests }, (_, i) =>
        targets[i % targets.length]!.ask(makeOrder(scope, "same-key")),
      ),
    );
    const texts = new Set(outcomes.flatMap((outcome) => ("response" in outcome ? [outcome.response] : [])));
    const charged = outcomes.filter(({ kind }) => kind === "charged").length;
    if (texts.size !== 1 || charged !== 1) throw new Error(`${charged} charges, ${texts.size} answers`);
    const others = outcomes.filter((outcome) => !("response" in outcome) && !isInProgress(outcome));
    if (others.length > 0) throw new Error(`unexpected: ${JSON.stringify(others[0])}`);
    await expectNoViolation(store, "after the race");
  });
}

function isInProgress(outcome: Answer): boolean {
  return outcome.kind === "refused" && outcome.code === "IDEMPOTENCY_IN_PROGRESS";
}

/** T-13: backends are terminated while settlements run; what is acknowledged is what is charged. */
export async function terminateBackends(
  url: string,
  settlements: number,
): Promise<{ acknowledged: number; refused: number; terminated: number }> {
  const store = await openPostgres(url, { absent: "make" });
  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  let isOver = false;
  let terminated = 0;
  const counts = { acknowledged: 0, refused: 0 };
  const killing = (async () => {
    for (let heard = 0; !isOver; await sleep(15)) {
      // However slow the machine is, some charge gets through between two terminations.
      if (counts.acknowledged === heard) continue;
      heard = counts.acknowledged;
      const { rowCount } = await killer.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      terminated += rowCount ?? 0;
    }
  })();
  try {
    const scope = await retryUntilWritten(() => createLiveScope(store, settlements));
    await settleConcurrently(store, scope, settlements, counts);
    isOver = true;
    await killing;
    await retryUntilWritten(() => expectChargedUnits(url, scope, counts.acknowledged));
    return { ...counts, terminated };
  } finally {
    isOver = true;
    await killing;
    await killer.end();
    await store.close();
  }
}

/** T-14: the link is cut before or after COMMIT is passed on, both in turn; each outcome is resolved. */
export async function cutLinkAtCommits(
  url: string,
  settlements: number,
  random: () => number,
): Promise<{ acknowledged: number; before: number; after: number; slowestMs: number }> {
  let isCutting = false;
  const cuts = { before: 0, after: 0 };
  const decide = (): Cut => {
    const chance = random();
    const cut = !isCutting || chance > 0.6 ? undefined : chance < 0.3 ? "before" : "after";
    if (cut !== undefined) cuts[cut]++;
    return cut;
  };
  const { port, pathname } = new URL(url);
  const proxy = await startTcpProxy(Number(port), decide);
  const store = await openPostgres(`postgres://groundrule:${PASSWORD}@127.0.0.1:${proxy.port}${pathname}`, {
    absent: "make",
  });
  try {
    const scope = await createLiveScope(store, settlements);
    isCutting = true;
    let acknowledged = 0;
    let slowestMs = 0;
    // One after the other, so that each commit is one settlement's and each cut meets a write.
    for (let i = 0; i < settlements; i++) {
      const settlement = makeSettlement(scope, { key: `cut-${10_000 + i}` });
      const began = performance.now();
      const outcome = await retryUntilWritten(() => store.settle(settlement));
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (outcome.kind !== "charged") throw new Error(`unexpected: ${JSON.stringify(outcome)}`);
      acknowledged++;
    }
    isCutting = false;
    await expectChargedUnits(url, scope, acknowledged);
    return { acknowledged, ...cuts, slowestMs };
  } finally {
    await store.close();
    await proxy.close();
  }
}

/** Again while the store says that nothing was written. */
async function retryUntilWritten<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let tried = 0; ; tried++) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "STORAGE_UNAVAILABLE" || tried > 50) throw error;
    }
  }
}

async function settleConcurrently(
  store: Awaited<ReturnType<typeof openPostgres>>,
  scope: Scope,
  settlements: number,
  counts: { acknowledged: number; refused: number },
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      while (next++ < settlements) {
        try {
          const outcome = await store.settle(makeSettlement(scope, { decisionId: `dec_${randomUUID()}` }));
          if (outcome.kind === "charged") counts.acknowledged++;
        } catch (error) {
          if (!(error instanceof StoreError) || error.code !== "STORAGE_UNAVAILABLE") throw error;
          counts.refused++;
        }
      }
    }),
  );
}

async function expectChargedUnits(url: string, scope: Scope, units: number): Promise<void> {
  const used = await readSoundUse(url, scope, "in the store");
  if (used !== units) throw new Error(`${units} charges were acknowledged, ${used} stand`);
}
