import { expect, it } from "vitest";
import { jumpClocks } from "./clock-jumps.ts";
import { readSeed } from "./seed.ts";

it("T-18: a clock that is set opens no period anew and expires no answer early", async () => {
  // The long form makes every jump. A step that shares no factor with their number meets each zone, edge and jump.
  const isJumped = (turn: number) => turn % 37 === readSeed(18) % 37;
  expect(await jumpClocks(4, readSeed(18), isJumped)).toMatchObject({ walks: 4, jumps: expect.any(Number) });
});
