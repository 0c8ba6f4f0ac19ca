/** A pointer into a request of which the ruleset is a member, as a pointer into the ruleset; others stay as they are. */
export function pointerInRuleset(pointer: string): string {
  return pointer.replace(/^\/ruleset(?=\/|$)/, "");
}
