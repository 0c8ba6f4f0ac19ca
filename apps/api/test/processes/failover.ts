import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port/port.ts";
import { StoreError } from "../../src/store/port/store-error.ts";
import { PASSWORD, startPostgres } from "../postgres-cluster.ts";
import { createLiveScope, makeSettlement } from "../settlement.ts";
import { withStore } from "../store-places.ts";
import { startTcpProxy } from "../tcp-proxy.ts";
import { Load, readSoundUse } from "./load.ts";
import { queryLastValue } from "./lost-commits.ts";
import { type Answer, makeOrder, type Order } from "./target.ts";

export interface FailoverReport {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
}

/**
 * T-16. The primary dies under load, its synchronous standby is promoted, and new links lead there.
 * Whoever was refused, or told that the outcome is unknown, asks again under the same key.
 *
 * @throws where a charge that was acknowledged is missing on the standby, or a key was charged twice
 */
export async function failOverUnderLoad(random: () => number): Promise<FailoverReport> {
  const primary = await startPostgres("flushing");
  const url = await primary.createDatabase();
  const standby = await primary.follow();
  const { pathname } = new URL(url);
  const urlAt = (port: number) => `postgres://groundrule:${PASSWORD}@127.0.0.1:${port}${pathname}`;
  const proxy = await startTcpProxy(primary.port, () => undefined);
  const store = await openStore(urlAt(proxy.port), { absent: "make" });
  try {
    const scope = await createLiveScope(store, 1_000_000);
    const target = createRetryingCharger(store, scope);
    const load = new Load();
    for (let i = 0; i < 20; i++)
      load.repeat(() => load.send(target, makeOrder(scope, `failover-${1_000 + load.count}`)));
    await load.answered(100 + Math.floor(random() * 100));
    await primary.crash(random() < 0.5 ? "immediate" : "killed");
    await queryLastValue(urlAt(standby.port), "SELECT pg_promote()");
    proxy.aim(standby.port);
    await load.answered(100);
    const sent = await load.end();
    const strange = sent.find(({ answer }) => answer === undefined || answer.kind === "abandoned");
    if (strange !== undefined) throw new Error(`unexpected: ${JSON.stringify(strange)}`);
    const decisions = sent.flatMap(({ answer }) =>
      answer && "decisionId" in answer ? [answer.decisionId] : [],
    );
    const used = await readSoundUse(urlAt(standby.port), scope, "after the failover");
    if (used !== sent.length) throw new Error(`${sent.length} keys were charged ${used} units`);
    await withStore(urlAt(standby.port), async (after) => {
      for (const decisionId of decisions) {
        if ((await after.findDecision({ scope, decisionId })) === undefined)
          throw new Error(`the acknowledged charge ${decisionId} is missing on the standby`);
      }
    });
    return { acknowledged: decisions.length, ...target.counts };
  } finally {
    await store.close();
    await proxy.close();
    await standby.stop();
    await primary.stop();
  }
}

/** Charges under a key, again until the store says that it is charged. */
function createRetryingCharger(store: Store, scope: Scope) {
  const counts = { refused: 0, unknown: 0 };
  const ask = async ({ request: { key } }: Order): Promise<Answer> => {
    for (;;) {
      const settlement = makeSettlement(scope, { key });
      const { decisionId } = settlement;
      try {
        const { kind } = await store.settle(settlement);
        if (kind === "charged") return { kind, response: "", decisionId };
        return { kind: kind === "taken" ? "uncharged" : "abandoned" };
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "OUTCOME_UNKNOWN") counts.unknown++;
        else if (error.code === "STORAGE_UNAVAILABLE") counts.refused++;
        else throw error;
        await sleep(50);
      }
    }
  };
  return { counts, ask };
}
