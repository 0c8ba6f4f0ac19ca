import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/port/port.ts";
import { StoreError } from "../../src/store/port/store-error.ts";
import { PASSWORD, startPostgres } from "../postgres-cluster.ts";
import { newScope, settlementOf } from "../settlement.ts";
import { startTcpProxy } from "../tcp-proxy.ts";
import { expectSound } from "./kill.ts";
import { askServer } from "./lost-commits.ts";

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
export async function failOver(random: () => number): Promise<FailoverReport> {
  const primary = await startPostgres("flushing");
  const url = await primary.createDatabase();
  const standby = await primary.follow();
  const { pathname } = new URL(url);
  const urlAt = (port: number) => `postgres://groundrule:${PASSWORD}@127.0.0.1:${port}${pathname}`;
  const proxy = await startTcpProxy(primary.port, () => undefined);
  const store = await openStore(urlAt(proxy.port), { absent: "make" });
  try {
    const scope = await newScope(store, 1_000_000);
    const load = new Load(store, scope);
    await load.acknowledged(100 + Math.floor(random() * 100));
    await primary.crash(random() < 0.5 ? "immediate" : "killed");
    await askServer(urlAt(standby.port), "SELECT pg_promote()");
    proxy.aim(standby.port);
    await load.acknowledged(100);
    await load.end();
    const after = await openStore(urlAt(standby.port));
    try {
      await expectSound(after, "after the failover");
      for (const decisionId of load.decisions) {
        if ((await after.findDecision({ scope, decisionId })) === undefined) {
          throw new Error(`the acknowledged charge ${decisionId} is missing on the standby`);
        }
      }
      const used = (await after.usage({ scope }))?.period.used;
      if (used !== load.keys) throw new Error(`${load.keys} keys were charged ${used} units`);
    } finally {
      await after.close();
    }
    const { refused, unknown } = load;
    return { acknowledged: load.decisions.length, refused, unknown };
  } finally {
    await store.close();
    await proxy.close();
    await standby.stop();
    await primary.stop();
  }
}

/** Twenty who charge one key after the other, each again until it is charged. */
class Load {
  readonly decisions: string[] = [];
  keys = 0;
  refused = 0;
  unknown = 0;
  readonly #callers: Promise<void>[];
  readonly #over = new AbortController();
  #wait: { readonly until: number; readonly resolve: () => void } | undefined;

  constructor(store: Store, scope: Scope) {
    this.#callers = Array.from({ length: 20 }, async () => {
      while (!this.#over.signal.aborted) await this.#charge(store, scope, `failover-${++this.keys}`);
    });
  }

  acknowledged(more: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wait = { until: this.decisions.length + more, resolve };
    return promise;
  }

  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#callers);
  }

  async #charge(store: Store, scope: Scope, key: string): Promise<void> {
    for (;;) {
      const settlement = settlementOf(scope, { key, decisionId: `dec_${randomUUID()}` });
      try {
        const { kind } = await store.settle(settlement);
        if (kind === "charged") this.decisions.push(settlement.decisionId);
        else if (kind !== "taken") throw new Error(`unexpected: ${kind}`);
        if (this.#wait !== undefined && this.decisions.length >= this.#wait.until) this.#wait.resolve();
        return;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (error.code === "OUTCOME_UNKNOWN") this.unknown++;
        else if (error.code === "STORAGE_UNAVAILABLE") this.refused++;
        else throw error;
        await sleep(50);
      }
    }
  }
}
