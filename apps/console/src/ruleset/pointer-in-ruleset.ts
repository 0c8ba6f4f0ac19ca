/**
 * Converts a pointer into a request with a ruleset member to a pointer into the ruleset; other pointers are unchanged.
 */
export function toRulesetPointer(pointer: string): string {
  return pointer.replace(/^\/ruleset(?=\/|$)/, "");
}
