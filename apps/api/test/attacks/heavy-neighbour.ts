import { setTimeout as sleep } from "node:timers/promises";
import { collectAnswers, listAnswerFaults, startSingleCaller } from "../overload/raw-callers.ts";
import { withServedProcess } from "../served-process.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";
import { makeHostilePlots } from "./hostile-plots.ts";
import { HARMLESS, makeHostileEditions, RULESET } from "./hostile-world.ts";

/** The plots whose answers take the most work of all that are answered, and a question that takes most of each. */
const HEAVIEST = [
  ["the world, jagged", "/v1/intersections", {}],
  ["across the antimeridian, jagged", "/v1/evaluate", { ruleset: RULESET }],
  ["at the pole, jagged", "/v1/evaluate", { ruleset: RULESET }],
  ["spiral, wound up", "/v1/distance", {}],
] as const;

const SMALL = JSON.stringify({ input: { geometry: HARMLESS }, ruleset: RULESET });

export interface Neighbours {
  /** Each sends the worst accepted plots, one after the other. */
  readonly senders: number;
  /** To how many organizations they belong. */
  readonly organizations: number;
  readonly seconds: number;
  /** The 99th percentile of another organization's small requests meanwhile. */
  readonly otherP99Ms: number;
}

/**
 * Some send nothing but the worst accepted plots; another organization asks about a small one, and must not notice.
 *
 * @param percent of the sizes asked: 100 sends plots of 99,990 positions
 */
export function queryAmongHeavySenders(
  percent: number,
  seed: number,
  { senders, organizations, seconds, otherP99Ms }: Neighbours,
): Promise<object> {
  const options = { editions: makeHostileEditions(), organizations: organizations + 1 };
  return withServedProcess(options, async ({ port, keys, watched, log }) => {
    const plots = makeHostilePlots(percent / 100, seed);
    const questions = HEAVIEST.map(([name, path, more]) => {
      const geometry: object = JSON.parse(plots[name]!());
      const input = { geometry, ...(path === "/v1/distance" && { max_distance_m: 10_000 }) };
      return { path, body: JSON.stringify({ input, ...more }) };
    });
    const other = await startSingleCaller({ port, key: keys.at(-1)!, path: "/v1/evaluate", body: SMALL });
    const quiet = (await collectAnswers(other, 200)).waits.slice(100);
    const heavy = await Promise.all(
      Array.from({ length: senders }, (_, i) =>
        startSingleCaller({ port, ...questions[i % questions.length]!, key: keys[i % organizations]! }),
      ),
    );
    for (const client of heavy) await collectAnswers(client, 1);
    await Promise.all([other, ...heavy].map((client) => client.called()));
    await watched();
    await sleep(1_000 * seconds);
    const heard = await collectAnswers(other, 1);
    const much = await Promise.all(heavy.map((client) => client.called()));
    const seen = await watched();
    await Promise.all([other, ...heavy].map((client) => client.stop()));

    const p99Ms = computeQuantile(heard.waits, 0.99);
    const figures = {
      alone: `p50 ${roundToTenth(computeQuantile(quiet, 0.5))}, p99 ${roundToTenth(computeQuantile(quiet, 0.99))} ms`,
      underLoad: `${heard.waits.length} answers, p50 ${roundToTenth(computeQuantile(heard.waits, 0.5))}, p99 ${roundToTenth(p99Ms)}, at most ${roundToTenth(computeQuantile(heard.waits, 1))} ms`,
      heavy: much.map(
        ({ waits }) => `${waits.length} answers, p50 ${roundToTenth(computeQuantile(waits, 0.5))} ms`,
      ),
      loop: `p99 ${roundToTenth(seen.p99DelayMs)} ms`,
      peakMB: Math.round(seen.peakBytes / 1e6),
    };
    const over = listAnswerFaults(heard).map((answer) => `the other organization was answered ${answer}`);
    for (const client of much)
      over.push(...listAnswerFaults(client).map((answer) => `a heavy plot: ${answer}`));
    const sum = much.reduce((count, { waits }) => count + waits.length, 0);
    if (heard.waits.length < sum) over.push(`${heard.waits.length} answers beside ${sum} of heavy plots`);
    if (p99Ms > otherP99Ms) over.push(`the other organization waited ${roundToTenth(p99Ms)} ms`);
    if (/INTERNAL_ERROR|"level":"error"/.test(log())) over.push("an internal error was logged");
    return requireNothingOver(figures, over);
  });
}
