import { canonicalJson } from "@groundrule/engine/records";
import type { RunIdentity } from "./run.ts";

/** A member in which two runs differ, with both values in readable form. */
export interface Difference {
  readonly member: string;
  readonly found: string;
  readonly expected: string;
}

/** Maximum characters of a value in a message. */
const SHOWN = 120;

/**
 * The differences of two runs, the likeliest reason first; empty if they answer the same.
 *
 * @param members to compare
 */
export function listRunDifferences(
  found: RunIdentity,
  expected: RunIdentity,
  members: readonly (keyof RunIdentity)[] = MEMBERS,
): Difference[] {
  return members.flatMap((member) => {
    const [is, was] = [found[member], expected[member]];
    if (isSameJson(is, was)) return [];
    if (typeof is !== "object" || Array.isArray(is)) return [createDifference(member, is, was)];
    return listMemberDifferences(member, is as Record<string, unknown>, was as Record<string, unknown>);
  });
}

const MEMBERS = [
  "input",
  "ruleset",
  "editions",
  "now",
  "shard",
  "format",
  "evidence",
  "options",
  "semantics",
  "engine_version",
] as const satisfies readonly (keyof RunIdentity)[];

/** Differences as the end of a sentence. */
export function formatDifferences(all: readonly Difference[]): string {
  return all
    .map(({ member, found, expected }) => `found ${member} ${found}, expected ${expected}`)
    .join("; ");
}

function listMemberDifferences(
  member: string,
  is: Readonly<Record<string, unknown>>,
  was: Readonly<Record<string, unknown>>,
): Difference[] {
  const names = [...new Set([...Object.keys(is), ...Object.keys(was)])];
  return names
    .filter((name) => !isSameJson(is[name], was[name]))
    .map((name) => createDifference(`${member}.${name}`, is[name], was[name]));
}

function createDifference(member: string, is: unknown, was: unknown): Difference {
  return { member, found: formatIdentityValue(is), expected: formatIdentityValue(was) };
}

function formatIdentityValue(value: unknown): string {
  if (value === undefined) return "none";
  const json = JSON.stringify(value);
  return json.length > SHOWN ? `${json.slice(0, SHOWN)}…` : json;
}

function isSameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
