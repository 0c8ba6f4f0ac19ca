import { basename } from "node:path";
import { parseRuleset } from "@groundrule/engine/rulesets";
import type { Arguments } from "../../command-line/arguments.ts";
import { commandText } from "../../command-line/command-words.ts";
import { dataWords } from "../../command-line/data-words.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";
import {
  type NeededMember,
  type NeededSource,
  neededSources,
  type Standing,
} from "../../data/needed-sources.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { printTable } from "../../terminal/table.ts";
import { printable, type Terminal } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";
import { nextCommands, placeholdersIn } from "../../words/next-commands.ts";

/**
 * Lists what a ruleset needs, and what to run next.
 *
 * @param name of the ruleset: a file, or a preset
 *
 * Fails: as `readRuleset`, `parseRuleset` and `neededSources`.
 */
export async function listNeeded(name: string, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const ruleset = parseRuleset(readRuleset(name));
  const needed = neededSources(ruleset, dataFolder(args), new Date().toISOString());
  const data = dataWords(args);
  const next = nextCommands(needed, data);
  const counts = STANDINGS.map(
    (wanted) => [wanted, needed.filter(({ state }) => state === wanted).length] as const,
  );
  if (args.flag("json") || !terminal.human) {
    for (const each of needed) await terminal.printJson(each);
    const summary = { ruleset: name, needed: needed.length, ...Object.fromEntries(counts) };
    await terminal.printJson({ summary: { ...summary, next: next.map(({ command }) => command) } });
    return EXIT.done;
  }
  if (needed.length > 0) await printTable(COLUMNS, needed.flatMap(rowsOf), terminal);
  const found = counts.filter(([standing, count]) => standing === "here" || count > 0);
  const alone = needed.filter(({ state, sources }) => state === "missing" && sources.length === 0).length;
  const sum =
    needed.length === 0
      ? `${name} needs no source`
      : `${name} needs ${needed.length}: ${found.map(([standing, count]) => `${count} ${standing}`).join(", ")}${alone === 0 ? "" : `, ${alone} of which no manifest brings`}`;
  await terminal.print(printable(`${sum}. Next:`));
  for (const { command, notes } of next)
    for (const line of [`  ${command}`, ...notes.map((note) => `      ${note}`)])
      await terminal.print(printable(line));
  await terminal.print(printable(`  ${commandText(["screen", "--ruleset", name, ...data])} PLOTS`));
  for (const line of placeholdersIn(next)) await terminal.print(line);
  return EXIT.done;
}

const STANDINGS = ["here", "unfit", "failed", "missing"] as const satisfies readonly Standing[];

const COLUMNS = [
  { title: "source", cutLast: true },
  { title: "state" },
  { title: "age", align: "right" },
  { title: "bytes", align: "right" },
  { title: "manifest" },
] as const;

/** A row for what the ruleset names, and below a group one for each source of it. */
function rowsOf({ source_name, state, sources }: NeededSource): string[][] {
  const rows = sources.map(rowOf);
  if (sources.length === 1 && sources[0]!.source_name === source_name) return rows;
  const none = sources.length === 0 ? "none brings it" : "";
  return [[source_name, state, "", "", none], ...rows.map(([name, ...cells]) => [`  ${name}`, ...cells])];
}

function rowOf({ source_name, state, live, age_days, overdue, manifest }: NeededMember): string[] {
  const age = live ? "live" : age_days === undefined ? "" : `${age_days} d`;
  const standing = state === "here" && overdue ? "overdue" : state;
  if (manifest === undefined) return [source_name, standing, age, "", ""];
  const bytes = manifest.bytes === null ? "unknown" : figures.decimal(manifest.bytes, 0);
  return [source_name, standing, age, bytes, basename(manifest.path, ".json")];
}
