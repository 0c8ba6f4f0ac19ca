import {
  array,
  type Described,
  describedAs,
  named,
  objectOf,
  planMembers,
  type Shape,
  type ValueOf,
} from "@groundrule/engine/internal";
import type * as z from "zod";
import { envelopeMembers, lintFindingShape, referenceIdShape } from "../answer-members.ts";
import { flagParameter } from "../reading/query-parameters.ts";

const explainedMembers = {
  ...planMembers,
  lint: describedAs(array(lintFindingShape), "Likely mistakes in the ruleset"),
};

/** A plan, with likely mistakes in its ruleset. */
export interface ExplainedPlan extends Described<typeof explainedMembers> {}

const planShape: Shape<ExplainedPlan> = named("Plan", () => objectOf(explainedMembers));

export const explainResponseShape = objectOf({
  data: describedAs(
    objectOf({
      plan: describedAs(planShape, "How the question would be answered"),
      reference_id: referenceIdShape,
    }),
    "The plan",
  ),
  ...envelopeMembers,
});
/** Answer of a question with `explain=true`: its plan. Never charged. */
export type ExplainResponse = ValueOf<typeof explainResponseShape>;

/** `explain` in a query. */
export const explainParameter: z.ZodType<boolean, unknown> = flagParameter(
  "Return the plan of the request instead of executing it; never charged",
);
