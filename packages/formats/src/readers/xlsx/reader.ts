import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, FormatError } from "../../format-error.ts";
import type { FormatReader, OpenTable, ReadOptions } from "../../format-reader.ts";
import { findHeaderRowIndex, HEADER_ROWS } from "../../table/header.ts";
import {
  type FormTable,
  findParentForm,
  findParentLink,
  isGroup,
  joinParentColumns,
} from "../../table/join-parent.ts";
import { hasGeometry, RowsTable } from "../../table/rows-table.ts";
import { formatCell, type TableRow, type TableSource } from "../../table/table-source.ts";
import { openZipArchive } from "../../zip/open-zip.ts";
import { MOST_ROWS, readSheet, type SheetContent, type SheetRow } from "./read-sheet.ts";
import { readWorkbook, type Sheet, type Workbook } from "./workbook.ts";

/** Rows of a sheet that show what it holds. */
const PEEKED_ROWS = 120;

/**
 * Reads a sheet of an Excel workbook (`.xlsx`, ECMA-376): the one that `layer` names, else the first visible one with a
 * geometry, else the first with a table. A repeated group of ODK or KoboToolbox has the columns of its form.
 *
 * Fails: `LAYER_UNKNOWN`, `LAYER_AMBIGUOUS` where a form and its group both have geometries, `FORMAT_UNKNOWN` for a
 * workbook without a table, `TEXT_TOO_LARGE` beyond 100,000 rows; as `openZipArchive`.
 */
export const reader: FormatReader = {
  async open(file: LocalFile, options: ReadOptions): Promise<OpenTable> {
    const archive = await openZipArchive(file, { limits: options.limits });
    const workbook = await readWorkbook(archive, options);
    const peeked = await peekSheets(workbook);
    const { sheet, note } = selectSheet(peeked, options);
    const source = toTableSource(sheet.name, await readSheet(workbook, sheet), note);
    const joined = await joinFormToGroup(source, peeked, workbook);
    return RowsTable.open(joined, options);
  },
};

interface Peeked extends FormTable {
  readonly sheet: Sheet;
  readonly rows: readonly SheetRow[];
}

async function peekSheets(workbook: Workbook): Promise<readonly Peeked[]> {
  const peeked: Peeked[] = [];
  for (const sheet of workbook.sheets) {
    const { rows } = await readSheet(workbook, sheet, PEEKED_ROWS);
    const at = findHeaderIndex(rows);
    peeked.push({ sheet, name: sheet.name, header: listRowTexts(rows[at]), rows: rows.slice(at + 1) });
  }
  return peeked;
}

function findHeaderIndex(rows: readonly SheetRow[]): number {
  return findHeaderRowIndex(rows.slice(0, HEADER_ROWS).map(listRowTexts));
}

function listRowTexts(row: SheetRow | undefined): string[] {
  return (row?.cells ?? []).map(formatCell);
}

interface Chosen {
  readonly sheet: Sheet;
  readonly note: string | undefined;
}

function selectSheet(peeked: readonly Peeked[], options: ReadOptions): Chosen {
  const names = peeked.map(({ sheet }) => sheet.name);
  const { layer } = options;
  if (layer !== undefined) {
    const named = peeked.find(({ sheet }) => sheet.name === layer);
    if (named !== undefined) return { sheet: named.sheet, note: undefined };
    const expected = `one of ${names.slice(0, 20).join(", ")}`;
    throw createFormatError("LAYER_UNKNOWN", `no sheet "${layer}"`, expected, { layers: names });
  }
  const visible = peeked.filter(({ sheet }) => !sheet.isHidden);
  const tables = visible.filter(
    ({ header, rows }) => rows.length > 0 && header.some((name) => name.trim() !== ""),
  );
  const withGeometry = tables.filter(({ header, rows }) => hasGeometry(header, rows, options));
  const [first = tables[0]] = withGeometry;
  if (first === undefined) {
    const found =
      names.length === 0 ? "a workbook without sheets" : `no table in the sheets ${names.join(", ")}`;
    throw createFormatError("FORMAT_UNKNOWN", found, "a sheet with the names of its columns above its rows", {
      layers: names,
    });
  }
  const group = withGeometry.find(
    (other) => other !== first && findParentLink(other.header, first.header) !== undefined,
  );
  if (group !== undefined && isGroup(group.header)) {
    const both = [first.sheet.name, group.sheet.name];
    const found = `geometries in the sheets ${both.join(" and ")}, of which one is a repeated group of the other`;
    const message = `found ${found}, expected one, named by --layer`;
    throw new FormatError("LAYER_AMBIGUOUS", message, {
      found,
      expected: "one, named by --layer",
      layers: both,
    });
  }
  const others = names.filter((name) => name !== first.sheet.name);
  const note =
    others.length === 0
      ? undefined
      : `the sheet ${first.sheet.name} is read; to read another (${others.slice(0, 6).join(", ")}), use --layer`;
  return { sheet: first.sheet, note };
}

/** A table of the rows of a sheet. */
function toTableSource(name: string, content: SheetContent, note: string | undefined): TableSource {
  const { rows, merged } = content;
  const at = findHeaderIndex(rows);
  const below = rows.slice(at + 1);
  const firstLine = rows[at]?.number ?? 0;
  const hidden = below.filter(({ isHidden }) => isHidden).length;
  const inRows = merged.filter((place) => Number(/(?<!\d)\d+$/.exec(place)?.[0] ?? 0) > firstLine);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(firstLine > 1 ? [`the names of the columns are read from line ${firstLine}`] : []),
    ...(hidden === 0 ? [] : [`${hidden} hidden ${hidden === 1 ? "row is" : "rows are"} read as well`]),
    ...(inRows.length === 0
      ? []
      : [
          `cells are merged (${inRows.slice(0, 5).join(", ")}${inRows.length > 5 ? ", …" : ""}): their value counts for the first of their rows alone`,
        ]),
  ];
  async function* read(): AsyncGenerator<TableRow, void, undefined> {
    for (const [index, row] of below.entries()) {
      const { cells, number } = row;
      const fault = toFault(row);
      yield { place: { row: index + 1, line: number }, cells, ...(fault && { fault }) };
    }
  }
  return {
    format: "xlsx",
    layer: name,
    isPacked: false,
    isText: false,
    header: listRowTexts(rows[at]),
    notes,
    rows: read(),
    close: async () => {},
  };
}

function toFault({ unvalued, cut }: SheetRow): TableRow["fault"] {
  if (unvalued !== undefined) {
    const message = `cell ${unvalued}: found a formula without its value, expected the value beside it: open the workbook in a spreadsheet and save it`;
    return { code: "CELL_WITHOUT_VALUE", message };
  }
  if (cut === undefined) return undefined;
  const message = `cell ${cut}: found a text of 32767 characters, expected fewer: a spreadsheet cuts longer ones, so export the table as CSV`;
  return { code: "CELL_CUT", message };
}

/** A repeated group with the columns of its form, which may be a repeated group itself. */
async function joinFormToGroup(
  source: TableSource,
  peeked: readonly Peeked[],
  workbook: Workbook,
  done: ReadonlySet<string> = new Set(),
): Promise<TableSource> {
  const { header, layer } = source;
  if (!isGroup(header)) return source;
  const read = new Set([...done, layer!]);
  const group = peeked.find(({ sheet }) => sheet.name === layer);
  const form =
    group &&
    findParentForm(
      group,
      peeked.filter(({ sheet }) => !read.has(sheet.name)),
    );
  if (form === undefined) return source;
  const { name } = form.sheet;
  const content = await readSheet(workbook, form.sheet, MOST_ROWS);
  const whole = await joinFormToGroup(toTableSource(name, content, undefined), peeked, workbook, read);
  const rows = await RowsTable.open(whole, {});
  return joinParentColumns(source, rows, `the sheet ${name}`, findParentLink(header, form.header)!);
}
