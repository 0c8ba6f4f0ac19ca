import type { Answer, MalformedValue } from "@groundrule/engine";
import type { Arguments } from "../../command-line/arguments.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../../command-line/exit-code.ts";
import { wrapLine } from "../../terminal/indented.ts";
import {
  type LineError,
  selectUnreportedFaults,
  toExitCode,
  toLineError,
} from "../../terminal/line-error.ts";
import { type Column, formatTableLines } from "../../terminal/table.ts";
import { type Painter, type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { TallyNotes } from "./conclusion.ts";
import { formatMendingLine } from "./mending-line.ts";
import { addTallies, EMPTY_TALLY, TallyCounter } from "./tally.ts";

/** How the matches of a question are shown. */
export interface AnswerForm<Match> {
  /** The subject of the question, for people. */
  readonly subject: "plot" | "identifier";
  /** The member of a result line that holds the matches. */
  readonly member: "intersections" | "matches";
  /** The columns of the table, for people. */
  readonly columns: readonly Column[];
  /** The row of a match. */
  readonly cells: (match: Match) => readonly string[];
}

/** Prints the answers of a query: a result line each, or a table for a person. */
export class AnswerPrinter<Match> {
  readonly #terminal: Terminal;
  readonly #tables: boolean;
  readonly #form: AnswerForm<Match>;
  readonly #counter = new TallyCounter();
  readonly #notes: TallyNotes;
  #tally = EMPTY_TALLY;
  #exit: ExitCode = EXIT.done;
  readonly #args: Arguments;

  constructor(args: Arguments, terminal: Terminal, form: AnswerForm<Match>) {
    this.#args = args;
    this.#terminal = terminal;
    this.#tables = terminal.human && !args.flag("json");
    this.#form = form;
    this.#notes = new TallyNotes(terminal);
  }

  /**
   * Prints notes on the whole run, and returns the worst exit code. A failed source counts: result lines do not show
   * that they lack it.
   */
  finish(): ExitCode {
    this.#notes.finish(this.#tally);
    const mending =
      this.#form.subject === "plot" ? formatMendingLine(this.#args, this.#tally.errors) : undefined;
    if (mending !== undefined) this.#terminal.note(mending);
    const hasFailed = Object.keys(this.#tally.failed).length > 0;
    return pickWorseExitCode(this.#exit, hasFailed ? EXIT.unavailable : EXIT.done);
  }

  async print(
    id: string | number,
    answer: (Answer<Match> & { readonly malformed?: MalformedValue }) | { readonly error: LineError },
  ): Promise<void> {
    if ("error" in answer) return this.error(id, answer.error);
    this.#counter.sources(answer.sources);
    const subject = `${this.#form.subject} ${toPrintable(String(id))}`;
    this.#counter.warnings(subject, answer.warnings);
    const tally = this.#counter.take();
    this.#tally = addTallies(this.#tally, tally);
    this.#notes.tell(tally);
    if (answer.truncated)
      this.#terminal.note(`${subject}: showing only the first ${answer.matches.length} matches`);
    const { malformed } = answer;
    if (!this.#tables) {
      return this.#terminal.printJson({
        id,
        [this.#form.member]: answer.matches,
        ...(malformed && { malformed }),
      });
    }
    await this.#terminal.print(this.#terminal.style("bold", subject));
    const { columns, cells } = this.#form;
    const lines =
      answer.matches.length === 0
        ? ["no matches"]
        : formatTableLines(columns, answer.matches.map(cells), this.#terminal.columns);
    for (const line of lines) await this.#terminal.print(line);
    if (malformed === undefined) return;
    const proposal = malformed.proposed === undefined ? "" : `; "${malformed.proposed}" would fit`;
    await this.#terminal.print(
      `${this.#terminal.style("yellow", malformed.code)}  the scheme excludes this value, so no match proves nothing${proposal}`,
    );
  }

  async error(id: string | number, error: LineError): Promise<void> {
    this.#exit = pickWorseExitCode(this.#exit, toExitCode(error.code));
    this.#counter.error(error.code);
    this.#tally = addTallies(this.#tally, this.#counter.take());
    if (this.#tables) await printErrorText(this.#terminal, `${this.#form.subject} ${id}`, error);
    else await this.#terminal.printJson({ id, error });
  }
}

/** Prints an error line in the form for people. */
export async function printErrorText(terminal: Terminal, subject: string, error: LineError): Promise<void> {
  for (const line of formatErrorText(terminal, subject, error)) await terminal.print(line);
}

/** An error line in the form for people. */
export function* formatErrorText(painter: Painter, subject: string, error: LineError): Generator<string> {
  const head = painter.style("red", `${toPrintable(subject)}: ${error.code}`);
  yield* wrapLine(`${head}  ${toPrintable(error.message)}`, painter.width);
  for (const fault of selectUnreportedFaults(error.message, error.faults)) {
    yield* wrapLine(`  at ${fault.pointer || "the top level"}: ${toPrintable(fault.message)}`, painter.width);
  }
}

/** Returns the answer, or its error in the form of a result line. */
export function answerOrError<T>(answer: () => T): T | { readonly error: LineError } {
  try {
    return answer();
  } catch (error) {
    return { error: toLineError(error) };
  }
}
