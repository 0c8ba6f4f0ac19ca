import { existsSync } from "node:fs";
import { findNearestName } from "@groundrule/engine/internal/json";

/**
 * Describes words that call no command, and the command that they most likely mean.
 *
 * @param first the first word of the command line
 * @param second the one after it
 * @param paths the words that call each command
 */
export function describeUnknownCommand(
  first: string,
  second: string | undefined,
  paths: readonly string[],
): string {
  if (first.startsWith("-")) {
    return `found the option ${first} in place of a command, expected options after the command: groundrule COMMAND [OPTION]…`;
  }
  const members = paths.filter((path) => path.startsWith(`${first} `));
  if (members.length > 0) {
    const choices = members.map((path) => path.slice(first.length + 1)).join(", ");
    const next = second === undefined ? "nothing after it" : `"${second}"`;
    const other = second === undefined ? "" : formatSuggestion(findCommandsNamed(second, paths));
    return `groundrule ${first}: found ${next}, expected one of ${choices}${other}`;
  }
  if (/[./\\]/.test(first) || existsSync(first)) {
    return `found the file ${first} in place of a command; to examine its plots: groundrule plots check ${first}`;
  }
  return `unknown command "${first}"${formatSuggestion(findMeantCommands(first, second, paths))}`;
}

/** Words that are understood in place of a command. */
const WORDS: readonly string[] = ["help", "presets", "version"];

/** The commands that two words may mean: in the other order, without the first or the second, or misspelt. */
function findMeantCommands(
  first: string,
  second: string | undefined,
  paths: readonly string[],
): readonly string[] {
  const swapped = paths.filter((path) => path === `${second} ${first}`);
  if (swapped.length > 0) return swapped;
  const named = findCommandsNamed(first, paths);
  if (named.length > 0) return named;
  const nearest = findNearestName(first, [...WORDS, ...paths.map((path) => path.split(" ")[0]!)]);
  if (nearest === undefined) return [];
  if (WORDS.includes(nearest) || paths.includes(nearest)) return [nearest];
  if (second === undefined) return [nearest];
  const inFamily = findNearestName(
    `${nearest} ${second}`,
    paths.filter((path) => path.startsWith(`${nearest} `)),
  );
  const other = findCommandsNamed(second, paths);
  return paths.includes(`${nearest} ${second}`) || other.length === 0 ? [inFamily ?? nearest] : other;
}

/** The commands that end with a word, e.g. `plots check` for `check`. */
function findCommandsNamed(word: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path.split(" ").at(-1) === word);
}

function formatSuggestion(paths: readonly string[]): string {
  return paths.length === 0 ? "" : `; did you mean ${paths.join(" or ")}?`;
}
