import { compareEvaluators } from "./differential.ts";

// The long form of differential.test.ts: `npm run differential -- [cases] [first seed]`.

const [cases = 100_000, seed = 1_000_000] = process.argv.slice(2).map(Number);
const { disagreements, unsound, misled, ...counts } = compareEvaluators(seed, cases);
for (const found of [...disagreements, ...unsound, ...misled].slice(0, 3))
  console.log(JSON.stringify(found, null, 1));
const { uncovered, words, ...numbers } = counts;
console.log(`seeds from ${seed}:`, numbers);
console.log("cases with checks that are not covered, by what is unknown:", uncovered);
console.log("words of sources:", words);
console.log(
  `${disagreements.length} disagreements, ${unsound.length} unsound, ${misled.length} misled by lint`,
);
process.exitCode = disagreements.length + unsound.length + misled.length === 0 ? 0 : 1;
