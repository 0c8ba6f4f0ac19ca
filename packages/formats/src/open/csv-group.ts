import { openCsvSource } from "../csv/csv-table.ts";
import { FormatError } from "../format-error.ts";
import type { OpenTable, ReadOptions } from "../format-reader.ts";
import {
  type FormTable,
  findParentForm,
  findParentLink,
  isGroup,
  joinParentColumns,
} from "../table/join-parent.ts";
import { hasGeometry, LOOKED_AT, RowsTable } from "../table/rows-table.ts";
import type { TableRow, TableSource } from "../table/table-source.ts";
import { convertToUtf8, resolveEncoding } from "../text-encoding.ts";
import type { ZipArchive, ZipEntry } from "../zip/open-zip.ts";

/**
 * Opens the tables of an archive of ODK or KoboToolbox as one: a form and the groups that it repeats, a CSV file each.
 * The table with the geometry is read, with the columns of its form where it is a group.
 *
 * @param isCalled whether a name means a file
 *
 * @returns undefined where no file is a repeated group of another
 *
 * Fails: `LAYER_AMBIGUOUS` where a form and its group both have geometries; as `openCsv`.
 */
export async function openCsvGroup(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
  options: ReadOptions,
  isCalled: (entry: ZipEntry, layer: string) => boolean,
): Promise<OpenTable | undefined> {
  const open = (entry: ZipEntry): Promise<TableSource> =>
    openCsvSource(
      convertToUtf8(archive.open(entry), resolveEncoding(options.encoding ?? "utf-8")),
      true,
      options,
    );
  const tables: Peeked[] = [];
  for (const entry of entries) tables.push(await peekCsvTable(entry, await open(entry)));
  const groups = tables.filter(
    ({ header }) => isGroup(header) && tables.some((form) => groupBelongsToForm(header, form)),
  );
  if (groups.length === 0) return undefined;
  const { layer } = options;
  const named = layer === undefined ? [] : tables.filter(({ entry }) => isCalled(entry, layer));
  const withGeometry = tables.filter(({ header, rows }) =>
    hasGeometry(header, rows, { ...options, layer: undefined }),
  );
  const among = layer === undefined ? withGeometry : named;
  const [chosen] = among;
  if (chosen === undefined) return undefined;
  if (among.length > 1) {
    const layers = among.map(({ entry }) => entry.name);
    const found = `geometries in ${layers.join(" and ")}`;
    const message = `found ${found}, expected one file, named by --layer`;
    throw new FormatError("LAYER_AMBIGUOUS", message, { found, expected: "one, named by --layer", layers });
  }
  const joined = await joinFormToGroup(chosen, tables, open, new Set());
  const note = `the file ${chosen.entry.name} is read; to read another, use --layer`;
  return RowsTable.open({ ...joined, notes: [note, ...joined.notes] }, { ...options, layer: undefined });
}

interface Peeked extends FormTable {
  readonly entry: ZipEntry;
  readonly rows: readonly TableRow[];
}

async function peekCsvTable(entry: ZipEntry, source: TableSource): Promise<Peeked> {
  const rows: TableRow[] = [];
  for await (const row of source.rows) {
    rows.push(row);
    if (rows.length === LOOKED_AT) break;
  }
  await source.close();
  return { entry, name: entry.name, header: source.header, rows };
}

function groupBelongsToForm(group: readonly string[], form: Peeked): boolean {
  return form.header !== group && findParentLink(group, form.header) !== undefined;
}

async function joinFormToGroup(
  group: Peeked,
  tables: readonly Peeked[],
  open: (entry: ZipEntry) => Promise<TableSource>,
  done: ReadonlySet<ZipEntry>,
): Promise<TableSource> {
  const source = await open(group.entry);
  const read = new Set([...done, group.entry]);
  const form = isGroup(group.header)
    ? findParentForm(
        group,
        tables.filter((other) => !read.has(other.entry)),
      )
    : undefined;
  if (form === undefined) return source;
  const rows = await RowsTable.open(await joinFormToGroup(form, tables, open, read), {});
  return joinParentColumns(source, rows, form.entry.name, findParentLink(group.header, form.header)!);
}
