import type { CompileOptions, EvaluateOptions, Evaluation, Policy, Provided } from "@groundrule/engine";
import { verdictRecord } from "@groundrule/engine/records";
import type { PlotColumns } from "@groundrule/plot-files";
import type { FactDeclarations } from "@groundrule/plots";
import { refusalLine } from "../files/record-file.ts";
import { type JudgeOptions, judgedPlots, withColumnFacts } from "../plots/judged-plots.ts";
import type { PlotLine } from "../plots/plots.ts";
import type { ResultChunk, Shard } from "../runs/run.ts";
import type { LineError } from "../terminal/line-error.ts";
import { VERSION } from "../version.ts";
import { type PlotChunk, plotsOf } from "./plot-chunks.ts";
import { answerOrError } from "./results/answer-printer.ts";
import { type Answered, ResultLines, type ResultStyle, type WrittenResults } from "./results/result-lines.ts";

/** What plots are judged by and how their results are written, as plain values. */
export interface Judging {
  readonly ruleset: object;
  readonly options: EvaluateOptions;
  /** How the ruleset is compiled; absent: as it is. */
  readonly compiled?: CompileOptions | undefined;
  readonly style: ResultStyle;
  /** The facts that the ruleset of another side asks for. */
  readonly others?: FactDeclarations | undefined;
  /** What records keep beside request and answer; absent: none are written. */
  readonly record?: { readonly groups: Readonly<Record<string, readonly string[]>> } | undefined;
}

/** How plots are read out of the chunks of a run, as plain values. */
export interface ChunkReading {
  readonly judge: JudgeOptions;
  /** Whether positions of lines stand latitude first. */
  readonly isSwapped: boolean;
  /** What the columns of all plots are. */
  readonly columns: PlotColumns;
  /** The plots of the run: those whose number leaves its remainder. */
  readonly shard: Shard;
}

/** Results of a chunk, and the records of its plots, a line each. */
export interface ScreenedChunk extends ResultChunk {
  readonly records: readonly string[];
}

/** A plot to judge, whose columns of facts each ruleset reads, or why it could not be read. */
export interface JudgedPlot extends Answered {
  readonly line: PlotLine;
}

/** The plots of a chunk that a run judges. */
export function* judgedIn(
  chunk: PlotChunk,
  { judge, isSwapped, columns, shard }: ChunkReading,
): Generator<JudgedPlot> {
  const isWanted = (number: number): boolean => number % shard.of === shard.index;
  for (const { number, plot } of plotsOf(chunk, isWanted, isSwapped, columns)) {
    for (const line of judgedPlots(plot, judge))
      yield { number, id: line.id, line, seen: { plot, line, crs: judge.crs } };
  }
}

/** The results of a chunk from what was written of its plots. */
export function resultsOf(
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

/** Judges plots in the thread that calls it, and writes their results and their records. */
export class PlotScreener {
  readonly #judging: Judging;
  readonly #policy: Policy;
  readonly #lines: ResultLines;
  #records: string[] = [];

  /** @param policy of the ruleset that plots are judged by */
  constructor(policy: Policy, judging: Judging) {
    this.#judging = judging;
    this.#policy = policy;
    this.#lines = new ResultLines(judging.style);
  }

  /** @param provided what live sources answered, where they were asked */
  add(plot: JudgedPlot, provided?: Provided | undefined): void {
    const { options, record, others } = this.#judging;
    const line = withColumnFacts(plot.line, this.#policy.ruleset.facts ?? {}, others);
    if ("error" in line) {
      this.#refuse(plot, line.error);
      return;
    }
    const asked = provided === undefined ? options : { ...options, provided };
    const answer = answerOrError(() => this.#policy.evaluate(line.input, asked));
    if ("error" in answer) {
      this.#refuse(plot, answer.error);
      return;
    }
    this.#lines.verdict(plot, answer);
    if (record !== undefined) this.#records.push(this.#recordLine(line, answer, record.groups, provided));
  }

  /** What was written since this was last called: the results, and a line for each record. */
  take(): { readonly written: WrittenResults; readonly records: readonly string[] } {
    const records = this.#records;
    this.#records = [];
    return { written: this.#lines.take(), records };
  }

  #refuse(plot: Answered, error: LineError): void {
    this.#lines.error(plot, error);
    if (this.#judging.record !== undefined) this.#records.push(refusalLine({ id: plot.id, error }));
  }

  #recordLine(
    { id, input, submittedAs }: ReadPlot,
    answer: Evaluation,
    groups: Readonly<Record<string, readonly string[]>>,
    provided: Provided | undefined,
  ): string {
    const { ruleset, options } = this.#judging;
    const { evidenceLimit, strictCoverage } = options;
    const of = {
      ...{ id, input, submittedAs, ruleset, policy: this.#policy, evidenceLimit },
      ...(strictCoverage !== undefined && { strictCoverage }),
      ...(provided !== undefined && { provided }),
      ...{ groups, engineVersion: VERSION },
    };
    return JSON.stringify(verdictRecord(of, answer));
  }
}

type ReadPlot = Exclude<PlotLine, { readonly error: unknown }>;
