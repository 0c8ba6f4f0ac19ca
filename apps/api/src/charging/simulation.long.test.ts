import { it } from "vitest";
import { seedOr } from "../../test/seed.ts";
import { asBuilt, simulate } from "../../test/simulation/simulate.ts";

const RUNS = process.env.GROUNDRULE_FULL === undefined ? 4_000 : 10_000;

it(`charging keeps every invariant on ${RUNS} schedules of who goes next and when the process dies`, async () => {
  await simulate(asBuilt, { runs: RUNS, seed: seedOr(1_042) });
});
