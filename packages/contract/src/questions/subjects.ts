import {
  array,
  choice,
  type Described,
  type DescribedInput,
  describedAs,
  named,
  objectOf,
  optional,
  type Shape,
  schemeShape,
  subjectMatchMembers,
  text,
  type ValueOf,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { envelopeMembers, requestMembers } from "../answer-members.ts";
import { toMemberSchemas } from "../described-shape.ts";
import { OWN_SCHEMAS, referenceIdMember, sourceNameShape } from "../members.ts";
import { explainParameter } from "./plan.ts";

const bodyMembers = {
  input: describedAs(
    named("SubjectsInput", () => objectOf({ scheme: schemeShape })),
    "The identifier to look up",
  ),
  subject_source: optional(sourceNameShape, "Query only this register; absent: all available registers"),
  match_op: optional(
    choice("equals", "ilike"),
    "`equals` (default): the canonical values are equal. `ilike`: `%` matches any characters",
  ),
  reference_id: referenceIdMember,
};

/** Body of `POST /v1/subjects`. */
export interface SubjectsRequest extends DescribedInput<typeof bodyMembers> {}

/** Query of `POST /v1/subjects`. */
export interface SubjectsQuery {
  readonly explain: boolean;
}

const matchMembers = { ...subjectMatchMembers, indexed_at: subjectMatchMembers.indexed_at.optional };

/** A match of a register whose age is known. */
export interface DatedMatch extends Described<typeof matchMembers> {}

const matchShape: Shape<DatedMatch> = named("SubjectMatch", () => objectOf(matchMembers));

const malformedShape = named("MalformedValue", () =>
  objectOf({
    code: describedAs(
      choice("IDENTIFIER_MALFORMED", "CHECK_DIGITS_WRONG"),
      "`IDENTIFIER_MALFORMED`: length or characters. `CHECK_DIGITS_WRONG`: the check digits do not fit the others",
    ),
    proposed: optional(
      text(),
      "The value that fits without what surrounds it, or once lost leading zeros are restored. It was not looked up",
    ),
  }),
);

export const subjectsResponseShape = objectOf({
  data: named("SubjectMatches", () =>
    objectOf({
      matches: describedAs(array(matchShape), "What was found; empty if nothing matches"),
      subject_check: describedAs(
        choice("ok", "failed"),
        "`ok` if every register answered, `failed` if one did not, so that matches may be missing",
      ),
      ...requestMembers,
      malformed: optional(
        malformedShape,
        "The scheme excludes the value, so empty `matches` do not mean that the subject is on no list",
      ),
      truncated: optional(choice(true), "There are more matches than an answer contains"),
    }),
  ),
  ...envelopeMembers,
});
/** Answer of `POST /v1/subjects`. Empty `matches` mean no match. */
export type SubjectsResponse = ValueOf<typeof subjectsResponseShape>;

export const subjectsRequestSchema = z.strictObject(
  toMemberSchemas(bodyMembers, OWN_SCHEMAS),
) as z.ZodType as z.ZodType<SubjectsRequest, unknown>;

export const subjectsQuerySchema: z.ZodType<SubjectsQuery, unknown> = z.strictObject({
  explain: explainParameter,
});
