import type { UnreadPlot } from "@groundrule/plot-files";
import type { PlotFeature } from "@groundrule/plots";
import type { PortfolioRow, PortfolioVerdict } from "@groundrule/report";
import type { PlotLine } from "../../plots/plots.ts";
import { claimFreeName, type Properties, withColumnNames } from "../../tables/attributes.ts";
import { formatCsvCells, formatRowLine } from "../../tables/table-row.ts";
import { encodeWkbBase64 } from "../../tables/wkb.ts";
import type { LineError } from "../../terminal/line-error.ts";
import { type PlacedGeometry, toPlacedGeometry } from "../placed-geometry.ts";
import { findPlotName } from "./plot-name.ts";
import { listResultColumns, type ResultRow } from "./result-columns.ts";
import { trimPortfolioVerdict } from "./trimmed-verdict.ts";

/** A plot with everything that tables show of it. */
export interface SeenPlot {
  /** Number in the input, from 0. */
  readonly number: number;
  readonly id: string | number;
  /** For tables: the plot as read, as evaluated, and the CRS of its positions, in place of the one in its file. */
  readonly seen?: {
    readonly plot: PlotFeature | UnreadPlot;
    readonly line: PlotLine;
    readonly crs: string | undefined;
  };
}

/** A row of CSV; evidence is JSON. */
function formatCsvLine(id: string | number, row: ResultRow): string {
  const cells = row.map((value) => (typeof value === "object" ? value && JSON.stringify(value) : value));
  return formatCsvCells([id, ...cells.slice(1)]);
}

/** A plot's result in a format with columns: the final line, or a temporary row until the table is made. */
export function formatTableLine(
  format: "csv" | "geojson" | "gpkg" | "parquet" | "geoparquet",
  of: SeenPlot,
  row: ResultRow,
  checks: readonly string[],
): string {
  if (format === "csv") return formatCsvLine(of.id, row);
  if (format === "parquet") return formatRowLine(row);
  const { number, id, seen } = of;
  const geometry = seen === undefined ? null : getPlacedGeometry(seen);
  const properties = seen === undefined || "error" in seen.plot ? {} : seen.plot.properties;
  if (format === "geojson") return formatFeatureLine(id, geometry, properties, row, checks);
  return formatRowLine({
    number,
    row,
    wkb: encodeWkbBase64(geometry),
    properties: withColumnNames(String(properties.id) === String(id) ? withoutId(properties) : properties),
  });
}

/** The geometry from the file or, if a system will store another, that one. */
function getPlacedGeometry({ plot, line, crs }: NonNullable<SeenPlot["seen"]>): PlacedGeometry | null {
  if (!("error" in line) && line.submittedAs !== undefined) {
    return toPlacedGeometry(line.input.geometry, line.input.crs ?? undefined);
  }
  return "error" in plot ? null : toPlacedGeometry(plot.geometry, crs ?? plot.crs);
}

/** The column `id` contains it already. */
function withoutId({ id: _, ...others }: Properties): Properties {
  return others;
}

function formatFeatureLine(
  id: string | number,
  geometry: PlacedGeometry | null,
  own: Properties,
  row: ResultRow,
  checks: readonly string[],
): string {
  const columns = listResultColumns(checks);
  const taken = new Set(columns.slice(1));
  const properties = Object.fromEntries([
    ...Object.entries(own).map(([name, value]) => [claimFreeName(name, taken), value]),
    ...columns.flatMap((name, at) => (at > 0 ? [[name, row[at]]] : [])),
  ]);
  return `${JSON.stringify({ type: "Feature", id, properties, geometry })}\n`;
}

/** A plot's row of a workbook, a temporary line until the workbook is made. */
export function formatWorkbookLine(
  { id, seen }: SeenPlot,
  result: { readonly verdict: PortfolioVerdict } | { readonly error: LineError },
): string {
  const name = seen === undefined || "error" in seen.plot ? undefined : findPlotName(seen.plot.properties);
  const row: PortfolioRow = {
    id,
    ...(name !== undefined && { name }),
    ...("verdict" in result
      ? { verdict: trimPortfolioVerdict(result.verdict) }
      : { error: { code: result.error.code, message: result.error.message } }),
    // A verdict contains the extent of its plot.
    ...("error" in result && seen !== undefined && { geometry: getPlacedGeometry(seen) }),
  };
  return `${JSON.stringify(row)}\n`;
}
