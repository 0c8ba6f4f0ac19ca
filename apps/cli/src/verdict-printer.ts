import type { Evaluation } from "@groundrule/engine";
import type { Arguments } from "./arguments.ts";
import type { ExitCode } from "./exit-code.ts";
import type { LineError } from "./line-error.ts";
import { FailOn, TallyNotes } from "./screening/conclusion.ts";
import { ResultLines } from "./screening/result-lines.ts";
import { addTally, EMPTY_TALLY } from "./screening/tally.ts";
import type { Terminal } from "./terminal.ts";

/** Prints verdicts as they are found: a result line each, or for a person the verdict with the checks that triggered. */
export class VerdictPrinter {
  readonly #terminal: Terminal;
  readonly #failOn: FailOn;
  readonly #lines: ResultLines;
  readonly #notes: TallyNotes;
  #tally = EMPTY_TALLY;
  #number = 0;

  constructor(args: Arguments, terminal: Terminal) {
    this.#terminal = terminal;
    this.#failOn = new FailOn(args);
    this.#notes = new TallyNotes(terminal);
    this.#lines = new ResultLines({
      format: terminal.human && !args.flag("json") ? "text" : "ndjson",
      evidence: "all",
      checks: [],
      areErrorsApart: false,
      hasColours: terminal.hasColours,
    });
  }

  verdict(id: string | number, evaluation: Evaluation): Promise<void> {
    this.#lines.verdict({ number: this.#number++, id }, evaluation);
    return this.#print();
  }

  error(id: string | number, error: LineError): Promise<void> {
    this.#lines.error({ number: this.#number++, id }, error);
    return this.#print();
  }

  /** Tells what there is to tell of the whole, and the worst of what was printed. */
  finish(): ExitCode {
    this.#notes.finish(this.#tally);
    return this.#failOn.exitCodeOf(this.#tally);
  }

  #print(): Promise<void> {
    const { lines, tally } = this.#lines.take();
    this.#tally = addTally(this.#tally, tally);
    this.#notes.tell(tally);
    return this.#terminal.write(lines);
  }
}
