import type { Plan } from "@groundrule/engine";
import * as z from "zod";
import { flagSchema, type Meta, metaSchema } from "./members.ts";

/** A query parameter of every billable request. */
export interface ExplainQuery {
  /** Answer how the question would be answered instead. Never billed. */
  readonly explain: boolean;
}

export const explainShape: { readonly explain: z.ZodType<boolean, unknown> } = { explain: flagSchema };

/** Answer to `explain=true`. */
export interface ExplainResponse {
  readonly data: Plan;
  readonly meta: Meta;
  readonly errors: readonly never[];
}

export const explainResponseSchema: z.ZodType<ExplainResponse> = z.strictObject({
  // The engine's own description, as it gives it.
  data: z.looseObject({ ask: z.string() }) as unknown as z.ZodType<Plan>,
  meta: metaSchema,
  errors: z.array(z.never()),
});
