import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Language,
  type PortfolioRow,
  type PortfolioVerdict,
  portfolioCsv,
  portfolioXlsx,
  renderPortfolio,
  renderRefusal,
} from "@groundrule/report";
import { InputFileError } from "../files/input-file.ts";
import { SafeFile, toWriteError } from "../files/safe-file.ts";
import { trimPortfolioVerdict } from "../screening/results/trimmed-verdict.ts";
import type { ArchivedPages } from "./archived-page.ts";
import type { ResultRecords } from "./result-records.ts";
import type { ScreenedPlot, ScreenedPlots } from "./screened-plots.ts";
import { toDrawnGeometry } from "./screened-plots.ts";
import type { VerdictLine } from "./verdict-lines.ts";

/** Maximum plots of a page; no browser would open a larger one. */
const MOST_PLOTS = 100_000;
const INDEX = "index.html";
const REPORTS = "reports";
const REPORT_NAME = /^\d{5,6}\.html$/;

/** Counts of the written pages. */
export interface WrittenPortfolio {
  readonly plots: number;
  /** Pages of single plots: reports, and for plots without a verdict the reason. */
  readonly reports: number;
  /** Verdicts without a report, since plot or ruleset are not known. */
  readonly unreported: number;
  /** Verdicts without a report, since the named plot is not the one that was screened. */
  readonly mismatched: number;
  /** Reports of records that a second evaluation does not confirm. */
  readonly unconfirmed: number;
  /** Reports of records whose editions are not archived. */
  readonly unreplayed: number;
  /** Plots without a verdict. */
  readonly errors: number;
}

/**
 * Writes a portfolio to a folder: the page of each plot, `plots.csv`, `plots.xlsx`, and last `index.html`. Each file is
 * written completely or not at all, and if `index.html` exists, all others do. A plot without a verdict has a line and
 * a page like the others, and so has a plot of `plots` without any result.
 *
 * @param options.plots of the screened file, for verdicts without a record
 * @param options.records builds records for such verdicts
 * @param progress called after each plot
 *
 * Fails: {@link InputFileError} if the folder is not empty and `force` is not set, if a file cannot be written, and for
 * more plots than a page can list.
 */
export async function writePortfolioFolder(
  folder: string,
  lines: AsyncIterable<VerdictLine>,
  options: {
    readonly pages: ArchivedPages;
    readonly plots: ScreenedPlots | undefined;
    readonly records: ResultRecords;
    readonly language: Language;
    readonly title: string | undefined;
    readonly force: boolean;
    readonly progress: (plots: number) => void;
  },
): Promise<WrittenPortfolio> {
  const { pages, plots, records, language, title, force } = options;
  preparePortfolioFolder(folder, force);
  const rows: PortfolioRow[] = [];
  const describedSources = new Set<string>();
  const written = { reports: 0, unconfirmed: 0, unreplayed: 0, unreported: 0, mismatched: 0, errors: 0 };
  /** Writes the page of a plot, and returns true if it has one. */
  const writePage = async (
    line: VerdictLine,
    plot: ScreenedPlot | undefined,
    link: string,
  ): Promise<boolean> => {
    if ("refusal" in line || "error" in line) {
      const error = "refusal" in line ? line.refusal : line.error;
      written.errors++;
      writeReportPage(
        folder,
        link,
        renderRefusal({ id: line.id, name: plot?.name, error }, { language }),
        force,
      );
      return true;
    }
    const record = "record" in line ? line.record : records.of(line.id, line.verdict, plot);
    if (record === undefined) {
      written.unreported++;
      return false;
    }
    const { page, differs, lack } = await pages.write(record);
    if ("verdict" in line && differs.includes("input")) {
      written.mismatched++;
      return false;
    }
    writeReportPage(folder, link, page, force);
    if (differs.length > 0) written.unconfirmed++;
    if (lack !== undefined) written.unreplayed++;
    return true;
  };
  for await (const line of matchLinesWithPlots(lines, plots)) {
    if (rows.length === MOST_PLOTS) {
      throw new InputFileError(`found more than ${MOST_PLOTS} plots, which no page can show; split the file`);
    }
    const link = `${REPORTS}/${String(rows.length + 1).padStart(5, "0")}.html`;
    const hasPage = await writePage(line, line.plot, link);
    if (hasPage) written.reports++;
    const row = toPortfolioRow(line, line.plot, describedSources);
    rows.push({ ...row, ...(hasPage && { link }) });
    options.progress(rows.length);
  }
  if (rows.length === 0) throw new InputFileError("found no verdict: the file is empty");
  await writeTextFile(join(folder, "plots.csv"), portfolioCsv(rows), force);
  await writeFileInPieces(join(folder, "plots.xlsx"), portfolioXlsx(rows, { language }), force);
  if (force) removeOtherReports(folder, rows);
  const unreported = written.unreported + written.mismatched;
  await writeTextFile(
    join(folder, INDEX),
    renderPortfolio(rows, { language, title, unreported, files: ["plots.csv", "plots.xlsx"] }),
    force,
  );
  return { plots: rows.length, ...written };
}

/** Yields lines with their plots, then the plots without a line. */
async function* matchLinesWithPlots(
  lines: AsyncIterable<VerdictLine>,
  plots: ScreenedPlots | undefined,
): AsyncGenerator<VerdictLine & { readonly plot: ScreenedPlot | undefined }, void, undefined> {
  for await (const line of lines) yield { ...line, plot: plots?.take(line.id) };
  for (const plot of plots?.rest() ?? []) {
    const refusal = plot.error ?? {
      code: "NO_RESULT",
      message: "the file of plots contains this plot, but the results have no line for it",
    };
    yield { id: plot.id, refusal, plot };
  }
}

/**
 * Prepares the folder, which must be empty unless its files may be replaced; an earlier page that links to other files
 * is removed first.
 */
function preparePortfolioFolder(folder: string, force: boolean): void {
  try {
    mkdirSync(folder, { recursive: true });
    const [name] = readdirSync(folder);
    if (!force && name !== undefined) {
      throw new InputFileError(
        `${folder} already contains files, such as ${name}: name another folder, or pass --force to replace its portfolio`,
      );
    }
    rmSync(join(folder, INDEX), { force: true });
  } catch (error) {
    throw toWriteError(error, folder);
  }
}

/** Removes reports of an earlier portfolio that this one does not link to. */
function removeOtherReports(folder: string, rows: readonly PortfolioRow[]): void {
  if (!existsSync(join(folder, REPORTS))) return;
  const linked = new Set(rows.map(({ link }) => link));
  for (const name of readdirSync(join(folder, REPORTS))) {
    if (REPORT_NAME.test(name) && !linked.has(`${REPORTS}/${name}`)) rmSync(join(folder, REPORTS, name));
  }
}

/** Does not wait for the disk each time: the page that links to all reports is written last, and does. */
function writeReportPage(folder: string, link: string, page: string, force: boolean): void {
  const path = join(folder, link);
  try {
    mkdirSync(join(folder, REPORTS), { recursive: true });
    writeFileSync(path, page, { flag: force ? "w" : "wx" });
  } catch (error) {
    throw toWriteError(error, path);
  }
}

function writeTextFile(path: string, content: string, force: boolean): Promise<void> {
  return writeFileInPieces(path, [content], force);
}

async function writeFileInPieces(
  path: string,
  pieces: Iterable<string> | AsyncIterable<Uint8Array>,
  force: boolean,
): Promise<void> {
  const file = new SafeFile(path, { force });
  try {
    for await (const piece of pieces) file.write(piece);
    file.finish();
  } catch (error) {
    file.abandon();
    throw toWriteError(error, path);
  }
}

/**
 * The data of a plot that the portfolio keeps: no evidence or request, so that many fit in memory.
 *
 * @param describedSources sources whose scope an earlier plot has
 */
function toPortfolioRow(
  line: VerdictLine,
  plot: ScreenedPlot | undefined,
  describedSources: Set<string>,
): PortfolioRow {
  const named = plot?.name === undefined ? {} : { name: plot.name };
  if ("refusal" in line || "error" in line) {
    const { code, message } = "refusal" in line ? line.refusal : line.error;
    return { id: line.id, ...named, geometry: plot?.geometry, error: { code, message } };
  }
  if ("verdict" in line)
    return {
      id: line.id,
      ...named,
      geometry: plot?.geometry,
      verdict: omitKnownDescriptions(line.verdict, describedSources),
    };
  const { request, response } = line.record;
  const { geometry, crs } = request.input;
  return {
    id: line.id,
    ...named,
    geometry: toDrawnGeometry(geometry, crs) ?? plot?.geometry,
    verdict: omitKnownDescriptions(response.data, describedSources),
  };
}

/** Descriptions of sources are kept once. */
function omitKnownDescriptions(whole: PortfolioVerdict, describedSources: Set<string>): PortfolioVerdict {
  const { sources = [], ...others } = trimPortfolioVerdict(whole);
  const left = sources.flatMap(({ scope, ...source }) => {
    const isNew = scope !== undefined && !describedSources.has(source.source_name);
    if (isNew) describedSources.add(source.source_name);
    const isDoubtful = Object.keys(source).length > 1;
    return isDoubtful || isNew ? { ...source, ...(isNew && { scope }) } : [];
  });
  return { ...others, ...(left.length > 0 && { sources: left }) };
}
