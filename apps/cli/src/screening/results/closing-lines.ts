import { basename, dirname } from "node:path";
import type { Arguments } from "../../command-line/arguments.ts";
import type { OptionSpec } from "../../command-line/command-line.ts";
import { buildOptionWords, formatCommandText } from "../../data/command-words.ts";
import { POINT_AREA_OPTION } from "../../plots/judged-plots.ts";
import { PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { AS_SUBMITTED_OPTION } from "../../plots/submitted-plots.ts";
import { toPrintable } from "../../terminal/terminal.ts";
import { formatCount } from "../../words/change-tally.ts";
import { figures } from "../../words/figures.ts";
import type { ScreenOptions } from "../screen-options.ts";
import { formatTallySummary } from "./conclusion.ts";
import { removeFileEnding } from "./mending-line.ts";
import type { ScreenTally } from "./tally.ts";

/** The end state of a run. */
export interface RunEnd {
  /** Plots answered or refused since it was started or resumed. */
  readonly plots: number;
  readonly seconds: number;
  /** Counts of the whole run. */
  readonly tally: ScreenTally;
}

/** The closing lines of a run for people: its result, the output file, and the next command. */
export function* formatClosingLines(
  args: Arguments,
  options: ScreenOptions,
  { plots, seconds, tally }: RunEnd,
): Generator<string> {
  const rate = figures.decimal(plots / Math.max(seconds, 0.001), 0);
  yield `${formatCount(plots, "plot")} in ${figures.decimal(seconds, 1)} s, ${rate} per second: ${formatTallySummary(tally)}`;
  const { output, errors } = options;
  if (output !== undefined) {
    yield toPrintable(`Results: ${output}${errors === undefined ? "" : `, errors: ${errors}`}`);
  }
  const { format, shard } = options;
  const isTable = output !== undefined && format !== "ndjson" && shard.of <= 1;
  const next = isTable ? "Next, for a report" : "Next";
  yield toPrintable(`${next}: ${formatCommandText(buildNextWords(args, options))}`);
}

/** Options that decide how plots are read and evaluated, by both `report` and `screen`. */
const JUDGED: readonly Pick<OptionSpec, "name" | "value">[] = [
  { name: "data", value: "DIR" },
  CRS_OPTION,
  ...PLOT_READ_OPTIONS,
  POINT_AREA_OPTION,
  AS_SUBMITTED_OPTION,
  { name: "strict-coverage" },
];

/** The next command for the results of a run. */
function buildNextWords(args: Arguments, { output, format, shard }: ScreenOptions): readonly string[] {
  if (output === undefined) return ["screen", ...args.words, "--output", "verdicts.ndjson"];
  if (shard.of > 1) return ["merge", dirname(output), "--output", `merged-${basename(output)}`];
  const again = (left: readonly string[]): readonly string[] => removeOptionWords(args.words, left);
  if (format !== "ndjson") {
    return [
      "screen",
      ...again(["format", "language", "output", "errors", "resume"]),
      "--output",
      `${removeFileEnding(output)}.ndjson`,
    ];
  }
  const plots = args.operands[0];
  const named = plots === undefined || plots === "-" ? [] : ["--plots", plots];
  const options = buildOptionWords(args, JUDGED);
  const ruleset = named.length === 0 ? [] : ["--ruleset", args.get("ruleset")];
  return ["report", output, "--portfolio", `${output}-report`, ...named, ...ruleset, ...options];
}

/** The lines for a person who stopped a run: how to resume it. */
export function* formatStoppedLines(
  args: Arguments,
  { output, records }: ScreenOptions,
  plots: number,
): Generator<string> {
  const stopped = `stopped after ${formatCount(plots, "plot")}`;
  if (output === undefined) {
    yield `${stopped}; a run to standard output has to start again; a run with --output FILE can continue with --resume`;
    return;
  }
  if (records !== undefined) {
    yield toPrintable(
      `${stopped}; a run with --record cannot be continued: remove ${output}.run and ${records} to start again`,
    );
    return;
  }
  const words = args.flag("resume") ? args.words : ["--resume", ...args.words];
  yield `${stopped}; continue with`;
  yield toPrintable(`  ${formatCommandText(["screen", ...words])}`);
}

/** Words of a command line without certain options and their values. */
function removeOptionWords(words: readonly string[], names: readonly string[]): readonly string[] {
  const flags = new Set(["--resume"]);
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (names.some((name) => word.startsWith(`--${name}=`))) continue;
    if (!names.some((name) => word === `--${name}`)) kept.push(word);
    else if (!flags.has(word)) at++;
  }
  return kept;
}
