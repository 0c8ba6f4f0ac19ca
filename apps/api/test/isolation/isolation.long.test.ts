import { expect, it } from "vitest";
import { seedOr } from "../seed.ts";
import { tryEachOther } from "./isolation.ts";

it("T-23: three organizations in both modes find nothing of each other, nor by how long a refusal takes", async () => {
  // Beside other tests only a difference that anyone could tell can be told.
  const oneOf = process.env.GROUNDRULE_FULL === undefined ? 4 : 1;
  const figures = await tryEachOther(3, seedOr(123), { triers: 1, oneOf, timingRatio: 3, timedPairs: 100 });
  expect(figures).toMatchObject({ tenants: 6 });
});
