import type { NeededFact } from "@groundrule/engine";
import { isOmitted } from "../words.ts";
import { type Portfolio, type PortfolioEntry, type PortfolioRow, readPortfolio } from "./portfolio-rows.ts";

/** What a cell holds: text, a number, or nothing. */
export type Cell = string | number | undefined;

/** A column of the table that the CSV and the workbook hold. */
export interface Column {
  readonly name: string;
  readonly cell: (entry: PortfolioEntry) => Cell;
}

/**
 * The table of a portfolio, one line a plot: fixed columns, and between them one a check, `check:` and its id. Their
 * names and the words of outcomes are the same in every language, for programs.
 */
export function portfolioTable(rows: Iterable<PortfolioRow>): {
  readonly columns: readonly Column[];
  readonly portfolio: Portfolio;
} {
  const portfolio = readPortfolio(rows);
  const checks = portfolio.checks.map(
    ({ id }): Column => ({ name: `check:${id}`, cell: ({ checks }) => checks.get(id) }),
  );
  return { portfolio, columns: [...BEFORE, ...checks, ...AFTER] };
}

const BEFORE: readonly Column[] = [
  { name: "id", cell: ({ row }) => row.id },
  { name: "name", cell: ({ row }) => row.name },
  { name: "verdict", cell: ({ verdict }) => verdict?.verdict },
  { name: "at_least", cell: ({ verdict }) => verdict?.at_least },
  { name: "area_m2", cell: ({ verdict }) => verdict?.input?.area_m2 },
  { name: "longitude", cell: ({ middle }) => degrees(middle?.[0]) },
  { name: "latitude", cell: ({ middle }) => degrees(middle?.[1]) },
];

const AFTER: readonly Column[] = [
  { name: "resolve_by", cell: resolveBy },
  { name: "without", cell: omitted },
  { name: "ruleset", cell: ({ verdict }) => verdict?.ruleset?.name ?? undefined },
  { name: "ruleset_version", cell: ({ verdict }) => verdict?.ruleset?.version ?? undefined },
  { name: "evaluated_at", cell: ({ verdict }) => verdict?.evaluated_at },
  { name: "digest", cell: ({ verdict }) => verdict?.digest ?? undefined },
  { name: "reference_id", cell: ({ verdict }) => verdict?.reference_id ?? undefined },
  { name: "error_code", cell: ({ row }) => row.error?.code },
  { name: "error_message", cell: ({ row }) => row.error?.message },
  { name: "report", cell: ({ row }) => row.link },
];

/** Five decimals: a metre or so. */
function degrees(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1e5) / 1e5;
}

/**
 * What would make each check not trigger: `embargo: permit valid | plan valid; reserve: modules at_most 4`. Ways that
 * each suffice are apart by `|`, facts that are needed together by `+`.
 */
function resolveBy({ verdict }: PortfolioEntry): Cell {
  const told = (verdict?.checks ?? []).flatMap(({ id, resolve_by = [] }) =>
    resolve_by.length === 0
      ? []
      : `${id}: ${resolve_by.map(({ facts }) => facts.map(needed).join(" + ")).join(" | ")}`,
  );
  return told.length === 0 ? undefined : told.join("; ");
}

/** The sources and groups that the evaluation did without: `demo:lands; preset:embargoes`. */
function omitted({ verdict }: PortfolioEntry): Cell {
  const names = (verdict?.sources ?? []).filter(isOmitted).map(({ source_name }) => source_name);
  return names.length === 0 ? undefined : names.join("; ");
}

function needed({ fact, ...values }: NeededFact): string {
  const conditions = Object.entries(values).map(([name, value]) => {
    if (name === "valid") return name;
    return `${name} ${Array.isArray(value) ? value.join(" or ") : value}`;
  });
  return [fact, conditions.join(" and ")].join(" ");
}
