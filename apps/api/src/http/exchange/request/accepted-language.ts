import type { Context } from "hono";
import { accepts } from "hono/accepts";

/**
 * The offered language that the caller prefers; the first one if the caller accepts none of them (RFC 9110 §12.5.4). A
 * range is reduced to its primary language: `pt-BR` is answered in `pt`.
 */
export function negotiateLanguage<Language extends string>(
  c: Context,
  offered: readonly [Language, ...Language[]],
): Language {
  const match = (ranges: readonly Range[]): string => findAcceptedLanguage(ranges, offered) ?? offered[0];
  const found = accepts(c, {
    header: "Accept-Language",
    supports: [...offered],
    default: offered[0],
    match,
  });
  return found as Language;
}

/** A language range with its weight. */
interface Range {
  readonly type: string;
  readonly q: number;
}

/** @param ranges by descending weight */
function findAcceptedLanguage(ranges: readonly Range[], offered: readonly string[]): string | undefined {
  const named = ranges.map(({ type }) => type.toLowerCase().split("-")[0]);
  for (const [i, { q }] of ranges.entries()) {
    if (q === 0) continue;
    // A wildcard matches every language that no other range names (RFC 4647 §3.4).
    const found = offered.find((language) =>
      named[i] === "*" ? !named.includes(language) : named[i] === language,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
