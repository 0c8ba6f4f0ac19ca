import type { ListedSource } from "@groundrule/contract";
import { crsTable } from "@groundrule/crs";
import { parseRecord } from "@groundrule/engine/records";
import { gatherMaterial, renderReport } from "@groundrule/report";
import type { Answer } from "../answering/answerer.ts";
import type { LanguageTag } from "../languages/language.ts";

/**
 * The report of an answer, as the command writes it.
 *
 * @returns one HTML page that loads nothing
 */
export function reportOf(
  id: string,
  answer: Answer,
  sources: readonly ListedSource[],
  language: LanguageTag,
): string {
  const record = parseRecord({ id, ...answer.record });
  const material = gatherMaterial(record, { crs: crsTable });
  return renderReport(record, { ...material, sources }, { language });
}
