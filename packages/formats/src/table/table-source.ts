import type { TextPlace } from "../format-error.ts";
import { toRealNumber } from "../values.ts";

/** A row of cells with its line, of a sheet its number, in the order of the columns. */
export interface TableRow {
  readonly place: TextPlace & {
    /** Number of the row, from 1; the header is not counted. */
    readonly row: number;
  };
  /** Texts, and in workbooks numbers and truth values; an empty cell is a blank text, null or absent. */
  readonly cells: readonly unknown[];
  /** Why a cell of the row cannot be read. */
  readonly fault?: { readonly code: string; readonly message: string };
}

/** A table whose header was read. */
export interface TableSource {
  readonly format: string;
  readonly layer: string | undefined;
  readonly isPacked: boolean;
  /** True if every value is text, so that its type must be inferred from it. */
  readonly isText: boolean;
  /** The cells of the header; some may be empty, and some alike. */
  readonly header: readonly string[];
  /** Oddities of the table, in words. */
  readonly notes: readonly string[];
  /** The rows, which can be read only once. */
  readonly rows: AsyncGenerator<TableRow, void, undefined>;
  close(): Promise<void>;
}

/** Marks that databases and statistics write where there is nothing. */
const NOTHING = /^(?:null|none|nil|nan|na|n\/a|<na>|<null>|\(null\)|\\n|-+|\.)$/i;
const LONGEST_MARK = 6;

/** The text of a cell of a geometry or a coordinate, without spaces around it; empty where it has a mark for nothing. */
export function formatPlaceCell(cell: unknown): string {
  const text = formatCell(cell).trim();
  return text.length <= LONGEST_MARK && NOTHING.test(text) ? "" : text;
}

/** A cell as text. */
export function formatCell(cell: unknown): string {
  if (typeof cell === "string") return cell;
  if (cell === undefined || cell === null) return "";
  return String(typeof cell === "number" ? toRealNumber(cell) : cell);
}
