import type { CheckResult } from "@groundrule/engine";
import { findSourceTitle, openTexts } from "@groundrule/words";
import type { Page } from "../page/page.ts";

/** Why a check is open, a sentence for each reason. */
export function formatOpenReasons(page: Page, check: CheckResult): string {
  return openTexts(check, page.facts, (name) =>
    findSourceTitle(page.sources.get(name), name, page.language),
  ).join(" ");
}
