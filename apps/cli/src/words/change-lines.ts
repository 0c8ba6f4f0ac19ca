import type { SourceChange } from "@groundrule/node";
import { changeInWords } from "@groundrule/node/internal";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";

/** Prints the changes of a source, one per line, on standard error, since they are no result. */
export function noteSourceChanges(
  sourceName: string,
  changes: readonly SourceChange[] | undefined,
  terminal: Terminal,
): void {
  for (const change of changes ?? []) {
    terminal.note(toPrintable(`${sourceName} changed: ${changeInWords(change)}`));
  }
}

/** Prints what happens to the groups of a removed source. */
export function noteAffectedGroups(
  sourceName: string,
  groups: readonly string[],
  isLeaving: boolean,
  terminal: Terminal,
): void {
  if (groups.length === 0) return;
  const names = groups.join(", ");
  terminal.note(
    isLeaving
      ? `${sourceName} left ${names}: rulesets that name the group no longer query it`
      : `${sourceName} stays a member of ${names} and fails there: verdicts that use the group are DEGRADED until the source is built again, or groundrule sources group defines the group again`,
  );
}
