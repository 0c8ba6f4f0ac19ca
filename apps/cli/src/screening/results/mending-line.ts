import { basename } from "node:path";
import type { Arguments } from "../../command-line/arguments.ts";
import { buildOptionWords, formatCommandText } from "../../data/command-words.ts";
import { PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { toPrintable } from "../../terminal/terminal.ts";
import { formatCount } from "../../words/change-tally.ts";
import { sumCounts } from "./tally.ts";

/**
 * The last line of a run that refused plots: the command that fixes the fixable ones or, if no shape is at fault, lists
 * the faults. Undefined if no plot is at fault, or the plots came from standard input.
 *
 * @param errors number of plots without an answer, by error code
 * @param path the file of plots
 */
export function formatMendingLine(
  args: Arguments,
  errors: Readonly<Record<string, number>>,
  path: string | undefined = args.operands[0],
): string | undefined {
  // These are about values and sources that no command can add to plots, and of which a check has no more to say; their
  // messages name the way out.
  const { INPUT_INCOMPLETE: _, SOURCE_UNKNOWN: __, VALIDATION_FAILED: ___, ...faulty } = errors;
  const refused = sumCounts(faulty);
  if (refused === 0 || path === undefined || path === "-") return undefined;
  const command =
    "GEOMETRY_INVALID" in errors
      ? formatFixCommand(args, path)
      : formatCommandText(["plots", "check", path, ...listReadingWords(args)]);
  return toPrintable(`${formatCount(refused, "error")}: ${command}`);
}

/**
 * The last line of a check that found errors: how many of them fixing mends, and the command. Undefined if it mends none,
 * or the plots came from standard input.
 *
 * @param errors number of errors
 * @param mended number of those that `plots fix` mends
 */
export function formatFixingLine(args: Arguments, errors: number, mended: number): string | undefined {
  const [path] = args.operands;
  if (mended === 0 || path === undefined || path === "-") return undefined;
  const count =
    mended < errors ? `${mended} of ${formatCount(errors, "error")}` : formatCount(errors, "error");
  return toPrintable(`${count}: ${formatFixCommand(args, path)}`);
}

function formatFixCommand(args: Arguments, path: string): string {
  const output = `${removeFileEnding(basename(path)) || "plots"}-fixed.geojson`;
  return formatCommandText(["plots", "fix", path, ...listReadingWords(args), "--output", output]);
}

function listReadingWords(args: Arguments): readonly string[] {
  return buildOptionWords(args, [CRS_OPTION, ...PLOT_READ_OPTIONS]);
}

/** A path without the ending of its name. */
export function removeFileEnding(path: string): string {
  return path.replace(/(?<=[^/\\])\.[^./\\]*$/, "");
}
