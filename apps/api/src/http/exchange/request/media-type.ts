import { parseQualityWeight as weightOf } from "./content-coding.ts";

/**
 * The media type for an answer (RFC 9110 §12.5.1), or undefined if none offered is acceptable. Each offered type takes
 * the quality of the most specific range that names it; among equals the one offered first wins. A missing or empty
 * header accepts anything.
 */
export function negotiateMediaType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const ranges = accept.split(",").map(parseMediaRange);
  let best: Type | undefined;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = computeTypeQuality(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

/** True if a `Content-Type` is the expected one, in UTF-8. */
export function isTypeInUtf8(contentType: string | undefined, expected: string): boolean {
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  return (
    type === expected &&
    parameters.every(
      (parameter) => !parameter.startsWith("charset=") || /^charset="?utf-8"?$/.test(parameter),
    )
  );
}

interface MediaRange {
  readonly range: string;
  readonly quality: number;
}

function parseMediaRange(text: string): MediaRange {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  return { range, quality: weightOf(parameters) };
}

function computeTypeQuality(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const named = ranges.filter((candidate) => candidate.range === range);
    if (named.length > 0)
      return named.map(({ quality }) => quality).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  }
  return 0;
}
