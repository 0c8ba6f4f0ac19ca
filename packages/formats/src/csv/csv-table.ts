import { openPath } from "#host/files";
import { createFormatError } from "../format-error.ts";
import type { OpenTable, ReadOptions, TextInput, TextReader } from "../format-reader.ts";
import { findParentLink, joinParentColumns } from "../table/join-parent.ts";
import { RowsTable } from "../table/rows-table.ts";
import type { TableSource } from "../table/table-source.ts";
import { readCsv } from "./csv.ts";

/**
 * Reads a table of CSV or TSV: opening it reads its header and its first rows. A repeated group gets the columns of its form, the
 * file `options.parent`.
 *
 * Fails: as `readCsv`; `COLUMN_UNKNOWN` where nothing joins a group and its form.
 */
export const reader: TextReader = {
  async openText(text, options) {
    const source = await openCsvSource(text.bytes(), text.isPacked, options);
    return options.parent === undefined
      ? RowsTable.open(source, options)
      : openRepeatedGroup(source, options, options.parent, text);
  },
};

/** @param path of the form */
async function openRepeatedGroup(
  group: TableSource,
  options: ReadOptions,
  path: string,
  text: TextInput,
): Promise<OpenTable> {
  const file = await openPath(path);
  try {
    const { encoding, limits } = options;
    const form = await text.openOther(file, { encoding, limits });
    const link = findParentLink(group.header, form.columns ?? []);
    if (link === undefined) {
      const found = `no columns that join the table and ${file.name}`;
      const expected =
        "PARENT_KEY in the table and KEY in its form, as ODK writes them, or KoboToolbox's _parent_index and _index";
      throw createFormatError("COLUMN_UNKNOWN", found, expected, { columns: group.header });
    }
    const joined = await joinParentColumns(group, form, file.name, link);
    await form.close();
    return await RowsTable.open(joined, options);
  } finally {
    await file.close();
  }
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
