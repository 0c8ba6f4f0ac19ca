import { RULESET_NAME_PATTERN } from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import type { LintFinding, Palette } from "@groundrule/engine/rulesets";
import * as z from "zod";
import { schemaRef } from "./described-shape.ts";
import { absentable, instantSchema, lintFindingSchema } from "./members.ts";
import { type PageQuery, type Pagination, pageShape, paginationSchema } from "./pagination.ts";
import { flagParameter } from "./query-parameters.ts";

/** Greatest version a ruleset can be saved under. */
export const RULESET_VERSION_MAX: number = 2 ** 31 - 1;

/** Names that begin so are the service's own rulesets: everybody reads them, nobody writes them. */
export const PRESET_PREFIX = "preset.";

/** Body of `POST /v1/rulesets`. */
export interface CreateRulesetRequest {
  readonly name: string;
  /** Absent: the next free one. */
  readonly version?: number | undefined;
  /** {description?, not_examined?, sets, checks} as sent. Its inside is the engine's to check. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Query of `POST /v1/rulesets`. */
export interface CreateRulesetQuery {
  readonly lint: boolean;
}

/** Query of `GET /v1/rulesets`. */
export interface RulesetsQuery extends PageQuery {
  readonly name?: string | undefined;
}

/** A saved ruleset without its inside. */
export interface RulesetSummary {
  readonly ruleset: string;
  readonly version: number;
  readonly created_at: string;
}

/** Answer of `POST /v1/rulesets`. */
export interface CreateRulesetResponse {
  readonly data: RulesetSummary & {
    readonly body: Readonly<Record<string, unknown>>;
    /** Where `lint=true` asks. */
    readonly lint?: readonly LintFinding[];
  };
}

/** Answer of `GET /v1/rulesets/{name}` and `GET /v1/rulesets/{name}/{version}`. */
export interface RulesetResponse {
  readonly data: RulesetSummary & {
    readonly body: Readonly<Record<string, unknown>>;
    /** Names {sets, checks} after defaults, as verdicts do. */
    readonly digest: string;
    readonly palette: Palette;
  };
}

/** Answer of `GET /v1/rulesets`, newest first. */
export interface RulesetsResponse {
  readonly data: { readonly items: readonly RulesetSummary[]; readonly pagination: Pagination };
}

// What is inside stays as it was sent, and is the engine's to check; its schema describes it.

export const inlineRulesetSchema: z.ZodType<object, unknown> = z
  .unknown()
  .refine((value): value is object => typeof value === "object" && value !== null, {
    error: "expected a ruleset",
    abort: true,
  })
  .meta({ type: "object" });

/** The `sets` of a ruleset, described for `/openapi.json`; the engine checks them. */
export const rulesetSetsSchema: z.ZodType<unknown> = z
  .unknown()
  .refine(isObject, "expected an object of sets")
  .meta({ type: "object" });

/** The `checks` of a ruleset, described for `/openapi.json`; the engine checks them. */
export const rulesetChecksSchema: z.ZodType<unknown> = z
  .unknown()
  .refine(Array.isArray, "expected an array of checks")
  .meta({ type: "array" });

const name = z
  .string()
  .regex(
    RULESET_NAME_PATTERN,
    "expected a letter or digit, then at most 63 letters, digits, dots, underscores or dashes",
  )
  .meta({ examples: ["forest-plots"] });

export const createRulesetRequestSchema: z.ZodType<CreateRulesetRequest, unknown> = z
  .strictObject({
    name,
    version: absentable(z.int().min(1).max(RULESET_VERSION_MAX)),
    description: absentable(z.string()),
    not_examined: absentable(
      z.array(z.string()).describe("What the policy does not examine; every verdict repeats this text"),
    ),
    sets: rulesetSetsSchema,
    checks: rulesetChecksSchema,
  })
  .transform(({ name, version, description, not_examined, sets, checks }) => ({
    name,
    version,
    body: {
      ...(description !== undefined && { description }),
      ...(not_examined !== undefined && { not_examined }),
      sets,
      checks,
    },
  }));

export const createRulesetQuerySchema: z.ZodType<CreateRulesetQuery, unknown> = z.strictObject({
  lint: flagParameter("Report likely mistakes in the ruleset in `data.lint`"),
});

export const rulesetsQuerySchema: z.ZodType<RulesetsQuery, unknown> = z.strictObject({
  ...pageShape,
  name: z
    .string()
    .max(64)
    .optional()
    .describe(
      "List only the versions of this ruleset; `preset.` lists the presets, which are available to every caller and not listed otherwise",
    ),
});

const summaryShape = { ruleset: z.string(), version: z.int(), created_at: instantSchema };
export const rulesetSummarySchema: z.ZodType<RulesetSummary> = z.strictObject(summaryShape);
/** As it was taken, so it is of the language that requests are written in. */
const body = z.unknown().meta({ $ref: schemaRef("Ruleset") }) as z.ZodType as z.ZodType<
  Readonly<Record<string, unknown>>
>;
const colorSchema = z.string().regex(/^#[0-9a-f]{6}$/);

export const paletteSchema: z.ZodType<Palette> = z.strictObject({
  outcomes: z.strictObject({
    COMPLIANT: colorSchema,
    WARNING: colorSchema,
    NON_COMPLIANT: colorSchema,
    DEGRADED: colorSchema,
    NOTICE: colorSchema,
  }),
  checks: z.record(z.string(), colorSchema),
});

export const createRulesetResponseSchema: z.ZodType<CreateRulesetResponse> = z.strictObject({
  data: z.strictObject({ ...summaryShape, body, lint: z.array(lintFindingSchema).exactOptional() }),
});

export const rulesetResponseSchema: z.ZodType<RulesetResponse> = z.strictObject({
  data: z.strictObject({
    ...summaryShape,
    body,
    digest: z.string(),
    palette: paletteSchema,
  }),
});

export const rulesetsResponseSchema: z.ZodType<RulesetsResponse> = z.strictObject({
  data: z.strictObject({ items: z.array(rulesetSummarySchema), pagination: paginationSchema }),
});
