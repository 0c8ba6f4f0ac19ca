import { it } from "vitest";
import { seedOr } from "../../test/seed.ts";
import { asBuilt, simulate } from "../../test/simulation/simulate.ts";

it("charging keeps every invariant on 10,000 schedules of who goes next and when the process dies", async () => {
  await simulate(asBuilt, { runs: 10_000, seed: seedOr(1_042) });
});
