import { styleText } from "node:util";
import type { Evaluation, Verdict, Warning } from "@groundrule/engine";
import { verdictOf } from "@groundrule/engine/records";
import type { LineError } from "../../terminal/line-error.ts";
import type { Painter } from "../../terminal/terminal.ts";
import { formatPlotName } from "../../words/plot-name.ts";
import { formatVerdictText } from "../../words/verdict-text.ts";
import type { ResultFormatName } from "../format-names.ts";
import { formatErrorText } from "./answer-printer.ts";
import { type EvidenceChoice, toCompactVerdict } from "./compact.ts";
import { buildErrorRow, buildVerdictRow, listResultColumns, type ResultRow } from "./result-columns.ts";
import { formatTableLine, formatWorkbookLine, type SeenPlot } from "./table-line.ts";
import { type ScreenTally, TallyCounter } from "./tally.ts";

/** Style of results, as plain values. */
export interface ResultStyle {
  /** `text` is the form for people. */
  readonly format: ResultFormatName | "text";
  readonly evidence: EvidenceChoice;
  /** Ids of the ruleset's checks, in its order. */
  readonly checks: readonly string[];
  /** True if errors are written to a separate file, as JSON lines with the plot's number. */
  readonly areErrorsApart: boolean;
  /** True if text has colours. */
  readonly hasColours: boolean;
  /** Maximum columns of a line of text; absent: no limit. */
  readonly width?: number;
}

/** The plot of a result. */
export type Answered = SeenPlot;

/** The lines written so far, and their counts. */
export interface WrittenResults {
  readonly plots: number;
  readonly lines: string;
  readonly errors: string;
  readonly tally: ScreenTally;
}

/** Writes results as lines, and counts them. */
export class ResultLines {
  readonly #style: ResultStyle;
  readonly #painter: Painter;
  /** Text before the value of each column in a compact line. */
  readonly #keys: readonly string[];
  #lines = "";
  #errors = "";
  #plots = 0;
  readonly #tally = new TallyCounter();

  constructor(style: ResultStyle) {
    this.#style = style;
    this.#keys = listResultColumns(style.checks).map((name) => `,${JSON.stringify(name)}:`);
    this.#painter = {
      width: style.width ?? Infinity,
      style: (style_, text) => (style.hasColours ? styleText(style_, text, { validateStream: false }) : text),
    };
  }

  /** @param context a line that text has beside the verdict */
  verdict(plot: Answered, evaluation: Evaluation, context?: string): void {
    const verdict = verdictOf(evaluation);
    this.#plots++;
    this.#tally.verdict(verdict);
    this.#tally.sources(verdict.sources);
    this.#tally.warnings(formatPlotName(plot.id), evaluation.warnings);
    this.#lines += this.#verdictLine(plot, verdict, evaluation.warnings.filter(isAboutRuleset), context);
  }

  error(plot: Answered, error: LineError): void {
    const { number, id } = plot;
    this.#plots++;
    this.#tally.error(error.code);
    if (this.#style.areErrorsApart) this.#errors += `${JSON.stringify({ number, id, error })}\n`;
    else this.#lines += this.#errorLine(plot, error);
  }

  /** Returns everything written since the last call. */
  take(): WrittenResults {
    const taken: WrittenResults = {
      plots: this.#plots,
      lines: this.#lines,
      errors: this.#errors,
      tally: this.#tally.take(),
    };
    this.#lines = "";
    this.#errors = "";
    this.#plots = 0;
    return taken;
  }

  #verdictLine(
    plot: Answered,
    verdict: Verdict,
    warnings: readonly Warning[],
    context: string | undefined,
  ): string {
    const { id } = plot;
    const { format, evidence: choice, checks } = this.#style;
    if (format === "ndjson") {
      const line = {
        id,
        verdict: selectVerdictEvidence(verdict, choice),
        ...(warnings.length > 0 && { warnings }),
      };
      return `${JSON.stringify(line)}\n`;
    }
    if (format === "text")
      return joinLines(formatVerdictText(formatPlotName(id), verdict, this.#painter, context));
    if (format === "xlsx") return formatWorkbookLine(plot, { verdict });
    const compact = toCompactVerdict(verdict, choice);
    if (format === "compact") return this.#compactLine(id, buildVerdictRow(null, compact));
    return formatTableLine(format, plot, buildVerdictRow(String(id), compact), checks);
  }

  #errorLine(plot: Answered, error: LineError): string {
    const { id } = plot;
    const { format, checks } = this.#style;
    if (format === "ndjson" || format === "compact") return `${JSON.stringify({ id, error })}\n`;
    if (format === "text") return joinLines(formatErrorText(this.#painter, formatPlotName(id), error));
    if (format === "xlsx") return formatWorkbookLine(plot, { error });
    return formatTableLine(format, plot, buildErrorRow(String(id), error, checks.length), checks);
  }

  /** The columns of a verdict as members; null members are left out. */
  #compactLine(id: string | number, row: ResultRow): string {
    let line = `{"id":${JSON.stringify(id)}`;
    for (let at = 1; at < this.#keys.length - 2; at++) {
      const value = row[at];
      if (value !== null || this.#keys[at] !== EVIDENCE_KEY) {
        line += `${this.#keys[at]}${JSON.stringify(value)}`;
      }
    }
    return `${line}}\n`;
  }
}

const EVIDENCE_KEY = ',"evidence":';

/** Warnings about plots are counted instead of written. */
function isAboutRuleset({ pointer }: Warning): boolean {
  return pointer.startsWith("/ruleset/");
}

/** A verdict without the evidence of checks that are not chosen; `evidence_total` shows that there is some. */
function selectVerdictEvidence(verdict: Verdict, choice: EvidenceChoice): Verdict {
  if (choice === "all") return verdict;
  const checks = verdict.checks.map((check) =>
    choice === "triggered" && check.triggered ? check : { ...check, evidence: [] },
  );
  return { ...verdict, checks };
}

function joinLines(lines: Iterable<string>): string {
  let text = "";
  for (const line of lines) text += `${line}\n`;
  return text;
}
