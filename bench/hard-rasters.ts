/**
 * The dearest questions on rasters that are answered, found among seeded ones.
 *
 *   node bench/hard-rasters.ts [questions 2000] [first seed 1]
 *
 * Each is answered by range, tiles kept as the service keeps them. Prints CPU and counted work of those that were worse
 * than all before.
 */
import { crc32 } from "node:zlib";
import { EngineError, openEngine } from "@groundrule/engine";
import { generateHardQuestions, makeHardSources } from "../packages/engine/test/hard-raster-questions.ts";
import { createCountingReader } from "../packages/engine/test/rasters.ts";
import { describeMachine, measureCpuMicros } from "./measure.ts";

const [questions = 2_000, firstSeed = 1] = process.argv.slice(2).map(Number);
const SIDE = 8_192;
const NOW = { now: "2026-11-28T12:00:00Z" };
const sources = [...makeHardSources(SIDE)].map(([name, bytes]) =>
  name === "h:rings" ? { bytes } : { bytes: createCountingReader(bytes) },
);
let meters: { readonly counted: number }[] = [];
const engine = openEngine(sources, { crc32, onMeter: (meter) => meters.push(meter) });
const worst = { accepted: 0, refused: 0 };
let [answered, refusals] = [0, 0];
const found: { readonly millis: number; readonly word: string }[] = [];
let left = questions;
for (const { seed, what, ruleset, geometry } of generateHardQuestions(firstSeed, SIDE)) {
  if (left-- === 0) break;
  const policy = engine.compile(ruleset);
  meters = [];
  let code = "answered";
  const once = (): number =>
    measureCpuMicros(() => {
      try {
        policy.evaluate({ geometry }, NOW);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        code = error.code;
      }
    }) / 1_000;
  let millis = once();
  // The worst question is repeated: its code may not have been compiled at first.
  for (let i = 0; i < 3 && millis > Math.min(worst.accepted, worst.refused); i++)
    millis = Math.min(millis, once());
  const units = Math.max(0, ...meters.map(({ counted }) => counted));
  if (code === "answered") answered++;
  else refusals++;
  const kind = code === "answered" ? "accepted" : "refused";
  if (millis > worst[kind]) {
    worst[kind] = millis;
    found.push({
      millis,
      word: `${code}, seed ${seed}: ${what}, ${geometry.coordinates.length} parts, ${units} units`,
    });
  }
}
for (const { millis, word } of found.slice(-8)) console.log(`${millis.toFixed(0)} ms: ${word}`);
console.log(
  `${answered} answered, worst ${worst.accepted.toFixed(0)} ms; ${refusals} refused, worst ${worst.refused.toFixed(0)} ms`,
);
console.log(describeMachine());
