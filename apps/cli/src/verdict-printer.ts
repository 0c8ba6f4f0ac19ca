import type { Evaluation, VerdictStatus } from "@groundrule/engine";
import { verdictOf } from "@groundrule/engine/records";
import { printErrorText } from "./answer-printer.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import type { OptionSpec } from "./command-line.ts";
import { EXIT, type ExitCode, worse } from "./exit-code.ts";
import { FailedSources } from "./failed-sources.ts";
import { decimal } from "./format.ts";
import { exitCodeFor, type LineError } from "./line-error.ts";
import type { Terminal } from "./terminal.ts";
import { verdictText } from "./verdict-text.ts";
import { WarningTally } from "./warning-tally.ts";

export const FAIL_ON_OPTION: OptionSpec = {
  name: "fail-on",
  value: "LIST",
  help: "exit with 1 when any plot gets one of these verdicts, e.g. NON_COMPLIANT,DEGRADED",
};

const VERDICTS: readonly VerdictStatus[] = ["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"];

/** Prints verdicts: a result line each, or for a person the verdict with the checks that triggered. */
export class VerdictPrinter {
  readonly #terminal: Terminal;
  readonly #text: boolean;
  readonly #failOn: ReadonlySet<VerdictStatus>;
  readonly #failed: FailedSources;
  readonly #warnings: WarningTally = new WarningTally();
  readonly #counts = new Map<string, number>();
  #exit: ExitCode = EXIT.done;

  constructor(args: Arguments, terminal: Terminal) {
    this.#terminal = terminal;
    this.#text = terminal.human && !args.flag("json");
    this.#failOn = parseFailOn(args.find("fail-on"));
    this.#failed = new FailedSources(terminal);
  }

  /**
   * Tells what there is to tell of the whole, and the worst of what was printed. A failed source is
   * no failure here: its verdicts say DEGRADED.
   */
  finish(): ExitCode {
    this.#warnings.tell(this.#terminal);
    return this.#exit;
  }

  /** How many of each verdict were given, and how many plots have none. */
  get summary(): string {
    const parts = [...VERDICTS, "errors"].flatMap((name) => {
      const count = this.#counts.get(name);
      return count === undefined ? [] : [`${decimal(count, 0)} ${name}`];
    });
    return parts.length === 0 ? "no plots" : parts.join(", ");
  }

  async verdict(id: string | number, evaluation: Evaluation): Promise<void> {
    const verdict = verdictOf(evaluation);
    this.#count(verdict.verdict);
    // A degraded verdict that is at least what was asked for is one, whatever the failed source holds.
    if (
      this.#failOn.has(verdict.verdict) ||
      (verdict.status === "degraded" && this.#failOn.has(verdict.at_least))
    ) {
      this.#exit = worse(this.#exit, EXIT.failOn);
    }
    this.#failed.note(verdict.sources);
    this.#warnings.add(`plot ${id}`, evaluation.warnings);
    if (!this.#text) return this.#terminal.printJson({ id, verdict });
    for (const line of verdictText(`plot ${id}`, verdict, this.#terminal)) await this.#terminal.print(line);
  }

  async error(id: string | number, error: LineError): Promise<void> {
    this.#count("errors");
    this.#exit = worse(this.#exit, exitCodeFor(error));
    if (this.#text) await printErrorText(this.#terminal, `plot ${id}`, error);
    else await this.#terminal.printJson({ id, error });
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

function parseFailOn(list: string | undefined): Set<VerdictStatus> {
  const names = list === undefined ? [] : list.split(",");
  return new Set(
    names.map((name) => {
      const verdict = VERDICTS.find((each) => each === name.trim().toUpperCase().replaceAll("-", "_"));
      if (verdict === undefined) {
        throw new UsageError(`found "${name}" in --fail-on, expected one or more of ${VERDICTS.join(", ")}`);
      }
      return verdict;
    }),
  );
}
