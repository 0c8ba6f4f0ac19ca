import { PassThrough, type Readable } from "node:stream";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll } from "vitest";
import { runCommand } from "../src/run-command.ts";
import { Terminal } from "../src/terminal/terminal.ts";
import { runInProcess, splitCommandWords } from "./in-process.ts";
import { makeFeature } from "./plot-texts.ts";

export const NOW = "2026-11-22T12:00:00Z";
/** A plot in the park, and one outside. */
export const INSIDE = createSquarePolygon(0.1, 0.1, 0.01);
export const OUTSIDE = createSquarePolygon(5, 5, 0.01);

/** The sets of the ruleset. */
export const PROTECTED = { protected: { sources: ["demo:parks"] } };

/** A folder for a file of tests: `data` has one park as `demo:parks`, and `rules.json` warns of an overlap with it. */
export function createParkFolder(): ReturnType<typeof createSharedFolder> {
  const folder = createSharedFolder();
  const { at, write } = folder;
  beforeAll(async () => {
    write("rules.json", {
      sets: PROTECTED,
      checks: [{ id: "overlap", set: "protected", measure: "overlap_area_m2", outcome: "WARNING" }],
    });
    write("parks.geojson", makeFeature("P1", createSquarePolygon(0, 0, 0.3)));
    await runInProcess(
      splitCommandWords`snapshot build --source demo:parks ${at("parks.geojson")} --data ${at("data")}`,
    );
  });
  return folder;
}

/** Starts the command in this process and returns its streams. */
export function startOnStreams(args: readonly string[]) {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = new Terminal(input, output, errors, new AbortController().signal);
  const ended = runCommand(args, terminal).finally(() => {
    output.end();
    errors.end();
  });
  return { input, output, errors, ended };
}

/** Its exit code and outputs, for one whole input. */
export async function runOnStreams(args: readonly string[], stream: Uint8Array) {
  const { input, output, errors, ended } = startOnStreams(args);
  input.end(stream);
  const [out, err] = await Promise.all([gather(output), gather(errors)]);
  return { code: await ended, out, err: err.toString() };
}

async function gather(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
