import { setTimeout as sleep } from "node:timers/promises";
import { withServedProcess } from "../served-process.ts";
import { assertFigures, quantile, rounded } from "./figures.ts";
import { hostilePlots } from "./hostile-plots.ts";
import { HARMLESS, hostileEditions, RULESET } from "./hostile-world.ts";
import { faultsOf, hearAtLeast, startSecondClient } from "./second-client.ts";

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
  const options = { editions: hostileEditions(), organizations: organizations + 1 };
  return withServedProcess(options, async ({ url, keys, watched, log }) => {
    const plots = hostilePlots(percent / 100, seed);
    const questions = HEAVIEST.map(([name, path, more]) => {
      const geometry: object = JSON.parse(plots[name]!());
      const input = { geometry, ...(path === "/v1/distance" && { max_distance_m: 10_000 }) };
      return { url: url + path, body: JSON.stringify({ input, ...more }) };
    });
    const other = startSecondClient({ url: `${url}/v1/evaluate`, key: keys.at(-1)!, body: SMALL });
    const quiet = (await hearAtLeast(other, 200)).waits.slice(100);
    const heavy = Array.from({ length: senders }, (_, i) =>
      startSecondClient({ ...questions[i % questions.length]!, key: keys[i % organizations]! }),
    );
    for (const client of heavy) await hearAtLeast(client, 1);
    await Promise.all([other, ...heavy].map((client) => client.heard()));
    await watched();
    await sleep(1_000 * seconds);
    const heard = await hearAtLeast(other, 1);
    const much = await Promise.all(heavy.map((client) => client.heard()));
    const seen = await watched();
    await Promise.all([other, ...heavy].map((client) => client.stop()));

    const p99Ms = quantile(heard.waits, 0.99);
    const figures = {
      alone: `p50 ${rounded(quantile(quiet, 0.5))}, p99 ${rounded(quantile(quiet, 0.99))} ms`,
      underLoad: `${heard.waits.length} answers, p50 ${rounded(quantile(heard.waits, 0.5))}, p99 ${rounded(p99Ms)}, at most ${rounded(quantile(heard.waits, 1))} ms`,
      heavy: much.map(({ waits }) => `${waits.length} answers, p50 ${rounded(quantile(waits, 0.5))} ms`),
      loop: `p99 ${rounded(seen.p99DelayMs)} ms`,
      peakMB: Math.round(seen.peakBytes / 1e6),
    };
    const over = faultsOf(heard).map((answer) => `the other organization was answered ${answer}`);
    for (const client of much) over.push(...faultsOf(client).map((answer) => `a heavy plot: ${answer}`));
    const sum = much.reduce((count, { waits }) => count + waits.length, 0);
    if (heard.waits.length < sum) over.push(`${heard.waits.length} answers beside ${sum} of heavy plots`);
    if (p99Ms > otherP99Ms) over.push(`the other organization waited ${rounded(p99Ms)} ms`);
    if (/INTERNAL_ERROR|"level":"error"/.test(log())) over.push("an internal error was logged");
    return assertFigures(figures, over);
  });
}
