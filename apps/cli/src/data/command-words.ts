import type { Arguments } from "../command-line/arguments.ts";
import type { OptionSpec } from "../command-line/command-line.ts";
import { getDataFolder } from "./data-folder.ts";

/** The options that name the data folder, for a command to run next; empty if it is the default. */
export function buildDataWords(args: Arguments): readonly string[] {
  const isAnyhow = args.find("data") === undefined || args.fallback("data")?.from === "environment";
  return isAnyhow ? [] : ["--data", getDataFolder(args)];
}

/** The command that lists the sources a ruleset needs, and how to install missing ones. */
export function formatNeededByCommand(ruleset: string, args: Arguments): string {
  return formatCommandText(["sources", "list", "--needed-by", ruleset, ...buildDataWords(args)]);
}

/** Options with their values, as on the command line. */
export function buildOptionWords(
  args: Arguments,
  options: readonly Pick<OptionSpec, "name" | "value">[],
): readonly string[] {
  return options.flatMap(({ name, value }) => {
    if (value === undefined) return args.flag(name) ? [`--${name}`] : [];
    const values = args.fallback(name) === undefined ? args.all(name) : [];
    return values.flatMap((each) => [`--${name}`, each]);
  });
}

/** Quotes a word for a POSIX shell. */
export function quoteShellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The text of a command, from its words. */
export function formatCommandText(words: readonly string[]): string {
  return ["groundrule", ...words].map(quoteShellWord).join(" ");
}
