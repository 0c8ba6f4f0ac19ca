import type { FactDocument, FactValue } from "@groundrule/engine";
import { declaredHolds } from "@groundrule/words";

/**
 * True if the answers to other facts exclude a fact: each check that reads it needs all of its conditions, and one of
 * them does not hold, whatever the fact is. A fact that a set reads is never excluded.
 *
 * @param ruleset with `sets` and `checks`; of what is no ruleset nothing is excluded
 * @param answer the value of a fact; undefined: not answered
 */
export function isFactExcluded(
  ruleset: unknown,
  fact: string,
  answer: (fact: string) => FactValue | undefined,
): boolean {
  const { sets, checks } = Object(ruleset) as { readonly sets?: unknown; readonly checks?: unknown };
  if (!Array.isArray(checks) || isNamed(sets, fact)) return false;
  const readers = checks.filter((check) => isNamed(check, fact));
  const isRuledOut = (condition: unknown): boolean => {
    const { fact: other, op, value: threshold } = Object(condition) as Readonly<Record<string, unknown>>;
    if (typeof other !== "string" || other === fact || !isPlain(threshold)) return false;
    const value = answer(other);
    return isPlain(value) && declaredHolds({ fact: other, op: op as "=", value, threshold }) === false;
  };
  return (
    readers.length > 0 &&
    readers.every(({ all }) => Array.isArray(all) && all.some((each) => isRuledOut(each)))
  );
}

/** True if a part of a ruleset names a fact, in a condition or in a filter. */
function isNamed(part: unknown, fact: string): boolean {
  return new RegExp(`\\b${fact}\\b`).test(`${JSON.stringify(part)}`);
}

function isPlain(value: unknown): value is Exclude<FactValue, FactDocument> {
  return ["boolean", "number", "string"].includes(typeof value);
}
