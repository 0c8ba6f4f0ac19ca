import { describeValue } from "@groundrule/engine/internal";
import { findNearestName } from "@groundrule/engine/internal/json";
import { findMeantMembers, type MeantMember } from "../columns/member-columns.ts";
import { toPlainName } from "../columns/plain-name.ts";
import type { Profile, ProfileMember } from "../profiles/profile.ts";
import type { Countries } from "./countries.ts";
import { type PlotFindings, toPropertyPointer } from "./plot-findings.ts";

/** The end of the mend of a name that only seems to be one that the profile reads, so that nothing but a person renames it. */
export const IF_MEANT = ", if that is what it means.";

type Properties = Readonly<Record<string, unknown>>;

/** Reports properties whose names or values a profile does not read. `Area` is checked with the geometry. */
export function checkProfileMembers(
  properties: Properties,
  profile: Profile,
  countries: Countries | undefined,
  findings: PlotFindings,
): void {
  const meant = findMeantMembers(properties, profile.members);
  const mistyped = findMistypedMembers(properties, profile, meant);
  for (const [written, member] of mistyped) meant.set(written, { member, isCut: false });
  for (const [written, { member, isCut }] of meant) {
    findings.add(isCut ? "MEMBER_CUT" : "MEMBER_MISSPELT", toPropertyPointer(written), {
      found: `the property ${JSON.stringify(written)}`,
      expected: JSON.stringify(member.name),
      ...(!isCut && {
        mend: `Rename it ${JSON.stringify(member.name)}${mistyped.has(written) ? IF_MEANT : "."}`,
      }),
    });
    checkTextMember(member, properties[written], toPropertyPointer(written), countries, findings);
  }
  const misspelt = new Set(Array.from(meant.values(), ({ member }) => member.name));
  for (const member of profile.members) {
    const value = properties[member.name];
    if (value === undefined || value === null || value === "") {
      if (member.isExpected && !misspelt.has(member.name)) {
        findings.add("MEMBER_MISSING", toPropertyPointer(member.name), {
          found: value === "" ? "an empty string" : `no ${member.name}`,
          expected: member.type === "country" ? "an ISO 3166-1 alpha-2 code" : "a string",
        });
      }
    } else if (member.type !== "number") {
      checkTextMember(member, value, toPropertyPointer(member.name), countries, findings);
    }
  }
}

function checkTextMember(
  member: ProfileMember,
  value: unknown,
  pointer: string,
  countries: Countries | undefined,
  findings: PlotFindings,
): void {
  if (typeof value !== "string") {
    findings.add("MEMBER_TYPE", pointer, { found: describeValue(value), expected: "a string" });
    return;
  }
  if (member.type !== "country") return;
  const iso2 = countries?.iso2Of(value);
  const isCode = countries === undefined ? /^[A-Z]{2}$/.test(value) : value === iso2;
  if (isCode) return;
  findings.add("COUNTRY_CODE_INVALID", pointer, {
    found: describeValue(value),
    expected: "an ISO 3166-1 alpha-2 code in capitals",
    ...(iso2 !== undefined && { mend: `Write ${JSON.stringify(iso2)}.` }),
  });
}

/** Members that are there with a slip of the pen only, by what is written. */
function findMistypedMembers(
  properties: Properties,
  { members }: Profile,
  meant: ReadonlyMap<string, MeantMember<ProfileMember>>,
): Map<string, ProfileMember> {
  const known = new Set(Array.from(meant.values(), ({ member }) => member.name));
  const missing = members.filter(({ name }) => properties[name] === undefined && !known.has(name));
  const found = new Map<string, ProfileMember>();
  for (const written of Object.keys(properties)) {
    if (meant.has(written)) continue;
    const member = missing.find(({ name }) => isNearly(written, name));
    if (member !== undefined && ![...found.values()].includes(member)) found.set(written, member);
  }
  return found;
}

/** Short names such as `Area` are only taken for others in another case: `Arena` is a word of its own. */
function isNearly(written: string, name: string): boolean {
  if (written === name || name.length < 8 || Math.abs(written.length - name.length) > 4) return false;
  const [plainWritten, plain] = [toPlainName(written), toPlainName(name)];
  if (plainWritten === plain) return true;
  return (
    Math.abs(plainWritten.length - plain.length) <= 2 && findNearestName(plainWritten, [plain]) !== undefined
  );
}
