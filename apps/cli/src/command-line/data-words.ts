import { dataFolder } from "../data/data-folder.ts";
import type { Arguments } from "./arguments.ts";
import { commandText } from "./command-words.ts";

/** The data folder as words of a command to run next, so that it works on the same one; none where that is so anyhow. */
export function dataWords(args: Arguments): readonly string[] {
  const isAnyhow = args.find("data") === undefined || args.fallback("data")?.from === "environment";
  return isAnyhow ? [] : ["--data", dataFolder(args)];
}

/** The command that tells what a ruleset needs, and what brings what is missing. */
export function neededByCommand(ruleset: string, args: Arguments): string {
  return commandText(["sources", "list", "--needed-by", ruleset, ...dataWords(args)]);
}
