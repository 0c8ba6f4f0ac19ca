import { basename } from "node:path";
import { parseRuleset } from "@groundrule/engine/rulesets";
import type { Arguments } from "../../command-line/arguments.ts";
import { commandText } from "../../command-line/command-words.ts";
import { dataWords } from "../../command-line/data-words.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";
import { type NeededMember, type NeededSource, neededSources } from "../../data/needed-sources.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { renderTable } from "../../terminal/table.ts";
import { printable, type Terminal } from "../../terminal/terminal.ts";
import { ageInDays } from "../../words/edition-text.ts";
import { figures } from "../../words/figures.ts";
import { type NextCommand, nextCommands, placeholdersIn } from "../../words/next-commands.ts";

/**
 * Lists what a ruleset needs, and what to run next.
 *
 * @param name of the ruleset: a file, or a preset
 *
 * Fails: as `readRuleset`, `parseRuleset` and `neededSources`.
 */
export async function listNeeded(name: string, args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const now = new Date().toISOString();
  const ruleset = parseRuleset(readRuleset(name));
  const needed = neededSources(ruleset, dataFolder(args), now);
  const data = dataWords(args);
  const next = nextCommands(needed, data);
  const counted = (wanted: NeededSource["state"]) => needed.filter(({ state }) => state === wanted).length;
  const counts = {
    needed: needed.length,
    here: counted("here"),
    failed: counted("failed"),
    missing: counted("missing"),
  };
  if (args.flag("json") || !terminal.human) {
    for (const each of needed) await terminal.printJson(withAges(each, now));
    await terminal.printJson({
      summary: { ruleset: name, ...counts, next: next.map(({ command }) => command) },
    });
    return EXIT.done;
  }
  if (needed.length > 0) {
    const [titles, ...lines] = renderTable(
      COLUMNS,
      needed.flatMap((each) => rowsOf(each, now)),
      terminal.columns,
    );
    await terminal.print(terminal.style("bold", titles!));
    for (const line of lines) await terminal.print(line);
  }
  for (const line of closing(name, counts, next, data)) await terminal.print(printable(line));
  return EXIT.done;
}

const COLUMNS = [
  { title: "source", cutLast: true },
  { title: "state" },
  { title: "age", align: "right" },
  { title: "bytes", align: "right" },
  { title: "manifest" },
] as const;

function rowsOf(need: NeededSource, now: string): string[][] {
  const { source_name, state, sources } = need;
  const rows = sources.map((each) => rowOf(each, now));
  if (sources.length === 1 && sources[0]!.source_name === source_name) return rows;
  const none = sources.length === 0 ? "none brings it" : "";
  return [[source_name, state, "", "", none], ...rows.map(([name, ...cells]) => [`  ${name}`, ...cells])];
}

function rowOf({ source_name, state, live, manifest, ...dates }: NeededMember, now: string): string[] {
  const { observed_until, collected_at_latest, overdue } = dates;
  const age = live ? "live" : ageInDays(observed_until ?? collected_at_latest, Date.parse(now));
  const bytes =
    manifest === undefined ? "" : manifest.bytes === null ? "unknown" : figures.decimal(manifest.bytes, 0);
  const path = manifest === undefined ? "" : basename(manifest.path, ".json");
  return [source_name, overdue ? "overdue" : state, age, bytes, path];
}

function withAges(need: NeededSource, now: string): object {
  const sources = need.sources.map((each) => {
    const from = each.observed_until ?? each.collected_at_latest;
    return from === undefined
      ? each
      : { ...each, age_days: Number.parseInt(ageInDays(from, Date.parse(now)), 10) };
  });
  return { ...need, sources };
}

function closing(
  name: string,
  counts: {
    readonly needed: number;
    readonly here: number;
    readonly failed: number;
    readonly missing: number;
  },
  next: readonly NextCommand[],
  data: readonly string[],
): string[] {
  const { needed, here, failed, missing } = counts;
  const ready = commandText(["screen", "--ruleset", name, ...data]);
  if (needed === 0) return [`${name} needs no source. Next: ${ready} PLOTS`];
  const others = [failed > 0 && `${failed} failed`, missing > 0 && `${missing} missing`].filter(Boolean);
  const sum = `${name} needs ${needed}: ${[`${here} here`, ...others].join(", ")}`;
  if (next.length === 0) return [`${sum}. Next: ${ready} PLOTS`];
  return [
    `${sum}. Next:`,
    ...next.flatMap(({ command, notes }) => [`  ${command}`, ...notes.map((note) => `      ${note}`)]),
    ...placeholdersIn(next),
  ];
}
