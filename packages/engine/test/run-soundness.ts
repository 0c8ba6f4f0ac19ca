import { checkFactSoundness } from "./fact-soundness.ts";
import { randomQuestions } from "./random-rulesets.ts";
import { checkFillingSoundness, createEngineEvaluator } from "./soundness.ts";

// The long form of soundness.test.ts: `npm run tool -- soundness [verdicts] [fillings of each] [first seed]`.

const [verdicts = 35_000, fillings = 4, seed = 1_000_000] = process.argv.slice(2).map(Number);
const { contradictions, sameAlways, ...counts } = checkFillingSoundness(
  randomQuestions(seed),
  { verdicts, fillings },
  createEngineEvaluator(),
);
for (const found of contradictions.slice(0, 3)) console.log(JSON.stringify(found, null, 1));
console.log(`seeds from ${seed}:`, counts);
console.log(
  `${contradictions.length} contradictions; ${sameAlways.length} open checks came out the same under every filling`,
);
const { faults, ...tried } = checkFactSoundness(
  randomQuestions(seed, "facts"),
  Math.ceil(verdicts / 10),
  fillings,
);
for (const { question, ...fault } of faults.slice(0, 3))
  console.log(JSON.stringify({ ...fault, ruleset: question.ruleset, input: question.input }, null, 1));
console.log("other facts declared:", tried);
console.log(`${faults.length} faults`);
process.exitCode = contradictions.length + faults.length === 0 ? 0 : 1;
