import {
  type AreaEvidence,
  type CheckResult,
  type EvaluationInput,
  type Evidence,
  type MultiPolygonGeometry,
  type Outcome,
  SCHEMES_MAX_COUNT,
  type SubjectEvidence,
  type Verdict,
} from "@groundrule/engine";
import {
  areaEvidenceMembers,
  areaEvidenceShape,
  checkResultShape,
  choice,
  describedAs,
  type MembersOf,
  named,
  nullable,
  object,
  optional,
  outcomeShape,
  subjectEvidenceMembers,
  subjectEvidenceShape,
  text,
  union,
  verdictMembers,
} from "@groundrule/engine/shapes";
import * as z from "zod";
import { countrySchema } from "./country.ts";
import { schemaOf } from "./described-shape.ts";
import {
  type EvaluationTerms,
  NAMES_ONE_RULESET,
  namesOneRuleset,
  ONE_RULESET,
  termsMembers,
  termsOf,
} from "./evaluation-terms.ts";
import { EVIDENCE_DEFAULT, EVIDENCE_MAX } from "./limits.ts";
import {
  absentable,
  areaHaSchema,
  crsSchema,
  type Meta,
  metaSchema,
  multiPolygonSchema,
  plotSchema,
  roleSchemeSchema,
} from "./members.ts";
import { explainParameter } from "./plan.ts";
import { flagParameter, wholeNumberParameter } from "./query-parameters.ts";

/** Body of `POST /v1/evaluate`. */
export interface EvaluateRequest extends EvaluationTerms {
  readonly input: EvaluationInput;
}

/** Query of `POST /v1/evaluate`. */
export interface EvaluateQuery {
  readonly evidence_limit: number;
  readonly lint: boolean;
  readonly explain: boolean;
}

/** Answer of `POST /v1/evaluate`. */
export interface EvaluateResponse {
  readonly data: Verdict & { readonly reference_id: string | null };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

/** The same answer as `application/geo+json`: one feature an evidence item, the verdict beside them. */
export interface EvaluateFeatures {
  readonly type: "FeatureCollection";
  readonly features: readonly EvidenceFeature[];
  readonly data: EvaluateResponse["data"];
  readonly meta: Meta;
}

/** An evidence item as a GeoJSON feature. */
export interface EvidenceFeature {
  readonly type: "Feature";
  /**
   * The area clipped to the plot; null for subjects, for areas that share no region with the plot, and where
   * `geometry_status` says why.
   */
  readonly geometry: MultiPolygonGeometry | null;
  readonly properties: Evidence & OfCheck & { readonly geometry_status?: "too_complex" };
}

/** What a feature tells of the check it is evidence of. */
export interface OfCheck {
  readonly check_id: string;
  readonly outcome: Outcome | null;
  /** Colour of the check, `#rrggbb`, from the ruleset's palette. */
  readonly color: string;
}

const inputSchema = z
  .strictObject({
    geometry: absentable(plotSchema),
    crs: absentable(crsSchema),
    area_ha: absentable(areaHaSchema),
    country_iso3: absentable(countrySchema),
    scheme: absentable(z.union([roleSchemeSchema, z.array(roleSchemeSchema).min(1).max(SCHEMES_MAX_COUNT)])),
  })
  .transform(
    ({ geometry, crs, area_ha, country_iso3, scheme }): EvaluationInput => ({
      ...(geometry !== undefined && { geometry }),
      ...(crs !== undefined && { crs }),
      ...(area_ha !== undefined && { area_ha }),
      ...(country_iso3 !== undefined && { country_iso3 }),
      ...(scheme !== undefined && { scheme }),
    }),
  );

export const evaluateRequestSchema: z.ZodType<EvaluateRequest, unknown> = z
  .strictObject({
    input: inputSchema,
    ...termsMembers,
  })
  .refine(namesOneRuleset, NAMES_ONE_RULESET)
  .meta(ONE_RULESET)
  .transform(({ input, ...terms }) => ({ input, ...termsOf(terms) }));

export const evaluateQuerySchema: z.ZodType<EvaluateQuery, unknown> = z.strictObject({
  evidence_limit: wholeNumberParameter(1, EVIDENCE_MAX)
    .default(EVIDENCE_DEFAULT)
    .describe("Greatest number of evidence items per check"),
  lint: flagParameter("Report likely mistakes in the ruleset in `meta.lint`"),
  explain: explainParameter,
});

export const areaEvidenceSchema: z.ZodType<AreaEvidence> = schemaOf(areaEvidenceShape);
export const subjectEvidenceSchema: z.ZodType<SubjectEvidence> = schemaOf(subjectEvidenceShape);
export const checkResultSchema: z.ZodType<CheckResult> = schemaOf(checkResultShape);

export const verdictSchema: z.ZodType<EvaluateResponse["data"]> = schemaOf(
  named("Verdict", () =>
    object<EvaluateResponse["data"]>({ ...verdictMembers, reference_id: nullable(text()) }),
  ),
);

export const evaluateResponseSchema: z.ZodType<EvaluateResponse> = z.strictObject({
  data: verdictSchema,
  meta: metaSchema,
  errors: z.array(z.never()),
});

const checkMembers: MembersOf<OfCheck> = {
  check_id: text(),
  outcome: nullable(outcomeShape),
  color: describedAs(text(), "Colour of the check, `#rrggbb`, from the ruleset's palette"),
};

const evidenceProperties = union([
  object<AreaEvidence & OfCheck & { readonly geometry_status?: "too_complex" }>({
    ...areaEvidenceMembers,
    ...checkMembers,
    geometry_status: optional(choice("too_complex")),
  }),
  object<SubjectEvidence & OfCheck>({ ...subjectEvidenceMembers, ...checkMembers }),
]);

export const evaluateFeaturesSchema: z.ZodType<EvaluateFeatures> = z.strictObject({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.strictObject({
      type: z.literal("Feature"),
      geometry: multiPolygonSchema.nullable(),
      properties: schemaOf(evidenceProperties),
    }),
  ),
  data: verdictSchema,
  meta: metaSchema,
});
