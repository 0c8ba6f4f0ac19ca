import type { PortfolioRow } from "@groundrule/report";
import type { Language } from "@groundrule/words/tags";

/** A row before its record was read. */
export interface ExportedRow extends Omit<PortfolioRow, "record" | "verdict"> {
  readonly record?: object;
}

/** The forms of a list for people and spreadsheets. */
export type ExportFormat = "csv" | "xlsx" | "page";

/** A message to the worker: some of the rows, or the form in which all of them are to be written. */
export type ExportMessage =
  | { readonly rows: readonly ExportedRow[] }
  | { readonly format: ExportFormat; readonly language: Language };

/** The worker's reply. */
export type ExportReply = { readonly file: Blob } | { readonly failed: string };
