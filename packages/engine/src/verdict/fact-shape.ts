import { CALENDAR_DAY_PATTERN } from "../base/calendar-day.ts";
import {
  boolean,
  type Described,
  describedAs,
  named,
  nullable,
  number,
  objectOf,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../shape/shape.ts";

// In a file of its own, because code that only reads an input does not load the rest of a verdict.

const day = text({ pattern: CALENDAR_DAY_PATTERN, format: "date", words: "a calendar day YYYY-MM-DD" });
const factText = text({ min: 1, max: 256 });

const documentMembers = {
  id: describedAs(factText, "Its number or name"),
  issuer: describedAs(factText, "Who issued it"),
  issued_on: describedAs(day, "The first day of its validity, `YYYY-MM-DD`"),
  valid_until: optional(day, "The last day of its validity, `YYYY-MM-DD`; absent: without end"),
  area_m2: optional(number({ min: 0 }), "The land that it speaks of, square metres"),
};

/** A document of an applicant: declared, not examined. */
export interface FactDocument extends Described<typeof documentMembers> {}

/** The value of a fact; a day is written `YYYY-MM-DD`. */
export type FactValue = boolean | number | string | FactDocument;

export const factValueShape: Shape<FactValue> = union<[boolean, number, string, FactDocument]>([
  boolean(),
  number(),
  factText,
  named("FactDocument", () => objectOf(documentMembers)),
]);

/** The values of facts in an input, by name; null is not declared. */
export const factsShape: Shape<Readonly<Record<string, FactValue | null>>> = record(
  text({ min: 1, max: 64 }),
  nullable(factValueShape),
);
