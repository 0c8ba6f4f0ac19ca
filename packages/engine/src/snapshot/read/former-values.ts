import { encodeUtf8 } from "../../base/utf8.ts";
import { canonicalizeValue, IGNORABLE_RANGES } from "../canonical-value.ts";
import { GRAM_BYTES } from "../grams.ts";
import { type GramIndex, readGramPostings } from "./gram-index.ts";
import { findGramLowerBound } from "./gram-search.ts";
import type { StoredTexts } from "./stored-columns.ts";

/** An identifier that was stored in the former canonical form, with its canonical value of today. */
export interface FormerValue {
  readonly identifier: number;
  /** UTF-8. */
  readonly canonical: Uint8Array;
}

/**
 * The identifiers of a scheme whose stored canonical value contains a default-ignorable character, ascending. Only
 * registers built before such characters were stripped have any. They are found by the grams that begin with one,
 * without reading the values.
 */
export function findFormerValues(
  tables: { readonly schemeStarts: Uint32Array; readonly grams: GramIndex; readonly values: StoredTexts },
  scheme: number,
): readonly FormerValue[] {
  const { schemeStarts, grams, values } = tables;
  const start = schemeStarts[scheme]!;
  const count = schemeStarts[scheme + 1]! - start;
  const found = new Set<number>();
  for (const [first, last] of GRAM_RANGES) {
    const end = grams.schemeStarts[scheme + 1]!;
    for (let g = findGramLowerBound(grams, scheme, first); g < end && grams.grams[g]! <= last; g++) {
      for (const rank of readGramPostings(grams, g)) {
        if (rank >= count) break;
        found.add(grams.order[start + rank]!);
      }
    }
  }
  return [...found]
    .sort((a, b) => a - b)
    .map((identifier) => ({ identifier, canonical: encodeUtf8(canonicalizeValue(values.text(identifier))) }));
}

/** The least and greatest gram that begin with a character of each range: UTF-8 keeps the order of code points. */
const GRAM_RANGES: readonly (readonly [first: number, last: number])[] = IGNORABLE_RANGES.map(
  ([first, last]) => [toGram(first, 0), toGram(last, 255)],
);

function toGram(codePoint: number, filler: number): number {
  const bytes = encodeUtf8(String.fromCodePoint(codePoint));
  let gram = 0;
  for (let k = 0; k < GRAM_BYTES; k++) gram = (gram << 8) | (bytes[k] ?? filler);
  return gram >>> 0;
}
