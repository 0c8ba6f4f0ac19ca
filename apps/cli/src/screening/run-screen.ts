import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Policy } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import type { OpenData } from "@groundrule/node";
import type { PlotColumns } from "@groundrule/plot-files";
import { createRulesetTongue, translateVerdict } from "@groundrule/words";
import { getTongue } from "@groundrule/words/languages";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import type { ExitCode } from "../command-line/exit-code.ts";
import { openCommandData, readCompileOptions, readCoverageOptions } from "../data/command-data.ts";
import { type LiveAreas, openLiveAreas } from "../data/live-areas.ts";
import { openRecordFolder } from "../files/record-file.ts";
import { readRuleset } from "../files/ruleset-file.ts";
import { readJudgeOptions, requireKnownColumns } from "../plots/judged-plots.ts";
import { writeNewMapping } from "../plots/mapping.ts";
import { NO_PLOTS_NOTE, noteUsedColumns } from "../plots/plots.ts";
import { parsePlotReadOptions } from "../plots/read-options.ts";
import type { ResultChunk, RunIdentity, RunOutput } from "../runs/run.ts";
import { RunError } from "../runs/run-error.ts";
import { openRunOutput, readRunInstant } from "../runs/run-output.ts";
import { isSame } from "../runs/run-paths.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { figures } from "../words/figures.ts";
import { openPlotInput, type PlotInput, readInputIdentity } from "./plot-input.ts";
import { PlotRunner } from "./plot-runner.ts";
import type { ChunkReading, Judging } from "./plot-screener.ts";
import { formatClosingLines, formatStoppedLines } from "./results/closing-lines.ts";
import { FailOn, formatTallySummary, TallyNotes } from "./results/conclusion.ts";
import { formatMendingLine } from "./results/mending-line.ts";
import { assertRoomForPlots, createResultFormat, type ResultFormat } from "./results/result-format.ts";
import { addTallies, EMPTY_TALLY, type ScreenTally } from "./results/tally.ts";
import { readScreenOptions, type ScreenOptions } from "./screen-options.ts";

/**
 * Screens the plots of an input. This thread splits the input and writes results in its order; workers read and
 * evaluate plots and make the lines.
 *
 * Fails: as opening data, compiling, the input, and `openRunOutput`; {@link UsageError}.
 */
export async function runScreening(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const options = readScreenOptions(args, terminal);
  const failOn = new FailOn(args);
  const notes = new TallyNotes(terminal);
  const ruleset = readRuleset(args.get("ruleset"));
  const { data, now } = openCommandData(args, terminal, readEarlierInstant(options));
  const compiled = readCompileOptions(args);
  const policy = data.engine.compile(ruleset, undefined, compiled); // its faults are reported once, not for every plot
  const checks = policy.ruleset.checks.map(({ id }) => id);
  const workbook = {
    language: options.language,
    checks: translateVerdict(
      { checks: policy.ruleset.checks },
      createRulesetTongue(getTongue(options.language), policy.ruleset.name, policy.ruleset),
    ).checks.map(({ id, title }) => ({ id, title: title ?? id })),
  };
  const format = createResultFormat(options.format, { checks, now, workbook });
  const path = args.operands[0];
  const reading = parsePlotReadOptions(args);
  const tellStop = (plots: number): void => {
    if (!terminal.signal.aborted) return;
    for (const line of formatStoppedLines(args, options, plots)) terminal.note(line);
  };
  const input = await openPlotInput(path, terminal, reading).catch((error: unknown) => {
    tellStop(0);
    throw error;
  });
  const { columns } = input;
  const { facts = {} } = policy.ruleset;
  await closeOnFailure(input, () => requireKnownColumns(columns, terminal, facts));
  const chunkReading: ChunkReading = {
    judge: readJudgeOptions(args),
    isSwapped: reading.swapAxes === true,
    columns,
    shard: options.shard,
  };
  const judging: Judging = {
    ruleset,
    options: { now, ...readCoverageOptions(args) },
    compiled,
    style: { ...options.style, checks },
    ...(options.records !== undefined && { record: { groups: data.current.options.groups ?? {} } }),
  };
  const identity = createIdentityBuilder(args, options, policy, data, now, columns);
  const output = await closeOnFailure(input, () =>
    openScreenOutput(args, terminal, options, format, identity),
  );
  if (output.isDone) {
    await output.close();
    await input.close();
    terminal.note(`${options.output} is already complete`);
    // Errors were reported by the run that met them; `--fail-on` is applied to the stored counts.
    return failOn.exitCodeOf({ ...EMPTY_TALLY, counts: output.counts ?? {} });
  }
  let tally = output.resumeAt?.tally ?? EMPTY_TALLY;
  let plots = 0;
  const startedAt = performance.now();
  let runner: PlotRunner | undefined;
  let areas: LiveAreas | undefined;
  const records = options.records === undefined ? undefined : openRecordFolder(options.records);
  noteUsedColumns(columns, terminal);
  writeNewMapping(args, columns, reading, terminal);
  try {
    areas = await openLiveAreas(data.current.live, terminal);
    const side = { settings: data.current, judging };
    runner = new PlotRunner(chunkReading, [side], options.workers, { areas, policy });
    const progress = new Progress(input.bytes, output.resumeAt?.inputBytes ?? 0);
    for await (const [results] of runner.run(input.chunks(options.shard, output.resumeAt))) {
      const chunk = results!;
      for (const record of chunk.records) records?.write(record);
      plots += chunk.plots;
      assertRoomForPlots(format, (output.resumeAt?.plots ?? 0) + plots);
      await output.write(chunk);
      tally = addTallies(tally, chunk.tally);
      notes.tell(chunk.tally);
      terminal.progress(() => progress.text(plots, chunk.inputBytes, tally));
    }
    await output.finish();
    await output.close();
  } catch (error) {
    await output.close();
    tellStop((output.resumeAt?.plots ?? 0) + plots);
    throw error;
  } finally {
    records?.close();
    await input.close();
    await runner?.close();
    await areas?.close();
  }
  if (terminal.human || options.output !== undefined) {
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const line of formatClosingLines(args, options, { plots, seconds, tally })) terminal.note(line);
  }
  notes.finish(tally);
  if (plots === 0 && output.resumeAt === undefined && options.shard.of === 1) terminal.note(NO_PLOTS_NOTE);
  const mending = formatMendingLine(args, tally.errors);
  if (mending !== undefined) terminal.note(mending);
  return failOn.exitCodeOf(tally);
}

/** Creates a value that uses an input, and closes the input if that fails. */
async function closeOnFailure<Made>(input: PlotInput, make: () => Promise<Made> | Made): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    await input.close();
    throw error;
  }
}

/** The instant of the run to be resumed. */
function readEarlierInstant({ isResumed, output }: ScreenOptions): string | undefined {
  return isResumed && output !== undefined ? readRunInstant(output) : undefined;
}

function openScreenOutput(
  args: Arguments,
  terminal: Terminal,
  { output, errors, isResumed, style, records }: ScreenOptions,
  format: ResultFormat,
  identity: () => RunIdentity,
): Promise<RunOutput> | RunOutput {
  if (output === undefined)
    return createStandardOutput(
      terminal,
      style.format === "text" ? undefined : format,
      errors,
      listInputFiles(args),
    );
  if (isResumed && records !== undefined) {
    throw new UsageError(
      "--record cannot be combined with --resume: a run with --record cannot be continued",
    );
  }
  return openRunOutput({
    output,
    errors,
    resume: isResumed,
    format,
    identity: identity(),
    inputs: listInputFiles(args),
    note: (line) => terminal.note(line),
    signal: terminal.signal,
  });
}

/** Files that a run reads. */
function listInputFiles(args: Arguments): readonly string[] {
  const path = args.operands[0];
  return path === undefined || path === "-" ? [] : [path];
}

/** Results to standard output, which cannot be resumed. */
function createStandardOutput(
  terminal: Terminal,
  format: ResultFormat | undefined,
  errorsPath: string | undefined,
  inputs: readonly string[],
): RunOutput {
  if (errorsPath !== undefined) refuseInputAsOutput(errorsPath, inputs);
  let file: number | undefined;
  // Created once there are results: a missing input does not overwrite an earlier file of errors.
  const writeErrors = (lines: Uint8Array): void => {
    if (errorsPath === undefined) return;
    try {
      file ??= openSync(errorsPath, "w");
      writeFileSync(file, lines);
    } catch (error) {
      throw new RunError(
        "OUTPUT_UNWRITABLE",
        `--errors ${errorsPath} cannot be written: ${(error as Error).message}`,
      );
    }
  };
  const document = format?.document?.();
  // The header is printed with the first results: a command that fails earlier prints nothing.
  let header: Uint8Array | undefined = format?.header;
  const print = async (results: string | Uint8Array): Promise<void> => {
    if (results.length > 0) await terminal.write(results);
  };
  const begin = async (): Promise<void> => {
    if (header !== undefined) await print(header);
    header = undefined;
  };
  return {
    isDone: false,
    async write(chunk: ResultChunk) {
      writeErrors(chunk.errors);
      await begin();
      await print(document?.push(chunk.lines) ?? chunk.lines);
    },
    async finish() {
      writeErrors(new Uint8Array(0));
      await begin();
      await print(document?.end() ?? "");
    },
    async close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function refuseInputAsOutput(path: string, inputs: readonly string[]): void {
  const input = inputs.find((each) => isSame(each, path));
  if (input === undefined) return;
  throw new RunError(
    "OUTPUT_INVALID",
    `--errors would replace ${input}, the input of this run; name another file`,
  );
}

/** Options that change results, by name. */
const CHANGING = [
  "language",
  "crs",
  "layer",
  "encoding",
  "wkt",
  "longitude",
  "latitude",
  "decimal",
  "point-area-ha",
  "as-submitted",
] as const;
const CHANGING_FLAGS = ["swap-axes", "strict-coverage"] as const;

function createIdentityBuilder(
  args: Arguments,
  { format, style, shard }: ScreenOptions,
  policy: Policy,
  { engine, current }: OpenData,
  now: string,
  columns: PlotColumns,
): () => RunIdentity {
  return () => {
    const changing = CHANGING.flatMap((name) => {
      const value = args.find(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const flags = CHANGING_FLAGS.filter((name) => args.flag(name)).map((name) => [name, true] as const);
    const { name } = policy.ruleset;
    return {
      format,
      evidence: style.evidence,
      ruleset: {
        name: name ?? null,
        digest: policy.digest,
        checks: policy.ruleset.checks.map(({ id }) => id),
      },
      semantics: engine.semantics,
      engine_version: VERSION,
      now,
      editions: listPolicyEditions(policy),
      options: {
        ...Object.fromEntries([...changing, ...flags]),
        ...toColumnOptions(columns),
        ...selectNamedGroups(policy, current.options.groups),
        ...(policy.without.length > 0 && { without: policy.without.join(", ") }),
      },
      input: readInputIdentity(args.operands[0]),
      shard,
    };
  };
}

/** Columns under other names than those of GeoJSON and the EU format, so that every shard reads the same. */
function toColumnOptions({ id, columns, identifiers }: PlotColumns): RunIdentity["options"] {
  return {
    ...(typeof id === "object" && { id: id.column }),
    ...(Object.keys(columns).length > 0 && { columns: canonicalJson(columns) }),
    ...(identifiers !== undefined && { identifiers: canonicalJson(identifiers) }),
  };
}

/** The groups that a ruleset names: no edition records which of its sets a source belongs to. */
function selectNamedGroups(
  { ruleset }: Policy,
  groups: Readonly<Record<string, readonly string[]>> = {},
): { readonly groups?: string } {
  const text = JSON.stringify(ruleset);
  const named = Object.entries(groups).filter(([name]) => text.includes(JSON.stringify(name)));
  if (named.length === 0) return {};
  return { groups: canonicalJson(Object.fromEntries(named.map(([name, of]) => [name, [...of].sort()]))) };
}

/** The editions that answers are based on. A failed source is absent. */
function listPolicyEditions({ editions, live }: Policy): RunIdentity["editions"] {
  const pinned = Object.entries(editions).map(([source_name, edition]) => ({ source_name, edition }));
  const liveSources = Object.keys(live).map((source_name) => ({ source_name, edition: null }));
  return [...pinned, ...liveSources].sort((a, b) => (a.source_name < b.source_name ? -1 : 1));
}

/** The progress of a run, for a person who watches. */
class Progress {
  readonly #startedAt = performance.now();
  readonly #bytes: number | undefined;
  readonly #firstByte: number;

  /** @param bytes size of the input, if byte positions are known; @param firstByte position at the start of the run */
  constructor(bytes: number | undefined, firstByte: number) {
    this.#bytes = bytes;
    this.#firstByte = firstByte;
  }

  /** @param plots answered since the start; @param at byte position reached in the input */
  text(plots: number, at: number | undefined, tally: ScreenTally): string {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const rate = `${figures.decimal(plots, 0)} ${plots === 1 ? "plot" : "plots"}, ${figures.decimal(plots / seconds, 0)} per second`;
    return `${rate}${this.#left(at, seconds)}: ${formatTallySummary(tally)}`;
  }

  #left(at: number | undefined, seconds: number): string {
    if (this.#bytes === undefined || at === undefined || at <= this.#firstByte) return "";
    const share = figures.share(Math.min(at / Math.max(1, this.#bytes), 1));
    const secondsLeft = (seconds * Math.max(0, this.#bytes - at)) / (at - this.#firstByte);
    return `, ${share}, ${formatDuration(secondsLeft)} left`;
  }
}

/** A duration in words: `40 s`, `12 min`, `3 h 5 min`. */
function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
