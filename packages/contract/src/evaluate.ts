import {
  type CheckResult,
  type EvaluationInput,
  type Evidence,
  type Outcome,
  RULESET_NAME_PATTERN,
  SCHEMES_MAX_COUNT,
  type Verdict,
} from "@groundrule/engine";
import * as z from "zod";
import { EVIDENCE_DEFAULT, EVIDENCE_MAX } from "./limits.ts";
import {
  absentable,
  areaShape,
  crsSchema,
  geometrySchema,
  type Meta,
  type MultiPolygonGeometry,
  metaSchema,
  multiPolygonSchema,
  referenceIdSchema,
  roleSchemeSchema,
  sourceOutcomeSchema,
} from "./members.ts";
import { explainParameter, lintParameter } from "./plan.ts";
import { RULESET_VERSION_MAX } from "./rulesets.ts";

/** Body of `POST /v1/evaluate`. */
export interface EvaluateRequest {
  readonly input: EvaluationInput;
  /** The ruleset in full, or the name of a saved one; never both. */
  readonly ruleset: InlineRuleset | SavedRuleset;
  readonly reference_id?: string | undefined;
}

/** A ruleset sent along. Its inside is the engine's to check. */
export interface InlineRuleset {
  readonly inline: object;
}

/** A ruleset of the catalog; without a version, its latest. */
export interface SavedRuleset {
  readonly name: string;
  readonly version?: number;
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

export interface EvidenceFeature {
  readonly type: "Feature";
  /**
   * The area clipped to the plot; null for subjects, for areas that share no region with the plot, and where
   * `geometry_status` says why.
   */
  readonly geometry: MultiPolygonGeometry | null;
  readonly properties: Evidence & {
    readonly check_id: string;
    readonly outcome: Outcome | null;
    /** `#rrggbb` of the check, as in the ruleset's palette. */
    readonly color: string;
    readonly geometry_status?: "too_complex";
  };
}

const VERSION = /^[1-9][0-9]{0,9}$/;

const rulesetIdSchema = z
  .string()
  .transform((id): SavedRuleset | undefined => {
    const [name = "", version, ...more] = id.split("@");
    if (!RULESET_NAME_PATTERN.test(name) || more.length > 0) return undefined;
    if (version === undefined) return { name };
    return VERSION.test(version) && Number(version) <= RULESET_VERSION_MAX
      ? { name, version: Number(version) }
      : undefined;
  })
  .refine((id) => id !== undefined, { error: "expected <name> or <name>@<version>", abort: true })
  .meta({ examples: ["forest-plots", "forest-plots@3"] });

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const inputSchema = z
  .strictObject({
    geometry: absentable(geometrySchema),
    crs: absentable(crsSchema),
    scheme: absentable(z.union([roleSchemeSchema, z.array(roleSchemeSchema).min(1).max(SCHEMES_MAX_COUNT)])),
  })
  .transform(
    ({ geometry, crs, scheme }): EvaluationInput => ({
      ...(geometry === undefined ? {} : { geometry }),
      ...(crs === undefined ? {} : { crs }),
      ...(scheme === undefined ? {} : { scheme }),
    }),
  );

export const evaluateRequestSchema: z.ZodType<EvaluateRequest, unknown> = z
  .strictObject({
    input: inputSchema,
    ruleset: absentable(
      z
        .unknown()
        .refine(isObject, { error: "expected a ruleset", abort: true })
        .meta({ type: "object", description: "The ruleset in full" }),
    ),
    ruleset_id: absentable(rulesetIdSchema),
    reference_id: absentable(referenceIdSchema),
  })
  .refine((body) => (body.ruleset === undefined) !== (body.ruleset_id === undefined), {
    message: "expected exactly one of ruleset and ruleset_id",
  })
  .transform(({ input, ruleset, ruleset_id, reference_id }) => ({
    input,
    ruleset: ruleset_id ?? { inline: ruleset as object },
    reference_id,
  }));

export const evaluateQuerySchema: z.ZodType<EvaluateQuery, unknown> = z.strictObject({
  evidence_limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, `expected a whole number from 1 to ${EVIDENCE_MAX}`)
    .transform(Number)
    .refine(
      (limit) => limit >= 1 && limit <= EVIDENCE_MAX,
      `expected a whole number from 1 to ${EVIDENCE_MAX}`,
    )
    .default(EVIDENCE_DEFAULT)
    .meta({ description: `Evidence items a check, 1 to ${EVIDENCE_MAX}` }),
  lint: lintParameter,
  explain: explainParameter,
});

const areaEvidenceShape = {
  ...areaShape,
  edition: z.string(),
  overlap_area_m2: z.number(),
  overlap_ratio: z.number(),
  area_overlap_ratio: z.number().nullable(),
  distance_m: z.number().exactOptional(),
  undetermined: z.literal(true).exactOptional(),
};
const subjectEvidenceShape = {
  source_name: z.string(),
  source_id: z.string(),
  value: z.string(),
  scheme: z.string(),
  role: z.string().exactOptional(),
};
const outcome = z.enum(["NON_COMPLIANT", "WARNING", "NOTICE"]);

const checkSchema: z.ZodType<CheckResult> = z.strictObject({
  id: z.string(),
  title: z.string().exactOptional(),
  outcome: outcome.nullable(),
  triggered: z.boolean(),
  status: z.enum(["ok", "failed"]),
  comparisons: z.array(
    z.strictObject({
      set: z.string(),
      measure: z.union([z.string(), z.record(z.string(), z.string())]),
      op: z.enum([">", ">=", "<", "<=", "=", "<>"]),
      value: z.number().nullable(),
      threshold: z.number(),
      of: z.string().exactOptional(),
    }),
  ),
  undetermined: z.int(),
  evidence: z.array(z.union([z.strictObject(areaEvidenceShape), z.strictObject(subjectEvidenceShape)])),
  evidence_total: z.int(),
});

const dataSchema: z.ZodType<EvaluateResponse["data"]> = z.strictObject({
  verdict: z.enum(["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"]),
  status: z.enum(["ok", "degraded"]),
  at_least: z.enum(["COMPLIANT", "WARNING", "NON_COMPLIANT"]),
  ruleset: z.strictObject({
    name: z.string().nullable(),
    version: z.int().nullable(),
    digest: z.string(),
  }),
  input: z.strictObject({
    digest: z.string(),
    area_m2: z.number().exactOptional(),
    bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]).exactOptional(),
  }),
  checks: z.array(checkSchema),
  sources: z.array(sourceOutcomeSchema),
  digest: z.string().nullable(),
  semantics: z.int(),
  evaluated_at: z.string(),
  reference_id: z.string().nullable(),
});

export const evaluateResponseSchema: z.ZodType<EvaluateResponse> = z.strictObject({
  data: dataSchema,
  meta: metaSchema,
  errors: z.array(z.never()),
});

const checkMembers = {
  check_id: z.string(),
  outcome: outcome.nullable(),
  color: z.string().describe("`#rrggbb` of the check, as in the ruleset's palette"),
};

export const evaluateFeaturesSchema: z.ZodType<EvaluateFeatures> = z.strictObject({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.strictObject({
      type: z.literal("Feature"),
      geometry: multiPolygonSchema.nullable(),
      properties: z.union([
        z.strictObject({
          ...areaEvidenceShape,
          ...checkMembers,
          geometry_status: z.literal("too_complex").exactOptional(),
        }),
        z.strictObject({ ...subjectEvidenceShape, ...checkMembers }),
      ]),
    }),
  ),
  data: dataSchema,
  meta: metaSchema,
});
