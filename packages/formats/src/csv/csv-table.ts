import type { OpenTable, ReadOptions } from "../format-reader.ts";
import { RowsTable } from "../table/rows-table.ts";
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
  const { header, headerLine, delimiter, rows } = await readCsv(bytes, {
    delimiter: options.format === "tsv" ? "\t" : undefined,
  });
  const source = {
    format: delimiter === "\t" ? ("tsv" as const) : ("csv" as const),
    layer: undefined,
    isPacked,
    isText: true,
    header,
    notes: headerLine > 1 ? [`the names of the columns are read from line ${headerLine}`] : [],
    rows,
    close: async () => {},
  };
  return RowsTable.open(source, options);
}
