import { expect, it } from "vitest";
import { seedOr } from "../seed.ts";
import { tryEachOther } from "./isolation.ts";

it("T-23: two organizations in both modes find nothing of each other, at any place of any route", async () => {
  // Times are compared by the long form.
  const untimed = { timingRatio: Number.POSITIVE_INFINITY, timedPairs: 1 };
  const figures = await tryEachOther(2, seedOr(23), { triers: 1, ...untimed });
  expect(figures).toMatchObject({ tenants: 4 });
});
