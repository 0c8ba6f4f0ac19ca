/**
 * An input with a geometry in degrees in place of its own; its other members in another reference system are removed.
 */
export function convertInputToDegrees(input: object | undefined): object {
  const { crs, property, ...others } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return crs === undefined && property !== undefined ? { ...others, property } : others;
}
