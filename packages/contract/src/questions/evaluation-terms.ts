import {
  boolean,
  type DescribedInput,
  describedAs,
  named,
  object,
  objectOf,
  optional,
  type Shape,
  text,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { toMemberSchemas } from "../described-shape.ts";
import { OWN_SCHEMAS, referenceIdMember } from "../members.ts";
import { inlineRulesetSchema } from "../rulesets.ts";

// The common members of requests for verdicts, on one plot or many.

const optionsMembers = {
  strict_coverage: optional(
    boolean(),
    "Whether sources without declared coverage count as covering no plot. Default false: they count as covering every plot",
  ),
};

/** Options of an evaluation. */
export interface EvaluateRequestOptions extends DescribedInput<typeof optionsMembers> {}

/** An inline ruleset. Its content is checked by the engine. */
export interface InlineRuleset {
  readonly inline: object;
}

/** A ruleset of the catalog; without a version, its latest. */
export interface SavedRuleset {
  readonly name: string;
  readonly version?: number;
}

/** The terms under which every plot of a request is evaluated. */
export interface EvaluationTerms {
  /** The ruleset in full, or the name of a saved one; never both. */
  readonly ruleset: InlineRuleset | SavedRuleset;
  readonly options?: EvaluateRequestOptions | undefined;
  readonly reference_id?: string | undefined;
}

/**
 * A ruleset's name (`RULESET_NAME_PATTERN`), optionally with a version. A version beyond the greatest is well-formed:
 * no ruleset is saved under it.
 */
const RULESET_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@[1-9][0-9]{0,9})?$/;

const rulesetIdSchema: z.ZodType<SavedRuleset, unknown> = z
  .string()
  .regex(RULESET_ID, { error: "expected <name> or <name>@<version>", abort: true })
  .transform((id) => {
    const [name = "", version] = id.split("@");
    return { name, ...(version !== undefined && { version: Number(version) }) };
  });

/** A ruleset in full; the engine reads it. */
const rulesetShape: Shape<object> = describedAs(
  object<object>({}),
  "The ruleset in full: its sets and checks",
);
const rulesetIdShape = describedAs(
  text(),
  "A saved ruleset: `name` for its latest version, or `name@version`",
);

const termsMembers = {
  ruleset: optional(rulesetShape),
  ruleset_id: optional(rulesetIdShape),
  options: optional(
    named("EvaluateOptions", () => objectOf(optionsMembers)),
    "The options of the evaluation that differ from the default",
  ),
  reference_id: referenceIdMember,
};

/** The schemas of the members of {@link EvaluationTerms} in the form of requests. */
export const termsSchemas = toMemberSchemas(
  termsMembers,
  new Map([...OWN_SCHEMAS, [rulesetShape.form, inlineRulesetSchema], [rulesetIdShape.form, rulesetIdSchema]]),
) as {
  readonly ruleset: z.ZodType<object | undefined, unknown>;
  readonly ruleset_id: z.ZodType<SavedRuleset | undefined, unknown>;
  readonly options: z.ZodType<EvaluateRequestOptions | undefined, unknown>;
  readonly reference_id: z.ZodType<string | undefined, unknown>;
};

const NOT_NULL = { not: { type: "null" } };

/**
 * The condition that there is exactly one, in JSON Schema; not as alternatives, of which generators make unions without
 * members.
 */
export const ONE_RULESET: Readonly<Record<string, unknown>> = {
  if: { properties: { ruleset_id: { type: "null" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["ruleset"], properties: { ruleset: NOT_NULL } },
  else: { properties: { ruleset: { type: "null" } } },
};

/** The message if the condition is not met. */
export const NAMES_ONE_RULESET = "expected exactly one of the members ruleset and ruleset_id";

interface RulesetMembers {
  readonly ruleset?: object | undefined;
  readonly ruleset_id?: SavedRuleset | undefined;
}

/** True if exactly one of them is present. */
export function namesOneRuleset({ ruleset, ruleset_id }: RulesetMembers): boolean {
  return (ruleset === undefined) !== (ruleset_id === undefined);
}

/** Converts the members to their internal form. */
export function toTerms({
  ruleset,
  ruleset_id,
  options,
  reference_id,
}: RulesetMembers & Pick<EvaluationTerms, "options" | "reference_id">): EvaluationTerms {
  return { ruleset: ruleset_id ?? { inline: ruleset as object }, options, reference_id };
}
