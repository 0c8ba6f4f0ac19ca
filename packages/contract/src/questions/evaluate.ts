import type { EvaluationInput, Evidence } from "@groundrule/engine";
import {
  areaEvidenceMembers,
  array,
  choice,
  type Described,
  describedAs,
  evaluationInputMembers,
  named,
  nullable,
  objectOf,
  optional,
  outcomeShape,
  type Shape,
  subjectEvidenceMembers,
  text,
  union,
  type ValueOf,
  verdictMembers,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { envelopeMembers, metaShape, multiPolygonShape, referenceIdShape } from "../answer-members.ts";
import { dropAbsentMembers, namedPart, toMemberSchemas } from "../described-shape.ts";
import { EVIDENCE_DEFAULT, EVIDENCE_MAX } from "../limits.ts";
import { crsMember, OWN_SCHEMAS } from "../members.ts";
import { flagParameter, wholeNumberParameter } from "../reading/query-parameters.ts";
import {
  type EvaluationTerms,
  NAMES_ONE_RULESET,
  namesOneRuleset,
  ONE_RULESET,
  termsSchemas,
  toTerms,
} from "./evaluation-terms.ts";
import { explainParameter } from "./plan.ts";

/** Body of `POST /v1/evaluate`. */
export interface EvaluateRequest extends EvaluationTerms {
  readonly input: EvaluationInput;
}

/** Query of `POST /v1/evaluate`. */
export interface EvaluateQuery {
  /** Evidence items per check, 1 to 200; the service's default is 20. */
  readonly evidence_limit: number;
  /** Report likely mistakes in the ruleset in `meta.lint`. */
  readonly lint: boolean;
  readonly explain: boolean;
}

const verdictShape = named("Verdict", () => objectOf({ ...verdictMembers, reference_id: referenceIdShape }));

const responseMembers = { data: verdictShape, ...envelopeMembers };

/** Answer of `POST /v1/evaluate`. */
export interface EvaluateResponse extends Described<typeof responseMembers> {}

export const evaluateResponseShape: Shape<EvaluateResponse> = named("EvaluateResponse", () =>
  objectOf(responseMembers),
);

const checkMembers = {
  check_id: describedAs(text(), "The check that the feature is evidence for"),
  outcome: describedAs(nullable(outcomeShape), "The outcome of the check; null if it does not trigger"),
  color: describedAs(text(), "Colour of the check, `#rrggbb`, from the ruleset's palette"),
};

/** The check to which a feature's evidence belongs. */
export interface OfCheck extends Described<typeof checkMembers> {}

const featureMembers = {
  type: choice("Feature"),
  geometry: describedAs(
    nullable(multiPolygonShape),
    "The area clipped to the plot; null for subjects, for areas that share no region with the plot, and where `geometry_status` says why",
  ),
  properties: describedAs(
    union([
      named("AreaEvidenceOfCheck", () =>
        objectOf({
          ...areaEvidenceMembers,
          ...checkMembers,
          geometry_status: optional(
            choice("too_complex"),
            "Why there is no geometry: drawing the overlap would cost too much",
          ),
        }),
      ),
      named("SubjectEvidenceOfCheck", () => objectOf({ ...subjectEvidenceMembers, ...checkMembers })),
    ]) as object as Shape<Evidence & OfCheck & { readonly geometry_status?: "too_complex" }>,
    "The evidence, and the check that it is for",
  ),
};

/** An evidence item as a GeoJSON feature. */
export interface EvidenceFeature extends Described<typeof featureMembers> {}

export const evaluateFeaturesShape = objectOf({
  type: choice("FeatureCollection"),
  features: describedAs(
    array<EvidenceFeature>(named("EvidenceFeature", () => objectOf(featureMembers))),
    "The features of the collection",
  ),
  data: verdictShape,
  meta: metaShape,
});
/** The same answer as `application/geo+json`: one feature per evidence item, together with the verdict. */
export type EvaluateFeatures = ValueOf<typeof evaluateFeaturesShape>;

const inputSchema = z
  .strictObject(toMemberSchemas({ ...evaluationInputMembers, crs: crsMember }, OWN_SCHEMAS))
  .transform(dropAbsentMembers) as z.ZodType as z.ZodType<EvaluationInput, unknown>;

export const evaluateRequestSchema: z.ZodType<EvaluateRequest, unknown> = z
  .strictObject({
    input: namedPart("EvaluateInput", inputSchema).describe("The plot, and the company behind it"),
    ...termsSchemas,
  })
  .refine(namesOneRuleset, NAMES_ONE_RULESET)
  .meta(ONE_RULESET)
  .transform(({ input, ...terms }) => ({ input, ...toTerms(terms) }));

export const evaluateQuerySchema: z.ZodType<EvaluateQuery, unknown> = z.strictObject({
  evidence_limit: wholeNumberParameter(1, EVIDENCE_MAX)
    .default(EVIDENCE_DEFAULT)
    .describe("Greatest number of evidence items per check"),
  lint: flagParameter("Report likely mistakes in the ruleset in `meta.lint`"),
  explain: explainParameter,
});
