import { csvCell } from "@groundrule/report";

/** Cells as a line of CSV. */
export function csvCells(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
