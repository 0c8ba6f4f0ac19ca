import { listedSource } from "@groundrule/contract";
import type { SourceEntry } from "@groundrule/engine";
import { listSources } from "@groundrule/node";
import type { Arguments } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { readStoredParts } from "../../data/snapshot-files.ts";
import { printTable } from "../../terminal/table.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { formatAgeInDays } from "../../words/edition-text.ts";
import { formatFictionalNote } from "../../words/fictional-note.ts";

export const sourcesListCommand: Command = {
  summary: "List the sources and groups in the data folder",
  examples: ["--needed-by preset.eudr"],
  options: [
    defineOption("needed-by RULESET", "list what this ruleset needs: a JSON file, or preset.NAME[@VERSION]"),
  ],
  details: [
    'With --needed-by, lists the sources and groups that the ruleset names, here or missing, with the age of what is here; of what is missing, the manifest that brings it and its bytes, as far as the manifest knows. Then it prints the commands to run next. In a pipe, prints one JSON line for each, and {"summary": …} last.',
    'The manifest declares the coverage, or it is assumed from the countries that the areas name ("derived" in JSON). A source of undeclared coverage is assumed to cover every plot.',
    'A source is overdue when it is older than the "refresh_interval_days" of its manifest, or when its age is not known: it has no day of collection, or one in the future. Its age counts from that day, or from the last day that its data speak of, if its manifest tells that (observed_until).',
    "A fictional source contains invented areas or records. Below the table are the members of groups, and for a source that contains only a part of its theme, that part.",
    "A source is failed when the file of its edition is missing; sources verify checks the content of the files. A pinned source stays on its edition: see sources use.",
  ],
  run: runListCommand,
};

async function runListCommand(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const ruleset = args.find("needed-by");
  if (ruleset !== undefined) {
    const { printNeededSources: listNeeded } = await import("./list-needed.ts");
    return listNeeded(ruleset, args, terminal);
  }
  const now = new Date().toISOString();
  const dir = getDataFolder(args);
  const stored = readStoredParts(dir);
  const listed = listSources(dir);
  const note = formatFictionalNote(listed, dir);
  if (note !== undefined) terminal.note(note);
  const entries = listed.map((entry) => ({
    ...listedSource(entry, now),
    ...stored.get(entry.source_name),
  }));
  if (args.flag("json") || !terminal.human) {
    for (const entry of entries) await terminal.printJson(entry);
    return EXIT.done;
  }
  const rows = entries.map((entry) => [
    entry.live === true ? "live" : entry.kind === "subject_register" ? "register" : entry.kind,
    entry.source_name,
    entry.live === true ? "" : String(entry.feature_count),
    (entry.edition ?? "").slice(0, 8),
    formatAgeInDays(entry, now),
    coverageInWords(entry),
    [
      entry.failed && "failed",
      entry.fictional && "fictional",
      entry.overdue && "overdue",
      entry.is_pinned && "pinned",
    ]
      .filter(Boolean)
      .join(" "),
    entry.source_dataset === entry.source_name
      ? (entry.supported_schemes?.join(" ") ?? "")
      : entry.source_dataset,
  ]);
  const columns = [
    { title: "kind" },
    { title: "source", cutLast: true },
    { title: "count", align: "right" },
    { title: "edition" },
    { title: "age", align: "right" },
    { title: "coverage" },
    { title: "state", cutLast: true },
    { title: "data set" },
  ] as const;
  // A narrow terminal has room for the coverage, but not for kind and title as well.
  const [from, to] = terminal.columns < WIDE ? [1, columns.length - 1] : [0, columns.length];
  const shown = columns.slice(from, to);
  const cells = rows.map((row) => row.slice(from, to));
  await printTable(shown, cells, terminal);
  for (const line of entries.flatMap(listSourceNotes)) await terminal.print(toPrintable(line));
  return EXIT.done;
}

/** Facts for which no column has room. */
function listSourceNotes({ source_name, members, scope }: SourceEntry): readonly string[] {
  if (members !== undefined) return [`group ${source_name}: ${members.join(", ")}`];
  return scope === undefined ? [] : [`${source_name} holds: ${scope}`];
}

const WIDE = 100;

/** A source's coverage and how it is known, in at most 17 characters, which fit into 80 columns. */
function coverageInWords({ coverage, country_coverage = [] }: SourceEntry): string {
  if (coverage === undefined) return "";
  const { extent } = coverage;
  const known = coverage.known === "derived" ? "assumed" : (coverage.known ?? "");
  if (extent !== "countries") return `${extent} ${known}`.trimEnd();
  const { length } = country_coverage;
  return `${length <= 2 ? country_coverage.join(" ") : `${length} codes`} ${known}`;
}
