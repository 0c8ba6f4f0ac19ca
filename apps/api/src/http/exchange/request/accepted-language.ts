import type { Context } from "hono";
import { accepts } from "hono/accepts";

/**
 * The language that the caller reads best of those offered, the first of which is for callers who read none of them
 * (RFC 9110 §12.5.4). A range stands for its primary language: `pt-BR` is answered in `pt`.
 */
export function acceptedLanguage<Language extends string>(
  c: Context,
  offered: readonly [Language, ...Language[]],
): Language {
  const match = (ranges: readonly Range[]): string => lookUp(ranges, offered) ?? offered[0];
  const found = accepts(c, {
    header: "Accept-Language",
    supports: [...offered],
    default: offered[0],
    match,
  });
  return found as Language;
}

/** What a caller reads, and how well. */
interface Range {
  readonly type: string;
  readonly q: number;
}

/** @param ranges the weightiest first */
function lookUp(ranges: readonly Range[], offered: readonly string[]): string | undefined {
  const named = ranges.map(({ type }) => type.toLowerCase().split("-")[0]);
  for (const [i, { q }] of ranges.entries()) {
    if (q === 0) continue;
    // A wildcard stands for every language that no other range names (RFC 4647 §3.4).
    const found = offered.find((language) =>
      named[i] === "*" ? !named.includes(language) : named[i] === language,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
