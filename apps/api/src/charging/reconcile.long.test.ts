import { expect, it } from "vitest";
import { buildDanglingKeysSql } from "../../test/dangling-keys.ts";
import { createLiveScope, makeSettlement } from "../../test/settlement.ts";
import { createSqlitePlace } from "../../test/store-places.ts";
import { createTestFolder } from "../../test/temporary-folder.ts";
import { reconcileLedgers } from "./reconcile.ts";

const KEYS = 600_000;

it("freezes a ledger with 600,000 broken keys, reports a few and counts the others", async () => {
  const folder = await createTestFolder();
  const place = await createSqlitePlace(folder);
  const before = await place.openIfThere({ absent: "make" });
  const scope = await createLiveScope(before, 10);
  await before.settle(makeSettlement(scope));
  await before.close();
  await place.meddle(buildDanglingKeysSql(scope, KEYS));
  const store = await place.openIfThere({ role: "serve" });
  const violations = await reconcileLedgers(store, "all");
  expect(violations).toHaveLength(10);
  expect(violations.at(-1)?.message).toMatch(new RegExp(`; found ${KEYS - 10} more like it$`));
  expect((await store.settle(makeSettlement(scope))).kind).toBe("frozen");
  await store.close();
}, 120_000);
