import type { CheckResult, FactDeclaration, Verdict } from "@groundrule/engine";
import { findTranslation } from "./source-title.ts";
import type { Tongue } from "./tongue.ts";

/** Names of rulesets that begin so are presets, whose texts each language translates. */
const PRESET_PREFIX = "preset.";

/** A language in which verdicts of one ruleset are written, with its own texts in that language. */
export interface RulesetTongue extends Tongue {
  /** A day `YYYY-MM-DD` in words. */
  readonly day: (day: string) => string;
  /** Declarations in the ruleset, by name; a fact without one is shown by its name. */
  readonly declarations: Readonly<Record<string, FactDeclaration>>;
  /** Titles of checks that the ruleset has in the language, by the ids of checks. */
  readonly titles: ReadonlyMap<string, string>;
  /** Texts of the ruleset, by the English ones; empty for one that is no preset. */
  readonly translations: Readonly<Record<string, string>>;
}

/**
 * A language with the texts of a ruleset.
 *
 * @param name of the ruleset, as its verdicts have it
 * @param ruleset as a record has it; what is no ruleset has no texts
 */
export function createRulesetTongue(
  tongue: Tongue,
  name: string | null | undefined,
  ruleset: unknown,
): RulesetTongue {
  const { facts, checks } = Object(ruleset) as { readonly facts?: unknown; readonly checks?: unknown };
  const titles = (Array.isArray(checks) ? checks : []).flatMap((check: unknown) => {
    const { id, titles } = Object(check) as { readonly id?: unknown; readonly titles?: unknown };
    const own = findTranslation(titles, tongue.language);
    return typeof id === "string" && own !== undefined ? [[id, own] as const] : [];
  });
  return {
    ...tongue,
    day: (day) => tongue.formats.day(day),
    declarations: Object(facts) as RulesetTongue["declarations"],
    titles: new Map(titles),
    translations: name?.startsWith(PRESET_PREFIX) === true ? tongue.presets : {},
  };
}

/** A text of the ruleset in the language, where a preset has it so; else as it is written. */
export function translateText({ translations }: Pick<RulesetTongue, "translations">, text: string): string {
  return translations[text] ?? text;
}

/** The parts of a verdict with texts of its ruleset. */
interface Titled {
  readonly ruleset?: Partial<Pick<Verdict["ruleset"], "not_examined">>;
  /** Absent of a row of results that has only the word of its verdict. */
  readonly checks?: readonly Pick<CheckResult, "id" | "title">[];
}

/**
 * A verdict with the texts of its ruleset in a language, where there are any; the others stay as they are written. For
 * pages and tables alone: the verdict of record keeps its own.
 */
export function translateVerdict<Answer extends Titled>(
  verdict: Answer,
  tongue: Pick<RulesetTongue, "titles" | "translations">,
): Answer {
  const { ruleset, checks } = verdict;
  const notExamined = ruleset?.not_examined?.map((text) => translateText(tongue, text));
  return {
    ...verdict,
    ...(notExamined !== undefined && { ruleset: { ...ruleset, not_examined: notExamined } }),
    ...(checks !== undefined && {
      checks: checks.map((check) => {
        const { id, title } = check;
        const own = tongue.titles.get(id) ?? (title === undefined ? title : translateText(tongue, title));
        return own === undefined ? check : { ...check, title: own };
      }),
    }),
  };
}
