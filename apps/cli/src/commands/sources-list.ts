import { listedSource } from "@groundrule/contract";
import type { SourceEntry } from "@groundrule/engine";
import { listSources } from "@groundrule/node";
import type { Arguments } from "../arguments.ts";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { renderTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

export const sourcesListCommand: Command = {
  path: "sources list",
  summary: "List the sources and groups in the data folder",
  operands: "",
  operandCount: [0, 0],
  options: [],
  details: [
    "A coverage is declared by the manifest, or derived from the countries that the areas tell. A source of undeclared coverage is assumed to cover every plot.",
    'A source is overdue when it is older than the "refresh_interval_days" of its manifest, or when nobody knows when it was collected.',
  ],
  run: listCommand,
};

async function listCommand(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const now = new Date().toISOString();
  const entries = listSources(dataFolder(args)).map((entry) => listedSource(entry, now));
  if (args.flag("json") || !terminal.human) {
    for (const entry of entries) await terminal.printJson(entry);
    return EXIT.done;
  }
  const rows = entries.map((entry) => [
    entry.source_name,
    entry.kind === "subject_register" ? "register" : entry.kind,
    String(entry.feature_count),
    [entry.overdue ? "overdue" : "", entry.collected_at_latest?.slice(0, 10) ?? ""].filter(Boolean).join(" "),
    coverageInWords(entry),
    entry.source_dataset === entry.source_name
      ? (entry.supported_schemes?.join(" ") ?? "")
      : entry.source_dataset,
  ]);
  const columns = [
    { title: "source", cutLast: true },
    { title: "kind" },
    { title: "features", align: "right" },
    { title: "collected", align: "right" },
    { title: "coverage" },
    { title: "data set" },
  ] as const;
  // A narrow terminal has room for where a source speaks or for its title, not for both.
  const shown = terminal.columns < WIDE ? columns.slice(0, -1) : columns;
  const cells = rows.map((row) => row.slice(0, shown.length));
  const [titles, ...lines] = renderTable(shown, cells, terminal.columns);
  await terminal.print(terminal.style("bold", titles!));
  for (const line of lines) await terminal.print(line);
  return EXIT.done;
}

const WIDE = 100;

/** Where a source speaks, and how that is known, in at most 17 characters, which 80 columns have room for. */
function coverageInWords({ coverage, country_coverage = [] }: SourceEntry): string {
  if (coverage === undefined) return "";
  const { extent, known = "" } = coverage;
  if (extent !== "countries") return `${extent} ${known}`.trimEnd();
  const { length } = country_coverage;
  return `${length <= 2 ? country_coverage.join(" ") : `${length} codes`} ${known}`;
}
