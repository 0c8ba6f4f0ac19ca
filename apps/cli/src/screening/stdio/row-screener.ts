import type { Policy } from "@groundrule/engine";
import type { OpenData } from "@groundrule/node";
import type { IdentifierColumn } from "@groundrule/plots";
import type { RecordBatch } from "apache-arrow";
import type { Arguments } from "../../command-line/arguments.ts";
import { readCoverageOptions } from "../../data/command-data.ts";
import type { LiveAreas } from "../../data/live-areas.ts";
import { formatRefusalLine } from "../../files/record-file.ts";
import { type JudgeOptions, preparePlotLine, readJudgeOptions } from "../../plots/judged-plots.ts";
import { toPlotLine } from "../../plots/plots.ts";
import { readIdentifierColumns } from "../../plots/read-options.ts";
import { VERSION } from "../../version.ts";
import { formatRecordLine } from "../plot-screener.ts";
import { answerOrError } from "../results/answer-printer.ts";
import { type EvidenceChoice, toCompactVerdict } from "../results/compact.ts";
import { buildErrorRow, buildVerdictRow, type ResultRow } from "../results/result-columns.ts";
import { readEvidenceOption } from "../screen-options.ts";
import { PlotRows } from "./plot-columns.ts";
import { ResultStream } from "./result-stream.ts";

/** The parts that verdicts on rows are based on. */
export interface RowScreening {
  readonly data: OpenData;
  readonly live: LiveAreas;
  readonly now: string;
  readonly ruleset: object;
  readonly policy: Policy;
}

/** Evaluates the plots of record batches by a ruleset: a row of results for each plot. */
export class RowScreener {
  /** The form of the results, whose metadata names what they are based on. */
  readonly results: ResultStream;
  readonly #screening: RowScreening;
  readonly #args: Arguments;
  readonly #checks: readonly string[];
  readonly #evidence: EvidenceChoice;
  readonly #identifiers: readonly IdentifierColumn[];
  readonly #judge: JudgeOptions;
  /** True if each row has the record of its plot. */
  readonly #isRecorded: boolean;
  #number = 0;

  /**
   * @param args of the command: evidence, CRS, area of points, identifiers, coverage
   * @param isRecorded true if a last column holds the record of each plot, as JSON
   */
  constructor(args: Arguments, screening: RowScreening, isRecorded = false) {
    const { data, now, policy } = screening;
    this.#args = args;
    this.#screening = screening;
    this.#isRecorded = isRecorded;
    this.#evidence = readEvidenceOption(args, "triggered");
    this.#identifiers = readIdentifierColumns(args);
    this.#judge = readJudgeOptions(args, policy.ruleset.facts ?? {});
    this.#checks = policy.ruleset.checks.map(({ id }) => id);
    const metadata = new Map([
      ["groundrule.version", VERSION],
      ["semantics", String(data.engine.semantics)],
      ["ruleset_digest", policy.digest],
      ["editions", JSON.stringify(policy.editions)],
      ["now", now],
      ...(policy.without.length > 0 ? [["without", JSON.stringify(policy.without)] as const] : []),
    ]);
    this.results = new ResultStream(this.#checks, metadata, isRecorded);
  }

  /** The encoded results of a batch. Its columns are already checked. */
  async answer(batch: RecordBatch): Promise<Uint8Array> {
    const rows = new PlotRows(batch, this.#identifiers);
    const results: ResultRow[] = [];
    for (let row = 0; row < rows.count; row++) results.push(await this.#evaluate(rows, row));
    return this.results.batch(results);
  }

  async #evaluate(rows: PlotRows, row: number): Promise<ResultRow> {
    const { live, policy, now, ruleset, data } = this.#screening;
    const id = rows.id(row);
    const plot = preparePlotLine(toPlotLine(rows.plot(row, ++this.#number)), this.#judge);
    const refuse = (error: { readonly code: string; readonly message: string }): ResultRow => [
      ...buildErrorRow(id, error, this.#checks.length),
      ...(this.#isRecorded ? [formatRefusalLine({ id: id ?? this.#number, error })] : []),
    ];
    if ("error" in plot) return refuse(plot.error);
    const areas = await live.ask(() => policy.liveNeeds(plot.input));
    const options = { now, ...readCoverageOptions(this.#args), ...areas };
    const found = answerOrError(() => policy.evaluate(plot.input, options));
    if ("error" in found) return refuse(found.error);
    const result = buildVerdictRow(id, toCompactVerdict(found, this.#evidence));
    if (!this.#isRecorded) return result;
    const groups = data.current.options.groups ?? {};
    return [
      ...result,
      formatRecordLine(plot, found, {
        judging: { ruleset, options },
        policy,
        groups,
        provided: areas.provided,
      }),
    ];
  }
}
