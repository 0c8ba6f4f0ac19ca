import { PRESET_PREFIX } from "@groundrule/data/rulesets";
import { presetTitles } from "@groundrule/data/rulesets/titles";
import type { CheckResult } from "@groundrule/engine";
import type { Language } from "@groundrule/report";

/** A ruleset's name and its checks, as verdicts have them. */
interface Titled<Check> {
  readonly ruleset?: { readonly name?: string | null } | undefined;
  readonly checks: readonly Check[];
}

/**
 * A verdict with the titles of its checks in a language: those of presets are translated, others stay as written. For
 * pages and workbooks only, as the verdict of record keeps its titles.
 */
export function localizeCheckTitles<Verdict extends Titled<Pick<CheckResult, "title">>>(
  verdict: Verdict,
  language: Language,
): Verdict {
  if (language === "en" || verdict.ruleset?.name?.startsWith(PRESET_PREFIX) !== true) return verdict;
  const titles = presetTitles(language);
  const checks = verdict.checks.map((check) => {
    const title = titles.get(check.title ?? "");
    return title === undefined ? check : { ...check, title };
  });
  return { ...verdict, checks };
}
