import { csvCell } from "../csv-cell.ts";
import { type PortfolioRow, readPortfolioRows } from "./portfolio-rows.ts";
import { buildPortfolioColumns } from "./portfolio-table.ts";

/**
 * A portfolio as CSV (RFC 4180, UTF-8): the columns named in its first line, one line a plot in the order given. Text
 * that a spreadsheet would take for a formula begins with an apostrophe. Areas are square metres, `longitude` and
 * `latitude` the middle of the plot's extent in degrees on WGS 84; each check has a column `check:ID` that holds its
 * outcome where it triggered, else `not_triggered`, `not_covered`, `undetermined`, `not_declared` or `failed`. `resolve_by` holds the
 * facts and documents that would make the checks not trigger. The plots' own columns come last.
 */
export function portfolioCsv(rows: Iterable<PortfolioRow>): string {
  const { entries, checks, own } = readPortfolioRows(rows);
  const columns = buildPortfolioColumns(checks, own);
  const head = columns.map(({ name }) => csvCell(name));
  const lines = entries.map((entry) => columns.map(({ cell }) => csvCell(cell(entry))));
  return [head, ...lines].map((cells) => `${cells.join(",")}\r\n`).join("");
}
