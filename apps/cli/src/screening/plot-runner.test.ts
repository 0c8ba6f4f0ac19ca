import { PoolError } from "@groundrule/node";
import { WorkerPool } from "@groundrule/node/internal";
import { PLAIN_COLUMNS } from "@groundrule/plot-files";
import { afterEach, expect, it, vi } from "vitest";
import { splitLinesIntoChunks, WHOLE } from "./plot-chunks.ts";
import { PlotRunner } from "./plot-runner.ts";
import { buildScreenedChunk, listJudgedPlots } from "./plot-screener.ts";
import { ResultLines, type ResultStyle } from "./results/result-lines.ts";
import type { ScreenTask } from "./screen-worker.ts";

const style: ResultStyle = {
  format: "ndjson",
  evidence: "all",
  checks: [],
  areErrorsApart: false,
  hasColours: false,
};
const reading = {
  judge: { crs: undefined, pointHectares: undefined },
  isSwapped: false,
  columns: PLAIN_COLUMNS,
  shard: WHOLE,
};

afterEach(() => vi.restoreAllMocks());

/** Workers that answer every plot with its side, and that end when side 0 evaluates the plot `slow`. */
async function runInWorkers(task: unknown): Promise<unknown> {
  const { chunk, sides } = task as ScreenTask;
  const plots = [...listJudgedPlots(chunk, reading)];
  if (sides.includes(0) && plots.some(({ id }) => id === "slow")) {
    throw new PoolError("EVALUATION_ABORTED", "the plot took too long");
  }
  return sides.map((side) => {
    const lines = new ResultLines(style);
    for (const plot of plots) lines.error(plot, { code: `SIDE_${side}`, message: "" });
    return buildScreenedChunk(chunk, lines.take(), []);
  });
}

it("repeats in each line the warnings about the ruleset, and no others", () => {
  const lines = new ResultLines(style);
  const ofRuleset = { pointer: "/ruleset/checks/0", code: "CHECK_NEVER", message: "never" };
  const ofPlot = { pointer: "/geometry", code: "REPEATED_POSITION", message: "repeated" };
  for (const warnings of [[ofPlot, ofRuleset], [ofPlot]])
    lines.verdict({ id: "a" } as never, { checks: [], sources: [], warnings } as never);
  const written = lines.take().lines.trim().split("\n");
  expect(written.map((line) => JSON.parse(line).warnings)).toEqual([[ofRuleset], undefined]);
});

it("gives a plot that ends its worker an error, on that side alone, and a line among its records", async () => {
  vi.spyOn(WorkerPool.prototype, "run").mockImplementation(runInWorkers);
  const judging = { ruleset: {}, options: { now: "2026-01-01T00:00:00Z" }, style, record: { groups: {} } };
  const side = { settings: { sources: [], options: {} }, judging };
  const runner = new PlotRunner(reading, [side, side], 1);
  const lines = ["a", "slow", "b"].map((id) =>
    JSON.stringify({ type: "Feature", id, properties: {}, geometry: { type: "Point", coordinates: [0, 0] } }),
  );
  const bytes = new TextEncoder().encode(`${lines.join("\n")}\n`);
  const input = (async function* () {
    yield bytes;
  })();
  const found: unknown[] = [];
  for await (const sides of runner.run(splitLinesIntoChunks(input))) {
    for (const { lines: text, records, read, inputLines } of sides) {
      const results = new TextDecoder()
        .decode(text)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const codes = results.map(({ id, error }) => `${id} ${error.code}`);
      found.push({ codes, records: records.map((line) => JSON.parse(line).id), read, inputLines });
    }
  }
  expect(found).toEqual([
    { codes: ["a SIDE_0", "slow EVALUATION_ABORTED", "b SIDE_0"], records: ["slow"], read: 3, inputLines: 3 },
    { codes: ["a SIDE_1", "slow SIDE_1", "b SIDE_1"], records: [], read: 3, inputLines: 3 },
  ]);
  await runner.close();
});
