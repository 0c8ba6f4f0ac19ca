import { expect, it } from "vitest";
import type { EngineError } from "../src/base/errors.ts";
import { ANSWER_WORK } from "../src/base/work-meter.ts";
import { openEngine } from "../src/engine.ts";
import { generateHardQuestions, makeHardSources } from "./hard-raster-questions.ts";
import { createCountingReader } from "./rasters.ts";

const SEED = 1;
const QUESTIONS = process.env.GROUNDRULE_FULL === undefined ? 150 : 2_000;
const SIDE = 4_096;
/** Bytes of tiles that take a unit of work: what is read again since it was not kept counts again. */
const BYTES_A_UNIT = 8;

it(`counts every tile that it reads, and stops at the limit, of ${QUESTIONS} questions (seed ${SEED})`, () => {
  const ranges = [...makeHardSources(SIDE)].map(([name, bytes]) =>
    name === "h:rings" ? { bytes } : { bytes: createCountingReader(bytes) },
  );
  let meters: { readonly counted: number }[] = [];
  const engine = openEngine(ranges, { onMeter: (meter) => meters.push(meter) });
  const taken = (): number =>
    ranges.reduce((sum, { bytes }) => sum + ("taken" in bytes ? bytes.taken : 0), 0);
  let [answered, refused] = [0, 0];
  for (const { seed, ruleset, geometry } of generateHardQuestions(SEED, SIDE)) {
    if (answered + refused === QUESTIONS) break;
    meters = [];
    const before = taken();
    try {
      engine.compile(ruleset).evaluate({ geometry }, { now: "2026-11-28T12:00:00Z" });
      answered++;
    } catch (error) {
      expect((error as EngineError).code, `seed ${seed}`).toMatch(/^GEOMETRY_/);
      refused++;
    }
    const units = meters.reduce((most, { counted }) => Math.max(most, counted), 0);
    expect(units, `seed ${seed}`).toBeGreaterThan((taken() - before) / BYTES_A_UNIT);
    // A step counts before it is taken: none goes far beyond the limit.
    expect(units, `seed ${seed}`).toBeLessThan(1.5 * ANSWER_WORK);
  }
  expect(answered).toBeGreaterThan(QUESTIONS / 4);
  expect(refused).toBeGreaterThan(QUESTIONS / 20);
});
