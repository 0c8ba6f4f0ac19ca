import type { LocalFile } from "../file/local-file.ts";
import type { OpenTable } from "../format-reader.ts";

/** A table that takes a file with it when it is closed. */
export function withFileClosed(table: OpenTable, file: LocalFile): OpenTable {
  const close = async () => {
    await table.close();
    await file.close();
  };
  return overrideTableMembers(table, { close });
}

/** A table with other members in the place of its own. */
export function overrideTableMembers(table: OpenTable, members: Partial<OpenTable>): OpenTable {
  return {
    format: table.format,
    layer: table.layer,
    crs: table.crs,
    isPacked: table.isPacked,
    columns: table.columns,
    isText: table.isText,
    get form() {
      return table.form;
    },
    get reading() {
      return table.reading;
    },
    features: () => table.features(),
    rows: () => table.rows(),
    close: () => table.close(),
    ...members,
  };
}
