import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { beforeAll, describe, expect, it } from "vitest";
import { makeRulesetAndData, writePlotFiles } from "./screening-run.ts";

const FULL = process.env.GROUNDRULE_FULL !== undefined;
const MAIN = new URL("../src/main.ts", import.meta.url).pathname;
const PRELOADED = new URL("./die-at-change.ts", import.meta.url).href;
const NOW = "2026-06-30T12:00:00Z";

const { at } = createSharedFolder();
beforeAll(async () => {
  await makeRulesetAndData(at());
  writePlotFiles(at("few"), 300);
  writePlotFiles(at("many"), FULL ? 100_000 : 6_000);
}, 60_000);

/** Changes of a file at which the quick form kills: some of the beginning, and of the end. */
const STEPS = [2, 21, 45];

/** @returns its name, as seen from where the command runs */
function createFolder(): string {
  return basename(mkdtempSync(at("run-")));
}

interface Run {
  readonly format: string;
  /** Path below the folder of plots. */
  readonly input: string;
  readonly isPiped: boolean;
  readonly shard: string;
  readonly areErrorsApart: boolean;
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
}

/** Runs the command, which writes into a folder; it may be killed after a while, or at a change of a file. */
async function runScreen(
  run: Run,
  folder: string,
  kill: { afterMs?: number; atChange?: number } = {},
): Promise<Ended> {
  const { format, input, isPiped, shard, areErrorsApart } = run;
  const args = [
    ...["screen", "--ruleset", "rules.json", "--data", "data", "--now", NOW, "--workers", "2"],
    ...["--format", format, "--shard", shard, "--resume", "--output", join(folder, "out")],
    ...(areErrorsApart ? ["--errors", join(folder, "errors")] : []),
    ...(isPiped ? [] : [input]),
  ];
  const dying = kill.atChange === undefined ? {} : { DIE_AT: String(kill.atChange), DIE_WRITING: at(folder) };
  const child = spawn(process.execPath, ["--import", PRELOADED, MAIN, ...args], {
    cwd: at(),
    env: { ...process.env, ...dying },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const timer =
    kill.afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), kill.afterMs);
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  if (isPiped)
    await pipeline(createReadStream(at(input)), child.stdin).catch(() => {}); // it may be dead
  else child.stdin.end();
  const [code, signal] = await exit;
  clearTimeout(timer);
  return { code, signal, err };
}

async function expectSame(run: Run, folder: string, whole: string): Promise<void> {
  for (const name of run.areErrorsApart ? ["out", "errors", "out.run.json"] : ["out", "out.run.json"]) {
    const [found, expected] = [folder, whole].map((each) => readFileSync(at(each, name)));
    expect(found!.equals(expected!), `${name} of ${JSON.stringify(run)}`).toBe(true);
  }
  expect(readdirSync(at(folder)).filter((name) => /\.part|\.run$|\.lock|\.tmp/.test(name))).toEqual([]);
}

const RUNS: readonly Run[] = ["ndjson", "compact", "csv", "parquet"].flatMap((format, i) =>
  [true, false].map((areErrorsApart) => ({
    format,
    input: (i % 2 === 0) === areErrorsApart ? "plots.ndjson" : "plots.geojson",
    isPiped: i === 1,
    shard: areErrorsApart ? "1/3" : "0/1",
    areErrorsApart,
  })),
);

const titled = (run: Run): [string, Run] => {
  const { format, input, isPiped, shard, areErrorsApart } = run;
  return [
    `${format}, shard ${shard} of ${input}${isPiped ? " piped in" : ""}${areErrorsApart ? ", errors apart" : ""}`,
    run,
  ];
};

describe("screen --resume after SIGKILL gives the same bytes", () => {
  const random = createSeededRandom(77);
  const [lines, , , , , , parquet] = RUNS;

  it.each((FULL ? RUNS : [lines!]).map(titled))(
    "at any moment: %s",
    async (_, run) => {
      const many = { ...run, input: join("many", run.input) };
      const [whole, folder] = [createFolder(), createFolder()];
      const started = performance.now();
      const uninterrupted = await runScreen(many, whole);
      const wholeMs = performance.now() - started;
      expect(uninterrupted.code, uninterrupted.err).toBe(3); // some plots have no answer
      expect(uninterrupted.err).toMatch(/NON_COMPLIANT, .* errors/);
      let kills = 0;
      let ended: Ended;
      do {
        const afterMs = random.between(0.2, 0.6 + 0.2 * kills) * wholeMs;
        ended = await runScreen(many, folder, { afterMs });
        if (ended.signal === "SIGKILL") kills++;
        expect(existsSync(at(folder, "out.run.json"))).toBe(existsSync(at(folder, "out")));
      } while (ended.signal === "SIGKILL");
      expect(ended.code, ended.err).toBeOneOf([0, 3]);
      expect(kills).toBeGreaterThan(0);
      await expectSame(many, folder, whole);
    },
    600_000,
  );

  it.each((FULL ? RUNS : [parquet!]).map(titled))(
    "at any change of a file: %s",
    async (_, run) => {
      const few = { ...run, input: join("few", run.input) };
      const whole = createFolder();
      expect((await runScreen(few, whole)).code).toBe(3);
      let killed = 0;
      const steps = FULL ? Array.from({ length: 200 }, (_, step) => step) : STEPS;
      for (const step of steps) {
        const folder = createFolder();
        const { signal } = await runScreen(few, folder, { atChange: step });
        if (signal === "SIGKILL") killed++;
        const { code, err } = await runScreen(few, folder);
        expect(code, `step ${step}: ${err}`).toBeOneOf([0, 3]);
        await expectSame(few, folder, whole);
        rmSync(at(folder), { recursive: true });
        if (signal !== "SIGKILL") break;
      }
      expect(killed).toBeGreaterThan(1);
    },
    600_000,
  );
});
