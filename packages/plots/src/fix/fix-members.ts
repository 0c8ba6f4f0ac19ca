import { toPropertyPointer } from "../check/plot-findings.ts";
import { type StatedArea, statedArea, toHectares } from "../columns/area-column.ts";
import { findMeantMembers } from "../columns/member-columns.ts";
import { toPlainName } from "../columns/plain-name.ts";
import type { Profile, ProfileMember } from "../profiles/profile.ts";
import type { PlotChange } from "./plot-change.ts";

export type Properties = Readonly<Record<string, unknown>>;

/** A change of a plot's properties. */
export type MemberChange = Pick<PlotChange, "code" | "pointer" | "message">;

/**
 * Properties as a profile reads them, where it is plain what is meant: names to the letter, whole where they were cut,
 * numbers that were written as text, the area in hectares, the country by two capitals. Everything else stays, in its
 * order.
 *
 * @param options.hectares of the plot as measured, of polygons: a property of the name `area` in another case may be in
 *   another unit, so it is renamed only where it agrees within a tenth; of points at most `greatestPointHectares`
 * @param options.iso2Of the two capitals of a country's code; absent: countries stay as they are
 */
export function fixProfileMembers(
  properties: Properties,
  profile: Profile,
  options: {
    readonly hectares?: number | undefined;
    readonly iso2Of?: ((code: string) => string | undefined) | undefined;
  },
): { readonly properties: Properties; readonly changes: readonly MemberChange[] } {
  const changes: MemberChange[] = [];
  const meant = findMeantMembers(properties, profile.members);
  const area = statedArea(properties);
  const areaMember = profile.members.find(({ type }) => type === "number");
  const entries = Object.entries(properties).flatMap(([written, value]): [string, unknown][] => {
    if (areaMember !== undefined && written === area?.column) return [fixArea(area, areaMember)];
    // A column without an area gives way to the one that states it.
    if (written === areaMember?.name && area !== undefined && isArea(area)) return [];
    const member = profile.members.find(({ name }) => name === written) ?? renamed(written);
    return [member === undefined ? [written, value] : [member.name, fixValue(member, value)]];
  });
  if (changes.length === 0) return { properties, changes };
  return { properties: Object.fromEntries(entries), changes };

  function renamed(written: string): ProfileMember | undefined {
    const member = meant.get(written)?.member;
    if (member !== undefined) noteName(written, member);
    return member;
  }

  function noteName(written: string, { name }: ProfileMember): void {
    const message = `the property ${JSON.stringify(written)} was renamed ${JSON.stringify(name)}`;
    changes.push({ code: "MEMBER_RENAMED", pointer: toPropertyPointer(written), message });
  }

  /** True if the column plainly is `Area`: it has that name, or one with its unit, or agrees. */
  function isArea(area: StatedArea): boolean {
    const number = toHectares(area);
    if (number === undefined || number < profile.leastHectares) return false;
    if (toPlainName(area.column) !== "area") return true;
    const { hectares } = options;
    if (hectares === undefined) return number <= profile.greatestPointHectares;
    return Math.abs(number - hectares) <= hectares / 10;
  }

  function fixArea(stated: StatedArea, member: ProfileMember): [string, unknown] {
    const { column, unit, value } = stated;
    if (column !== member.name) {
      if (!isArea(stated)) return [column, value];
      noteName(column, member);
    }
    const made = toHectares(stated);
    if (made === undefined || made === value) return [member.name, value];
    const was = unit.name === "ha" ? JSON.stringify(value) : `${value} ${unit.name}`;
    const message = `${member.name} was ${was} and became ${made}`;
    changes.push({ code: "AREA_READ", pointer: toPropertyPointer(member.name), message });
    return [member.name, made];
  }

  function fixValue(member: ProfileMember, value: unknown): unknown {
    const made = member.type === "country" && typeof value === "string" ? options.iso2Of?.(value) : undefined;
    if (made === undefined || made === value) return value;
    const message = `${member.name} was ${JSON.stringify(value)} and became ${JSON.stringify(made)}`;
    changes.push({ code: "COUNTRY_CODE", pointer: toPropertyPointer(member.name), message });
    return made;
  }
}
