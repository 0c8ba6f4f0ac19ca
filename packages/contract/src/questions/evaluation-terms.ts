import * as z from "zod";
import { type Absentable, absentable, referenceIdSchema } from "../members.ts";
import { inlineRulesetSchema } from "../rulesets.ts";

// What requests for verdicts have in common, of one plot or of many.

/** How a verdict is reached. */
export interface EvaluateRequestOptions {
  /** Whether sources that do not declare where they speak cover nothing. */
  readonly strict_coverage?: boolean | undefined;
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

/** What every plot of a request is judged by. */
export interface EvaluationTerms {
  /** The ruleset in full, or the name of a saved one; never both. */
  readonly ruleset: InlineRuleset | SavedRuleset;
  readonly options?: EvaluateRequestOptions | undefined;
  readonly reference_id?: string | undefined;
}

/**
 * A ruleset's name (`RULESET_NAME_PATTERN`), with its version where one is pinned. One beyond the greatest is no
 * fault of form: nothing is saved under it.
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

/** The members of {@link EvaluationTerms} as they are sent. */
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

/** That there is, as JSON Schema says it; not as alternatives, of which generators make unions without members. */
export const ONE_RULESET: Readonly<Record<string, unknown>> = {
  if: { properties: { ruleset_id: { type: "null" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["ruleset"], properties: { ruleset: NOT_NULL } },
  else: { properties: { ruleset: { type: "null" } } },
};

/** What is said where there is not. */
export const NAMES_ONE_RULESET = "expected exactly one of the members ruleset and ruleset_id";

interface RulesetMembers {
  readonly ruleset?: object | undefined;
  readonly ruleset_id?: SavedRuleset | undefined;
}

/** Whether there is exactly one of them. */
export function namesOneRuleset({ ruleset, ruleset_id }: RulesetMembers): boolean {
  return (ruleset === undefined) !== (ruleset_id === undefined);
}

/** The members as the rest of the code has them. */
export function termsOf({
  ruleset,
  ruleset_id,
  options,
  reference_id,
}: RulesetMembers & Pick<EvaluationTerms, "options" | "reference_id">): EvaluationTerms {
  return { ruleset: ruleset_id ?? { inline: ruleset as object }, options, reference_id };
}
