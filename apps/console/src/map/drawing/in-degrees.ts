/** An input whose geometry is replaced by one in degrees: what else it has in another reference system goes with it. */
export function inDegrees(input: object | undefined): object {
  const { crs, property, ...others } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return crs === undefined && property !== undefined ? { ...others, property } : others;
}
