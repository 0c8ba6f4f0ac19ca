import type { Terminal } from "../terminal/terminal.ts";
import type { Arguments } from "./arguments.ts";
import type { CommandLine } from "./command-line.ts";
import type { ExitCode } from "./exit-code.ts";

/** A command as its module says it; absent of its command line: nothing. */
export interface Command extends Partial<CommandLine> {
  /** What it does, in one line. */
  readonly summary: string;
  /** More to know: paragraphs; those that begin with a space are shown as they are. */
  readonly details?: readonly string[];
  run(args: Arguments, terminal: Terminal): Promise<ExitCode>;
}

/** A command with its whole command line, and the words that call it, e.g. `snapshot build`. */
export type NamedCommand = Command & CommandLine & { readonly path: string };

/** A command under the words that call it. */
export function named(path: string, command: Command): NamedCommand {
  const { operands = "", operandCount = countOperands(operands), options = [] } = command;
  return { ...command, path, operands, operandCount, options };
}

/** How many operands a usage line such as `NAME [A [B]]` shows; any number where the last may be repeated. */
function countOperands(operands: string): CommandLine["operandCount"] {
  const count = (text: string): number => text.match(/[A-Z_|]+/g)?.length ?? 0;
  const isRepeated = /…|\.\.\./.test(operands);
  return [count(operands.replace(/\[.*/, "")), isRepeated ? Number.POSITIVE_INFINITY : count(operands)];
}
