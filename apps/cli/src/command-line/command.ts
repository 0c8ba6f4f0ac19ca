import type { Terminal } from "../terminal/terminal.ts";
import type { Arguments } from "./arguments.ts";
import type { CommandLine } from "./command-line.ts";
import type { ExitCode } from "./exit-code.ts";

/** A command as its module declares it; missing parts of the command line default to none. */
export interface Command extends Partial<CommandLine> {
  /** One line that describes the command. */
  readonly summary: string;
  /** Paragraphs for the help page; those that begin with a space are printed unchanged. */
  readonly details?: readonly string[];
  /** Typical command lines, each from the word after the command's own. */
  readonly examples?: readonly string[];
  run(args: Arguments, terminal: Terminal): Promise<ExitCode>;
}

/** A command with its complete command line, and the words that call it, e.g. `snapshot build`. */
export type NamedCommand = Command & CommandLine & { readonly path: string };

/** Completes a command and adds the words that call it. */
export function completeCommand(path: string, command: Command): NamedCommand {
  const { operands = "", operandCount = countOperands(operands), options = [] } = command;
  return { ...command, path, operands, operandCount, options };
}

/** Number of operands in a usage line such as `NAME [A [B]]`; no maximum if the last may be repeated. */
function countOperands(operands: string): CommandLine["operandCount"] {
  const count = (text: string): number => text.match(/[A-Z_|]+/g)?.length ?? 0;
  const isRepeated = /…|\.\.\./.test(operands);
  return [count(operands.replace(/\[.*/, "")), isRepeated ? Number.POSITIVE_INFINITY : count(operands)];
}
