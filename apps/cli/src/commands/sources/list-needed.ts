import { basename } from "node:path";
import { compareStrings } from "@groundrule/engine/internal";
import { parseRuleset } from "@groundrule/engine/rulesets";
import type { Arguments } from "../../command-line/arguments.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { buildDataWords, formatCommandText, quoteShellWord } from "../../data/command-words.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import {
  type BringingManifest,
  listNeededSources,
  type NeededMember,
  type NeededSource,
  type SourceState,
} from "../../data/needed-sources.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { printTable } from "../../terminal/table.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";

/**
 * Lists the sources a ruleset needs, and the commands to run next.
 *
 * @param name of the ruleset: a file, or a preset
 *
 * Fails: as `readRuleset`, `parseRuleset` and `listNeededSources`.
 */
export async function printNeededSources(
  name: string,
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const ruleset = parseRuleset(readRuleset(name));
  const needed = listNeededSources(ruleset, getDataFolder(args), new Date().toISOString());
  const data = buildDataWords(args);
  const next = listNextCommands(needed, data);
  const counts = STATES.map(
    (wanted) => [wanted, needed.filter(({ state }) => state === wanted).length] as const,
  );
  if (args.flag("json") || !terminal.human) {
    for (const each of needed) await terminal.printJson(each);
    const summary = { ruleset: name, needed: needed.length, ...Object.fromEntries(counts) };
    await terminal.printJson({ summary: { ...summary, next: next.map(({ command }) => command) } });
    return EXIT.done;
  }
  if (needed.length > 0) await printTable(COLUMNS, needed.flatMap(buildNeededSourceRows), terminal);
  const found = counts.filter(([sourceState, count]) => sourceState === "here" || count > 0);
  const alone = needed.filter(({ state, sources }) => state === "missing" && sources.length === 0).length;
  const sum =
    needed.length === 0
      ? `${name} needs no source`
      : `${name} needs ${needed.length}: ${found.map(([sourceState, count]) => `${count} ${sourceState}`).join(", ")}${alone === 0 ? "" : `, ${alone} of which no manifest brings`}`;
  await terminal.print(toPrintable(`${sum}. Next:`));
  for (const { command, notes } of next)
    for (const line of [`  ${command}`, ...notes.map((note) => `      ${note}`)])
      await terminal.print(toPrintable(line));
  await terminal.print(toPrintable(`  ${formatCommandText(["screen", "--ruleset", name, ...data])} PLOTS`));
  for (const line of describePlaceholders(next)) await terminal.print(line);
  return EXIT.done;
}

const STATES = ["here", "unfit", "failed", "missing"] as const satisfies readonly SourceState[];

const COLUMNS = [
  { title: "source", cutLast: true },
  { title: "state" },
  { title: "age", align: "right" },
  { title: "bytes", align: "right" },
  { title: "manifest" },
] as const;

/** A row for each named source or group, and below a group one for each of its sources. */
function buildNeededSourceRows({ source_name, state, sources }: NeededSource): string[][] {
  const rows = sources.map(buildNeededMemberRow);
  if (sources.length === 1 && sources[0]!.source_name === source_name) return rows;
  const none = sources.length === 0 ? "none brings it" : "";
  return [[source_name, state, "", "", none], ...rows.map(([name, ...cells]) => [`  ${name}`, ...cells])];
}

function buildNeededMemberRow({
  source_name,
  state,
  live,
  age_days,
  overdue,
  manifest,
}: NeededMember): string[] {
  const age = live ? "live" : age_days === undefined ? "" : `${age_days} d`;
  const sourceState = state === "here" && overdue ? "overdue" : state;
  if (manifest === undefined) return [source_name, sourceState, age, "", ""];
  const bytes = manifest.bytes === null ? "unknown" : figures.decimal(manifest.bytes, 0);
  return [source_name, sourceState, age, bytes, basename(manifest.path, ".json")];
}

/** A command to run next, and notes on it. */
interface NextCommand {
  /** Words in capitals are placeholders. */
  readonly command: string;
  readonly notes: readonly string[];
}

/**
 * The commands that install the missing sources of a ruleset: one sync for all that manifests cover, and a build for
 * each of the others.
 *
 * @param data words that name the data folder
 */
function listNextCommands(needed: readonly NeededSource[], data: readonly string[]): NextCommand[] {
  const members = new Map(
    needed.flatMap(({ sources }) => sources.map((each) => [each.source_name, each] as const)),
  );
  const all = [...members.values()].sort((a, b) => compareStrings(a.source_name, b.source_name));
  const synced = all.filter(isBrought).filter(({ manifest }) => manifest.by === "sync");
  const built = all.filter(isBrought).filter(({ manifest }) => manifest.by === "build");
  const again = all.filter((each) => !isBrought(each) && each.state !== "here");
  const others = needed.filter(({ state, sources }) => state === "missing" && sources.length === 0);
  return [
    ...(synced.length === 0 ? [] : [buildSyncCommand(synced, needed, data)]),
    ...built.map(({ manifest }) => ({
      command: formatCommandLine("snapshot", "build", "--manifest", manifest.path, ...data, "FILE"),
      notes: ["FILE: that of the publisher, as the manifest describes it"],
    })),
    ...again.map(({ source_name, reason }) => ({
      command: formatCommandLine("snapshot", "build", "--source", source_name, ...data, "FILE"),
      notes: [`${source_name}: ${reason ?? "it was removed"}. The build keeps the rest of its manifest`],
    })),
    ...others.map((need) => ({ command: formatBuildCommand(need, data), notes: listBuildNotes(need, data) })),
  ];
}

/** The meaning of the placeholders in the commands, one per line. */
function describePlaceholders(next: readonly NextCommand[]): string[] {
  const text = next.flatMap(({ command, notes }) => [command, ...notes]).join("\n");
  return PLACEHOLDERS.flatMap(([word, meaning]) => (text.includes(word) ? [`${word}: ${meaning}`] : []));
}

const PLACEHOLDERS = [
  ["--countries ISO3", "the countries of your plots, e.g. BRA,COL; or --bounds=W,S,E,N in its place"],
  ["--coverage ISO3", "the countries of which the file has everything, e.g. BRA,COL; or global"],
  ["--scheme TYPE", "what its identifiers are, e.g. br:cnpj"],
  ["--value COLUMN", "the column that has them"],
  ["--id COLUMN", "the column of the publisher's ids"],
  ["--collected-at INSTANT", "when the data was collected, e.g. 2026-10-01T00:00:00Z"],
] as const;

type Brought = NeededMember & { readonly manifest: BringingManifest };

function isBrought(member: NeededMember): member is Brought {
  return member.manifest !== undefined;
}

function buildSyncCommand(
  sources: readonly Brought[],
  needed: readonly NeededSource[],
  data: readonly string[],
): NextCommand {
  const files = sources.filter(({ manifest }) => manifest.file !== undefined);
  const many = sources.filter(({ manifest }) => manifest.needs_land);
  const untested = sources.filter(({ manifest }) => manifest.untested);
  const words = [
    ...(many.length > 0 ? ["--countries", "ISO3"] : []),
    ...(files.length > 0 ? ["--from", "FOLDER"] : []),
    ...sources.map(({ source_name }) => source_name),
  ];
  const land = `${formatSourceNames(many)}: many files, of which those that meet the land are fetched; how many bytes is said before`;
  const untried = `nobody has tried these manifests on the publisher's files yet: ${formatSourceNames(untested)}`;
  return {
    command: formatCommandLine("sources", "sync", ...words, ...data),
    notes: [
      ...(many.length > 0 ? [land] : []),
      ...(untested.length > 0 ? [untried] : []),
      ...(files.length > 0 ? ["FOLDER has these files; none with another content is taken:"] : []),
      ...files.flatMap(({ manifest }) => describeBringingFile(manifest)),
      ...needed
        .filter(isOfFiles)
        .map((need) => `or, of a file that you have: ${formatBuildCommand(need, data)}`),
    ],
  };
}

/** True if it is missing, and can only be built from files that the user must provide. */
function isOfFiles({ state, sources }: NeededSource): boolean {
  return (
    state === "missing" && sources.length > 0 && sources.every(({ manifest }) => manifest?.file !== undefined)
  );
}

function describeBringingFile({ file, taken_from, changes }: BringingManifest): string[] {
  return [
    `  ${file}${taken_from === undefined ? "" : `, from ${taken_from}`}`,
    ...(changes === undefined ? [] : [`    changed since: ${changes}`]),
  ];
}

const FACTS = ["--id", "COLUMN", "--collected-at", "INSTANT"];
const AREAS = ["--coverage", "ISO3", ...FACTS];
const RECORDS = ["--kind", "subject_register", "--scheme", "TYPE", "--value", "COLUMN", ...FACTS];

const PRESET_GROUP = /^preset:(.+)$/;

/** The command that builds it from the user's own file. */
function formatBuildCommand({ source_name, kind }: NeededSource, data: readonly string[]): string {
  const [, ofGroup] = PRESET_GROUP.exec(source_name) ?? [];
  const naming = ofGroup === undefined ? [source_name] : [`my:${ofGroup}`, "--group", source_name];
  const facts = kind === "leaf" ? AREAS : RECORDS;
  return formatCommandLine("snapshot", "build", "--source", ...naming, ...facts, ...data, "FILE");
}

function listBuildNotes({ source_name, columns }: NeededSource, data: readonly string[]): string[] {
  const having =
    columns.length === 0 ? "" : `, with the column${columns.length === 1 ? "" : "s"} ${columns.join(", ")}`;
  const file = `FILE: one that you have${having}; no manifest brings ${source_name}`;
  if (!PRESET_GROUP.test(source_name)) return [file];
  return [
    file,
    `or take a source that is here: ${formatCommandLine("sources", "group", source_name, ...data)} SOURCE…`,
  ];
}

function formatSourceNames(sources: readonly NeededMember[]): string {
  return sources.map(({ source_name }) => source_name).join(", ");
}

function formatCommandLine(...words: readonly string[]): string {
  return ["groundrule", ...words.map(quoteShellWord)].join(" ");
}
