import { formatSuggestion } from "@groundrule/engine/internal";
import type { OpenTable } from "@groundrule/formats";
import { IngestError } from "./ingest-error.ts";
import { manifestInvalidError } from "./manifest/manifest-faults.ts";

/**
 * A table whose columns have other names than in its file.
 *
 * @param names the new name of each column that gets one, by its name in the file
 *
 * Fails, as it is read: `MANIFEST_INVALID` where another column has the new name already; at its end, `COLUMN_UNKNOWN`
 * for a column that nothing in the file has.
 */
export function renameColumns(table: OpenTable, names: Readonly<Record<string, string>>): OpenTable {
  const newNames = new Map(Object.entries(names));
  const toNewName = (column: string) => newNames.get(column) ?? column;
  const seen = new Set<string>();
  const renamed = (values: ReadonlyMap<string, unknown>) => {
    const result = new Map<string, unknown>();
    for (const [column, value] of values) {
      const name = toNewName(column);
      if (result.has(name)) throw columnTakenError(name);
      seen.add(column);
      result.set(name, value);
    }
    return result;
  };
  const checkSeen = () => {
    if (seen.size === 0) return;
    for (const column of newNames.keys()) if (!seen.has(column)) throw columnUnknownError(column, seen);
  };
  return {
    format: table.format,
    layer: table.layer,
    crs: table.crs,
    isPacked: table.isPacked,
    isText: table.isText,
    columns: table.columns?.map(toNewName),
    get form() {
      return table.form;
    },
    async *features() {
      for await (const feature of table.features()) {
        yield { ...feature, properties: renamed(feature.properties) };
      }
      checkSeen();
    },
    async *rows() {
      for await (const row of table.rows()) yield { ...row, cells: renamed(row.cells) };
      checkSeen();
    },
    close: () => table.close(),
  };
}

function columnTakenError(name: string): IngestError {
  const message = `two columns of the file would be called "${name}"`;
  return manifestInvalidError([{ pointer: "/read/rename", code: "COLUMN_TAKEN", message }]);
}

function columnUnknownError(column: string, columns: ReadonlySet<string>): IngestError {
  const meant = formatSuggestion(column, columns);
  const all = [...columns].join(", ");
  return new IngestError(
    "COLUMN_UNKNOWN",
    `"rename" of the manifest names column "${column}", which the file does not have${meant} (its columns are ${all})`,
    { found: column, expected: "a column of the file", columns: [...columns] },
  );
}
