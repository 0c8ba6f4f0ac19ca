import type { NamedCommand } from "./command.ts";
import { COMMON_OPTIONS, type OptionSpec } from "./command-line.ts";

/** Width of every help page, in columns. */
const WIDTH = 80;

/** The page of `groundrule --help`. */
export function formatOverviewPage(commands: readonly NamedCommand[]): string {
  const column =
    commands
      .map((command) => command.path.length)
      .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) + 4;
  return [
    "groundrule evaluates whether a plot of land, and the company behind it, complies",
    "with a ruleset, and shows the evidence.",
    "",
    "Usage: groundrule COMMAND [OPTION]… [OPERAND]…",
    "",
    ...commands.flatMap(({ path, summary }) => formatHelpEntry(path, summary, column)),
    "",
    ...wrapText(
      "Plots are read from a file or standard input: GeoJSON, its stream forms (NDJSON), GeoPackage, Shapefile, FlatGeobuf, GeoParquet, KML, KMZ, CSV, TSV or Excel's .xlsx, compressed or not. On a terminal the output is tables; in a pipe it is one JSON value per line.",
    ),
    "",
    "Exit codes: 0 done; 1 a verdict or finding that --fail-on names, a replay that",
    "differs, or a test that fails; 2 wrong usage; 3 bad input; 4 unavailable.",
    "",
    "Run groundrule COMMAND --help for a command's options.",
  ].join("\n");
}

/** The page of `groundrule COMMAND --help`. */
export function formatCommandPage(command: NamedCommand): string {
  const options = [...command.options, ...COMMON_OPTIONS];
  const column = Math.min(
    28,
    options
      .map((option) => formatOption(option).length)
      .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) + 4,
  );
  const usage = ["groundrule", command.path, ...command.options.filter((o) => o.required).map(formatOption)];
  return [
    ...wrapText(`Usage: ${[...usage, "[OPTION]…", command.operands].join(" ").trimEnd()}`),
    "",
    ...wrapText(`${command.summary}.`),
    ...(command.details ?? []).flatMap((text) => ["", ...(text.startsWith(" ") ? [text] : wrapText(text))]),
    ...(command.examples === undefined ? [] : ["", "Examples:"]),
    ...(command.examples ?? []).map((words) => `  groundrule ${command.path} ${words}`),
    "",
    "Options:",
    ...options.flatMap((option) => formatHelpEntry(formatOption(option), formatOptionHelp(option), column)),
  ].join("\n");
}

function formatOption({ name, value }: OptionSpec): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function formatOptionHelp(option: OptionSpec): string {
  return option.multiple ? `${option.help}; repeatable` : option.help;
}

function formatHelpEntry(head: string, text: string, column: number): string[] {
  const lines = wrapText(text, WIDTH - column);
  const indent = " ".repeat(column);
  if (head.length > column - 3) return [`  ${head}`, ...lines.map((line) => indent + line)];
  return lines.map((line, i) => (i === 0 ? `  ${head}`.padEnd(column) : indent) + line);
}

function wrapText(text: string, width = WIDTH): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
