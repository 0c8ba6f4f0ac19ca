import type { Terminal } from "../terminal/terminal.ts";
import type { Arguments } from "./arguments.ts";
import type { CommandLine } from "./command-line.ts";
import type { ExitCode } from "./exit-code.ts";

export interface Command extends CommandLine {
  /** The words that call it, e.g. `snapshot build`. */
  readonly path: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** More to know: paragraphs; those that begin with a space are shown as they are. */
  readonly details?: readonly string[];
  run(args: Arguments, terminal: Terminal): Promise<ExitCode>;
}
