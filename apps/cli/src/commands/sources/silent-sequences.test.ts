import { expect, it } from "vitest";
import { playSilentSequence } from "../../../test/silent-sequences.ts";

it("no sequence of builds, syncs, groups, removals, pins and roll-backs turns a verdict better in silence (seeds 1 to 3)", async () => {
  let less = 0;
  for (const seed of [1, 2, 3]) less += (await playSilentSequence(seed, 16)).less;
  // Makes sure that some ruleset needed less, and that the output said so.
  expect(less).toBeGreaterThan(0);
});
