import { formatRuleset } from "@groundrule/engine/rulesets";
import type { Arguments } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { parseJsonInput, readInputBytes } from "../../files/input-file.ts";
import { readRuleset, requireRulesetForm } from "../../files/ruleset-file.ts";
import type { Terminal } from "../../terminal/terminal.ts";

export const rulesetsFormatCommand: Command = {
  summary: "Print a ruleset with its filters as text or as JSON",
  operands: "[FILE]",
  options: [defineOption("as FORM", 'notation of each "where": text or json', { required: true })],
  details: [
    "Reads a ruleset from FILE (- or no FILE for standard input; preset.NAME for a preset) and prints all of it, indented, or on one line with --json. text is CQL2-Text, json is CQL2-JSON. Sources are not looked up, and the ruleset's digest stays the same.",
  ],
  run: runFormatCommand,
};

async function runFormatCommand(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const as = args.findChoice("as", ["text", "json"])!;
  const formatted = formatRuleset(await readNamedFile(args.operands[0], terminal), { as });
  await terminal.print(args.flag("json") ? JSON.stringify(formatted) : formatReadableJson(formatted));
  return EXIT.done;
}

async function readNamedFile(path: string | undefined, terminal: Terminal): Promise<object> {
  if (path !== undefined && path !== "-") return readRuleset(path);
  const chunks: Uint8Array[] = [];
  for await (const chunk of readInputBytes(path, terminal)) chunks.push(chunk);
  return requireRulesetForm(parseJsonInput(Buffer.concat(chunks), "standard input"), "standard input");
}

/** Columns that a line may take. */
const WIDTH = 100;

/** JSON for people to read and edit: what fits on a line stands on one. */
function formatReadableJson(value: unknown): string {
  return formatJsonAfter("", value, "");
}

/**
 * @param before what stands before the value on its line, the indent left out: the name of a member
 */
function formatJsonAfter(before: string, value: unknown, indent: string): string {
  const line = before + formatOnOneLine(value);
  // A comma may follow.
  if (typeof value !== "object" || value === null || indent.length + line.length < WIDTH) return line;
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((item) => formatJsonAfter("", item, inner))
    : Object.entries(value).map(([name, member]) =>
        formatJsonAfter(`${JSON.stringify(name)}: `, member, inner),
      );
  const [open, close] = isArray ? "[]" : "{}";
  return `${before}${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function formatOnOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatOnOneLine).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${formatOnOneLine(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
