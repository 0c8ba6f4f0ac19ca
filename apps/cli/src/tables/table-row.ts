import { csvCell } from "@groundrule/report";
import type { ResultRow } from "../screening/results/result-columns.ts";
import type { Properties } from "./attributes.ts";

/** A plot with its result, as it is written aside until the table is made. */
export interface TableRow {
  /** Of the plot in the input, from 0; absent where it is not known any more. */
  readonly number?: number;
  /** A value for each column of results. */
  readonly row: ResultRow;
  /** Well-known binary in longitude and latitude on WGS 84, as Base64; null where there is none. */
  readonly wkb: string | null;
  /** Attributes that the plot came with. */
  readonly properties: Properties;
}

/** A row, with its plot or without, as it is written aside: a line of JSON. */
export function rowLine(row: ResultRow | TableRow): string {
  return `${JSON.stringify(row)}\n`;
}

/** Cells as a line of CSV. */
export function csvCells(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
