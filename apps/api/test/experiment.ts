/**
 * The long forms of the experiments, one by name:
 *
 *     node apps/api/test/experiment.ts T-07 [SIZE] [SEED]
 */
import { EXPERIMENTS } from "./experiments.ts";

const [name = "", size, seed] = process.argv.slice(2);
const experiment = EXPERIMENTS[name];
if (experiment === undefined) {
  console.error(`experiments: ${Object.keys(EXPERIMENTS).join(", ")}`);
  process.exitCode = 2;
} else {
  const began = performance.now();
  const figures = await experiment.run(Number(size ?? experiment.sizes[0]), Number(seed ?? 1), false);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(
    name,
    typeof figures === "string" ? `NOT RUN: ${figures}` : (figures ?? "holds"),
    `${seconds} s`,
  );
}
