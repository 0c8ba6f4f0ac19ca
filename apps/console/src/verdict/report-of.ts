import type { ListedSource } from "@groundrule/contract";
import { crsTable } from "@groundrule/crs";
import { parseRecord } from "@groundrule/engine/records";
import { gatherMaterial, type ReportMaterial, renderReport, renderStamp } from "@groundrule/report";
import type { Answer } from "../answering/answerer.ts";
import { gatherHere } from "../here/gather-here.ts";
import type { LanguageTag } from "../languages/language.ts";

/**
 * The report of an answer, as the command writes it, with the shapes that the verdict is about. A service is not asked
 * again, which would be charged: the shapes are then those of the map's tiles. What could not be had, the report says.
 *
 * @returns one HTML page that loads nothing
 */
export async function reportOf(
  id: string,
  answer: Answer,
  sources: readonly ListedSource[],
  language: LanguageTag,
): Promise<string> {
  const stored = { id, ...answer.record };
  const record = parseRecord(stored);
  const material =
    (await materialOf(stored, answer.by)) ??
    gatherMaterial(record, { crs: crsTable, ...(answer.by.material === undefined && { drawn: [] }) });
  return renderReport(record, { ...material, sources }, { language });
}

/** The stamp of an answer, as the command writes it: SVG that loads nothing. */
export function stampOf(id: string, answer: Answer, language: LanguageTag): string {
  const record = parseRecord({ id, ...answer.record });
  return renderStamp(record, gatherMaterial(record, { crs: crsTable }), { language });
}

/** Undefined where the files that answered are closed, or a worker ends. */
async function materialOf(record: object, by: Answer["by"]): Promise<ReportMaterial | undefined> {
  try {
    return await (by.material === undefined ? gatherHere(record, by) : by.material(record));
  } catch {
    return undefined;
  }
}
