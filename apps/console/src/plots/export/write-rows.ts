import { parseRecord } from "@groundrule/engine/records";
import { type PortfolioRow, portfolioCsv, portfolioXlsx, renderPortfolio } from "@groundrule/report";
import type { Language } from "@groundrule/words/tags";
import type { ExportedRow, ExportFormat } from "./export-protocol.ts";

/** Writes a list of plots as a file. */
export async function writeRows(
  exported: readonly ExportedRow[],
  format: ExportFormat,
  language: Language,
): Promise<Blob> {
  const rows = exported.map(({ record, ...row }): PortfolioRow => {
    return record === undefined ? row : { ...row, record: parseRecord({ id: row.id, ...record }) };
  });
  if (format === "csv") return new Blob([portfolioCsv(rows)]);
  // One HTML page with all plots, without external resources.
  if (format === "page") return new Blob([renderPortfolio(rows, { language })]);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of portfolioXlsx(rows, { language })) pieces.push(piece);
  return new Blob(pieces);
}
