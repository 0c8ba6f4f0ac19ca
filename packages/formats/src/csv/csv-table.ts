import type { OpenTable, ReadOptions } from "../format-reader.ts";
import { RowsTable } from "../table/rows-table.ts";
import type { TableSource } from "../table/table-source.ts";
import { readCsv } from "./csv.ts";

/**
 * Opens a table of CSV or TSV: reads its header and its first rows.
 *
 * Fails: as `readCsv`.
 */
export async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  isPacked: boolean,
  options: ReadOptions,
): Promise<OpenTable> {
  return RowsTable.open(await openCsvSource(bytes, isPacked, options), options);
}

/**
 * Reads the header of CSV or TSV.
 *
 * Fails: as `readCsv`.
 */
export async function openCsvSource(
  bytes: AsyncIterable<Uint8Array>,
  isPacked: boolean,
  options: ReadOptions,
): Promise<TableSource> {
  const { header, headerLine, delimiter, rows } = await readCsv(bytes, {
    delimiter: options.format === "tsv" ? "\t" : undefined,
  });
  return {
    format: delimiter === "\t" ? "tsv" : "csv",
    layer: undefined,
    isPacked,
    isText: true,
    header,
    notes: headerLine > 1 ? [`the names of the columns are read from line ${headerLine}`] : [],
    rows,
    close: async () => {},
  };
}
