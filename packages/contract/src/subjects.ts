import type { Scheme, SourceOutcome, SubjectMatch } from "@groundrule/engine";
import { object, subjectMatchMembers } from "@groundrule/engine/internal";
import * as z from "zod";
import { schemaOf } from "./described-shape.ts";
import {
  absentable,
  type Meta,
  metaSchema,
  referenceIdSchema,
  schemeSchema,
  sourceNameSchema,
  sourceOutcomeSchema,
} from "./members.ts";
import { explainParameter } from "./plan.ts";

/** Body of `POST /v1/subjects`. */
export interface SubjectsRequest {
  readonly input: { readonly scheme: Scheme };
  readonly subject_source?: string | undefined;
  readonly match_op: "equals" | "ilike";
  readonly reference_id?: string | undefined;
}

/** Query of `POST /v1/subjects`. */
export interface SubjectsQuery {
  readonly explain: boolean;
}

/** A match of a register whose age is known. */
export type DatedMatch = SubjectMatch & Required<Pick<SubjectMatch, "indexed_at">>;

/** Answer of `POST /v1/subjects`. Empty `matches` mean no match. */
export interface SubjectsResponse {
  readonly data: {
    readonly matches: readonly DatedMatch[];
    /** `failed`: a register could not be asked, so matches may be missing. */
    readonly subject_check: "ok" | "failed";
    readonly sources: readonly SourceOutcome[];
    readonly reference_id: string | null;
    /** There were more matches than an answer holds. */
    readonly truncated?: true;
  };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

export const subjectsRequestSchema: z.ZodType<SubjectsRequest, unknown> = z.strictObject({
  input: z.strictObject({ scheme: schemeSchema }),
  subject_source: absentable(sourceNameSchema.describe("Query only this register")),
  match_op: absentable(
    z
      .enum(["equals", "ilike"])
      .describe("`equals` (default): the canonical values are equal. `ilike`: `%` matches any characters"),
  ).transform((value) => value ?? "equals"),
  reference_id: absentable(referenceIdSchema),
});

export const subjectsQuerySchema: z.ZodType<SubjectsQuery, unknown> = z.strictObject({
  explain: explainParameter,
});

export const subjectMatchSchema: z.ZodType<DatedMatch> = schemaOf(
  object<DatedMatch>({ ...subjectMatchMembers, indexed_at: subjectMatchMembers.indexed_at.optional }),
);

export const subjectsResponseSchema: z.ZodType<SubjectsResponse> = z.strictObject({
  data: z.strictObject({
    matches: z.array(subjectMatchSchema),
    subject_check: z.enum(["ok", "failed"]),
    sources: z.array(sourceOutcomeSchema),
    reference_id: z.string().nullable(),
    truncated: z.literal(true).exactOptional(),
  }),
  meta: metaSchema,
  errors: z.array(z.never()),
});
