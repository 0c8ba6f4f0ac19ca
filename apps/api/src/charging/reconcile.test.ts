import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { newScope, settlementOf } from "../../test/settlement.ts";
import { withTemporaryFolder } from "../../test/temporary-folder.ts";
import type { Store, Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { openSqlite } from "../store/sqlite/open-sqlite.ts";
import { watchLedgers } from "./reconcile.ts";

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
    await withTemporaryFolder(async (dir) => {
      const path = join(dir, "state.db");
      const store = await openSqlite(path, { role: "serve", absent: "make" });
      const altered = await newScope(store, 10);
      const sound = await newScope(store, 10);
      await store.settle(settlementOf(altered));
      await store.settle(settlementOf(sound));
      let slept = 0;
      const stop = new AbortController();
      const reported: (readonly Violation[])[] = [];
      await watchLedgers({
        store,
        report: (violations) => reported.push(violations),
        signal: stop.signal,
        sleep: async (milliseconds) => {
          slept += milliseconds;
          if (reported.length > 0 || slept > 120_000) stop.abort();
          const database = new DatabaseSync(path, { timeout: 60_000 });
          database.exec(edit(altered.organization));
          database.close();
        },
      });
      expect(slept).toBeLessThanOrEqual(120_000);
      expect(reported).toMatchObject([[{ invariant, ...altered }]]);
      expect((await store.settle(settlementOf(altered))).kind).toBe("frozen");
      expect((await store.settle(settlementOf(sound))).kind).toBe("charged");
      await store.close();
    });
  },
);

it("goes on when the store is unavailable for a while", async () => {
  const store = await openSqlite(":memory:");
  let asked = 0;
  const stop = new AbortController();
  const flaky: Store = {
    ...store,
    findViolations: async (question) => {
      if (++asked === 1) throw new StoreError("STORAGE_UNAVAILABLE", "the link is down");
      stop.abort();
      return store.findViolations(question);
    },
  };
  await watchLedgers({ store: flaky, report: () => {}, signal: stop.signal, sleep: async () => {} });
  expect(asked).toBe(2);
  await store.close();
});
