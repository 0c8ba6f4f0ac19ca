import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxSource } from "@groundrule/testing/small-sources";
import { createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installEdition } from "../../packages/node/src/index.ts";
import { findAtPath, listAtPath, readManifests } from "../deploy/manifests.ts";

const MAIN = join(import.meta.dirname, "../../apps/cli/src/main.ts");
const SHARDS = 4;
const PLOTS = process.env.GROUNDRULE_FULL === undefined ? 1_500 : 100_000;
const SEED = Number(process.env.SEED ?? 14);

const dir = mkdtempSync(join(tmpdir(), "groundrule-indexed-"));
const work = join(dir, "work");
const command = join(dir, "bundle/bin/groundrule");
const manifests = readManifests([
  "deploy/kubernetes/screening.yaml",
  "deploy/kubernetes/screening-merge.yaml",
]);
const [screening, merge] = manifests;
const random = createSeededRandom(SEED);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The words of a Job's container, with the folder of this test as its volume. */
function getCommandWords(job: unknown, index?: number): string[] {
  const [container] = listAtPath(job, "spec", "template", "spec", "containers");
  const words = findAtPath(container, "args") as readonly string[];
  return words.map((word) =>
    word
      .replaceAll("$(JOB_COMPLETION_INDEX)", String(index))
      .replace(/\/64$/, `/${SHARDS}`)
      .replaceAll("/screening/", `${work}/`),
  );
}

/** Runs a Pod to its end, or kills it after so many milliseconds. @returns its exit code; undefined: it was killed */
async function runPod(words: readonly string[], killAfterMs?: number): Promise<number | undefined> {
  const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: "/nonexistent" };
  const pod = spawn(command, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  pod.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => pod.kill("SIGKILL"), killAfterMs);
  const [code] = await once(pod, "close");
  clearTimeout(timer);
  if (code === 2 || code === 4) throw new Error(`${words.join(" ")} ended with ${code}: ${said}`);
  return code ?? undefined;
}

beforeAll(async () => {
  const data = join(dir, "data");
  await installEdition(data, createBoxSource("a:parks", { p: [0, 0, 0.1, 0.1], q: [0.3, 0, 0.4, 0.1] }));
  const check = { id: "park", set: "parks", measure: "overlap_ratio", value: 0.1, outcome: "NON_COMPLIANT" };
  const ruleset = join(dir, "ruleset.json");
  writeFileSync(ruleset, JSON.stringify({ sets: { parks: { sources: ["a:parks"] } }, checks: [check] }));
  const words = ["bundle", "--no-node", "--data", data, "--ruleset", ruleset, "--output", dir, "--json"];
  const { archive } = JSON.parse(execFileSync(process.execPath, [MAIN, ...words], { encoding: "utf8" }));
  mkdirSync(join(dir, "bundle"));
  execFileSync("tar", ["xzf", archive, "-C", join(dir, "bundle")]);
  mkdirSync(join(work, "shards"), { recursive: true });
  const lines = Array.from({ length: PLOTS }, (_, i) => {
    if (i % 97 === 13) return "{ this is no plot";
    const geometry = createSquarePlot((i % 500) * 0.001, 0.05);
    return JSON.stringify({ type: "Feature", id: `plot-${i}`, properties: {}, geometry });
  });
  writeFileSync(join(work, "plots.ndjson"), lines.map((line) => `${line}\n`).join(""));
});

describe("the Indexed Job of deploy/kubernetes", () => {
  it(`gives the bytes of one run, Pods killed and started again (seed ${SEED})`, async () => {
    // An index is run until a Pod of it succeeds.
    const first = await Promise.all(
      Array.from({ length: SHARDS }, (_, index) =>
        runPod(getCommandWords(screening!.body, index), random.between(50, 950)),
      ),
    );
    expect(first).toContain(undefined);
    const limit = findAtPath(screening!.body, "spec", "backoffLimitPerIndex") as number;
    for (const [index, code] of first.entries()) {
      let [last, failures] = [code, 0];
      while (last !== 0) {
        if (last !== undefined) failures++;
        expect(failures).toBeLessThanOrEqual(limit);
        last = await runPod(getCommandWords(screening!.body, index));
      }
    }
    expect(await runPod(getCommandWords(merge!.body))).toBe(0);

    const whole = getCommandWords(screening!.body, 0)
      .filter((word) => !word.startsWith("--shard") && word !== "--resume")
      .map((word) => word.replace(/shards\/0(\S*)\.ndjson$/, "whole$1.ndjson"));
    // 3: there are plots that cannot be read.
    expect(await runPod(whole)).toBe(3);
    const read = (name: string) => readFileSync(join(work, name), "utf8");
    expect(read("verdicts.ndjson")).toBe(read("whole.ndjson"));
    expect(read("errors.ndjson")).toBe(read("whole.errors.ndjson"));
    expect(read("verdicts.ndjson").split("\n")).toHaveLength(PLOTS + 1 - Math.ceil((PLOTS - 13) / 97));
  });

  it("requires as many shards as it has indexes", () => {
    const { completions } = findAtPath(screening!.body, "spec") as { completions: number };
    const [container] = listAtPath(screening!.body, "spec", "template", "spec", "containers");
    expect(findAtPath(container, "args")).toContain(`--shard=$(JOB_COMPLETION_INDEX)/${completions}`);
  });
});
