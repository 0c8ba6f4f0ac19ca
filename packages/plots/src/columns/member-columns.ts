import type { ProfileMember } from "../profiles/profile.ts";
import { countryColumns } from "./country-column.ts";
import { NAME_WORD, PRODUCER_WORD, splitNameIntoWords } from "./name-words.ts";
import { isCutOf, toPlainName } from "./plain-name.ts";

type Properties = Readonly<Record<string, unknown>>;

/** Intended meaning of a property. */
export interface MeantMember<Member> {
  readonly member: Member;
  /** True if its name was cut at ten characters, as in a Shapefile. */
  readonly isCut: boolean;
}

/**
 * Members that properties have under another name only: another case, other separators, or cut at ten characters as a
 * Shapefile cuts them, by the name that they have. Where two properties could mean one, or one could mean two, none does.
 * Areas have names and units of their own; see `statedArea`.
 */
export function findMeantMembers<Member extends Pick<ProfileMember, "name" | "type">>(
  properties: Properties,
  members: readonly Member[],
): Map<string, MeantMember<Member>> {
  const meant = new Map<string, MeantMember<Member>>();
  const written = Object.keys(properties);
  for (const member of members) {
    const { name, type } = member;
    if (type === "number" || Object.hasOwn(properties, name)) continue;
    const alike = written.filter((one) => toPlainName(one) === toPlainName(name));
    if (alike.length === 1) meant.set(alike[0]!, { member, isCut: false });
    if (alike.length > 0) continue;
    const cut = written.filter((one) => isText(properties[one]) && isCutOf(one, name));
    if (cut.length === 0) {
      const other = findOtherName(
        name,
        written.filter((one) => isText(properties[one])),
      );
      if (other !== undefined && !meant.has(other)) meant.set(other, { member, isCut: false });
      continue;
    }
    const [only] = cut;
    if (cut.length !== 1 || members.filter((other) => isCutOf(only!, other.name)).length > 1) continue;
    meant.set(only!, { member, isCut: true });
  }
  return meant;
}

/** Endings of the word for a producer: `Productor(a)`, `produtor rural`. */
const ENDING = /^(?:a|as|es|rural|rurais)$/;

/**
 * The only column that says a member in other words: the producer in en, pt, es, fr or id, or a country in any column
 * that countries are read from.
 */
function findOtherName(member: string, written: readonly string[]): string | undefined {
  if (member === "ProducerCountry") return countryColumns(written)[0];
  if (member !== "ProducerName") return undefined;
  const found = written.filter((one) => {
    const words = splitNameIntoWords(one);
    return (
      words.some((word) => PRODUCER_WORD.test(word)) &&
      words.every((word) => PRODUCER_WORD.test(word) || NAME_WORD.test(word) || ENDING.test(word))
    );
  });
  return found.length === 1 ? found[0] : undefined;
}

/** A `Production` of 1,200 is no place. */
function isText(value: unknown): boolean {
  return typeof value === "string" && !/^[\s\d.,]*$/.test(value);
}

const PRODUCER = [
  { name: "ProducerName", type: "string" },
  { name: "ProducerCountry", type: "country" },
] as const;

/** Name and country of the producer, under whatever name the properties have them, and the property that has the name. */
export function findProducerProperties(properties: Properties): {
  readonly name: unknown;
  readonly country: unknown;
  readonly nameColumn: string;
} {
  const { ProducerName: name, ProducerCountry: country } = properties;
  const found = { name, country, nameColumn: "ProducerName" };
  if (name !== undefined && country !== undefined) return found;
  for (const [written, { member }] of findMeantMembers(properties, PRODUCER)) {
    found[member.type === "country" ? "country" : "name"] = properties[written];
    if (member.type !== "country") found.nameColumn = written;
  }
  return found;
}
