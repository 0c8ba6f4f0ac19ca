import { formatRuleset } from "@groundrule/engine/rulesets";
import type { Arguments } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { option } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { parseJson, readInput } from "../../files/input-file.ts";
import { readRuleset, requireRuleset } from "../../files/ruleset-file.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { jsonText } from "../../words/json-text.ts";

export const rulesetsFormatCommand: Command = {
  summary: "Print a ruleset with its filters as text or as JSON",
  operands: "[FILE]",
  options: [option("as FORM", 'notation of each "where": text or json', { required: true })],
  details: [
    "Reads a ruleset from FILE (- or no FILE for standard input; preset.NAME for a preset) and prints all of it, indented, or on one line with --json. text is CQL2-Text, json is CQL2-JSON. Sources are not looked up, and the ruleset's digest stays the same.",
  ],
  run: format,
};

async function format(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const as = args.findChoice("as", ["text", "json"])!;
  const formatted = formatRuleset(await readGiven(args.operands[0], terminal), { as });
  await terminal.print(args.flag("json") ? JSON.stringify(formatted) : jsonText(formatted));
  return EXIT.done;
}

async function readGiven(path: string | undefined, terminal: Terminal): Promise<object> {
  if (path !== undefined && path !== "-") return readRuleset(path);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readInput(path, terminal)) chunks.push(chunk);
  return requireRuleset(parseJson(Buffer.concat(chunks), "standard input"), "standard input");
}
