import { it } from "vitest";
import { EXPERIMENTS } from "./experiments.ts";
import { seedOr } from "./seed.ts";

// Slices, and larger ones with GROUNDRULE_FULL; `node apps/api/test/experiment.ts NAME` runs one at full length.

const isFull = process.env.GROUNDRULE_FULL !== undefined;
const slices = Object.entries(EXPERIMENTS).flatMap(
  ([
    name,
    {
      shows,
      sizes: [, slice, fullSlice = slice],
      run,
    },
  ]) => (slice === undefined ? [] : [{ name, shows, size: isFull ? fullSlice! : slice, run }]),
);

it.for(slices)("$name: $shows", async ({ size, run }, { skip }) => {
  const figures = await run(size, seedOr(1_007), true);
  if (typeof figures === "string") skip(figures);
});
