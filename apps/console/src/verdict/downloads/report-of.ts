import type { ListedSource } from "@groundrule/contract";
import { parseRecord } from "@groundrule/engine/records";
import { type ReportMaterial, renderReport, renderStamp } from "@groundrule/report";
import type { Answer } from "../../answering/answerer.ts";
import { gatherHere } from "../../here/gather-here.ts";
import type { LanguageTag } from "../../languages/language.ts";

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
  const material = await materialOf(stored, answer.by);
  return renderReport(parseRecord(stored), { ...material, sources }, { language });
}

/** The stamp of an answer, as the command writes it: SVG that loads nothing. */
export async function stampOf(id: string, answer: Answer, language: LanguageTag): Promise<string> {
  const stored = { id, ...answer.record };
  return renderStamp(parseRecord(stored), await outlineOf(stored), { language });
}

/** Where the files that answered are closed, or a worker ends, the plot alone; where none starts, nothing but the record. */
async function materialOf(record: object, by: Answer["by"]): Promise<ReportMaterial> {
  try {
    return await (by.material === undefined ? gatherHere(record, by) : by.material(record));
  } catch {
    const outline = await outlineOf(record);
    return by.material === undefined ? { ...outline, isUnasked: true } : outline;
  }
}

async function outlineOf(record: object): Promise<ReportMaterial> {
  return gatherHere(record).catch(() => ({ views: [], sources: [] }));
}
