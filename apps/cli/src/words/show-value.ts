import type { Arguments } from "../command-line/arguments.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Prints an answer of one value: its members line by line for people, JSON for pipes and on request. */
export async function showValue(value: object, args: Arguments, terminal: Terminal): Promise<void> {
  if (args.flag("json") || !terminal.human) {
    await terminal.printJson(value);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const text = typeof member === "string" ? member : JSON.stringify(member);
    await terminal.print(`${terminal.style("bold", name)}  ${text}`);
  }
}
