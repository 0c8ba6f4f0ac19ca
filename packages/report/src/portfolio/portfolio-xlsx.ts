import type { CellValue, ColumnDef } from "hucre/xlsx";
import { visible } from "../html.ts";
import { CHECK_STATES, PLOT_STATUSES, type Portfolio, type PortfolioRow } from "./portfolio-rows.ts";
import { type Cell, portfolioTable } from "./portfolio-table.ts";

/** A cell of a workbook holds so many characters. */
const CELL_LIMIT = 32_767;

/**
 * A portfolio as a workbook (Office Open XML): the sheet `plots` has the columns and lines of `portfolioCsv` under a
 * row that filters, the sheet `counts` how many plots have each verdict, and each outcome of each check. Text is always
 * text, never a formula; what a cell cannot hold of it is cut off.
 */
export async function portfolioXlsx(rows: Iterable<PortfolioRow>): Promise<Uint8Array> {
  // Loaded when it is needed: it is a third of all the modules of a thread that screens.
  const { colToLetter, writeXlsx } = await import("hucre/xlsx");
  const { columns, portfolio } = portfolioTable(rows);
  const lines = portfolio.entries.map((entry) => columns.map(({ cell }) => cellValue(cell(entry))));
  const counts = countLines(portfolio);
  const sheet = (name: string, rows: readonly (readonly CellValue[])[]) => {
    const [head = []] = rows;
    return {
      name,
      columns: head.map((title): ColumnDef => ({ width: WIDTHS.get(String(title)) ?? 18 })),
      rows: rows.map((line) => [...line]),
      freezePane: { rows: 1 },
      autoFilter: { range: `A1:${colToLetter(head.length - 1)}${Math.max(1, rows.length)}` },
    };
  };
  return writeXlsx({
    sheets: [sheet("plots", [columns.map(({ name }) => name), ...lines]), sheet("counts", counts)],
  });
}

const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["name", 32],
  ["area_m2", 14],
  ["longitude", 12],
  ["latitude", 12],
  ["ruleset_version", 8],
  ["evaluated_at", 24],
  ["resolve_by", 40],
  ["without", 40],
  ["error_message", 40],
]);

/** XML holds no other controls; text that ends within a pair of surrogates is no text. */
function cellValue(cell: Cell): CellValue {
  if (cell === undefined) return null;
  return typeof cell === "string" ? visible(cell.slice(0, CELL_LIMIT)) : cell;
}

function countLines({ entries, checks }: Portfolio): CellValue[][] {
  const count = (test: (entry: Portfolio["entries"][number]) => boolean): number =>
    entries.filter(test).length;
  return [
    ["of", "outcome", "plots"],
    ...PLOT_STATUSES.filter((status) => status !== "UNASKED").map((status) => [
      "verdict",
      status,
      count(({ verdict }) => (verdict?.verdict ?? "ERROR") === status),
    ]),
    ...checks.flatMap(({ id }) =>
      CHECK_STATES.map((state) => [
        visible(`check:${id}`),
        state,
        count((entry) => entry.checks.get(id) === state),
      ]),
    ),
  ];
}
