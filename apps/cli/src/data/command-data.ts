import type { CompileOptions } from "@groundrule/engine";
import { type ExpectedEdition, type OpenData, openData } from "@groundrule/node";
import { assertExpectedEditions } from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { parseInstantMs } from "../command-line/durations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatFictionalNote } from "../words/fictional-note.ts";
import { getDataFolder } from "./data-folder.ts";

const NOW = "now";
const EXPECT_EDITION = "expect-edition";

/** Minimum digits of a prefix, as many as tables print: fewer could match an unrelated edition. */
const LEAST_DIGITS = 12;

export const EXPECT_EDITION_OPTION: OptionSpec = {
  name: EXPECT_EDITION,
  value: "SOURCE=DIGEST",
  multiple: true,
  help: `stop unless this is the current edition of the source; the first ${LEAST_DIGITS} digits of its digest are enough`,
};

export const NOW_OPTION: OptionSpec = {
  name: NOW,
  value: "INSTANT",
  help: "evaluate as of this instant, e.g. 2026-06-30T12:00:00Z (default: the clock)",
};

/** Options that make a run repeatable: its instant and its editions. */
export const REPEATABLE_OPTIONS: readonly OptionSpec[] = [NOW_OPTION, EXPECT_EDITION_OPTION];

/** The data that a command works on: the data folder with the expected editions, and the instant. */
export interface CommandData {
  readonly data: OpenData;
  /** ISO 8601 UTC: from `--now`, or from the clock. */
  readonly now: string;
}

/**
 * Opens the data folder of a command that evaluates or queries, before any input is read.
 *
 * @param instant used in place of the clock's if the command line names none
 *
 * Fails: {@link UsageError} for a malformed `--now` or `--expect-edition`; as `openData` and `assertExpectedEditions`.
 */
export function openCommandData(args: Arguments, terminal: Terminal, instant?: string): CommandData {
  const now = readInstantOption(args);
  const expected = readEditionOptions(args, EXPECT_EDITION);
  const dir = getDataFolder(args);
  const data = openData(dir);
  const note = formatFictionalNote(data.sources(), dir);
  if (note !== undefined) terminal.note(note);
  assertExpectedEditions(data, expected);
  return { data, now: now ?? instant ?? data.now() };
}

/** The instant of `--now`. Fails: {@link UsageError} if it is malformed. */
export function readInstantOption(args: Arguments): string | undefined {
  const now = args.find(NOW);
  if (now !== undefined) parseInstantMs(NOW, now);
  return now;
}

/** The option that treats silence of a source without declared coverage as no proof. */
export const STRICT_COVERAGE_OPTION: OptionSpec = defineOption(
  "strict-coverage",
  "treat sources without declared coverage as covering no plot, instead of every plot",
);

/** The evaluation option of the flag; empty if the flag is absent. */
export function readCoverageOptions(args: Arguments): { readonly strictCoverage?: true } {
  return args.flag(STRICT_COVERAGE_OPTION.name) ? { strictCoverage: true } : {};
}

/** The option with sources and groups to leave out, each named: none is left out because it happens to be missing. */
export const WITHOUT_OPTION: OptionSpec = defineOption(
  "without NAME",
  "evaluate without this source or group, which then covers nothing: checks that it could change stay open",
  { multiple: true },
);

/** The compile options from the command line; an absent option has no member. */
export function readCompileOptions(args: Arguments): Pick<CompileOptions, "without"> {
  const without = args.all(WITHOUT_OPTION.name);
  return without.length === 0 ? {} : { without };
}

/** The options that leave out sources, as words of a command line. */
export function formatWithoutOptions(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [`--${WITHOUT_OPTION.name}`, name]);
}

const DIGEST_DIGITS = 64;

/**
 * Parses the editions of `SOURCE=DIGEST` options.
 *
 * Fails: {@link UsageError} for a digest that is not a hex text of at least `leastDigits` digits.
 */
export function readEditionOptions(
  args: Arguments,
  option: string,
  leastDigits: number = LEAST_DIGITS,
): ExpectedEdition[] {
  return args.all(option).map((text) => {
    const [, source_name, digits] = /^([a-z0-9_:]+)=([0-9a-f]+)$/.exec(text) ?? [];
    const isDigest = digits !== undefined && digits.length >= leastDigits && digits.length <= DIGEST_DIGITS;
    if (source_name === undefined || !isDigest) {
      throw new UsageError(
        `found --${option} "${text}", expected SOURCE=DIGEST with ${leastDigits} to ${DIGEST_DIGITS} digits of 0-9 and a-f`,
      );
    }
    return { source_name, digits };
  });
}
