import { expect, it } from "vitest";
import { danglingKeys } from "../../test/dangling-keys.ts";
import { newScope, settlementOf } from "../../test/settlement.ts";
import { newSqlitePlace } from "../../test/store-places.ts";
import { folderOfTest } from "../../test/temporary-folder.ts";
import { reconcile } from "./reconcile.ts";

const KEYS = 600_000;

it("freezes a ledger with 600,000 broken keys, reports a few and counts the others", async () => {
  const folder = await folderOfTest();
  const place = await newSqlitePlace(folder);
  const before = await place.openIfThere({ absent: "make" });
  const scope = await newScope(before, 10);
  await before.settle(settlementOf(scope));
  await before.close();
  await place.meddle(danglingKeys(scope, KEYS));
  const store = await place.openIfThere({ role: "serve" });
  const violations = await reconcile(store, "all");
  expect(violations).toHaveLength(10);
  expect(violations.at(-1)?.message).toMatch(new RegExp(`; found ${KEYS - 10} more like it$`));
  expect((await store.settle(settlementOf(scope))).kind).toBe("frozen");
  await store.close();
}, 120_000);
