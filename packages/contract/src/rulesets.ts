import {
  anything,
  array,
  type Described,
  type DescribedInput,
  describedAs,
  type Form,
  named,
  number,
  object,
  objectOf,
  optional,
  RULESET_NAME_PATTERN,
  record,
  rulesetMembers,
  type Shape,
  text,
  type ValueOf,
  warningShape,
} from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import type { Palette } from "@groundrule/engine/rulesets";
import * as z from "zod";
import { anyMembers, countShape, createdAtShape, lintFindingShape } from "./answer-members.ts";
import { dropAbsentMembers, schemaRef, toMemberSchemas } from "./described-shape.ts";
import { type PageQuery, pagedShape, pageShape } from "./reading/pagination.ts";
import { flagParameter } from "./reading/query-parameters.ts";

const NAME = z
  .string()
  .regex(
    RULESET_NAME_PATTERN,
    "expected a letter or digit, then at most 63 letters, digits, dots, underscores or dashes",
  )
  .meta({ examples: ["forest-plots"] });

/** Maximum version of a saved ruleset. */
export const RULESET_VERSION_MAX: number = 2 ** 31 - 1;

/** Prefix of the service's own rulesets: everybody may read them, nobody may write them. */
export const PRESET_PREFIX = "preset.";

/** Body of `POST /v1/rulesets`. */
export interface CreateRulesetRequest {
  readonly name: string;
  /** Absent: the next free one. */
  readonly version?: number | undefined;
  /** The other members as sent; the engine checks them. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Query of `POST /v1/rulesets`. */
export interface CreateRulesetQuery {
  /** Report likely mistakes in the ruleset in `data.lint`. */
  readonly lint: boolean;
}

/** Query of `GET /v1/rulesets`. */
export interface RulesetsQuery extends PageQuery {
  /** Only the versions of this ruleset. */
  readonly name?: string | undefined;
}

const summaryMembers = {
  ruleset: describedAs(text(), "The name of the ruleset"),
  version: describedAs(countShape, "Version of the ruleset, a whole number"),
  created_at: createdAtShape,
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
  data: named("CreatedRuleset", () =>
    objectOf({
      ...summaryMembers,
      body,
      lint: optional(array(lintFindingShape), "Likely mistakes in the ruleset, if the request has `lint`"),
    }),
  ),
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
  data: named("SavedRuleset", () =>
    objectOf({
      ...summaryMembers,
      body,
      digest: describedAs(text(), "SHA-256 of its sets and checks, every default written out"),
      palette: describedAs(paletteShape, "Colours for maps and tables"),
    }),
  ),
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

const nameShape = describedAs(text(), "Name of the ruleset, as in `name@version`");
const setsShape = describedAs(object<object>({}), "The selections, by name");
const checksShape = describedAs(array(anything()), "The conditions, in order");
const { name: _, ...contentMembers } = rulesetMembers;

const publicationMembers = {
  name: nameShape,
  version: optional(
    number({ whole: true, min: 1, max: RULESET_VERSION_MAX }),
    "Version of the ruleset; absent: the next free one",
  ),
  ...contentMembers,
  sets: setsShape,
  checks: checksShape,
};

/** Body of `POST /v1/rulesets`: the ruleset with the name under which it is published. */
export interface CreateRulesetBody extends DescribedInput<typeof publicationMembers> {}

const FACTS = { type: "object", additionalProperties: { $ref: schemaRef("RulesetFact") } };

export const createRulesetRequestSchema: z.ZodType<CreateRulesetRequest, unknown> = z
  .strictObject(
    toMemberSchemas(
      publicationMembers,
      new Map<Form, z.ZodType>([
        [nameShape.form, NAME],
        [contentMembers.description.optional.form, z.string()],
        [contentMembers.not_examined.optional.form, z.array(z.string())],
        [contentMembers.facts.optional.form, z.unknown().meta(FACTS)],
        [setsShape.form, rulesetSetsSchema],
        [checksShape.form, rulesetChecksSchema],
      ]),
    ),
  )
  .transform(({ name, version, ...body }) => ({
    name: name as string,
    version: version as number | undefined,
    body: dropAbsentMembers(body),
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
