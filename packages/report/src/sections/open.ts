import type { CheckResult } from "@groundrule/engine";
import { openTexts } from "@groundrule/words";
import type { Page } from "../page/page.ts";

/** Why a check is open, a sentence for each reason. */
export function formatOpenReasons(page: Page, check: CheckResult): string {
  return openTexts(check, page.facts, (name) => page.sources.get(name)?.source_dataset ?? name).join(" ");
}
