import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crsTable } from "@groundrule/crs";
import type { VerdictRecord } from "@groundrule/engine/records";
import {
  gatherMaterial,
  LANGUAGES,
  type Language,
  type ReportOptions,
  renderRefusal,
  renderStamp,
} from "@groundrule/report";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT, type ExitCode } from "../../command-line/exit-code.ts";
import { requireFileEnding } from "../../command-line/output-format.ts";
import { readCoverageOptions, STRICT_COVERAGE_OPTION } from "../../data/command-data.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { InputFileError } from "../../files/input-file.ts";
import { type Refusal, readRecordLines } from "../../files/record-file.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { POINT_AREA_OPTION, readJudgeOptions } from "../../plots/judged-plots.ts";
import { ID_OPTION, PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { AS_SUBMITTED_OPTION } from "../../plots/submitted-plots.ts";
import { ArchivedPages } from "../../report/archived-page.ts";
import { findErrorsFile, mergeErrorLines } from "../../report/error-lines.ts";
import { writePortfolioFolder } from "../../report/portfolio-folder.ts";
import { ResultRecords } from "../../report/result-records.ts";
import { readScreenedPlots } from "../../report/screened-plots.ts";
import { readVerdictLines, toRecord } from "../../report/verdict-lines.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { formatCount } from "../../words/change-tally.ts";
import { formatPlotName } from "../../words/plot-name.ts";

export const reportCommand: Command = {
  summary: "Turn recorded verdicts into HTML pages to read, print and file",
  examples: [
    "record.ndjson --language pt --out report.html",
    "verdicts.ndjson --portfolio season --plots plots.geojson",
  ],
  operands: "FILE",
  options: [
    defineOption(
      "id ID",
      "id of the plot, when FILE contains several records; with --plots: column of the ids in PLOTS",
    ),
    defineOption(
      "request REQUEST",
      "FILE is a response of /v1/evaluate, and REQUEST is the body of its request",
    ),
    defineOption("language LANG", `${LANGUAGES.join(", ")} (default en)`),
    defineOption(
      "with-ruleset",
      "print the ruleset as it was sent, which is else in a closed box on the screen",
    ),
    defineOption("out PAGE", "file for the page (default: standard output)"),
    defineOption(
      "stamp SVG",
      "file for a card of 600 by 315 pixels with the verdict; the page is then written to --out only",
    ),
    defineOption("portfolio DIR", "write a page on all plots to DIR, with CSV, XLSX and each report"),
    defineOption(
      "plots PLOTS",
      "with --portfolio: the file that was screened, from which the page takes places and names",
    ),
    defineOption(
      "ruleset FILE",
      "with --plots: the ruleset that gave the results, for their reports; not needed for presets",
    ),
    defineOption("errors FILE", "with --portfolio: the error lines that screen --errors wrote beside FILE"),
    defineOption("title TEXT", "with --portfolio: the title of its page"),
    defineOption("force", "with --portfolio: replace the portfolio in DIR"),
    CRS_OPTION,
    ...PLOT_READ_OPTIONS.filter(({ name }) => name !== ID_OPTION.name),
    POINT_AREA_OPTION,
    AS_SUBMITTED_OPTION,
    STRICT_COVERAGE_OPTION,
  ],
  details: [
    "Writes one self-contained HTML page that prints on A4: maps, each check with the values it compared, the evidence, the sources with their editions and licences, and the steps that reproduce the verdict. FILE is a record of evaluate or screen, a folder of them, or a decision as GET /v1/decisions/{id} returns it.",
    "First evaluates the request again on the archived editions; the page says whether the verdict is the same. When an edition is not archived, the page shows the record alone and says so. Exits with 1 when a record is not confirmed.",
    "--portfolio DIR writes DIR/index.html, a page on all plots of FILE with counts, a map, and a table that filters and sorts offline; plots.csv and plots.xlsx beside it; and reports/00001.html and so on, the page of each plot. A plot without a verdict has a row and a page that says why. With --portfolio, FILE may also hold results of screen as JSON lines: name their plots with --plots and, unless it is a preset, their ruleset with --ruleset, and each plot is evaluated again for its report; repeat --point-area-ha, --as-submitted and --strict-coverage as they were used with screen. The page also lists plots of --plots that FILE lacks, and the error lines of --errors, by default those that FILE.run.json names.",
  ],
  run(args, terminal) {
    const language = args.findChoice("language", LANGUAGES, `one of ${LANGUAGES.join(", ")}`) ?? "en";
    const folder = args.find("portfolio");
    return folder === undefined
      ? reportOnePlot(args, terminal, language)
      : reportPortfolio(args, terminal, { folder, language });
  },
};

async function reportOnePlot(args: Arguments, terminal: Terminal, language: Language): Promise<ExitCode> {
  refuseInapplicableOptions(
    args,
    ["plots", "ruleset", "errors", "title", "force"],
    "without --portfolio, which they need",
  );
  const [out, stamp] = [args.find("out"), args.find("stamp")];
  requireFileEnding("out", out, ["html", "htm"]);
  requireFileEnding("stamp", stamp, ["svg"]);
  const path = args.operands[0]!;
  const request = args.find("request");
  const found = request === undefined ? await findPlotRecord(path, args.find("id")) : toRecord(path, request);
  const write = async (page: string): Promise<void> => {
    if (out === undefined && stamp !== undefined) return;
    if (out === undefined) await terminal.print(page.trimEnd());
    else writeFileSync(out, page);
  };
  if ("error" in found) {
    if (stamp !== undefined) throw new InputFileError(`${path}: a plot without a verdict has no stamp`);
    await write(renderRefusal(found, { language }));
    const { code, message } = found.error;
    terminal.note(
      `${formatPlotName(toPrintable(String(found.id)))} got no verdict: ${toPrintable(message)} (${code})`,
    );
    return EXIT.done;
  }
  const { page, differs, lack } = await new ArchivedPages(
    getDataFolder(args),
    readPageOptions(args, language),
  ).write(found);
  await write(page);
  if (stamp !== undefined)
    writeFileSync(stamp, renderStamp(found, gatherMaterial(found, { crs: crsTable }), { language }));
  if (lack !== undefined) {
    const shown = out === undefined && stamp !== undefined ? "stamp" : "page";
    terminal.note(`${toPrintable(lack)} The ${shown} shows the record alone.`);
  }
  if (differs.length === 0) return EXIT.done;
  terminal.note(
    `the record is not confirmed, its ${differs.join(", ")} differs; run groundrule replay for details`,
  );
  return EXIT.failOn;
}

function readPageOptions(args: Arguments, language: Language): ReportOptions {
  return { language, withRuleset: args.flag("with-ruleset") };
}

function refuseInapplicableOptions(args: Arguments, names: readonly string[], why: string): void {
  const found = names.find((name) => (name === "force" ? args.flag(name) : args.find(name) !== undefined));
  if (found !== undefined) throw new UsageError(`found --${found} ${why}`);
}

/** The record of a plot, or why it has none; the only one where no plot is named. */
async function findPlotRecord(path: string, id: string | undefined): Promise<VerdictRecord | Refusal> {
  let found: VerdictRecord | Refusal | undefined;
  for await (const line of readRecordLines(path)) {
    if (id !== undefined && String(line.id) !== id) continue;
    if ("error" in line)
      throw new InputFileError(`${path}: ${line.error.message}${formatRecordHint(line.error.message)}`);
    if (found !== undefined) {
      throw new UsageError(
        `${path} contains several records${id === undefined ? "; choose one with --id, or write all with --portfolio" : ` of "${id}"`}`,
      );
    }
    found = "refusal" in line ? { id: line.id, error: line.refusal } : line.record;
    if (id !== undefined) break;
  }
  if (found !== undefined) return found;
  throw new InputFileError(`${path} contains no record${id === undefined ? "" : ` of "${id}"`}`);
}

/** A record without its request may be an answer, or a result of screening. */
function formatRecordHint(message: string): string {
  return message.includes('at "/request"')
    ? "; for a response of /v1/evaluate name the body of its request with --request; results of screen need --portfolio DIR; evaluate and screen write records with --record"
    : "";
}

async function reportPortfolio(
  args: Arguments,
  terminal: Terminal,
  { folder, language }: { readonly folder: string; readonly language: Language },
): Promise<ExitCode> {
  const ofOne =
    args.find("plots") === undefined ? ["id", "request", "out", "stamp"] : ["request", "out", "stamp"];
  refuseInapplicableOptions(args, ofOne, "beside --portfolio, which writes every plot to its folder");
  const path = args.operands[0]!;
  const ruleset = args.find("ruleset");
  const records = new ResultRecords({
    ruleset: ruleset === undefined ? undefined : readRuleset(ruleset),
    strictCoverage: readCoverageOptions(args).strictCoverage === true,
  });
  const plots = args.find("plots");
  const errors = args.find("errors") ?? findErrorsFile(path);
  const lines = readVerdictLines(path);
  const written = await writePortfolioFolder(
    folder,
    errors === undefined ? lines : mergeErrorLines(lines, errors),
    {
      pages: new ArchivedPages(getDataFolder(args), readPageOptions(args, language)),
      plots:
        plots === undefined
          ? undefined
          : await readScreenedPlots(plots, readJudgeOptions(args), args, terminal),
      records,
      language,
      title: args.find("title"),
      force: args.flag("force"),
      progress: (count) => terminal.progress(() => `${formatCount(count, "plot")} written`),
    },
  );
  terminal.clearProgress();
  printWrittenPortfolio(terminal, folder, written);
  return written.unconfirmed > 0 ? EXIT.failOn : EXIT.done;
}

function printWrittenPortfolio(
  terminal: Terminal,
  folder: string,
  written: Awaited<ReturnType<typeof writePortfolioFolder>>,
): void {
  const { plots, reports, unreported, mismatched, unconfirmed, unreplayed, errors } = written;
  terminal.note(
    `${formatCount(plots, "plot")} in ${join(folder, "index.html")}, plots.csv and plots.xlsx; ${formatCount(reports, "page")} of single plots in ${join(folder, "reports")}`,
  );
  if (errors > 0) terminal.note(`${formatCount(errors, "plot")} without a verdict; the table says why`);
  if (unreported > 0) {
    terminal.note(
      `${formatCount(unreported, "plot")} without a report, because results contain neither plots nor rulesets: name them with --plots and --ruleset, or screen with --record and pass its folder`,
    );
  }
  if (mismatched > 0) {
    terminal.note(
      `${formatCount(mismatched, "plot")} without a report, because the plot with that id in --plots is not the plot that was screened`,
    );
  }
  if (unreplayed > 0) {
    terminal.note(
      `${formatCount(unreplayed, "report")} show the record alone, because their editions are not archived`,
    );
  }
  if (unconfirmed > 0) {
    terminal.note(
      `${formatCount(unconfirmed, "record")} not confirmed by a second evaluation; run groundrule replay for details`,
    );
  }
}
