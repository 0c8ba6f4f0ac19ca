import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VerdictRecord } from "@groundrule/engine/records";
import { LANGUAGES, type Language } from "@groundrule/report";
import { type Arguments, UsageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { InputFileError } from "../input-file.ts";
import { readPlotFeatures } from "../plot-features.ts";
import { counted } from "../plot-fixes/change-tally.ts";
import { READ_OPTIONS } from "../read-options.ts";
import { readRecords } from "../record-file.ts";
import { ArchivedPages } from "../report/archived-page.ts";
import { drawnGeometry, type NamedPlot, writePortfolio } from "../report/portfolio-folder.ts";
import { readVerdicts, recordOfAnswer } from "../report/verdict-lines.ts";
import { CRS_OPTION } from "../spatial-options.ts";
import { printable, type Terminal } from "../terminal.ts";

export const reportCommand: Command = {
  path: "report",
  summary: "Turn recorded verdicts into HTML pages to read, print and file",
  operands: "FILE",
  operandCount: [1, 1],
  options: [
    { name: "id", value: "ID", help: "id of the plot, when FILE contains several records" },
    {
      name: "request",
      value: "REQUEST",
      help: "FILE is an answer of /v1/evaluate, and REQUEST the body that asked",
    },
    { name: "language", value: "LANG", help: `${LANGUAGES.join(", ")} (default en)` },
    { name: "out", value: "PAGE", help: "file to write the page to (default: standard output)" },
    {
      name: "portfolio",
      value: "DIR",
      help: "write a page on all plots to DIR, with CSV, XLSX and each report",
    },
    {
      name: "plots",
      value: "PLOTS",
      help: "with --portfolio: the file that was screened, for places and names",
    },
    { name: "title", value: "TEXT", help: "with --portfolio: what its page is called" },
    { name: "force", help: "with --portfolio: replace the portfolio that DIR holds" },
    CRS_OPTION,
    ...READ_OPTIONS,
  ],
  details: [
    "Writes one self-contained HTML page that prints on A4: maps, each check with what it compared, the evidence, the sources with their editions and licences, and the steps that reproduce the verdict. FILE is a record of evaluate or screen, a folder of them, or a decision as GET /v1/decisions/{id} answers it.",
    "First evaluates the request again on the archived editions; the page says whether the verdict is the same. When an edition is not archived, the page shows the record alone and says so. Exits with 1 when a record is not confirmed.",
    "--portfolio DIR writes DIR/index.html, a page on all plots of FILE with counts, a map, and a table that filters and sorts offline; plots.csv and plots.xlsx beside it; and reports/00001.html and so on, the report of each record. FILE may then also hold results of screen as JSON lines, which have no reports of their own: name their plots with --plots.",
  ],
  run(args, terminal) {
    const language = languageOf(args);
    const folder = args.find("portfolio");
    return folder === undefined
      ? onePage(args, terminal, language)
      : portfolio(args, terminal, { folder, language });
  },
};

function languageOf(args: Arguments): Language {
  const named = args.find("language") ?? "en";
  const language = LANGUAGES.find((each) => each === named);
  if (language === undefined) {
    throw new UsageError(`found --language "${named}", expected one of ${LANGUAGES.join(", ")}`);
  }
  return language;
}

async function onePage(args: Arguments, terminal: Terminal, language: Language): Promise<ExitCode> {
  refuseBeside(args, ["plots", "title", "force"], "without --portfolio, which they are for");
  const path = args.operands[0]!;
  const request = args.find("request");
  const record =
    request === undefined ? await findRecord(path, args.find("id")) : recordOfAnswer(path, request);
  const { page, differs, lack } = await new ArchivedPages(dataFolder(args), language).write(record);
  const out = args.find("out");
  if (out === undefined) await terminal.print(page.trimEnd());
  else writeFileSync(out, page);
  if (lack !== undefined) terminal.note(`${printable(lack)} The page shows the record alone.`);
  if (differs.length === 0) return EXIT.done;
  terminal.note(
    `the record is not confirmed, its ${differs.join(", ")} differs; run groundrule replay for details`,
  );
  return EXIT.failOn;
}

function refuseBeside(args: Arguments, names: readonly string[], why: string): void {
  const found = names.find((name) => (name === "force" ? args.flag(name) : args.find(name) !== undefined));
  if (found !== undefined) throw new UsageError(`found --${found} ${why}`);
}

/** The record of a plot; the only one where no plot is named. */
async function findRecord(path: string, id: string | undefined): Promise<VerdictRecord> {
  let found: VerdictRecord | undefined;
  for await (const line of readRecords(path)) {
    if (id !== undefined && String(line.id) !== id) continue;
    if ("error" in line)
      throw new InputFileError(`${path}: ${line.error.message}${hint(line.error.message)}`);
    if (found !== undefined) {
      throw new UsageError(
        `${path} contains several records${id === undefined ? "; choose one with --id, or write all with --portfolio" : ` of "${id}"`}`,
      );
    }
    found = line.record;
    if (id !== undefined) break;
  }
  if (found !== undefined) return found;
  throw new InputFileError(`${path} contains no record${id === undefined ? "" : ` of "${id}"`}`);
}

/** What lacks its request may be an answer, or a result of screening. */
function hint(message: string): string {
  return message.includes('at "/request"')
    ? "; for an answer of /v1/evaluate name its body with --request; evaluate and screen write records with --record"
    : "";
}

async function portfolio(
  args: Arguments,
  terminal: Terminal,
  { folder, language }: { readonly folder: string; readonly language: Language },
): Promise<ExitCode> {
  refuseBeside(args, ["id", "request", "out"], "beside --portfolio, which writes every plot to its folder");
  const path = args.operands[0]!;
  const plots = await namedPlots(args, terminal);
  const written = await writePortfolio(folder, readVerdicts(path), {
    pages: new ArchivedPages(dataFolder(args), language),
    plots,
    language,
    title: args.find("title"),
    force: args.flag("force"),
    progress: (count) => terminal.progress(() => `${counted(count, "plot")} written`),
  });
  terminal.clearProgress();
  tellWritten(terminal, folder, written);
  return written.unconfirmed > 0 ? EXIT.failOn : EXIT.done;
}

function tellWritten(
  terminal: Terminal,
  folder: string,
  written: Awaited<ReturnType<typeof writePortfolio>>,
): void {
  const { plots, reports, unconfirmed, unreplayed, errors } = written;
  terminal.note(
    `${counted(plots, "plot")} in ${join(folder, "index.html")}, plots.csv and plots.xlsx; ${counted(reports, "report")} in ${join(folder, "reports")}`,
  );
  if (errors > 0) terminal.note(`${counted(errors, "plot")} without a verdict; the table says why`);
  if (reports === 0) {
    terminal.note("results have no reports of their own: screen with --record, and pass its folder");
  }
  if (unreplayed > 0) {
    terminal.note(`${counted(unreplayed, "report")} of editions that are not archived show the record alone`);
  }
  if (unconfirmed > 0) {
    terminal.note(
      `${counted(unconfirmed, "record")} not confirmed by a second evaluation; run groundrule replay for details`,
    );
  }
}

/** Plots of the file that `--plots` names, by id. */
async function namedPlots(args: Arguments, terminal: Terminal): Promise<ReadonlyMap<string, NamedPlot>> {
  const plots = new Map<string, NamedPlot>();
  const path = args.find("plots");
  if (path === undefined) return plots;
  const crs = args.find("crs");
  for await (const plot of readPlotFeatures(args, terminal, path)) {
    if ("error" in plot) continue;
    const { id, geometry, properties } = plot;
    plots.set(String(id), { name: nameIn(properties), geometry: drawnGeometry(geometry, crs ?? plot.crs) });
  }
  return plots;
}

/** Under which names files keep the name of a plot. */
const NAMES = ["name", "Name", "NAME", "ProductionPlace", "nome", "nombre", "title"];

function nameIn(properties: Readonly<Record<string, unknown>>): string | undefined {
  return NAMES.map((name) => properties[name]).find(
    (value): value is string => typeof value === "string" && value !== "",
  );
}
