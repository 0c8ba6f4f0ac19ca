import * as z from "zod";
import { type Absentable, absentable, referenceIdSchema } from "../members.ts";
import { inlineRulesetSchema } from "../rulesets.ts";

// The common members of requests for verdicts, on one plot or many.

/** Options of an evaluation. */
export interface EvaluateRequestOptions {
  /** True if sources without declared coverage count as covering nothing. */
  readonly strict_coverage?: boolean | undefined;
}

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

const optionsSchema: z.ZodType<EvaluateRequestOptions, unknown> = z.strictObject({
  strict_coverage: absentable(
    z
      .boolean()
      .describe(
        "Whether sources without declared coverage count as covering no plot. Default false: they count as covering every plot",
      ),
  ),
});

/** The members of {@link EvaluationTerms} in the form of requests. */
export const termsMembers: {
  readonly ruleset: Absentable<z.ZodType<object, unknown>>;
  readonly ruleset_id: Absentable<z.ZodType<SavedRuleset, unknown>>;
  readonly options: Absentable<z.ZodType<EvaluateRequestOptions, unknown>>;
  readonly reference_id: Absentable<z.ZodString>;
} = {
  ruleset: absentable(inlineRulesetSchema),
  ruleset_id: absentable(rulesetIdSchema),
  options: absentable(optionsSchema),
  reference_id: absentable(referenceIdSchema),
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
