import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { Crash, failAfterSteps } from "../../test/failing-disk.ts";
import { type MadeRun, writeMadeRun } from "../../test/run-chunks.ts";
import { readFileState } from "./aside-file.ts";
import { readRunDescription } from "./run-description.ts";

const FULL = process.env.GROUNDRULE_FULL !== undefined;
/** Share of all steps that is tried. */
const SHARE = FULL ? 1 : 0.05;

const { at, write } = createFolderForEach();

const RUN = { read: 40, chunkPlots: 14, shard: { index: 0, of: 1 } } as const;

/** Runs until a step, and no further. @returns true if it ended before that step */
async function runUntil(run: MadeRun, step: number, after: "kill" | "power failure"): Promise<boolean> {
  const disk = failAfterSteps(step, join(run.output, ".."));
  try {
    const note = (line: string): void => {
      // The journal records only durable state, so no work has to be repeated.
      throw new Error(line);
    };
    await writeMadeRun({ ...run, options: { resume: true, journalMs: 0, note } });
    return true;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return false;
  } finally {
    disk.restore(after);
  }
}

describe.each(["kill", "power failure"] as const)("after a %s at any change of a file", (after) => {
  const random = createSeededRandom(after === "kill" ? 11 : 12);

  it.each([
    ["ndjson", true],
    ["csv", false],
    ["parquet", true],
  ] as const)("a run goes on to the same bytes: %s, errors apart: %s", async (format, apart) => {
    const whole = { ...RUN, format, output: at("whole"), ...(apart && { errors: at("whole.errors") }) };
    await writeMadeRun(whole);
    const expected = readFileSync(whole.output);
    const errors = apart ? readFileSync(whole.errors!) : undefined;
    let crashes = 0;
    let step = 0;
    for (let ended = false; !ended; step++) {
      const folder = at(`${step}`);
      const output = write(`${step}/out`, "old");
      const run: MadeRun = { ...RUN, format, output, ...(apart && { errors: join(folder, "errors") }) };
      if (step > 0 && random.next() > SHARE && !FULL) {
        ended = step > 400;
        continue;
      }
      let dying = step;
      for (let done = false; !done; dying += 1 + Math.floor(random.next() * 40)) {
        done = await runUntil(run, dying, after);
        if (dying === step) ended = done;
        if (!done) crashes++;
        await expectSound(run, expected);
      }
      expect(readFileSync(run.output), `step ${step}`).toEqual(expected);
      if (apart) expect(readFileSync(run.errors!), `step ${step}`).toEqual(errors);
      expect(readdirSync(folder).filter((name) => /part$|run$|rows/.test(name))).toEqual([]);
      rmSync(folder, { recursive: true });
    }
    expect(crashes).toBeGreaterThan(2);
  });
});

it("reports a full disk, and goes on when there is room again", async () => {
  const options = { resume: true, journalMs: 0 };
  const run: MadeRun = { ...RUN, format: "ndjson", output: at("out"), options };
  await writeMadeRun({ ...run, output: at("whole") });
  for (const step of [9, 9, 12]) {
    const disk = failAfterSteps(step, at(), () => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
        code: "ENOSPC",
        syscall: "write",
      });
    });
    const failing = writeMadeRun(run).finally(() => disk.restore("kill"));
    await expect(failing).rejects.toMatchObject({
      code: "OUTPUT_UNWRITABLE",
      message: expect.stringContaining("the disk is full; free some space, and continue with --resume"),
    });
  }
  const { plots } = await writeMadeRun(run);
  expect(plots).toBeLessThan(40);
  expect(readFileSync(run.output)).toEqual(readFileSync(at("whole")));
});

/** The output is the old one or the new one, and its description, if any, is true. */
async function expectSound(run: MadeRun, expected: Buffer): Promise<void> {
  const found = readFileSync(run.output);
  if (!found.equals(expected)) expect(found.toString()).toBe("old");
  const description = `${run.output}.run.json`;
  if (!existsSync(description)) return;
  const { output } = readRunDescription(description)!.description!;
  expect(await readFileState(run.output, new AbortController().signal)).toEqual({
    bytes: output.bytes,
    sha256: output.sha256,
  });
}
