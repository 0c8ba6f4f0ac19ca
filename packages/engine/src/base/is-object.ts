/**
 * True if a value is a JSON object.
 *
 * @param value of any kind; null and arrays are none
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
