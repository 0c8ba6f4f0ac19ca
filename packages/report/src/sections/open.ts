import type { CheckResult } from "@groundrule/engine";
import { openTexts } from "@groundrule/words/open-reason";
import type { Page } from "../page/page.ts";

/** Why a check is open, a sentence for each reason. */
export function formatOpenReasons({ language, sources }: Page, check: CheckResult): string {
  return openTexts(check, language, (name) => sources.get(name)?.source_dataset ?? name).join(" ");
}
