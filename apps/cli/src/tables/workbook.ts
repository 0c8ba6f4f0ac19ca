import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type PortfolioRow, portfolioXlsx, SHEET_ROWS } from "@groundrule/report";
import { toWriteError } from "../runs/run-error.ts";
import { readJsonLines } from "../runs/shards/record-reader.ts";
import type { TableOptions } from "./attributes.ts";

/** Maximum plots of a workbook, below its headings. */
export const MOST_WORKBOOK_PLOTS: number = SHEET_ROWS - 1;

/**
 * Makes a workbook with the sheets of a portfolio from temporary rows. Memory is one row.
 *
 * @param rows path of a JSON line for each plot
 * @param output path of the file, which is overwritten
 *
 * Fails: `OUTPUT_UNWRITABLE`; `RangeError` for more than {@link MOST_WORKBOOK_PLOTS}.
 */
export async function writeWorkbookFile(
  rows: string,
  output: string,
  { checks, workbook = {} }: TableOptions,
): Promise<void> {
  const pieces = portfolioXlsx(readJsonLines<PortfolioRow>(rows), {
    checks: checks.map((id) => ({ id, title: id })),
    ...workbook,
  });
  try {
    await pipeline(Readable.from(pieces), createWriteStream(output));
  } catch (error) {
    throw toWriteError(error, output);
  }
}
