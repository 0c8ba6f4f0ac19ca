import type { NeededFact } from "@groundrule/engine";
import { findGap, gapPhrase } from "@groundrule/words";
import type { ReportTongue } from "@groundrule/words/languages";
import { isOmitted } from "../words.ts";
import type { Cell } from "../workbook/write-workbook.ts";
import { collectGaps } from "./collect-gaps.ts";
import { listNeedTexts } from "./portfolio-needs.ts";
import type { PortfolioCheck, PortfolioEntry } from "./portfolio-rows.ts";
import { getCheckStateWords, getPlotStatusWords } from "./portfolio-words.ts";

/** A column of the table that the CSV and the workbook hold. */
export interface Column {
  /** Its name in the CSV: the same in every language, for programs. */
  readonly name: string;
  readonly cell: (entry: PortfolioEntry) => Cell;
  /** Its heading in the workbook. */
  readonly title: (words: ReportTongue["words"]) => string;
  /** Its width in the workbook, in characters. */
  readonly width?: number;
  /** The words of its cells in the workbook; absent: none of its cells is a word of ours. */
  readonly words?: (words: ReportTongue["words"]) => Readonly<Record<string, string>>;
  /** Its cell in the workbook, where that is a sentence of the language. */
  readonly shown?: (entry: PortfolioEntry, tongue: ReportTongue) => Cell;
}

/** Name of a check in the workbook: its title, with its id in the CSV and the ruleset. */
export function formatCheckTitle({ id, title }: PortfolioCheck): string {
  return title === id ? id : `${title} (${id})`;
}

/**
 * The columns of a table with a line a plot: fixed ones, between them one a check, `check:` and its id, and after them
 * the plots' own.
 *
 * @param own names of the plots' own columns; one that is taken begins with `own:`
 */
export function buildPortfolioColumns(
  checks: readonly PortfolioCheck[],
  own: readonly string[] = [],
): readonly Column[] {
  const ofChecks = checks.map(
    (check): Column => ({
      name: `check:${check.id}`,
      cell: ({ checks }) => checks.get(check.id),
      title: () => formatCheckTitle(check),
      words: getCheckStateWords,
    }),
  );
  const columns = [...BEFORE, ...ofChecks, ...AFTER];
  const taken = new Set(columns.map(({ name }) => name));
  const ownColumns = own.map((column): Column => {
    const name = taken.has(column) ? `own:${column}` : column;
    return { name, title: () => name, cell: ({ row }) => row.own?.[column] };
  });
  return [...columns, ...ownColumns];
}

const BEFORE: readonly Column[] = [
  { name: "id", cell: ({ row }) => row.id, title: ({ plotId }) => plotId },
  { name: "name", cell: ({ row }) => row.name, title: ({ name }) => name, width: 32 },
  {
    name: "verdict",
    cell: ({ verdict }) => verdict?.verdict,
    title: ({ verdict }) => verdict,
    words: getPlotStatusWords,
  },
  {
    name: "at_least",
    cell: ({ verdict }) => verdict?.at_least,
    title: ({ atLeast }) => atLeast,
    words: getPlotStatusWords,
  },
  {
    name: "area_m2",
    cell: ({ verdict }) => verdict?.input?.area_m2,
    title: ({ areaM2 }) => areaM2,
    width: 14,
  },
  {
    name: "longitude",
    cell: ({ middle }) => roundToFiveDecimals(middle?.[0]),
    title: ({ longitude }) => longitude,
    width: 12,
  },
  {
    name: "latitude",
    cell: ({ middle }) => roundToFiveDecimals(middle?.[1]),
    title: ({ latitude }) => latitude,
    width: 12,
  },
];

const AFTER: readonly Column[] = [
  {
    name: "open_because",
    cell: formatOpenReasons,
    title: ({ openBecause }) => openBecause,
    width: 40,
    shown: ({ verdict }, tongue) =>
      collectGaps(verdict, (check) => gapPhrase(check, tongue))
        .map(([gap, checks]) => `${gap}: ${checks.map(({ id, title }) => title ?? id).join("; ")}`)
        .join("; ") || undefined,
  },
  {
    name: "resolve_by",
    cell: formatResolvingFacts,
    title: ({ resolvedBy }) => resolvedBy,
    width: 40,
    shown: (entry, tongue) => listNeedTexts(entry, tongue).join("; ") || undefined,
  },
  {
    name: "without",
    cell: formatOmittedSources,
    title: ({ evaluatedWithout }) => evaluatedWithout,
    width: 40,
  },
  {
    name: "ruleset",
    cell: ({ verdict }) => verdict?.ruleset?.name ?? undefined,
    title: ({ ruleset }) => ruleset,
  },
  {
    name: "ruleset_version",
    cell: ({ verdict }) => verdict?.ruleset?.version ?? undefined,
    title: ({ versionOfRuleset }) => versionOfRuleset,
    width: 12,
  },
  {
    name: "evaluated_at",
    cell: ({ verdict }) => verdict?.evaluated_at,
    title: ({ evaluated }) => evaluated,
    width: 24,
  },
  { name: "digest", cell: ({ verdict }) => verdict?.digest ?? undefined, title: ({ digest }) => digest },
  {
    name: "reference_id",
    cell: ({ verdict }) => verdict?.reference_id ?? undefined,
    title: ({ reference }) => reference,
  },
  { name: "error_code", cell: ({ row }) => row.error?.code, title: ({ errorCode }) => errorCode },
  {
    name: "error_message",
    cell: ({ row }) => row.error?.message,
    title: ({ whatIsWrong }) => whatIsWrong,
    width: 40,
  },
  { name: "report", cell: ({ row }) => row.link, title: ({ report }) => report },
];

/** Five decimals: a metre or so. */
function roundToFiveDecimals(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 1e5) / 1e5;
}

/** Why each open check is open, in words of verdicts: `embargo: coverage | age; reserve: fact`. */
function formatOpenReasons({ verdict }: PortfolioEntry): Cell {
  const open = (verdict?.checks ?? []).filter(({ status }) => status !== "ok");
  const texts = open.map((check) => {
    const all = new Set(check.open?.map(({ because }) => because) ?? [findGap(check) ?? check.status]);
    return `${check.id}: ${[...all].join(" | ")}`;
  });
  return texts.join("; ") || undefined;
}

/**
 * Facts that would keep each check from triggering: `embargo: permit valid | plan valid; reserve: modules at_most 4`.
 * Alternatives are separated by `|`, facts that are needed together by `+`.
 */
function formatResolvingFacts({ verdict }: PortfolioEntry): Cell {
  const texts = (verdict?.checks ?? []).flatMap(({ id, resolve_by = [] }) =>
    resolve_by.length === 0
      ? []
      : `${id}: ${resolve_by.map(({ facts }) => facts.map(formatNeededFact).join(" + ")).join(" | ")}`,
  );
  return texts.length === 0 ? undefined : texts.join("; ");
}

/** The sources and groups that the evaluation did without: `demo:lands; preset:embargoes`. */
function formatOmittedSources({ verdict }: PortfolioEntry): Cell {
  const names = (verdict?.sources ?? []).filter(isOmitted).map(({ source_name }) => source_name);
  return names.length === 0 ? undefined : names.join("; ");
}

function formatNeededFact({ fact, ...values }: NeededFact): string {
  const conditions = Object.entries(values).map(([name, value]) => {
    if (name === "valid") return name;
    return `${name} ${Array.isArray(value) ? value.join(" or ") : value}`;
  });
  return [fact, conditions.join(" and ")].join(" ");
}
