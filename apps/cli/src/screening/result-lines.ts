import { styleText } from "node:util";
import type { Evaluation, Verdict } from "@groundrule/engine";
import { verdictOf } from "@groundrule/engine/records";
import { csvCell } from "@groundrule/report";
import { errorText } from "../answer-printer.ts";
import type { LineError } from "../line-error.ts";
import { parquetRowLine } from "../runs/parquet-rows.ts";
import type { Painter } from "../terminal.ts";
import { verdictText } from "../verdict-text.ts";
import { compactVerdict, type EvidenceChoice } from "./compact.ts";
import type { ResultFormatName } from "./result-format.ts";
import { type ScreenTally, TallyCounter } from "./tally.ts";

/** How results are written, as plain values. */
export interface ResultStyle {
  /** `text` is for people. */
  readonly format: ResultFormatName | "text";
  readonly evidence: EvidenceChoice;
  /** Whether errors are written apart, as JSON lines with the plot's number. */
  readonly areErrorsApart: boolean;
  /** Whether text has colours. */
  readonly hasColours: boolean;
}

/** Which plot a result is of. */
export interface Answered {
  /** In the input, from 0. */
  readonly number: number;
  readonly id: string | number;
}

/** Lines written so far, and what was counted of them. */
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
  #lines = "";
  #errors = "";
  #plots = 0;
  readonly #tally = new TallyCounter();

  constructor(style: ResultStyle) {
    this.#style = style;
    this.#painter = {
      style: (style_, text) => (style.hasColours ? styleText(style_, text, { validateStream: false }) : text),
    };
  }

  verdict({ id }: Answered, evaluation: Evaluation): void {
    const verdict = verdictOf(evaluation);
    this.#plots++;
    this.#tally.verdict(verdict);
    this.#tally.sources(verdict.sources);
    this.#tally.warnings(`plot ${id}`, evaluation.warnings);
    this.#lines += this.#verdictLine(id, verdict);
  }

  error({ number, id }: Answered, error: LineError): void {
    this.#plots++;
    this.#tally.error(error.code);
    if (this.#style.areErrorsApart) this.#errors += `${JSON.stringify({ number, id, error })}\n`;
    else this.#lines += this.#errorLine(id, error);
  }

  /** What was written since this was last called. */
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

  #verdictLine(id: string | number, verdict: Verdict): string {
    const { format, evidence: choice } = this.#style;
    if (format === "ndjson") return `${JSON.stringify({ id, verdict: withEvidence(verdict, choice) })}\n`;
    if (format === "text") return joined(verdictText(`plot ${id}`, verdict, this.#painter));
    const compact = compactVerdict(verdict, choice);
    const { at_least, checks, digest, evidence } = compact;
    switch (format) {
      case "compact": {
        const told = evidence === null ? "" : `,"evidence":${evidence}`;
        const of = { id, verdict: compact.verdict, at_least, checks, digest };
        return `${JSON.stringify(of).slice(0, -1)}${told}}\n`;
      }
      case "csv": {
        // The characters of checks are ours: no spreadsheet runs them, and programs compare them.
        const cells = [csvCell(id), compact.verdict, at_least, checks, digest ?? "", csvCell(evidence)];
        return `${cells.join(",")},,\r\n`;
      }
      case "parquet":
        return parquetRowLine([String(id), compact.verdict, at_least, checks, digest, evidence, null, null]);
    }
  }

  #errorLine(id: string | number, error: LineError): string {
    const { code, message } = error;
    switch (this.#style.format) {
      case "ndjson":
      case "compact":
        return `${JSON.stringify({ id, error })}\n`;
      case "text":
        return joined(errorText(this.#painter, `plot ${id}`, error));
      case "csv":
        return `${csvCell(id)},,,,,,${csvCell(code)},${csvCell(message)}\r\n`;
      case "parquet":
        return parquetRowLine([String(id), null, null, null, null, null, code, message]);
    }
  }
}

/** A verdict whose other checks list no evidence; `evidence_total` tells that there is some. */
function withEvidence(verdict: Verdict, choice: EvidenceChoice): Verdict {
  if (choice === "all") return verdict;
  const checks = verdict.checks.map((check) =>
    choice === "triggered" && check.triggered ? check : { ...check, evidence: [] },
  );
  return { ...verdict, checks };
}

function joined(lines: Iterable<string>): string {
  let text = "";
  for (const line of lines) text += `${line}\n`;
  return text;
}
