/**
 * Whether a value is what JSON calls an object.
 *
 * @param value of any kind; null and arrays are none
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
