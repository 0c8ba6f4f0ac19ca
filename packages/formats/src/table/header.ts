import { createFormatError } from "../format-error.ts";
import { isDecimal } from "../values.ts";
import { detectColumnAxis, GEOMETRY_NAMES, isGeometryName, rateIdColumnName } from "./column-names.ts";

/** Rows in which the header is looked for. */
export const HEADER_ROWS = 20;

/** True if cells are names of which one or two are those of geometries. */
export function hasGeometryColumnNames(cells: readonly string[]): boolean {
  if (cells.some((cell) => cell.length > 200 || isDecimal(cell.trim()))) return false;
  if (cells.some((cell) => GEOMETRY_NAMES.includes(cell.trim().toLowerCase()))) return true;
  const axes = cells.map(detectColumnAxis);
  if (axes.some((axis) => axis?.axis === "x") && axes.some((axis) => axis?.axis === "y")) return true;
  return cells.some(isGeometryName) && countFilledCells(cells) > 1;
}

/**
 * The row that has the names of the columns: the first, unless it is a title, which has fewer cells than the rows below
 * it, and a later one has names.
 *
 * @param rows the first rows, of which none is blank
 */
export function findHeaderRowIndex(rows: readonly (readonly string[])[]): number {
  const [first = []] = rows;
  if (hasGeometryColumnNames(first)) return 0;
  const named = rows.findIndex(hasGeometryColumnNames);
  if (named > 0 && rows.slice(0, named).every((row) => isTitle(row, rows[named]!))) return named;
  // A table of anything else: below its titles come rows that all have as many cells.
  const widest = rows.reduce((most, row) => Math.max(most, countFilledCells(row)), 0);
  if (
    countFilledCells(first) > 1 ||
    widest < 3 ||
    rows.length < 3 ||
    first.some((cell) => rateIdColumnName(cell) > 0)
  )
    return 0;
  const at = rows.findIndex((row) => countFilledCells(row) > 1);
  const below = rows.slice(at + 1);
  const isHeader =
    at > 0 &&
    rows[at]!.every((cell) => !isDecimal(cell.trim())) &&
    new Set(rows[at]!.filter((cell) => cell.trim() !== "")).size === countFilledCells(rows[at]!) &&
    below.length > 0 &&
    countFilledCells(rows[at]!) >= 3 &&
    below.every((row) => row.length === rows[at]!.length);
  return isHeader ? at : 0;
}

/** A row above the header: fewer cells that hold something. */
function isTitle(row: readonly string[], header: readonly string[]): boolean {
  return countFilledCells(row) <= Math.max(1, Math.floor(countFilledCells(header) / 2));
}

function countFilledCells(row: readonly string[]): number {
  return row.filter((cell) => cell.trim() !== "").length;
}

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  /** Its place among the cells of a row. */
  readonly index: number;
}

/**
 * The columns of a header by names that are each another: a name that comes twice gets numbers, and a column without a
 * name is called `column 5` where rows hold something in it, and passed over where they hold nothing.
 *
 * @param header its cells
 * @param rows the first rows
 */
export function createUniqueColumns(
  header: readonly string[],
  rows: readonly (readonly unknown[])[],
): readonly TableColumn[] {
  const trimmed = header.map((cell) => cell.trim());
  const counts = new Map<string, number>();
  for (const name of trimmed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const taken = new Set(trimmed.filter((name) => counts.get(name) === 1));
  const seen = new Map<string, number>();
  return header.flatMap((written, index) => {
    const name = trimmed[index]!;
    if (name === "") {
      const isFilled = rows.some((cells) => !isBlank(cells[index]));
      return isFilled ? [{ name: createUniqueName(`column ${index + 1}`, taken), index }] : [];
    }
    if (counts.get(name) === 1) return [{ name: written, index }];
    // A declaration about a plot is read from one column.
    if (isDeclared(name)) {
      throw createFormatError(
        "CSV_MALFORMED",
        `two columns "${name}"`,
        "a header that names each column once",
        {
          columns: header,
        },
      );
    }
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return [{ name: createUniqueName(`${name}_${nth}`, taken), index }];
  });
}

/** Columns that hold the property or facts of a plot, and not its geometry. */
export function isDeclared(name: string): boolean {
  return name === "property" || name === "facts" || name.startsWith("fact:");
}

function createUniqueName(name: string, taken: Set<string>): string {
  let own = name;
  while (taken.has(own)) own += "_";
  taken.add(own);
  return own;
}

/** True if a cell holds nothing. */
export function isBlank(cell: unknown): boolean {
  return (
    cell === undefined || cell === null || cell === "" || (typeof cell === "string" && cell.trim() === "")
  );
}
