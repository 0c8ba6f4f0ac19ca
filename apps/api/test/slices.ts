import { it } from "vitest";
import { EXPERIMENTS, IS_FULL } from "./experiments.ts";
import { readSeed } from "./seed.ts";

// With GROUNDRULE_FULL they are larger; `node apps/api/test/experiment.ts NAME` runs one at full length.

/** Experiments by name, in parts that run at the same time: attacks, processes that are killed, and those that fit neither. */
const PARTS = {
  attacks: /^(?:for-nothing|storage|heavy-neighbour|unread|T-2[4-7]|T-30|T-36)$/,
  kills: /^(?:job-kills|T-0[678].*|T-1[12]|T-33.*)$/,
};

/** Makes a test of each experiment of a part that has a slice. */
export function defineSliceTests(part: keyof typeof PARTS | "others"): void {
  for (const [name, { shows, sizes, run }] of Object.entries(EXPERIMENTS)) {
    const [, slice, fullSlice = slice] = sizes;
    const size = IS_FULL ? fullSlice : slice;
    const [own = "others"] = Object.entries(PARTS).flatMap(([each, names]) =>
      names.test(name) ? [each] : [],
    );
    if (own !== part || size === undefined) continue;
    it(`${name}: ${shows}`, async ({ skip }) => {
      const figures = await run(size, readSeed(1_007), true);
      if (typeof figures === "string") skip(figures);
    });
  }
}
