import { Readable, Writable } from "node:stream";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../src/run-command.ts";
import { Terminal } from "../src/terminal/terminal.ts";
import { runInProcess } from "./in-process.ts";
import { makeFeature } from "./plot-texts.ts";

// Streams of plots as they arrive: cut anywhere, from other systems, broken in one place.

const NOW = "2026-06-30T12:00:00Z";
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "parks", set: "parks", measure: "overlap_ratio", outcome: "NON_COMPLIANT" }],
};

const plot = (id: string | number | undefined, x = 10): string =>
  JSON.stringify({ type: "Feature", id, geometry: createSquarePolygon(x, 0, 0.1), properties: {} });

/** Each kind of line that is no plot, or one that is easily misread, with what stands in its place in the output. */
const LINES: readonly (readonly [line: string, id: string | number | undefined, error?: string])[] = [
  [`\u{feff}${plot("first")}\r`, "first"],
  ["", undefined],
  [" \t\r", undefined],
  [plot("läßt-🌳"), "läßt-🌳"],
  [plot("again"), "again"],
  [plot("again", 40), "again"],
  ["{oops}", 7, "MALFORMED_JSON"],
  [plot(undefined), 8],
  ['{"type":"FeatureCollection","features":[]}', 9, "VALIDATION_FAILED"],
  ['{"type":"Feature","id":"lost","geometry":null,"properties":{}}', "lost", "INPUT_INCOMPLETE"],
  [`  ${plot("last")}  `, "last"],
];

const { at, write } = createSharedFolder();
beforeAll(async () => {
  write("rules.json", RULESET);
  write("parks.geojson", makeFeature("P1", createSquarePolygon(10, 0, 1)));
  const options = ["--source", "demo:parks", "--id", "code", "--data", at()];
  const built = await runInProcess(["snapshot", "build", ...options, at("parks.geojson")]);
  expect(built.code).toBe(0);
});

const text = Buffer.from(LINES.map(([line]) => line).join("\n"));
const screenArgs = (...more: readonly string[]): string[] => {
  return ["screen", "--ruleset", at("rules.json"), "--data", at(), "--now", NOW, ...more];
};

/** Screens bytes that arrive in these pieces. */
const screenPieces = (input: Iterable<Uint8Array>, ...more: readonly string[]) =>
  runInProcess(screenArgs(...more), { input });

function* splitBytes(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

describe("screen", () => {
  it("answers every line that is not blank, in its place and under its number, whatever the others are", async () => {
    const { code, lines } = await screenPieces([text]);
    const found = lines.map(({ id, error }) => [id, (error as { code: string } | undefined)?.code]);
    const expected = LINES.filter(([, id]) => id !== undefined).map(([, id, error]) => [id, error]);
    expect(found).toEqual(expected);
    expect(code).toBe(3);
  });

  it("prints the same bytes wherever the input is cut, and by any number of workers", async () => {
    const whole = await screenPieces([text], "--workers", "1");
    for (const size of [1, 7]) {
      expect(await screenPieces(splitBytes(text, size), "--workers", "2")).toEqual(whole);
    }
  });

  it("prints the same with and without an end of the last line, and with blank lines after it", async () => {
    const blank = await screenPieces([text, Buffer.from("\r\n\n \n")], "--workers", "1");
    expect(blank).toEqual(await screenPieces([text], "--workers", "1"));
  });

  it("reads no further than a stalled reader of its results allows", async () => {
    const line = Buffer.from(`${plot("endless")}\n`.repeat(400));
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          read += line.length;
          yield line;
        }
      })(),
    );
    let written = 0;
    // Takes one write and never says that it is done with it.
    const stuck = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer) => {
        written += chunk.length;
      },
    });
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const terminal = new Terminal(endless, stuck, nowhere, new AbortController().signal);
    const ended = runCommand(screenArgs("--workers", "2"), terminal).catch(() => "failed");
    await expect.poll(() => written).toBeGreaterThan(0);
    // Where it stops reading, it has stopped for good: five looks at the same place.
    let same = 0;
    let before = -1;
    await expect
      .poll(
        () => {
          same = read === before ? same + 1 : 0;
          before = read;
          return same;
        },
        { interval: 50 },
      )
      .toBeGreaterThanOrEqual(5);
    expect(read).toBeLessThan(16 * 2 ** 20);
    stuck.destroy(new Error("gone"));
    await ended;
    endless.destroy();
  });
});
