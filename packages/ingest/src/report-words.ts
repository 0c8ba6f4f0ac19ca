import { englishFigures } from "@groundrule/words/figures";

/** `1 area`, `1,200 areas`. */
export function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${formatWholeNumber(number)} ${number === 1 ? one : many}`;
}

export function formatWholeNumber(value: number): string {
  return englishFigures.plain(value);
}

/** Names from a source must not move the cursor of the terminal that shows the report. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{fffd}");
}
