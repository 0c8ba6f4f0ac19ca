import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope } from "../../src/ledger/scope.ts";
import type { Store } from "../../src/store/port/port.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { type PostgresCluster, startPostgres } from "../postgres-cluster.ts";
import { createLiveScope, makeSettlement } from "../settlement.ts";
import { withStore } from "../store-places.ts";
import { loseInCrash, loseToStranger, queryLastValue, withCutCommit } from "./lost-commits.ts";

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await startPostgres("lazy", ["wal_writer_delay=10s"]);
});

afterAll(() => cluster.stop());

/** Reads the committed rows, as another process sees them. */
function lookAt<Result>(url: string, look: (store: Store) => Promise<Result>): Promise<Result> {
  return withStore(url, async (store) => {
    expect(await store.findViolations({ extent: "all" })).toEqual([]);
    return look(store);
  });
}

const SETTLEMENT = { decisionId: "dec_1", key: "key-0001" };

async function expectOneCharge(url: string, scope: Scope): Promise<void> {
  await lookAt(url, async (store) => {
    expect(await store.findDecision({ scope, decisionId: SETTLEMENT.decisionId })).toBeDefined();
    expect((await store.usage({ scope }))?.period.used).toBe(1);
  });
}

const newKey = (id: string) => ({ id, digest: id, pepperVersion: 1, hint: "gr_live_", lifetimeMs: null });

/** Writes that are no settlements: what it needs, what it is, and what stands when it was acknowledged. */
const WRITES: Readonly<
  Record<
    string,
    {
      readonly prepare?: (store: Store, scope: Scope) => Promise<unknown>;
      readonly write: (store: Store, scope: Scope) => Promise<unknown>;
      readonly stands: (store: Store, scope: Scope) => Promise<unknown>;
      readonly as: unknown;
    }
  >
> = {
  createOrganization: {
    write: (store) => store.createOrganization({ id: "org_new", name: "new", quota: { live: 1, test: 1 } }),
    stands: async (store) => (await store.listOrganizations({})).filter(({ name }) => name === "new").length,
    as: 1,
  },
  setSubscription: {
    write: (store, { organization }) => store.setSubscription({ organization, status: "suspended" }),
    stands: async (store, { organization }) =>
      (await store.listOrganizations({})).find(({ id }) => id === organization)?.subscription,
    as: "suspended",
  },
  setQuota: {
    write: (store, scope) => store.setQuota({ scope, quota: 3 }),
    stands: async (store, scope) => (await store.usage({ scope }))?.period.quota,
    as: 3,
  },
  createApiKey: {
    write: (store, scope) => store.createApiKey({ ...newKey("key_1"), ...scope, name: "a", scopes: [] }),
    stands: async (store, scope) => (await store.listApiKeys(scope)).map(({ id }) => id),
    as: ["key_1"],
  },
  rotateApiKey: {
    prepare: (store, scope) => store.createApiKey({ ...newKey("key_1"), ...scope, name: "a", scopes: [] }),
    write: (store) => store.rotateApiKey({ id: "key_1", successor: newKey("key_2"), overlapMs: 60_000 }),
    stands: async (store, scope) => (await store.listApiKeys(scope)).map(({ successorId }) => successorId),
    as: ["key_2", null],
  },
  revokeApiKey: {
    prepare: (store, scope) => store.createApiKey({ ...newKey("key_1"), ...scope, name: "a", scopes: [] }),
    write: (store) => store.revokeApiKey({ id: "key_1" }),
    stands: async (store) => typeof (await store.findApiKey({ digest: "key_1" }))?.revokedAtMs,
    as: "number",
  },
  createRuleset: {
    write: (store, scope) =>
      store.createRuleset({ scope, name: "plots", version: "next", body: "{}", digest: "d" }),
    stands: async (store, scope) => (await store.listRulesets({ scope, page: 1, pageSize: 9 })).totalCount,
    as: 1,
  },
  freeze: {
    write: (store, scope) => store.freeze({ scope, reason: "an examination" }),
    stands: async (store, scope) => (await store.settle(makeSettlement(scope))).kind,
    as: "frozen",
  },
  addCounts: {
    write: (store, scope) =>
      store.addCounts({
        replays: [],
        keyUses: [],
        attempts: [{ scope, key: "k", windowStartMs: 1, count: 5 }],
      }),
    stands: async (store, scope) => (await store.openGate({ scope, key: "k" }))?.attempts?.count,
    as: 5,
  },
};

describe("a commit that PostgreSQL lost in a crash", () => {
  it("is not taken for a stranger's that has its number: the charge stands when it is acknowledged", async () => {
    const url = await cluster.createDatabase();
    await withCutCommit(url, "withheld", {}, async (cutStore) => {
      const scope = await createLiveScope(cutStore.store, 10);
      const write = () => cutStore.store.settle(makeSettlement(scope, SETTLEMENT));
      expect(await loseToStranger(cluster, url, cutStore, write)).toMatchObject({ kind: "charged" });
      await expectOneCharge(url, scope);
    });
  });

  it.each(Object.entries(WRITES))(
    "is not taken for a stranger's: %s",
    async (_name, { prepare, write, stands, as }) => {
      const url = await cluster.createDatabase();
      await withCutCommit(url, "withheld", {}, async (cutStore) => {
        const scope = await createLiveScope(cutStore.store, 10);
        await prepare?.(cutStore.store, scope);
        await loseToStranger(cluster, url, cutStore, () => write(cutStore.store, scope));
        expect(await lookAt(url, (store) => stands(store, scope))).toEqual(as);
      });
    },
  );

  it("is not looked for on a standby, which may be behind; on the server that takes over it is", async () => {
    const url = await cluster.createDatabase();
    await withCutCommit(url, "withheld", { resolveMs: 60_000 }, async (cutStore) => {
      const scope = await createLiveScope(cutStore.store, 10);
      let isOver = false;
      const write = () =>
        cutStore.store.settle(makeSettlement(scope, SETTLEMENT)).finally(() => {
          isOver = true;
        });
      const outcome = loseInCrash(cluster, url, cutStore, write, async () => {
        await cluster.start("standby");
        cutStore.proxy.refuse(false);
        for (let count = 0; count < 10; count++) await cutStore.proxy.nextRequest();
        expect(isOver).toBe(false);
        const other = cutStore.store.setQuota({ scope, quota: 20 });
        await expect(other).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
        await queryLastValue(url, "SELECT pg_promote()");
      });
      expect(await outcome).toMatchObject({ kind: "charged" });
      await expectOneCharge(url, scope);
    });
  });
});

describe("a commit whose answer is lost", () => {
  it.each(Object.entries(WRITES))(
    "is found by its receipt, and made once: %s",
    async (_name, { prepare, write, stands, as }) => {
      const url = await cluster.createDatabase();
      await withCutCommit(url, "after", {}, async ({ store, arm }) => {
        const scope = await createLiveScope(store, 10);
        await prepare?.(store, scope);
        arm();
        await write(store, scope);
        expect(await lookAt(url, (other) => stands(other, scope))).toEqual(as);
      });
    },
  );

  it("is found though the store has a single connection", async () => {
    const url = await cluster.createDatabase();
    await withCutCommit(url, "after", { connections: 1 }, async ({ store, arm }) => {
      const scope = await createLiveScope(store, 10);
      arm();
      expect(await store.settle(makeSettlement(scope, SETTLEMENT))).toMatchObject({ kind: "charged" });
      await expectOneCharge(url, scope);
    });
  });

  it("is waited for while it can still arrive", async () => {
    const url = await cluster.createDatabase();
    await withCutCommit(url, "withheld", {}, async ({ store, proxy, arm }) => {
      const scope = await createLiveScope(store, 10);
      arm();
      const outcome = store.settle(makeSettlement(scope, SETTLEMENT));
      await proxy.withheld;
      for (let count = 0; count < 10; count++) await proxy.nextRequest();
      proxy.deliver();
      expect(await outcome).toMatchObject({ kind: "charged" });
      await expectOneCharge(url, scope);
    });
  });

  it("is made again once the server has forgotten its sender", async () => {
    const url = await cluster.createDatabase();
    await withCutCommit(url, "withheld", { resolveMs: 60_000 }, async ({ store, arm }) => {
      const scope = await createLiveScope(store, 10);
      arm();
      expect(await store.settle(makeSettlement(scope, SETTLEMENT))).toMatchObject({ kind: "charged" });
      await expectOneCharge(url, scope);
    });
  });

  it("is unknown while the server waits for a standby, and stands when that is back", async () => {
    const url = await cluster.createDatabase();
    // Longer than a statement may take: a COMMIT that is cancelled then counts as one that a standby has.
    await withCutCommit(url, undefined, { answerMs: 7_000, resolveMs: 500 }, async ({ store }) => {
      const scope = await createLiveScope(store, 10);
      await queryLastValue(
        url,
        "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
        "SELECT pg_reload_conf()",
      );
      await expect.poll(() => queryLastValue(url, "SHOW synchronous_standby_names")).toBe("nobody");
      try {
        const settling = store.settle(makeSettlement(scope, SETTLEMENT));
        await expect(settling).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
        const gate = await store.openGate({ scope, key: SETTLEMENT.key });
        expect(gate?.stored).toBeUndefined();
      } finally {
        await queryLastValue(url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
      }
      const again = await store.settle(makeSettlement(scope, { ...SETTLEMENT, decisionId: "dec_2" }));
      expect(again).toEqual({ kind: "taken" });
      await expectOneCharge(url, scope);
    });
  });

  it("needs its receipt for an hour at most, after which it is swept away", async () => {
    const url = await cluster.createDatabase();
    let nowMs = Date.parse("2026-01-31T12:00:00Z");
    const options = { clock: { read: () => nowMs }, absent: "make" } as const;
    const store = await openPostgres(url, options);
    try {
      const scope = await createLiveScope(store, 10);
      const receipts = () => queryLastValue(url, "SELECT count(*)::int FROM write_receipt");
      nowMs += 1_800_000;
      await store.setQuota({ scope, quota: 11 });
      nowMs += 1_800_001;
      expect(await receipts()).toBe(2);
      await store.sweep({});
      // The receipt of the change half an hour ago, and that of the sweep.
      expect(await receipts()).toBe(2);
      await store.sweep({});
      expect(await receipts()).toBe(3);
    } finally {
      await store.close();
    }
  });
});
