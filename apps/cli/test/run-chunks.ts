import type { ResultChunk, RunIdentity, RunOptions, Shard } from "../src/runs/run.ts";
import { openRunOutput } from "../src/runs/run-output.ts";
import type { ResultRow } from "../src/screening/results/result-columns.ts";
import { createResultFormat } from "../src/screening/results/result-format.ts";
import { EMPTY_TALLY } from "../src/screening/results/tally.ts";
import { formatRowLine } from "../src/tables/table-row.ts";
import { encodeWkbBase64 } from "../src/tables/wkb.ts";

/** Every seventh plot is refused. */
export function isRefused(number: number): boolean {
  return number % 7 === 3;
}

/** Plot `number`'s line: of its own length, and in CSV over two lines. */
export function makeResultLine(format: RunIdentity["format"], number: number): string {
  const verdict = number % 3 === 0 ? "WARNING" : "COMPLIANT";
  const note = "n".repeat(number % 50);
  const error = isRefused(number)
    ? ["GEOMETRY_INVALID", `found "${number}",\nexpected a plot`]
    : [null, null];
  const rowOf = (): ResultRow => {
    const item = { source_name: "s", overlap_ratio: number / 3, properties: { "7": number, b: null } };
    const evidence = number % 4 === 0 ? null : [{ check: "a", items: [item, { value: note }], total: 9 }];
    return [`p${number}`, verdict, verdict, "WARNING", null, evidence, ...error];
  };
  if (format === "csv") return `p${number},${verdict},"say ""${note}""\n${error[0] ?? ""}"\r\n`;
  if (format === "parquet") return formatRowLine(rowOf());
  if (format === "gpkg" || format === "geoparquet") {
    const wkb = number % 5 === 0 ? null : encodeWkbBase64({ type: "Point", coordinates: [number, -1] });
    return formatRowLine({ number, row: rowOf(), wkb, properties: makeVaryingAttributes(number) });
  }
  if (format === "geojson") {
    const properties = { note, verdict, "check:a": "WARNING", error: error[0] };
    return `${JSON.stringify({ type: "Feature", id: number, properties, geometry: null })}\n`;
  }
  return `${JSON.stringify({ id: `p${number}`, verdict, note, error })}\n`;
}

/** Attributes whose types and names differ from plot to plot, and clash with columns. */
function makeVaryingAttributes(number: number): Record<string, unknown> {
  const kinds = [number, number / 2, true, { a: [number] }, null, "ação", 2 ** 53];
  return {
    [`of ${number % 3}`]: kinds[number % 7],
    // Some shards have only nulls here; the numbers are those that a column of integers writes in another form than one of reals.
    sparse: number % 7 === 2 ? number : null,
    zero: [-0, 0.5, 1][Math.min(number % 7, 2)],
    ...(number % 2 === 0 ? { Verdict: "own", whole: number, half: number / 2, yes: number % 4 === 0 } : {}),
    ...(number % 11 === 5 ? { never: null, "plot:verdict": 1, verdict: 2, GEOM: "g", geometry: "h" } : {}),
  };
}

/** A run of made-up plots: `read` of them, of which the shard's are answered in chunks. */
export interface MadeRun {
  readonly read: number;
  readonly shard: Shard;
  readonly format: RunIdentity["format"];
  readonly output: string;
  readonly errors?: string | undefined;
  readonly chunkPlots?: number;
  readonly identity?: Partial<RunIdentity>;
  readonly options?: Partial<RunOptions>;
}

export function makeRunIdentity({ read, shard, format, identity = {} }: MadeRun): RunIdentity {
  return {
    format,
    evidence: "triggered",
    ruleset: { name: "made up", digest: "ab".repeat(32), checks: ["a"] },
    semantics: 6,
    engine_version: "0.2.0",
    now: "2026-06-30T12:00:00Z",
    editions: [{ source_name: "a", edition: "cd".repeat(32) }],
    options: { strict_coverage: false },
    input: { name: "plots.ndjson", bytes: read * 100, modified: "2026-06-01T00:00:00Z" },
    shard,
    ...identity,
  };
}

/** The results of plots `from` … `to` − 1, those of the shard. */
export function makeResultChunk({ format, shard, errors }: MadeRun, from: number, to: number): ResultChunk {
  const mine = Array.from({ length: to - from }, (_, at) => from + at).filter(
    (number) => number % shard.of === shard.index,
  );
  const apart = errors === undefined ? [] : mine.filter(isRefused);
  const among = mine.filter((number) => !apart.includes(number));
  const refused = mine.filter(isRefused).length;
  const answered = mine.filter((number) => !isRefused(number));
  const warned = answered.filter((number) => number % 3 === 0).length;
  return {
    plots: mine.length,
    read: to - from,
    inputBytes: to * 100,
    inputLines: to,
    lines: Buffer.from(among.map((number) => makeResultLine(format, number)).join("")),
    errors: Buffer.from(
      apart
        .map((number) => `${JSON.stringify({ number, id: `p${number}`, error: { code: "X" } })}\n`)
        .join(""),
    ),
    tally: {
      ...EMPTY_TALLY,
      counts: { COMPLIANT: answered.length - warned, WARNING: warned },
      errors: { GEOMETRY_INVALID: refused },
    },
  };
}

/** Runs to the end, or until `stop` throws. @returns what was noted, and how many plots were answered */
export async function writeMadeRun(
  run: MadeRun,
): Promise<{ notes: string[]; plots: number; isDone: boolean }> {
  const notes: string[] = [];
  const output = await openRunOutput({
    output: run.output,
    errors: run.errors,
    resume: false,
    format: createResultFormat(run.format, { checks: ["a"], now: "2026-06-30T12:00:00Z" }),
    identity: makeRunIdentity(run),
    note: (line) => notes.push(line),
    signal: new AbortController().signal,
    ...run.options,
  });
  let plots = 0;
  try {
    if (output.isDone) return { notes, plots, isDone: true };
    const step = run.chunkPlots ?? 10;
    for (let from = output.resumeAt?.read ?? 0; from < run.read; from += step) {
      const chunk = makeResultChunk(run, from, Math.min(from + step, run.read));
      await output.write(chunk);
      plots += chunk.plots;
    }
    await output.finish();
    return { notes, plots, isDone: false };
  } finally {
    await output.close();
  }
}
