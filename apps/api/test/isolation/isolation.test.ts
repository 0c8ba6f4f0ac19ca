import { expect, it } from "vitest";
import { readSeed } from "../seed.ts";
import { tryEachOther } from "./isolation.ts";

it("T-23: two organizations in both modes find nothing of each other, at places of any route", async () => {
  // The long form makes every attempt, and compares times. Seven shares no factor with the numbers of ids and tenants.
  const untimed = { timingRatio: Number.POSITIVE_INFINITY, timedPairs: 1 };
  const figures = await tryEachOther(2, readSeed(23), { triers: 1, oneOf: 7, ...untimed });
  expect(figures).toMatchObject({ tenants: 4 });
});
