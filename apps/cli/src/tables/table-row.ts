import { csvCell } from "@groundrule/report";
import type { ResultRow } from "../screening/results/result-columns.ts";
import type { Properties } from "./attributes.ts";

/** A plot with its result, as a temporary line until the table is made. */
export interface TableRow {
  /** Number of the plot in the input, from 0; absent if it is no longer known. */
  readonly number?: number;
  /** A value per column of results. */
  readonly row: ResultRow;
  /** Well-known binary in longitude and latitude on WGS 84, as Base64; null if there is no geometry. */
  readonly wkb: string | null;
  /** The plot's own attributes. */
  readonly properties: Properties;
}

/** A row as a temporary line of JSON, with or without its plot. */
export function formatRowLine(row: ResultRow | TableRow): string {
  return `${JSON.stringify(row)}\n`;
}

/** Cells as a line of CSV. */
export function formatCsvCells(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
