import { compareEvaluators } from "./differential.ts";
import type { QuestionKind } from "./random-rulesets.ts";

// The long form of differential.test.ts: `npm run tool -- differential [cases] [first seed] [plain | rasters | facts]`.

const [cases = 100_000, seed = 1_000_000] = process.argv.slice(2, 4).map(Number);
const kind = (process.argv[4] ?? "plain") as QuestionKind;
const { disagreements, unsound, misled, ...counts } = compareEvaluators(seed, cases, kind);
for (const found of [...disagreements, ...unsound, ...misled].slice(0, 3))
  console.log(JSON.stringify(found, null, 1));
const { uncovered, words, kinds, ...numbers } = counts;
console.log(`seeds from ${seed}:`, numbers);
console.log("cases with checks that are not covered, by what is unknown:", uncovered);
console.log("words of sources:", words);
console.log("checks by status, and by what they read of facts and the property:", kinds);
console.log(
  `${disagreements.length} disagreements, ${unsound.length} unsound, ${misled.length} misled by lint`,
);
process.exitCode = disagreements.length + unsound.length + misled.length === 0 ? 0 : 1;
