/** A whole number as a property holds it: its text where a double cannot hold it. */
export function wholeNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** A number as a property holds it: JSON has neither NaN, which stands for "none", nor the infinities. */
export function realNumber(value: number): number | string | null {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? null : String(value);
}
