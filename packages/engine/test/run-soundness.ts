import { randomQuestions } from "./random-rulesets.ts";
import { fillVerdicts, promiseOfEngine } from "./soundness.ts";

// The long form of soundness.test.ts: `npm run soundness -- [verdicts] [fillings of each] [first seed]`.

const [verdicts = 35_000, fillings = 4, seed = 1_000_000] = process.argv.slice(2).map(Number);
const { contradictions, sameAlways, ...counts } = fillVerdicts(
  randomQuestions(seed),
  { verdicts, fillings },
  promiseOfEngine(),
);
for (const found of contradictions.slice(0, 3)) console.log(JSON.stringify(found, null, 1));
console.log(`seeds from ${seed}:`, counts);
console.log(
  `${contradictions.length} contradictions; ${sameAlways.length} open checks came out the same under every filling`,
);
process.exitCode = contradictions.length === 0 ? 0 : 1;
