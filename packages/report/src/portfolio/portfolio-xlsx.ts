import { getTongue, type Language, type ReportTongue } from "@groundrule/words/languages";
import { type Cell, type Sheet, writeWorkbook } from "../workbook/write-workbook.ts";
import {
  CHECK_STATES,
  type CheckState,
  PLOT_STATUSES,
  type PlotStatus,
  type PortfolioCheck,
  type PortfolioEntry,
  type PortfolioRow,
  readPortfolioEntry,
  readPortfolioRows,
} from "./portfolio-rows.ts";
import { buildPortfolioColumns, formatCheckTitle } from "./portfolio-table.ts";
import { getCheckStateWords, getPlotStatusWords } from "./portfolio-words.ts";

/** How a workbook is written. */
export interface WorkbookOptions {
  /** The language of its headings and words; `en` where it is absent. */
  readonly language?: Language | undefined;
  /**
   * The checks that have columns, in their order; absent: those of all verdicts, for which the rows are kept in
   * memory.
   */
  readonly checks?: readonly PortfolioCheck[] | undefined;
}

/**
 * A portfolio as a workbook (Office Open XML), piece by piece. Its first sheet has the columns and lines of
 * `portfolioCsv`, with headings and outcomes in the words of the language; the second counts the plots of each verdict,
 * and of each outcome of each check. With `checks`, rows are read one by one, and memory does not grow with them.
 *
 * Fails: `RangeError` for more plots than Excel opens in a sheet; as reading the rows does.
 */
export function portfolioXlsx(
  rows: Iterable<PortfolioRow>,
  { language = "en", checks }: WorkbookOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const tongue = getTongue(language);
  if (checks !== undefined) return writePortfolioWorkbook(toEntries(rows, tongue), checks, tongue);
  const portfolio = readPortfolioRows(rows, tongue);
  return writePortfolioWorkbook(portfolio.entries, portfolio.checks, tongue, portfolio.own);
}

function* toEntries(
  rows: Iterable<PortfolioRow>,
  tongue: ReportTongue,
): Generator<PortfolioEntry, void, undefined> {
  for (const row of rows) yield readPortfolioEntry(row, tongue);
}

const WIDTH = 18;

function writePortfolioWorkbook(
  entries: Iterable<PortfolioEntry>,
  checks: readonly PortfolioCheck[],
  tongue: ReportTongue,
  own: readonly string[] = [],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { words } = tongue;
  const columns = buildPortfolioColumns(checks, own).map((column) => {
    const { cell, title, width = WIDTH, shown } = column;
    const named = column.words?.(words) ?? {};
    const toCell = (entry: PortfolioEntry): Cell => {
      if (shown !== undefined) return shown(entry, tongue);
      const value = cell(entry);
      return value === undefined ? undefined : (named[value] ?? value);
    };
    return { title: title(words), width, cellOf: toCell };
  });
  const counts = new Counts(checks);
  function* lines(): Generator<readonly Cell[], void, undefined> {
    for (const entry of entries) {
      counts.add(entry);
      yield columns.map(({ cellOf: toCell }) => toCell(entry));
    }
  }
  const plots: Sheet = { name: words.plots, columns, rows: lines() };
  const titles = [words.countOf, words.outcome, words.plots].map((title) => ({ title, width: WIDTH }));
  return writeWorkbook([plots, { name: words.counts, columns: titles, rows: counts.rows(words) }]);
}

/** How many plots have each verdict, and each outcome of each check. */
class Counts {
  readonly #checks: readonly PortfolioCheck[];
  readonly #statuses = new Map<PlotStatus, number>();
  readonly #states: ReadonlyMap<string, Map<CheckState, number>>;

  constructor(checks: readonly PortfolioCheck[]) {
    this.#checks = checks;
    this.#states = new Map(checks.map(({ id }) => [id, new Map()]));
  }

  add({ status, checks }: PortfolioEntry): void {
    incrementCount(this.#statuses, status);
    for (const [id, state] of checks) {
      const counts = this.#states.get(id);
      if (counts !== undefined) incrementCount(counts, state);
    }
  }

  /** The rows of the sheet, once all plots are counted. */
  *rows(words: ReportTongue["words"]): Generator<readonly Cell[], void, undefined> {
    const [ofStatuses, ofStates] = [getPlotStatusWords(words), getCheckStateWords(words)];
    for (const status of PLOT_STATUSES) {
      const count = this.#statuses.get(status) ?? 0;
      if (status !== "UNASKED" || count > 0) yield [words.verdict, ofStatuses[status], count];
    }
    for (const check of this.#checks) {
      const [name, counts] = [formatCheckTitle(check), this.#states.get(check.id)];
      for (const state of CHECK_STATES) yield [name, ofStates[state], counts?.get(state) ?? 0];
    }
  }
}

function incrementCount<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
