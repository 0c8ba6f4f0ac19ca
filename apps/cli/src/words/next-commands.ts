import { ascending } from "@groundrule/engine/internal";
import { shellWord } from "../command-line/command-words.ts";
import type { BringingManifest, NeededMember, NeededSource } from "../data/needed-sources.ts";

/** A command to run next, and what to know before. */
export interface NextCommand {
  /** Words in capitals are to be filled in. */
  readonly command: string;
  readonly notes: readonly string[];
}

/**
 * The commands that bring what is missing of what a ruleset needs: one sync for all that manifests bring, and a build
 * for each of the others.
 *
 * @param data words that name the data folder
 */
export function nextCommands(needed: readonly NeededSource[], data: readonly string[]): NextCommand[] {
  const members = new Map(
    needed.flatMap(({ sources }) => sources.map((each) => [each.source_name, each] as const)),
  );
  const all = [...members.values()].sort((a, b) => ascending(a.source_name, b.source_name));
  const synced = all.filter(isBrought).filter(({ manifest }) => manifest.by === "sync");
  const built = all.filter(isBrought).filter(({ manifest }) => manifest.by === "build");
  const again = all.filter((each) => !isBrought(each) && each.state !== "here");
  const others = needed.filter(({ state, sources }) => state === "missing" && sources.length === 0);
  return [
    ...(synced.length === 0 ? [] : [sync(synced, needed, data)]),
    ...built.map(({ manifest }) => ({
      command: line("snapshot", "build", "--manifest", manifest.path, ...data, "FILE"),
      notes: ["FILE: that of the publisher, as the manifest describes it"],
    })),
    ...again.map(({ source_name, reason }) => ({
      command: line("snapshot", "build", "--source", source_name, ...data, "FILE"),
      notes: [`${source_name}: ${reason ?? "it was removed"}. The build keeps the rest of its manifest`],
    })),
    ...others.map((need) => ({ command: build(need, data), notes: notesOf(need, data) })),
  ];
}

/** What the words in capitals of commands stand for, a line each. */
export function placeholdersIn(next: readonly NextCommand[]): string[] {
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

function sync(
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
  const land = `${listOf(many)}: many files, of which those that meet the land are fetched; how many bytes is said before`;
  const untried = `nobody has tried these manifests on the publisher's files yet: ${listOf(untested)}`;
  return {
    command: line("sources", "sync", ...words, ...data),
    notes: [
      ...(many.length > 0 ? [land] : []),
      ...(untested.length > 0 ? [untried] : []),
      ...(files.length > 0 ? ["FOLDER has these files; none with another content is taken:"] : []),
      ...files.flatMap(({ manifest }) => aboutFile(manifest)),
      ...needed.filter(isOfFiles).map((need) => `or, of a file that you have: ${build(need, data)}`),
    ],
  };
}

/** Whether it is missing, and comes only from files that somebody has to have. */
function isOfFiles({ state, sources }: NeededSource): boolean {
  return (
    state === "missing" && sources.length > 0 && sources.every(({ manifest }) => manifest?.file !== undefined)
  );
}

function aboutFile({ file, taken_from, changes }: BringingManifest): string[] {
  return [
    `  ${file}${taken_from === undefined ? "" : `, from ${taken_from}`}`,
    ...(changes === undefined ? [] : [`    changed since: ${changes}`]),
  ];
}

const FACTS = ["--id", "COLUMN", "--collected-at", "INSTANT"];
const AREAS = ["--coverage", "ISO3", ...FACTS];
const RECORDS = ["--kind", "subject_register", "--scheme", "TYPE", "--value", "COLUMN", ...FACTS];

const PRESET_GROUP = /^preset:(.+)$/;

/** The command that builds it from a file of somebody's own. */
function build({ source_name, kind }: NeededSource, data: readonly string[]): string {
  const [, ofGroup] = PRESET_GROUP.exec(source_name) ?? [];
  const naming = ofGroup === undefined ? [source_name] : [`my:${ofGroup}`, "--group", source_name];
  const facts = kind === "leaf" ? AREAS : RECORDS;
  return line("snapshot", "build", "--source", ...naming, ...facts, ...data, "FILE");
}

function notesOf({ source_name, columns }: NeededSource, data: readonly string[]): string[] {
  const having =
    columns.length === 0 ? "" : `, with the column${columns.length === 1 ? "" : "s"} ${columns.join(", ")}`;
  const file = `FILE: one that you have${having}; no manifest brings ${source_name}`;
  if (!PRESET_GROUP.test(source_name)) return [file];
  return [file, `or take a source that is here: ${line("sources", "group", source_name, ...data)} SOURCE…`];
}

function listOf(sources: readonly NeededMember[]): string {
  return sources.map(({ source_name }) => source_name).join(", ");
}

function line(...words: readonly string[]): string {
  return ["groundrule", ...words.map(shellWord)].join(" ");
}
