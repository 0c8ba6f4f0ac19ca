import { jsonPointer } from "@groundrule/engine/json";
import type { Profile, ProfileMember } from "../profiles/profile.ts";
import type { ChangeCode } from "./change-codes.ts";

export type Properties = Readonly<Record<string, unknown>>;

/** A change of a plot's properties. */
export interface MemberChange {
  readonly code: ChangeCode;
  readonly pointer: string;
  readonly message: string;
}

/**
 * Properties as a profile reads them, where it is plain what is meant: names to the letter, numbers that were written
 * as text, the country by two capitals. Everything else stays, in its order.
 *
 * @param options.hectares of the plot as measured, of polygons: a property of the name `area` in another case or
 *   another unit is no `Area`, so it is renamed only where it agrees within a tenth; of points at most `greatestPointHectares`
 * @param options.iso2Of the two capitals of a country's code; absent: countries stay as they are
 */
export function fixMembers(
  properties: Properties,
  profile: Profile,
  options: {
    readonly hectares?: number | undefined;
    readonly iso2Of?: ((code: string) => string | undefined) | undefined;
  },
): { readonly properties: Properties; readonly changes: readonly MemberChange[] } {
  const changes: MemberChange[] = [];
  const entries = Object.entries(properties).map(([written, value]) => {
    const member = profile.members.find(({ name }) => name === written) ?? renamed(written, value);
    if (member === undefined) return [written, value] as const;
    return [member.name, fixValue(member, value)] as const;
  });
  if (changes.length === 0) return { properties, changes };
  return { properties: Object.fromEntries(entries), changes };

  function renamed(written: string, value: unknown): ProfileMember | undefined {
    const member = memberMeant(written, properties, profile);
    if (member === undefined || (member.type === "number" && !isHectares(value))) return undefined;
    const message = `the property ${JSON.stringify(written)} was renamed ${JSON.stringify(member.name)}`;
    changes.push({ code: "MEMBER_RENAMED", pointer: pointerTo(written), message });
    return member;
  }

  function isHectares(value: unknown): boolean {
    const number = typeof value === "number" ? value : readNumber(value);
    if (number === undefined || number < profile.leastHectares) return false;
    const { hectares } = options;
    if (hectares === undefined) return number <= profile.greatestPointHectares;
    return Math.abs(number - hectares) <= hectares / 10;
  }

  function fixValue(member: ProfileMember, value: unknown): unknown {
    const made = member.type === "number" ? readNumber(value) : codeOf(member, value);
    if (made === undefined || made === value) return value;
    const code = member.type === "number" ? "AREA_READ" : "COUNTRY_CODE";
    const message = `${member.name} was ${JSON.stringify(value)} and became ${JSON.stringify(made)}`;
    changes.push({ code, pointer: pointerTo(member.name), message });
    return made;
  }

  function codeOf(member: ProfileMember, value: unknown): string | undefined {
    return member.type === "country" && typeof value === "string" ? options.iso2Of?.(value) : undefined;
  }
}

/** The member that a property of another spelling means, if no other property could mean it. */
function memberMeant(
  written: string,
  properties: Properties,
  { members }: Profile,
): ProfileMember | undefined {
  const member = members.find(({ name }) => plain(name) === plain(written));
  if (member === undefined) return undefined;
  const alike = Object.keys(properties).filter((name) => plain(name) === plain(written));
  return alike.length === 1 ? member : undefined;
}

/** Case, spaces, hyphens and underscores do not tell names apart. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** `3`, `3.25`, `3,25` and `3.25 ha`; a comma before three digits may part thousands, so that is no number. */
function readNumber(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{1,12})(?:\.(\d{1,12})|,(\d{1,2}|\d{4,12}))?$/.exec(withoutUnit(value.trim()));
  if (match === null) return undefined;
  const [, whole, afterPoint, afterComma] = match;
  return Number(`${whole}.${afterPoint ?? afterComma ?? "0"}`);
}

function withoutUnit(text: string): string {
  return text.toLowerCase().endsWith("ha") ? text.slice(0, -2).trimEnd() : text;
}

function pointerTo(name: string): string {
  return `/properties${jsonPointer([name])}`;
}
