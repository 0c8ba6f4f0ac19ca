import { expect, it } from "vitest";
import { playSilentSequence } from "./silent-sequences.ts";

const SEQUENCES = process.env.GROUNDRULE_FULL === undefined ? 5 : 600;

it(`no one of ${SEQUENCES} random sequences of commands turns a verdict better in silence`, async () => {
  let less = 0;
  for (let seed = 1; seed <= SEQUENCES; seed++) less += (await playSilentSequence(seed, 30)).less;
  expect(less).toBeGreaterThan(SEQUENCES / 4);
});
