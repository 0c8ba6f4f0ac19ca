import type {
  CompileOptions,
  Engine,
  EvaluateOptions,
  Evaluation,
  Policy,
  Provided,
} from "@groundrule/engine";
import { verdictRecord } from "@groundrule/engine/records";
import type { PlotColumns } from "@groundrule/plot-files";
import type { FactDeclarations } from "@groundrule/plots";
import { type ContextMeter, createContextMeter, formatLandContext } from "@groundrule/report/context";
import { getTongue } from "@groundrule/words/languages";
import { formatRefusalLine } from "../files/record-file.ts";
import { type JudgeOptions, preparePlotLines, withColumnFacts } from "../plots/judged-plots.ts";
import type { PlotLine } from "../plots/plots.ts";
import type { ResultChunk, Shard } from "../runs/run.ts";
import type { LineError } from "../terminal/line-error.ts";
import { VERSION } from "../version.ts";
import { type PlotChunk, parseChunkPlots } from "./plot-chunks.ts";
import { answerOrError } from "./results/answer-printer.ts";
import { type Answered, ResultLines, type ResultStyle, type WrittenResults } from "./results/result-lines.ts";

/** The parameters of evaluating plots and writing their results, as plain values. */
export interface Judging {
  readonly ruleset: object;
  readonly options: EvaluateOptions;
  /** Compile options of the ruleset; absent: the defaults. */
  readonly compiled?: CompileOptions | undefined;
  readonly style: ResultStyle;
  /** The facts that the other side's ruleset declares. */
  readonly others?: FactDeclarations | undefined;
  /** Members of records in addition to request and answer; absent: no records are written. */
  readonly record?: { readonly groups: Readonly<Record<string, readonly string[]>> } | undefined;
}

/** The parameters of reading plots from chunks, as plain values. */
export interface ChunkReading {
  readonly judge: JudgeOptions;
  /** True if positions in lines are latitude first. */
  readonly isSwapped: boolean;
  /** The columns common to all plots. */
  readonly columns: PlotColumns;
  /** The shard of the run: plots whose number has its remainder. */
  readonly shard: Shard;
}

/** Results of a chunk, and the records of its plots, one per line. */
export interface ScreenedChunk extends ResultChunk {
  readonly records: readonly string[];
}

/** A plot to evaluate, from whose columns each ruleset reads its facts, or the reason why it could not be read. */
export interface JudgedPlot extends Answered {
  readonly line: PlotLine;
}

/** The plots of a chunk that a run evaluates. */
export function* listJudgedPlots(
  chunk: PlotChunk,
  { judge, isSwapped, columns, shard }: ChunkReading,
): Generator<JudgedPlot> {
  const isWanted = (number: number): boolean => number % shard.of === shard.index;
  for (const { number, plot } of parseChunkPlots(chunk, isWanted, isSwapped, columns)) {
    for (const line of preparePlotLines(plot, judge))
      yield { number, id: line.id, line, seen: { plot, line, crs: judge.crs } };
  }
}

/** The results of a chunk from the lines written for its plots. */
export function buildScreenedChunk(
  { count, end }: PlotChunk,
  { plots, lines, errors, tally }: WrittenResults,
  records: readonly string[],
): ScreenedChunk {
  return {
    read: count,
    plots,
    ...(end !== undefined && { inputBytes: end.bytes, inputLines: end.lines }),
    lines: encoder.encode(lines),
    errors: encoder.encode(errors),
    tally,
    records,
  };
}

const encoder = new TextEncoder();

/** Evaluates plots in the calling thread, and writes their results and records. */
export class PlotScreener {
  readonly #judging: Judging;
  readonly #policy: Policy;
  readonly #lines: ResultLines;
  /** Only text for people has what it measures. */
  readonly #context: ContextMeter | undefined;
  #records: string[] = [];

  /** @param policy of the ruleset by which plots are evaluated, compiled by `engine` */
  constructor(engine: Engine, policy: Policy, judging: Judging) {
    const { style, compiled } = judging;
    this.#context =
      style.format === "text" ? createContextMeter(engine, policy.ruleset, compiled ?? {}) : undefined;
    this.#judging = judging;
    this.#policy = policy;
    this.#lines = new ResultLines(judging.style);
  }

  /** @param provided areas from live sources, if they were queried */
  add(plot: JudgedPlot, provided?: Provided | undefined): void {
    const { options, record, others } = this.#judging;
    const line = withColumnFacts(plot.line, this.#policy.ruleset.facts ?? {}, others);
    if ("error" in line) {
      this.#refuse(plot, line.error);
      return;
    }
    const evaluated = provided === undefined ? options : { ...options, provided };
    const answer = answerOrError(() => this.#policy.evaluate(line.input, evaluated));
    if ("error" in answer) {
      this.#refuse(plot, answer.error);
      return;
    }
    const maps = this.#context?.measure(line.input, evaluated) ?? [];
    this.#lines.verdict(plot, answer, formatLandContext(maps, getTongue("en")));
    if (record === undefined) return;
    const recording = { judging: this.#judging, policy: this.#policy, groups: record.groups, provided };
    this.#records.push(formatRecordLine(line, answer, recording));
  }

  /** Returns everything written since the last call: the results, and a line for each record. */
  take(): { readonly written: WrittenResults; readonly records: readonly string[] } {
    const records = this.#records;
    this.#records = [];
    return { written: this.#lines.take(), records };
  }

  #refuse(plot: Answered, error: LineError): void {
    this.#lines.error(plot, error);
    if (this.#judging.record !== undefined) this.#records.push(formatRefusalLine({ id: plot.id, error }));
  }
}

type ReadPlot = Exclude<PlotLine, { readonly error: unknown }>;

/** The parts of a record in addition to its plot and answer. */
export interface Recording {
  readonly judging: Pick<Judging, "ruleset" | "options">;
  readonly policy: Policy;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Areas from live sources; undefined if none was queried. */
  readonly provided: Provided | undefined;
}

/** The record of an evaluated plot, as a line of JSON without its end. */
export function formatRecordLine(
  { id, input, submittedAs }: ReadPlot,
  answer: Evaluation,
  { judging, policy, groups, provided }: Recording,
): string {
  const { ruleset, options } = judging;
  const { evidenceLimit, strictCoverage } = options;
  const of = {
    ...{ id, input, submittedAs, ruleset, policy, evidenceLimit },
    ...(strictCoverage !== undefined && { strictCoverage }),
    ...(provided !== undefined && { provided }),
    ...{ groups, engineVersion: VERSION },
  };
  return JSON.stringify(verdictRecord(of, answer));
}
