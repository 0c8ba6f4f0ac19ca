/**
 * A number cut to so many decimals: digits beyond them are left out, none is rounded, so the result is
 * nearer to zero or the same.
 *
 * What is cut is the shortest decimal that names the double, which is what JSON, CSV and people write;
 * the binary value may lie a trifle below it, and arithmetic on that would cut 1.005 to 1.004.
 *
 * @param value any number; NaN and infinities are returned as they are
 * @param decimals 0 to 100
 * @returns the double nearest to the cut decimal; never −0. Cutting it again changes nothing.
 */
export function cutDecimals(value: number, decimals: number): number {
  if (isOnGrid(value, decimals)) return value === 0 ? 0 : value;
  const text = String(value);
  const exponent = text.indexOf("e");
  if (exponent === -1) return toNumber(cutDecimalText(text, decimals));
  // Beyond 1e21 there are no decimals; below 1e-6 all digits are decimals.
  return text[exponent + 1] === "-"
    ? toNumber(cutDecimalText(formatPlainDecimal(text, exponent), decimals))
    : value;
}

/**
 * True if a number has no digit beyond so many decimals: integers, and multiples of the grid that a double represents
 * with at most 15 digits, decided without a string.
 */
function isOnGrid(value: number, decimals: number): boolean {
  if (Number.isInteger(value)) return true;
  if (decimals !== 6) return false;
  const units = Math.round(value * 1e6);
  // A decimal of at most 15 digits is the shortest one of the double nearest to it.
  return units / 1e6 === value && Math.abs(units) < 1e15;
}

function cutDecimalText(text: string, decimals: number): string {
  const point = text.indexOf(".");
  return point === -1 ? text : text.slice(0, point + 1 + decimals);
}

/** `1.5e-7` as `0.00000015`. */
function formatPlainDecimal(text: string, exponent: number): string {
  const isNegative = text.startsWith("-");
  const digits = text.slice(isNegative ? 1 : 0, exponent).replace(".", "");
  const zeros = "0".repeat(-Number(text.slice(exponent + 1)) - 1);
  return `${isNegative ? "-" : ""}0.${zeros}${digits}`;
}

function toNumber(text: string): number {
  const value = Number(text);
  return value === 0 ? 0 : value;
}
