import {
  array,
  type Described,
  describedAs,
  named,
  object,
  objectOf,
  optional,
  RULESET_NAME_PATTERN,
  record,
  type Shape,
  text,
  type ValueOf,
  warningShape,
} from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import type { Palette } from "@groundrule/engine/rulesets";
import * as z from "zod";
import { anyMembers, countShape, instantShape, lintFindingShape } from "./answer-members.ts";
import { absentable } from "./described-shape.ts";
import { type PageQuery, pagedShape, pageShape } from "./reading/pagination.ts";
import { flagParameter } from "./reading/query-parameters.ts";

/** Maximum version of a saved ruleset. */
export const RULESET_VERSION_MAX: number = 2 ** 31 - 1;

/** Prefix of the service's own rulesets: everybody may read them, nobody may write them. */
export const PRESET_PREFIX = "preset.";

/** Body of `POST /v1/rulesets`. */
export interface CreateRulesetRequest {
  readonly name: string;
  /** Absent: the next free one. */
  readonly version?: number | undefined;
  /** {description?, not_examined?, sets, checks} as sent. Its content is checked by the engine. */
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

const summaryMembers = {
  ruleset: describedAs(text(), "The name of the ruleset"),
  version: describedAs(countShape, "Version of the ruleset, a whole number"),
  created_at: instantShape,
};

/** A saved ruleset without its content. */
export interface RulesetSummary extends Described<typeof summaryMembers> {}

/** A body is returned as it was accepted, so it has the schema of requests. */
const body = named("Ruleset", () => anyMembers);
const color = text({ pattern: /^#[0-9a-f]{6}$/ });
const ofVerdict = describedAs(color, "Colour of this verdict, `#rrggbb`");

const paletteShape: Shape<Palette> = named("Palette", () =>
  object<Palette>({
    outcomes: describedAs(
      object<Palette["outcomes"]>({
        COMPLIANT: ofVerdict,
        WARNING: ofVerdict,
        NON_COMPLIANT: ofVerdict,
        DEGRADED: ofVerdict,
        NOTICE: describedAs(color, "Colour of this outcome, `#rrggbb`"),
      }),
      "Colour of each verdict, `#rrggbb`",
    ),
    checks: describedAs(record(text(), color), "Colour of each check by its id, `#rrggbb`"),
  }),
);

export const createRulesetResponseShape = objectOf({
  data: objectOf({
    ...summaryMembers,
    body,
    lint: optional(array(lintFindingShape), "Likely mistakes in the ruleset, if the request has `lint`"),
  }),
  meta: describedAs(
    objectOf({
      warnings: describedAs(array(warningShape), "Certain mistakes in the ruleset, on the editions in use"),
    }),
    "Warnings about the ruleset",
  ),
});
/** Answer of `POST /v1/rulesets`. */
export type CreateRulesetResponse = ValueOf<typeof createRulesetResponseShape>;

export const rulesetResponseShape = objectOf({
  data: objectOf({
    ...summaryMembers,
    body,
    digest: describedAs(text(), "SHA-256 of its sets and checks, every default written out"),
    palette: describedAs(paletteShape, "Colours for maps and tables"),
  }),
});
/** Answer of `GET /v1/rulesets/{name}` and `GET /v1/rulesets/{name}/{version}`. */
export type RulesetResponse = ValueOf<typeof rulesetResponseShape>;

export const rulesetsResponseShape = pagedShape<RulesetSummary>(
  named("RulesetSummary", () => objectOf(summaryMembers)),
);
/** Answer of `GET /v1/rulesets`, newest first. */
export type RulesetsResponse = ValueOf<typeof rulesetsResponseShape>;

// The content stays as it was sent, and is checked by the engine; its schema describes it.

export const inlineRulesetSchema: z.ZodType<object, unknown> = z
  .unknown()
  .refine((value): value is object => typeof value === "object" && value !== null, {
    error: "expected a ruleset, as an object",
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
