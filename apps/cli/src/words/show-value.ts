import type { Arguments } from "../command-line/arguments.ts";
import { EXIT, type ExitCode } from "../command-line/exit-code.ts";
import { type Column, printTable } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Prints an answer of one value: its members line by line for people, JSON for pipes and on request. */
export async function printValue(value: object, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  if (args.flag("json") || !terminal.human) await terminal.printJson(value);
  else {
    for (const [name, member] of Object.entries(value)) {
      const text = typeof member === "string" ? member : JSON.stringify(member);
      await terminal.print(`${terminal.style("bold", name)}  ${text}`);
    }
  }
  return EXIT.done;
}

/** Prints an answer of many values: a table for people, a line of JSON each for pipes and on request. */
export async function printValues<Value extends object>(
  values: readonly Value[],
  args: Arguments,
  terminal: Terminal,
  columns: readonly Column[],
  rowOf: (value: Value) => readonly string[],
): Promise<ExitCode> {
  if (!args.flag("json") && terminal.human) await printTable(columns, values.map(rowOf), terminal);
  else for (const value of values) await terminal.printJson(value);
  return EXIT.done;
}
