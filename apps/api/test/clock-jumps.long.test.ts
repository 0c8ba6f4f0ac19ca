import { expect, it } from "vitest";
import { jumpClocks } from "./clock-jumps.ts";
import { seedOr } from "./seed.ts";

it("T-18: a clock that is set opens no period anew and expires no answer early", async () => {
  // A step that shares no factor with the numbers of zones, edges and jumps meets each of them.
  const step = process.env.GROUNDRULE_FULL === undefined ? 7 : 1;
  const isJumped = (turn: number) => turn % step === seedOr(1_018) % step;
  expect(await jumpClocks(40, seedOr(1_018), isJumped)).toMatchObject({ walks: 40 });
});
