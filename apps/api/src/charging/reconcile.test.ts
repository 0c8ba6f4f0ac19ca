import { join } from "node:path";
import { expect, it } from "vitest";
import { buildDanglingKeysSql } from "../../test/dangling-keys.ts";
import { createLiveScope, makeSettlement } from "../../test/settlement.ts";
import { createSqlitePlace, runSqlPastStore } from "../../test/store-places.ts";
import { createTestFolder } from "../../test/temporary-folder.ts";
import type { Store, Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { openSqlite } from "../store/sqlite/open-sqlite.ts";
import { reconcileLedgers, watchLedgers } from "./reconcile.ts";

const EDITS: readonly [what: string, statements: (organization: string) => string, invariant: string][] = [
  ["a use", (organization) => `UPDATE period SET used = 7 WHERE organization = '${organization}'`, "I1"],
  [
    "an answer",
    (organization) => `DROP TRIGGER IF EXISTS record_no_update;
      UPDATE record SET response = '{}' WHERE decision_id IN
        (SELECT id FROM decision WHERE organization = '${organization}')`,
    "I15",
  ],
];

it.each(EDITS)(
  "T-46: finds %s that was altered within a minute, and stops charging there alone",
  async (_what, edit, invariant) => {
    const dir = await createTestFolder();
    const path = join(dir, "state.db");
    const store = await openSqlite(path, { role: "serve", absent: "make" });
    const altered = await createLiveScope(store, 10);
    const sound = await createLiveScope(store, 10);
    await store.settle(makeSettlement(altered));
    await store.settle(makeSettlement(sound));
    let slept = 0;
    const stop = new AbortController();
    const reported: (readonly Violation[])[] = [];
    await watchLedgers({
      store,
      report: (violations) => reported.push(violations),
      fail: (error) => expect.unreachable(String(error)),
      signal: stop.signal,
      sleep: async (milliseconds) => {
        slept += milliseconds;
        if (reported.length > 0 || slept > 120_000) stop.abort();
        await runSqlPastStore(`sqlite:${path}`, edit(altered.organization));
      },
    });
    expect(slept).toBeLessThanOrEqual(120_000);
    expect(reported).toMatchObject([[{ invariant, ...altered }]]);
    expect((await store.settle(makeSettlement(altered))).kind).toBe("frozen");
    expect((await store.settle(makeSettlement(sound))).kind).toBe("charged");
    await store.close();
  },
);

it("goes on when the store is unavailable for a while", async () => {
  const store = await openSqlite(":memory:");
  let queries = 0;
  const stop = new AbortController();
  const flaky: Store = {
    ...store,
    findViolations: async (question) => {
      if (++queries === 1) throw new StoreError("STORAGE_UNAVAILABLE", "the link is down");
      stop.abort();
      return store.findViolations(question);
    },
  };
  const fail = (error: unknown) => expect.unreachable(String(error));
  await watchLedgers({ store: flaky, report: () => {}, fail, signal: stop.signal, sleep: async () => {} });
  expect(queries).toBe(2);
  await store.close();
});

it("goes on after an error of the examination itself, which ends neither the watch nor the process", async () => {
  const dir = await createTestFolder();
  const place = await createSqlitePlace(dir);
  const store = await place.openIfThere({ role: "serve", absent: "make" });
  const scope = await createLiveScope(store, 10);
  await store.settle(makeSettlement(scope));
  // A number that JavaScript cannot represent: reading it throws, in the examining thread.
  await place.meddle("UPDATE subscription SET anchor_ms = 9007199254740993");
  const stop = new AbortController();
  const failed: unknown[] = [];
  let minutes = 0;
  await watchLedgers({
    store,
    report: () => expect.unreachable(),
    fail: (error) => failed.push(error),
    signal: stop.signal,
    sleep: async () => {
      if (++minutes === 2) await place.meddle(`UPDATE subscription SET anchor_ms = ${Date.now()}`);
      if (minutes === 3) stop.abort();
    },
  });
  expect(failed.map(String)).toEqual([
    expect.stringContaining("too large"),
    expect.stringContaining("too large"),
  ]);
  expect((await store.settle(makeSettlement(scope))).kind).toBe("charged");
  await store.close();
});

it("reports a few violations of each ledger and counts the others, and freezes every ledger that has one", async () => {
  const dir = await createTestFolder();
  const place = await createSqlitePlace(dir);
  const store = await place.openIfThere({ role: "serve", absent: "make" });
  const scopes = [await createLiveScope(store, 10), await createLiveScope(store, 10)];
  for (const [i, scope] of scopes.entries()) {
    await store.settle(makeSettlement(scope));
    await place.meddle(buildDanglingKeysSql(scope, i === 0 ? 300 : 1));
  }
  const violations = await reconcileLedgers(store, "open");
  const of = (scope: (typeof scopes)[number]) =>
    violations.filter(({ organization }) => organization === scope.organization);
  expect(of(scopes[0]!)).toHaveLength(10);
  expect(of(scopes[0]!).at(-1)?.message).toMatch(/; found 290 more like it$/);
  expect(of(scopes[1]!).map(({ message }) => message)).toEqual([
    'key "dangling-1" does not point at the decision of its generation',
  ]);
  for (const scope of scopes) expect((await store.settle(makeSettlement(scope))).kind).toBe("frozen");
  await store.close();
});
