/** Orders strings by UTF-16 code units, the one order of strings in the engine. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
