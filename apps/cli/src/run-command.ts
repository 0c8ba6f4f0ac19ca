import { type Arguments, parseArguments, UsageError } from "./command-line/arguments.ts";
import type { NamedCommand } from "./command-line/command.ts";
import { EXIT } from "./command-line/exit-code.ts";
import { COMMANDS, type ListedCommand } from "./commands.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * Runs a command line. A failure is reported on standard error and by the exit code, which is one of {@link EXIT}, or
 * the signal's if one ended the command early.
 */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  let args: Arguments | undefined;
  let command: NamedCommand | undefined;
  try {
    const words = normalizeCommandWords(argv);
    const [first, second] = words;
    if (first === undefined || first === "--help") {
      await terminal.print(await formatHelpOverview(COMMANDS));
      return first === undefined ? EXIT.usage : EXIT.done;
    }
    if (first === "--version") {
      const { VERSION } = await import("./version.ts");
      await terminal.print(VERSION);
      return EXIT.done;
    }
    if (isHelp(second) && listCommandFamily(first).length > 0) {
      await terminal.print(await formatHelpOverview(listCommandFamily(first)));
      return EXIT.done;
    }
    command = await (await findNamedCommand(words)).load();
    args = parseArguments(command, words.slice(command.path.split(" ").length));
    if (args.flag("help")) {
      const { formatCommandPage: commandPage } = await import("./command-line/help.ts");
      await terminal.print(commandPage(command));
      return EXIT.done;
    }
    const { addSettingsToArguments: withSettings } = await import("./settings/with-settings.ts");
    args = await withSettings(command, args, process.env);
    // A server logs these itself.
    if (command.path !== "serve") await noteDoubtfulNames(terminal);
    return await command.run(args, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return terminal.signal.reason;
    // Only a failure needs the code for every kind of failure.
    const { printFailure: reportFailure } = await import("./report-failure.ts");
    return await reportFailure(error, args, terminal, command?.path);
  } finally {
    terminal.clearProgress();
  }
}

const HELP: readonly (string | undefined)[] = ["--help", "-h", "-help", "help"];
const VERSION_WORDS: readonly (string | undefined)[] = ["version", "-v", "-V"];

function isHelp(word: string | undefined): boolean {
  return HELP.includes(word);
}

/** A command line in the words of the help pages: other usual words for help, the version and presets are replaced. */
function normalizeCommandWords(argv: readonly string[]): readonly string[] {
  const [first, ...others] = argv;
  if (first === "help" && others.length > 0) return [...others.filter((word) => !isHelp(word)), "--help"];
  if (isHelp(first)) return ["--help"];
  if (VERSION_WORDS.includes(first)) return ["--version"];
  if (first === "presets") return ["rulesets", "list", ...others];
  if (first === "rulesets" && others[0] === "presets") return ["rulesets", "list", ...others.slice(1)];
  return argv;
}

/** Warns of environment variables that are no settings but are named nearly like one. */
async function noteDoubtfulNames(terminal: Terminal): Promise<void> {
  if (!Object.keys(process.env).some((name) => name.startsWith("GROUNDRULE_"))) return;
  const { describeDoubtfulNames: doubtfulNames } = await import("./settings/doubtful-names.ts");
  for (const doubt of doubtfulNames(process.env)) terminal.note(`groundrule: ${doubt}`);
}

async function formatHelpOverview(commands: readonly ListedCommand[]): Promise<string> {
  const { formatOverviewPage: overviewPage } = await import("./command-line/help.ts");
  return overviewPage(await Promise.all(commands.map(({ load }) => load())));
}

/** Fails: {@link UsageError} for words that call no command, with what they may mean. */
async function findNamedCommand(words: readonly string[]): Promise<ListedCommand> {
  const [first = "", second] = words;
  const found = COMMANDS.find(({ path }) => path === first || path === `${first} ${second}`);
  if (found !== undefined) return found;
  const { describeUnknownCommand } = await import("./command-line/unknown-command.ts");
  const paths = COMMANDS.map(({ path }) => path);
  throw new UsageError(describeUnknownCommand(first, second, paths));
}

/** The commands that begin with a word, e.g. those of `snapshot`. */
function listCommandFamily(word: string): ListedCommand[] {
  return COMMANDS.filter(({ path }) => path.startsWith(`${word} `));
}
