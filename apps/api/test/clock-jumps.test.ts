import { expect, it } from "vitest";
import { jumpClocks } from "./clock-jumps.ts";
import { seedOr } from "./seed.ts";

it("T-18: a clock that is set opens no period anew and expires no answer early", async () => {
  expect(await jumpClocks(20, seedOr(18))).toMatchObject({ walks: 20 });
});
