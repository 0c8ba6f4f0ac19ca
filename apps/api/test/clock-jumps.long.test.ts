import { expect, it } from "vitest";
import { jumpClocks } from "./clock-jumps.ts";
import { seedOr } from "./seed.ts";

it("T-18: a clock that is set opens no period anew and expires no answer early", async () => {
  expect(await jumpClocks(100, seedOr(1_018))).toMatchObject({ walks: 100 });
});
