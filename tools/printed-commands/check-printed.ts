import { parseArguments, UsageError } from "../../apps/cli/src/command-line/arguments.ts";
import type { NamedCommand } from "../../apps/cli/src/command-line/command.ts";
import { COMMON_OPTIONS } from "../../apps/cli/src/command-line/command-line.ts";
import { COMMANDS } from "../../apps/cli/src/commands.ts";
import { splitShellWords } from "../snippets/words.ts";
import type { PrintedCommand } from "./printed-commands.ts";

/** How prose goes on after the product's name, to the end of a word. Whatever is neither this nor a command is a mistake. */
const PROSE = [
  ...[
    "child",
    "command",
    "content",
    "created a new store",
    "evaluates whether",
    "listens on",
    "on",
    "pepper",
    "policy tests",
    "reads",
  ],
  ...[
    "ruleset",
    "screening run",
    "service",
    "source manifest",
    "takes all",
    "tells whether",
    "with the",
    "writes it",
    "wrote this",
  ],
  ...["las lee", "lê todas", "escribió este", "escreveu este", "COMMAND [OPTION]…"],
];

/** A mention of a command, as its words. */
export interface Mention {
  readonly command: NamedCommand;
  /** Words after the command's own; placeholders as they are printed. */
  readonly words: readonly string[];
}

/**
 * The command that a text names; undefined where it is prose.
 *
 * Fails: an `Error` for what is neither.
 */
export async function parseMention({ text, isCode }: PrintedCommand): Promise<Mention | undefined> {
  if (/^(?:\$\{|\}|--(?:help|version)?(?!\w))/.test(text)) return undefined;
  if (PROSE.some((start) => text.startsWith(start) && !/^[\w-]/.test(text.slice(start.length))))
    return undefined;
  // A way to call any command stands for one of them.
  const line = splitShellWords(text.replace(/^COMMAND\b/, "evaluate"));
  const end = line.findIndex(({ value, plain }) => plain && /^[|<>]$/.test(value));
  const words = line.slice(0, end < 0 ? undefined : end).map(({ value }) => value);
  const named = words.slice(0, 2).map((word) => /^[\w-]*/.exec(word)![0]);
  const listed = COMMANDS.find(({ path }) => path === named.join(" ") || path === named[0]);
  if (listed === undefined) throw new Error(`there is no command "${named.join(" ")}"`);
  const length = listed.path.split(" ").length;
  const rest = words.slice(length);
  const command = await listed.load();
  if (isCode) return { command, words: rest };
  // Where a sentence ends after the command's own words, it has no more of them.
  return { command, words: words[length - 1] === named[length - 1] ? takeCommandWords(command, rest) : [] };
}

/** Fails: an `Error` where the command does not take these words. */
export function checkMention({ command, words }: Mention): void {
  try {
    parseArguments(command, words.map(removeBrackets));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    if (isIncomplete({ command, words })) return;
    throw new Error(`groundrule ${command.path} ${words.join(" ")}: ${error.message}`);
  }
}

/** True if it only names options, and leaves other needed arguments to the reader. */
export function isIncomplete({ command, words }: Mention): boolean {
  try {
    parseArguments(command, words.map(removeBrackets));
    return false;
  } catch (error) {
    const { message } = error as UsageError;
    const endsWithoutValue = message.startsWith(`${words.at(-1)} needs a value`);
    return (
      (endsWithoutValue || /is missing$|is required$/.test(message)) &&
      listOperands(command, words).length === 0
    );
  }
}

/** A word without the punctuation of a sentence, or the end of a string, after it. */
function trimPunctuation(word: string): string {
  return word.replace(/[.,;:)"'`]+$/, "");
}

/** The words that belong to the command: options with their values, and placeholders. */
function takeCommandWords(command: NamedCommand, words: readonly string[]): string[] {
  const taken: string[] = [];
  let isValue = false;
  for (const word of words) {
    const plain = trimPunctuation(word);
    if (!isValue && !/^--[a-z]/.test(plain) && !isPlaceholder(plain)) break;
    taken.push(plain);
    isValue = !isValue && findCommandOption(command, plain)?.value !== undefined;
    if (plain !== word) break;
  }
  return taken;
}

function isPlaceholder(word: string): boolean {
  return /^\[?(?:\$\{.*\}|[A-Z][A-Z_]*…?)\]?$/.test(word);
}

function listOperands(command: NamedCommand, words: readonly string[]): string[] {
  return words.filter(
    (word, i) => !word.startsWith("-") && findCommandOption(command, words[i - 1] ?? "")?.value === undefined,
  );
}

function findCommandOption(command: NamedCommand, word: string) {
  return [...command.options, ...COMMON_OPTIONS].find(({ name }) => `--${name}` === word);
}

/** A word without the brackets of what may be left out. */
export function removeBrackets(word: string): string {
  return word.replace(/^\[/, "").replace(/\]$/, "");
}
