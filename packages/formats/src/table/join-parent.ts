import { createFormatError } from "../format-error.ts";
import type { OpenTable } from "../format-reader.ts";
import { formatCell, type TableRow, type TableSource } from "./table-source.ts";

/** The columns by which the rows of a repeated group belong to those of their form. */
export interface ParentLink {
  /** The column of the group. */
  readonly key: string;
  /** The column of the form. */
  readonly parentKey: string;
}

/** Columns of a group and of its form, as ODK and KoboToolbox name them. */
const LINKS: readonly ParentLink[] = [
  { key: "PARENT_KEY", parentKey: "KEY" },
  { key: "_parent_index", parentKey: "_index" },
  { key: "_submission__uuid", parentKey: "_uuid" },
  { key: "_submission__id", parentKey: "_id" },
];

/** True if columns are those of a repeated group, whose form is another table. */
export function isGroup(columns: readonly string[]): boolean {
  return LINKS.some(({ key }) => findColumnName(columns, key) !== undefined);
}

/** Link between the rows of a group and those of a form; undefined if their columns do not show it. */
export function findParentLink(group: readonly string[], form: readonly string[]): ParentLink | undefined {
  for (const link of LINKS) {
    const [key, parentKey] = [findColumnName(group, link.key), findColumnName(form, link.parentKey)];
    if (key !== undefined && parentKey !== undefined) return { key, parentKey };
  }
  return undefined;
}

/** A table of a form or of a repeated group, with its first rows. */
export interface FormTable {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/**
 * The form of a repeated group among tables: the one that its rows name, else the first that has the key of one of its
 * first rows, else the first with such keys. A group may be repeated within a group.
 */
export function findParentForm<Table extends FormTable>(
  group: FormTable,
  tables: readonly Table[],
): Table | undefined {
  const forms = tables.filter(
    ({ header, rows }) =>
      header !== group.header && rows.length > 0 && findParentLink(group.header, header) !== undefined,
  );
  const stated = new Set(listColumnValues(group, "_parent_table_name"));
  const hasKeys = (form: Table): boolean => {
    const { key, parentKey } = findParentLink(group.header, form.header)!;
    const keys = new Set(listColumnValues(form, parentKey));
    return listColumnValues(group, key).some((value) => keys.has(value));
  };
  return forms.find(({ name }) => stated.has(name)) ?? forms.find(hasKeys) ?? forms[0];
}

function listColumnValues({ header, rows }: FormTable, name: string): string[] {
  const column = findColumnName(header, name);
  if (column === undefined) return [];
  const at = header.indexOf(column);
  return rows.map(({ cells }) => formatCell(cells[at]).trim()).filter((value) => value !== "");
}

function findColumnName(columns: readonly string[], name: string): string | undefined {
  return columns.find((column) => column.trim().toLowerCase() === name.toLowerCase());
}

/** Most rows of a form, which are kept while its groups are read. */
const MOST_ROWS = 1_000_000;

/**
 * A repeated group with the columns of its form: each row has those of the row that it belongs to. A column that both
 * have is called `parent NAME` where it comes from the form.
 *
 * @param form its rows are read here
 *
 * Fails: `CSV_MALFORMED` where the form has two rows of one key, or no row that the group refers to.
 */
export async function joinParentColumns(
  group: TableSource,
  form: Pick<OpenTable, "columns" | "rows">,
  formName: string,
  { key, parentKey }: ParentLink,
): Promise<TableSource> {
  const names = form.columns ?? [];
  const own = new Set(group.header.map((name) => name.trim().toLowerCase()));
  const added = names.filter((name) => name !== parentKey);
  const byKey = new Map<string, readonly unknown[]>();
  for await (const { cells } of form.rows()) {
    const value = formatCell(cells.get(parentKey)).trim();
    if (value === "") continue;
    if (byKey.has(value)) {
      throw createFormatError(
        "CSV_MALFORMED",
        `two rows of ${formName} with the ${parentKey} ${value}`,
        "each key once",
      );
    }
    if (byKey.size === MOST_ROWS)
      throw createFormatError("TEXT_TOO_LARGE", `more than ${MOST_ROWS} rows in ${formName}`, "fewer");
    byKey.set(
      value,
      added.map((name) => cells.get(name)),
    );
  }
  const at = group.header.indexOf(key);
  const nothing = added.map(() => (group.isText ? "" : null));
  async function* rows(): AsyncGenerator<TableRow, void, undefined> {
    try {
      for await (const row of group.rows) {
        const { cells, place } = row;
        const value = formatCell(cells[at]).trim();
        const found = byKey.get(value);
        const of = Array.from({ length: group.header.length }, (_, index) => cells[index]);
        const missing = {
          code: "ROW_WITHOUT_PARENT",
          message: `found the ${key} ${JSON.stringify(value.slice(0, 60))}, expected one of the ${parentKey} of ${formName}`,
        };
        const fault = row.fault ?? (found === undefined ? missing : undefined);
        yield { place, cells: [...of, ...(found ?? nothing)], ...(fault && { fault }) };
      }
    } finally {
      await group.rows.return();
    }
  }
  return {
    ...group,
    header: [
      ...group.header,
      ...added.map((name) => (own.has(name.trim().toLowerCase()) ? `parent ${name}` : name)),
    ],
    notes: [...group.notes, `each row has the columns of its row in ${formName}, by ${key} and ${parentKey}`],
    rows: rows(),
  };
}
