import { nearestName } from "@groundrule/engine/json";
import { describeValue } from "@groundrule/engine/shapes";
import type { Profile, ProfileMember } from "../profiles/profile.ts";
import type { Countries } from "./countries.ts";
import type { PlotFindings } from "./plot-findings.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Tells of properties whose names or values a profile does not read. `Area` is checked with the geometry. */
export function checkMembers(
  properties: Properties,
  profile: Profile,
  countries: Countries | undefined,
  findings: PlotFindings,
): void {
  const meant = meantMembers(properties, profile);
  for (const [written, member] of meant) {
    findings.add("MEMBER_MISSPELT", pointerTo(written), {
      found: `the property ${JSON.stringify(written)}`,
      expected: JSON.stringify(member.name),
      mend: `Rename it ${JSON.stringify(member.name)}.`,
    });
    if (member.type !== "number")
      checkText(member, properties[written], pointerTo(written), countries, findings);
  }
  const misspelt = new Set(Array.from(meant.values(), ({ name }) => name));
  for (const member of profile.members) {
    const value = properties[member.name];
    if (value === undefined || value === null || value === "") {
      if (member.isExpected && !misspelt.has(member.name)) {
        findings.add("MEMBER_MISSING", pointerTo(member.name), {
          found: value === "" ? "an empty string" : `no ${member.name}`,
          expected: member.type === "country" ? "an ISO 3166-1 alpha-2 code" : "a string",
        });
      }
    } else if (member.type !== "number") {
      checkText(member, value, pointerTo(member.name), countries, findings);
    }
  }
}

function checkText(
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

/** Members that are there under another spelling only, by that spelling. */
function meantMembers(properties: Properties, { members }: Profile): Map<string, ProfileMember> {
  const missing = members.filter(({ name }) => properties[name] === undefined);
  const meant = new Map<string, ProfileMember>();
  for (const written of Object.keys(properties)) {
    const member = missing.find(({ name }) => isMeant(written, name));
    if (member !== undefined && ![...meant.values()].includes(member)) meant.set(written, member);
  }
  return meant;
}

/** Short names such as `Area` are only taken for others in another case: `Arena` is a word of its own. */
function isMeant(written: string, name: string): boolean {
  if (written === name) return false;
  const [plainWritten, plainName] = [plain(written), plain(name)];
  if (plainWritten === plainName) return true;
  return (
    name.length >= 8 &&
    Math.abs(plainWritten.length - plainName.length) <= 2 &&
    nearestName(plainWritten, [plainName]) !== undefined
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

function pointerTo(name: string): string {
  return `/properties/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`;
}
