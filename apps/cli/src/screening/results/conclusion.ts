import type { VerdictStatus } from "@groundrule/engine";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../../command-line/exit-code.ts";
import { toExitCode } from "../../terminal/line-error.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";
import { type ScreenTally, sumCounts, VERDICTS } from "./tally.ts";

export const FAIL_ON_OPTION: OptionSpec = defineOption(
  "fail-on LIST",
  "exit with 1 when any plot gets one of these verdicts, e.g. NON_COMPLIANT,DEGRADED",
);

/** Derives the exit code from verdicts and errors. */
export class FailOn {
  readonly #verdicts: readonly VerdictStatus[];

  /** Fails: {@link UsageError} for an unknown verdict. */
  constructor(args: Arguments) {
    const names = args.find(FAIL_ON_OPTION.name)?.split(",") ?? [];
    this.#verdicts = names.map((name) => {
      const verdict = VERDICTS.find((each) => each === name.trim().toUpperCase().replaceAll("-", "_"));
      if (verdict === undefined) {
        throw new UsageError(`found "${name}" in --fail-on, expected one or more of ${VERDICTS.join(", ")}`);
      }
      return verdict;
    });
  }

  /** A degraded verdict counts if it is certain to be at least a requested one, whatever the failed source contains. */
  exitCodeOf({ counts, atLeast, errors }: ScreenTally): ExitCode {
    const isFound = this.#verdicts.some(
      (verdict) => (counts[verdict] ?? 0) > 0 || (atLeast[verdict] ?? 0) > 0,
    );
    return Object.keys(errors)
      .map(toExitCode)
      .reduce(pickWorseExitCode, isFound ? EXIT.failOn : EXIT.done);
  }
}

/** The number of plots by verdict, and of those without one. */
export function formatTallySummary({ counts, errors }: ScreenTally): string {
  const refused = sumCounts(errors);
  const parts = [
    ...VERDICTS.map((name) => [name, counts[name] ?? 0] as const),
    [refused === 1 ? "error" : "errors", refused] as const,
  ]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${figures.decimal(count, 0)} ${name}`);
  return parts.length === 0 ? "no plots" : parts.join(", ");
}

/** Prints facts that results do not show, on standard error. */
export class TallyNotes {
  readonly #terminal: Terminal;
  readonly #reported = new Set<string>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Reports each failed source once, as soon as it is known. */
  tell({ failed }: ScreenTally): void {
    for (const [source, reason] of Object.entries(failed)) {
      if (this.#reported.has(source)) continue;
      this.#reported.add(source);
      this.#terminal.note(
        `source ${source} could not be opened, so the answers are without it: ${toPrintable(reason)}`,
      );
    }
  }

  /** Reports warnings by kind, so that a million plots with the same small defect take one line. */
  finish({ warnings }: ScreenTally): void {
    for (const { first, message, count } of Object.values(warnings)) {
      const more = count === 1 ? "" : ` (and ${figures.decimal(count - 1, 0)} more like it)`;
      this.#terminal.note(`${toPrintable(first)}: ${toPrintable(message)}${more}`);
    }
  }
}
