import type { ListedSource } from "@groundrule/contract";
import { parseRecord } from "@groundrule/engine/records";
import { type ReportMaterial, renderReport, renderStamp } from "@groundrule/report";
import { formatLandContext } from "@groundrule/report/context";
import { getTongue } from "@groundrule/words/languages";
import type { Language } from "@groundrule/words/tags";
import type { Answer, MaterialHere } from "../../answering/answerer.ts";
import { gatherReportMaterial } from "../../here/gather-here.ts";

/**
 * The report of an answer, as the command writes it, with the shapes that the verdict is about. A service is not called
 * again, which would be charged: the shapes then come from the map's tiles. The report lists what was not available.
 *
 * @returns one HTML page without external resources
 */
export async function toReportPage(
  id: string,
  answer: Answer,
  sources: readonly ListedSource[],
  language: Language,
): Promise<string> {
  const stored = { id, ...answer.record };
  const { land = [], ...material } = await loadReportMaterial(stored, answer.by);
  const context = formatLandContext(land, getTongue(language));
  return renderReport(parseRecord(stored), { ...material, sources, context }, { language });
}

/** The stamp of an answer, as the command writes it: SVG without external resources. */
export async function toStamp(id: string, answer: Answer, language: Language): Promise<string> {
  const stored = { id, ...answer.record };
  return renderStamp(parseRecord(stored), await gatherPlotOutline(stored), { language });
}

/**
 * If the answering files are closed, or a worker ends, only the plot is shown; if no worker starts, only the record.
 */
async function loadReportMaterial(
  record: object,
  by: Answer["by"],
): Promise<ReportMaterial & Partial<MaterialHere>> {
  try {
    return await (by.material === undefined ? gatherReportMaterial(record, by) : by.material(record));
  } catch {
    const outline = await gatherPlotOutline(record);
    return by.material === undefined ? { ...outline, isUnasked: true } : outline;
  }
}

async function gatherPlotOutline(record: object): Promise<ReportMaterial> {
  return gatherReportMaterial(record).catch(() => ({ views: [], sources: [] }));
}
