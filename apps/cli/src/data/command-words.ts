import type { Arguments } from "../command-line/arguments.ts";
import type { OptionSpec } from "../command-line/command-line.ts";
import { dataFolder } from "./data-folder.ts";

/** The data folder as words of a command to run next, so that it works on the same one; none where that is so anyhow. */
export function dataWords(args: Arguments): readonly string[] {
  const isAnyhow = args.find("data") === undefined || args.fallback("data")?.from === "environment";
  return isAnyhow ? [] : ["--data", dataFolder(args)];
}

/** The command that tells what a ruleset needs, and what brings what is missing. */
export function neededByCommand(ruleset: string, args: Arguments): string {
  return commandText(["sources", "list", "--needed-by", ruleset, ...dataWords(args)]);
}

/** Options with their values as the command line has them. */
export function optionWords(
  args: Arguments,
  options: readonly Pick<OptionSpec, "name" | "value">[],
): readonly string[] {
  return options.flatMap(({ name, value }) => {
    if (value === undefined) return args.flag(name) ? [`--${name}`] : [];
    const values = args.fallback(name) === undefined ? args.all(name) : [];
    return values.flatMap((each) => [`--${name}`, each]);
  });
}

/** A word of a command line as a shell of POSIX takes it. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command to repeat, from its words. */
export function commandText(words: readonly string[]): string {
  return ["groundrule", ...words].map(shellWord).join(" ");
}
