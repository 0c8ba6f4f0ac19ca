import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crsTable } from "@groundrule/crs";
import {
  type Language,
  type PortfolioRow,
  type PortfolioVerdict,
  plotOutline,
  portfolioCsv,
  portfolioXlsx,
  renderPortfolio,
} from "@groundrule/report";
import { InputFileError, unreadable } from "../input-file.ts";
import { SafeFile } from "../plot-fixes/safe-file.ts";
import type { ArchivedPages } from "./archived-page.ts";
import type { VerdictLine } from "./verdict-lines.ts";

/** A page of more would be opened by no browser. */
const MOST_PLOTS = 100_000;
const INDEX = "index.html";
const REPORTS = "reports";
const REPORT_NAME = /^\d{5,6}\.html$/;

/** A plot of the file that was screened. */
export interface NamedPlot {
  readonly name?: string | undefined;
  /** GeoJSON in longitude and latitude on WGS 84. */
  readonly geometry: unknown;
}

/** What was written. */
export interface WrittenPortfolio {
  readonly plots: number;
  readonly reports: number;
  /** Reports of records that a second evaluation does not confirm. */
  readonly unconfirmed: number;
  /** Reports of records whose editions are not archived. */
  readonly unreplayed: number;
  /** Plots without a verdict. */
  readonly errors: number;
}

/**
 * Writes a portfolio to a folder: the report of each record, `plots.csv`, `plots.xlsx`, and last `index.html`. Each
 * file is there whole or not at all, and where `index.html` is, all are.
 *
 * @param plots by id, for verdicts without a record
 * @param progress is called after each plot
 *
 * Fails: {@link InputFileError} where the folder holds anything and `force` is not set, where a file cannot be written,
 * and for more plots than a page can hold.
 */
export async function writePortfolio(
  folder: string,
  lines: AsyncIterable<VerdictLine>,
  options: {
    readonly pages: ArchivedPages;
    readonly plots: ReadonlyMap<string, NamedPlot>;
    readonly language: Language;
    readonly title: string | undefined;
    readonly force: boolean;
    readonly progress: (plots: number) => void;
  },
): Promise<WrittenPortfolio> {
  const { pages, plots, language, title, force } = options;
  prepareFolder(folder, force);
  const rows: PortfolioRow[] = [];
  const written = { reports: 0, unconfirmed: 0, unreplayed: 0, errors: 0 };
  for await (const line of lines) {
    if (rows.length === MOST_PLOTS) {
      throw new InputFileError(`found more than ${MOST_PLOTS} plots, which no page can show; split the file`);
    }
    const link = `${REPORTS}/${String(rows.length + 1).padStart(5, "0")}.html`;
    if ("record" in line) {
      const { page, differs, lack } = await pages.write(line.record);
      writeReport(folder, link, page, force);
      written.reports++;
      if (differs.length > 0) written.unconfirmed++;
      if (lack !== undefined) written.unreplayed++;
    }
    if ("error" in line) written.errors++;
    rows.push(rowOf(line, plots.get(String(line.id)), link));
    options.progress(rows.length);
  }
  if (rows.length === 0) throw new InputFileError("found no verdict: the file is empty");
  writeFile(join(folder, "plots.csv"), portfolioCsv(rows), force);
  writeFile(join(folder, "plots.xlsx"), await portfolioXlsx(rows), force);
  if (force) removeOtherReports(folder, rows);
  writeFile(join(folder, INDEX), renderPortfolio(rows, { language, title }), force);
  return { plots: rows.length, ...written };
}

/** The folder, empty unless its files may be replaced; an earlier page that tells of other files goes first. */
function prepareFolder(folder: string, force: boolean): void {
  try {
    mkdirSync(folder, { recursive: true });
    const [name] = readdirSync(folder);
    if (!force && name !== undefined) {
      throw new InputFileError(
        `${folder} holds files already, as ${name}: name another folder, or pass --force to replace its portfolio`,
      );
    }
    rmSync(join(folder, INDEX), { force: true });
  } catch (error) {
    throw unwritable(error, folder);
  }
}

/** Reports of an earlier portfolio that this one does not link to. */
function removeOtherReports(folder: string, rows: readonly PortfolioRow[]): void {
  if (!existsSync(join(folder, REPORTS))) return;
  const linked = new Set(rows.map(({ link }) => link));
  for (const name of readdirSync(join(folder, REPORTS))) {
    if (REPORT_NAME.test(name) && !linked.has(`${REPORTS}/${name}`)) rmSync(join(folder, REPORTS, name));
  }
}

/** Without waiting for the disk each time: the page that links to them all comes last, and does. */
function writeReport(folder: string, link: string, page: string, force: boolean): void {
  const path = join(folder, link);
  try {
    mkdirSync(join(folder, REPORTS), { recursive: true });
    writeFileSync(path, page, { flag: force ? "w" : "wx" });
  } catch (error) {
    throw unwritable(error, path);
  }
}

function writeFile(path: string, content: string | Uint8Array, force: boolean): void {
  const file = new SafeFile(path, { force });
  try {
    file.write(content);
    file.finish();
  } catch (error) {
    file.abandon();
    throw unwritable(error, path);
  }
}

function unwritable(error: unknown, path: string): unknown {
  if (error instanceof InputFileError) return error;
  const told = unreadable(error, path);
  return told instanceof InputFileError ? new InputFileError(told.message.replace("read", "write")) : told;
}

/** What the portfolio keeps of a plot: neither evidence nor request, so that many fit in memory. */
function rowOf(line: VerdictLine, plot: NamedPlot | undefined, link: string): PortfolioRow {
  const named = plot?.name === undefined ? {} : { name: plot.name };
  if ("error" in line) return { id: line.id, ...named, geometry: plot?.geometry, error: line.error };
  if ("verdict" in line)
    return { id: line.id, ...named, geometry: plot?.geometry, verdict: trimmed(line.verdict) };
  const { request, response } = line.record;
  const { geometry, crs } = request.input;
  return {
    id: line.id,
    ...named,
    geometry: drawnGeometry(geometry, crs) ?? plot?.geometry,
    verdict: trimmed(response.data),
    link,
  };
}

/** Most sources of most plots are not doubtful, and nothing is kept of them. */
function doubtful(sources: PortfolioVerdict["sources"] = []): Pick<PortfolioVerdict, "sources"> {
  const kept = sources
    .filter(({ fictional, coverage_known }) => fictional || coverage_known !== undefined)
    .map(({ source_name, fictional, coverage_known }) => ({
      source_name,
      ...(fictional && { fictional }),
      ...(coverage_known !== undefined && { coverage_known }),
    }));
  return kept.length === 0 ? {} : { sources: kept };
}

function trimmed({
  verdict,
  at_least,
  evaluated_at,
  digest,
  ruleset,
  reference_id,
  input,
  sources,
  checks,
}: PortfolioVerdict): PortfolioVerdict {
  return {
    ...{ verdict, at_least, evaluated_at, digest },
    ...(ruleset !== undefined && { ruleset }),
    ...(reference_id !== undefined && { reference_id }),
    ...(input !== undefined && { input }),
    ...doubtful(sources),
    checks: checks.map(({ id, title, status, outcome, triggered }) => ({
      ...{ id, status, outcome, triggered },
      ...(title !== undefined && { title }),
    })),
  };
}

/** A geometry as the map draws it; undefined for one that it cannot place. */
export function drawnGeometry(geometry: unknown, crs: string | undefined | null): unknown {
  if (crs === undefined || crs === null || geometry === undefined || geometry === null) return geometry;
  const coordinates = plotOutline(geometry as object, { crs, crsTable });
  return coordinates === undefined ? undefined : { type: "MultiPolygon", coordinates };
}
