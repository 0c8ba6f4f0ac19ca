/**
 * Measures the cost of merging shards per plot, and its memory, by the number of plots and shards.
 *
 *   npm run bench -- merge [--plots N]
 *
 * The lines are made up, of the length that compact results have.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRunOutput } from "../apps/cli/src/runs/run-output.ts";
import type { ResultFormatName } from "../apps/cli/src/screening/format-names.ts";
import { createResultFormat } from "../apps/cli/src/screening/results/result-format.ts";
import { EMPTY_TALLY } from "../apps/cli/src/screening/results/tally.ts";
import { formatRowLine } from "../apps/cli/src/tables/table-row.ts";
import { measureProgramUsage } from "../tools/machine/usage.ts";
import { COMMAND, formatMarkdownTable } from "./measure.ts";

const NOW = "2026-06-30T12:00:00Z";
const CHECKS = ["a", "b", "c", "d", "e"];
const STATES = CHECKS.map(() => "not_triggered");
const { values } = parseArgs({ options: { plots: { type: "string", default: "1000000" } } });
const most = Number(values.plots);

const rows: (string | number)[][] = [["format", "shards", "plots", "bytes", "CPU µs a plot", "peak MB"]];
for (const [format, of, plots] of [
  ["compact", 7, most / 10],
  ["compact", 7, most],
  ["compact", 100, most],
  ["csv", 7, most],
  ["parquet", 7, most / 10],
  ["parquet", 7, most],
] as const) {
  const dir = mkdtempSync(join(tmpdir(), "groundrule-merge-"));
  try {
    const bytes = await makeShards(dir, format, of, plots);
    const { cpuMs, peakBytes } = measureProgramUsage(COMMAND, [
      "merge",
      dir,
      "--output",
      join(dir, "merged"),
    ]);
    const [cpu, peak] = [((cpuMs * 1000) / plots).toFixed(2), (peakBytes / 1e6).toFixed(0)];
    rows.push([format, of, plots, bytes, cpu, peak]);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
console.log(formatMarkdownTable(rows));

/** @returns bytes of all results */
async function makeShards(dir: string, format: ResultFormatName, of: number, plots: number): Promise<number> {
  let bytes = 0;
  for (let index = 0; index < of; index++) {
    const output = await openRunOutput({
      output: join(dir, `shard-${index}`),
      resume: false,
      format: createResultFormat(format, { checks: CHECKS, now: NOW }),
      identity: {
        format,
        evidence: "none",
        ruleset: { name: "made up", digest: "ab".repeat(32), checks: CHECKS },
        semantics: 1,
        engine_version: "0.0.0",
        now: NOW,
        editions: [],
        options: {},
        input: { name: "-" },
        shard: { index, of },
      },
      note: console.error,
      signal: new AbortController().signal,
    });
    let lines: string[] = [];
    let read = 0;
    const write = async (to: number): Promise<void> => {
      const written = Buffer.from(lines.join(""));
      bytes += written.length;
      const counts = { COMPLIANT: lines.length };
      const tally = { ...EMPTY_TALLY, counts };
      await output.write({
        plots: lines.length,
        read: to - read,
        lines: written,
        errors: Buffer.of(),
        tally,
      });
      lines = [];
      read = to;
    };
    for (let number = index; number < plots; number += of) {
      lines.push(formatResultLine(format, number));
      if (lines.length === 10_000) await write(number + 1);
    }
    await write(plots);
    await output.finish();
    await output.close();
  }
  return bytes;
}

function formatResultLine(format: ResultFormatName, number: number): string {
  const id = `plot-${number}`;
  const digest = `${"0123456789abcdef".repeat(4)}${number}`.slice(-64);
  if (format === "parquet") {
    return formatRowLine([id, "COMPLIANT", "COMPLIANT", ...STATES, digest, null, null, null]);
  }
  if (format === "csv") return `${id},COMPLIANT,COMPLIANT,${STATES.join()},${digest},,,\r\n`;
  const states = CHECKS.map((check, at) => [`check:${check}`, STATES[at]]);
  return `${JSON.stringify({ id, verdict: "COMPLIANT", at_least: "COMPLIANT", ...Object.fromEntries(states), digest })}\n`;
}
