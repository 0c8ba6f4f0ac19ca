import type { Engine, EvaluateOptions, Policy } from "@groundrule/engine";
import { verdictRecord } from "@groundrule/engine/records";
import type { PlotColumns } from "@groundrule/plot-files";
import { answerOrError } from "../answer-printer.ts";
import { type JudgeOptions, judgedPlots } from "../judged-plots.ts";
import type { LineError } from "../line-error.ts";
import type { PlotLine } from "../plots.ts";
import { refusalLine } from "../record-file.ts";
import type { Shard } from "../runs/run-identity.ts";
import { VERSION } from "../version.ts";
import { type PlotChunk, plotsOf } from "./plot-chunks.ts";
import type { ResultChunk } from "./result-chunk.ts";
import { type Answered, ResultLines, type ResultStyle } from "./result-lines.ts";

/** What a screening run asks, as plain values. */
export interface Screening {
  readonly ruleset: object;
  readonly options: EvaluateOptions;
  readonly judge: JudgeOptions;
  /** Whether positions of lines stand latitude first. */
  readonly isSwapped: boolean;
  /** What the columns of all plots are. */
  readonly columns: PlotColumns;
  /** The plots of the run: those whose number leaves its remainder. */
  readonly shard: Shard;
  readonly style: ResultStyle;
  /** What records keep beside request and answer; absent: none are written. */
  readonly record?: { readonly groups: Readonly<Record<string, readonly string[]>> };
}

/** Results of a chunk, and the records of its plots, a line each. */
export interface ScreenedChunk extends ResultChunk {
  readonly records: readonly string[];
}

/** A plot to judge, or why it could not be read. */
export interface JudgedPlot extends Answered {
  readonly line: PlotLine;
}

/** The plots of a chunk that a run judges. */
export function* judgedIn(
  chunk: PlotChunk,
  { judge, isSwapped, columns, shard }: Screening,
): Generator<JudgedPlot> {
  const isWanted = (number: number): boolean => number % shard.of === shard.index;
  for (const { number, plot } of plotsOf(chunk, isWanted, isSwapped, columns)) {
    for (const line of judgedPlots(plot, judge))
      yield { number, id: line.id, line, seen: { plot, line, crs: judge.crs } };
  }
}

/** The results of a chunk from the lines that were written for it. */
export function resultsOf(
  chunk: PlotChunk,
  lines: ResultLines,
  records: readonly string[] = [],
): ScreenedChunk {
  const { plots, lines: text, errors, tally } = lines.take();
  const { count, end } = chunk;
  return {
    read: count,
    plots,
    ...(end !== undefined && { inputBytes: end.bytes, inputLines: end.lines }),
    lines: encoder.encode(text),
    errors: encoder.encode(errors),
    tally,
    records,
  };
}

const encoder = new TextEncoder();

/** Screens chunks in the thread that calls it. */
export class ChunkScreener {
  readonly #screening: Screening;
  readonly #policy: Policy;
  readonly #lines: ResultLines;

  constructor(engine: Engine, screening: Screening) {
    this.#screening = screening;
    this.#policy = engine.compile(screening.ruleset);
    this.#lines = new ResultLines(screening.style);
  }

  screen(chunk: PlotChunk): ScreenedChunk {
    const records: string[] = [];
    for (const plot of judgedIn(chunk, this.#screening)) {
      const { line } = plot;
      if ("error" in line) {
        this.#refuse(plot, line.error, records);
        continue;
      }
      const answer = answerOrError(() => this.#policy.evaluate(line.input, this.#screening.options));
      if ("error" in answer) {
        this.#refuse(plot, answer.error, records);
        continue;
      }
      this.#lines.verdict(plot, answer);
      if (this.#screening.record !== undefined) {
        records.push(recordLine(line, answer, this.#screening, this.#policy));
      }
    }
    return resultsOf(chunk, this.#lines, records);
  }

  #refuse(plot: Answered, error: LineError, records: string[]): void {
    this.#lines.error(plot, error);
    if (this.#screening.record !== undefined) records.push(refusalLine({ id: plot.id, error }));
  }
}

type ReadPlot = Exclude<PlotLine, { readonly error: unknown }>;

/** A record as it is written to a folder. */
export function recordLine(
  { id, input, submittedAs }: ReadPlot,
  answer: Parameters<typeof verdictRecord>[1],
  { ruleset, options, record }: Screening,
  policy: Policy,
  provided: object = {},
): string {
  const { strictCoverage } = options;
  const of = {
    id,
    input,
    submittedAs,
    ruleset,
    policy,
    ...(strictCoverage !== undefined && { strictCoverage }),
    ...provided,
    groups: record?.groups ?? {},
    engineVersion: VERSION,
  };
  return JSON.stringify(verdictRecord(of, answer));
}
