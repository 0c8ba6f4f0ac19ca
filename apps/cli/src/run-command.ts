import { nearestName } from "@groundrule/engine/internal/json";
import { type Arguments, parseArguments, UsageError } from "./command-line/arguments.ts";
import { EXIT } from "./command-line/exit-code.ts";
import { COMMANDS, type ListedCommand } from "./commands.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * Runs a command line. A failure is reported on standard error and by the exit code, which is one of {@link EXIT}, or
 * the signal's if one ended the command early.
 */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  let args: Arguments | undefined;
  try {
    const [first, second] = argv;
    if (first === undefined || first === "--help" || first === "help") {
      await terminal.print(await overviewOf(COMMANDS));
      return first === undefined ? EXIT.usage : EXIT.done;
    }
    if (first === "--version") {
      const { VERSION } = await import("./version.ts");
      await terminal.print(VERSION);
      return EXIT.done;
    }
    if (second === "--help" && family(first).length > 0) {
      await terminal.print(await overviewOf(family(first)));
      return EXIT.done;
    }
    const command = await findCommand(argv).load();
    args = parseArguments(command, argv.slice(command.path.split(" ").length));
    if (args.flag("help")) {
      const { commandPage } = await import("./command-line/help.ts");
      await terminal.print(commandPage(command));
      return EXIT.done;
    }
    const { withSettings } = await import("./settings/with-settings.ts");
    args = await withSettings(command, args, process.env);
    return await command.run(args, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return terminal.signal.reason;
    // Only a failure needs the code for every kind of failure.
    const { reportFailure } = await import("./report-failure.ts");
    return reportFailure(error, args, terminal);
  } finally {
    terminal.clearProgress();
  }
}

async function overviewOf(commands: readonly ListedCommand[]): Promise<string> {
  const { overviewPage } = await import("./command-line/help.ts");
  return overviewPage(await Promise.all(commands.map(({ load }) => load())));
}

function findCommand(argv: readonly string[]): ListedCommand {
  const words = argv.slice(0, 2);
  const found = COMMANDS.find(({ path }) => path === words[0] || path === words.join(" "));
  if (found !== undefined) return found;
  const members = family(words[0]!);
  if (members.length > 0) {
    const choices = members.map(({ path }) => path.slice(words[0]!.length + 1)).join(", ");
    const next = words[1] === undefined ? "nothing after it" : `"${words[1]}"`;
    throw new UsageError(`groundrule ${words[0]}: found ${next}, expected one of ${choices}`);
  }
  const paths = COMMANDS.map(({ path }) => path);
  const nearest = nearestName(
    words[0]!,
    paths.flatMap((path) => [path, path.split(" ")[0]!]),
  );
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  throw new UsageError(`unknown command "${words[0]}"${hint}`);
}

/** The commands that begin with a word, e.g. those of `snapshot`. */
function family(word: string): ListedCommand[] {
  return COMMANDS.filter(({ path }) => path.startsWith(`${word} `));
}
