import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { type MadeRun, makeResultChunk, makeRunIdentity, writeMadeRun } from "../../test/run-chunks.ts";
import { RESULT_FORMATS } from "../screening/format-names.ts";
import { createResultFormat } from "../screening/results/result-format.ts";
import type { RunOptions, RunOutput } from "./run.ts";
import { readRunDescription } from "./run-description.ts";
import { openRunOutput, readRunInstant } from "./run-output.ts";

const { at } = createFolderForEach();

function createMadeRun(name = "out.ndjson", members: Partial<MadeRun> = {}): MadeRun {
  return { read: 100, shard: { index: 0, of: 1 }, format: "ndjson", output: at(name), ...members };
}

function open(run: MadeRun, options: Partial<RunOptions> = {}): Promise<RunOutput> {
  return openRunOutput({
    output: run.output,
    errors: run.errors,
    resume: true,
    format: createResultFormat(run.format, { checks: ["a"], now: "2026-06-30T12:00:00Z" }),
    identity: makeRunIdentity(run),
    note: () => {},
    signal: new AbortController().signal,
    ...options,
  });
}

/** Answers the first plots, and stops. */
async function stopAfter(run: MadeRun, plots: number): Promise<void> {
  const output = await open(run);
  for (let from = 0; from < plots; from += 10) await output.write(makeResultChunk(run, from, from + 10));
  await output.close();
}

function readText(path: string): string {
  return readFileSync(path, "utf8");
}

async function getErrorCode(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => "nothing",
    (error: { readonly code?: string }) => error.code ?? error,
  );
}

describe("the output of a run", () => {
  it.each(RESULT_FORMATS)(
    "is whole under its name, with nothing beside it but its description: %s",
    async (format) => {
      const run = createMadeRun("out", { format, errors: at("errors.ndjson") });
      await writeMadeRun(run);
      expect(readdirSync(at()).sort()).toEqual(["errors.ndjson", "out", "out.run.json"]);
      const { description } = readRunDescription(`${run.output}.run.json`)!;
      expect(description).toMatchObject({
        plots: 100,
        read: 100,
        errors: 14,
        counts: { COMPLIANT: 57, WARNING: 29 },
        output: { file: "out", bytes: readFileSync(run.output).length },
        errors_output: { file: "errors.ndjson" },
      });
      expect(readText(run.errors!).split("\n")).toHaveLength(15);
    },
  );

  it.each(["ndjson", "csv", "geojson", "gpkg", "geoparquet"] as const)(
    "goes on after a stop as if there had been none: %s",
    async (format) => {
      const whole = createMadeRun("whole", { format, errors: at("whole.errors") });
      await writeMadeRun(whole);
      const run = createMadeRun("stopped", { format, errors: at("stopped.errors") });
      await stopAfter(run, 40);
      expect(readdirSync(at())).not.toContain("stopped");
      const { plots } = await writeMadeRun({ ...run, options: { resume: true } });
      expect(plots).toBe(60);
      expect(readFileSync(run.output)).toEqual(readFileSync(whole.output));
      expect(readFileSync(run.errors!)).toEqual(readFileSync(whole.errors!));
    },
  );

  it("reports where to continue", async () => {
    const run = createMadeRun();
    await stopAfter(run, 40);
    const output = await open(run);
    expect(output.resumeAt).toMatchObject({ read: 40, plots: 40, inputBytes: 4000, inputLines: 40 });
    await output.close();
  });

  it("keeps the instant of the run that it goes on with", async () => {
    const run = createMadeRun();
    expect(readRunInstant(run.output)).toBeUndefined();
    await stopAfter(run, 10);
    expect(readRunInstant(run.output)).toBe("2026-06-30T12:00:00Z");
    await writeMadeRun({ ...run, options: { resume: true } });
    expect(readRunInstant(run.output)).toBe("2026-06-30T12:00:00Z");
  });

  it("cuts what is beyond its journal", async () => {
    const whole = createMadeRun("whole");
    await writeMadeRun(whole);
    const run = createMadeRun();
    await stopAfter(run, 40);
    writeFileSync(`${run.output}.part`, '{"id":"half a li', { flag: "a" });
    await writeMadeRun({ ...run, options: { resume: true } });
    expect(readText(run.output)).toBe(readText(whole.output));
  });

  it.each([
    ["shorter", (text: string) => text.slice(0, -1)],
    ["another one", (text: string) => text.replace("p7", "p8")],
    ["empty", () => ""],
  ])("starts anew where its part file is %s, and reports that", async (_, change) => {
    const whole = createMadeRun("whole");
    await writeMadeRun(whole);
    const run = createMadeRun();
    await stopAfter(run, 40);
    writeFileSync(`${run.output}.part`, change(readText(`${run.output}.part`)));
    const { notes, plots } = await writeMadeRun({ ...run, options: { resume: true } });
    expect(notes).toEqual([expect.stringContaining("starting again at the first plot")]);
    expect(plots).toBe(100);
    expect(readText(run.output)).toBe(readText(whole.output));
  });

  it.each(["", "{", "null", '{"journal":2}', '{"journal":1}', "\0".repeat(300)])(
    "starts anew where its journal is torn: %j",
    async (torn) => {
      const run = createMadeRun();
      await stopAfter(run, 40);
      writeFileSync(`${run.output}.run`, torn);
      const { notes, plots } = await writeMadeRun({ ...run, options: { resume: true } });
      expect(notes).toEqual([expect.stringContaining("cannot be read")]);
      expect(plots).toBe(100);
    },
  );

  it("reports that it is done", async () => {
    const run = createMadeRun();
    await writeMadeRun(run);
    expect(await writeMadeRun({ ...run, options: { resume: true } })).toMatchObject({
      isDone: true,
      plots: 0,
    });
    expect(readdirSync(at()).sort()).toEqual(["out.ndjson", "out.ndjson.run.json"]);
  });

  it("is written again where the finished file is gone", async () => {
    const run = createMadeRun();
    await writeMadeRun(run);
    rmSync(run.output);
    expect(await writeMadeRun({ ...run, options: { resume: true } })).toMatchObject({
      isDone: false,
      plots: 100,
    });
  });

  it("replaces what stood under its name only when it is whole", async () => {
    const run = createMadeRun();
    writeFileSync(run.output, "old");
    await stopAfter(run, 40);
    expect(readText(run.output)).toBe("old");
    await writeMadeRun({ ...run, options: { resume: true } });
    expect(readText(run.output)).toContain("p99");
  });
});

describe("an output is refused", () => {
  it.each([
    ["instant", { now: "2026-06-30T12:00:01Z" }, "now"],
    ["ruleset", { ruleset: { name: "made up", digest: "ef".repeat(32), checks: ["a"] } }, "ruleset.digest"],
    ["edition", { editions: [{ source_name: "a", edition: "ef".repeat(32) }] }, "editions"],
    ["evidence", { evidence: "all" }, "evidence"],
    ["release", { engine_version: "0.2.1" }, "engine_version"],
    ["semantics", { semantics: 7 }, "semantics"],
    ["option", { options: { strict_coverage: true } }, "options.strict_coverage"],
    ["size of the input", { input: { name: "plots.ndjson", bytes: 1 } }, "input.bytes"],
    ["shard", { shard: { index: 0, of: 2 } }, "shard.of"],
  ] as const)("where it goes on with another %s", async (_, identity, member) => {
    const run = createMadeRun();
    await stopAfter(run, 40);
    for (const again of [run, { ...run, output: at("done") }]) {
      if (again !== run) await writeMadeRun(again);
      const failing = open(again, { identity: { ...makeRunIdentity(again), ...identity } });
      await expect(failing).rejects.toMatchObject({
        code: "RUN_DIFFERS",
        message: expect.stringContaining(`found ${member} `),
      });
    }
  });

  it("where errors went elsewhere", async () => {
    const run = createMadeRun();
    await stopAfter(run, 40);
    expect(await getErrorCode(open({ ...run, errors: at("errors") }))).toBe("RUN_DIFFERS");
  });

  it("where its file was changed since it was finished", async () => {
    const run = createMadeRun();
    await writeMadeRun(run);
    writeFileSync(run.output, readText(run.output).replace("p7", "p8"));
    expect(await getErrorCode(open(run))).toBe("RUN_DIFFERS");
  });

  it("where an unfinished run would be lost", async () => {
    const run = createMadeRun();
    await stopAfter(run, 40);
    expect(await getErrorCode(open(run, { resume: false }))).toBe("RUN_UNFINISHED");
  });

  it("while another run writes it, or its errors", async () => {
    const run = createMadeRun("one", { errors: at("errors") });
    const output = await open(run);
    expect(await getErrorCode(open(run))).toBe("OUTPUT_LOCKED");
    expect(await getErrorCode(open({ ...run, output: at("two") }))).toBe("OUTPUT_LOCKED");
    await output.close();
    await (await open(run)).close();
  });

  it("where it is no file of its own", async () => {
    const input = at("plots.ndjson");
    writeFileSync(input, "{}\n");
    linkSync(input, at("second name"));
    symlinkSync(input, at("link"));
    mkdirSync(at("folder"));
    for (const output of ["second name", "link", "plots.ndjson", "folder", "none/out"]) {
      const refused = open(createMadeRun(output), { inputs: [input] });
      expect(await getErrorCode(refused), output).toBe("OUTPUT_INVALID");
    }
    expect(await getErrorCode(open({ ...createMadeRun(), output: "/dev/null" }))).toBe("OUTPUT_INVALID");
    expect(await getErrorCode(open(createMadeRun("out", { errors: at("out") })))).toBe("OUTPUT_INVALID");
  });
});
