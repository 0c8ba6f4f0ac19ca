import type { LintFinding, Plan } from "@groundrule/engine/rulesets";
import * as z from "zod";
import { bboxSchema, lintFindingSchema, type Meta, metaSchema } from "./members.ts";
import { flagParameter } from "./query-parameters.ts";

/** A plan, with what looks doubtful about the ruleset it is of. */
export interface ExplainedPlan extends Plan {
  /** Empty where no ruleset is asked for. */
  readonly lint: readonly LintFinding[];
}

/** Answer of a question asked with `explain=true`: how it would be answered. Never charged. */
export interface ExplainResponse {
  readonly data: { readonly plan: ExplainedPlan; readonly reference_id: string | null };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

/** `explain` in a query. */
export const explainParameter: z.ZodType<boolean, unknown> = flagParameter(
  "Return the plan of the request instead of executing it; never charged",
);

const kind = z.enum(["leaf", "subject_register"]);
const need = z.union([z.enum(["geometry", "identifier"]), z.templateLiteral(["identifier:", z.string()])]);

export const planSchema: z.ZodType<ExplainedPlan> = z.strictObject({
  ask: z.enum(["evaluate", "intersections", "distance", "subjects"]),
  kernel: z.enum(["default", "reference"]),
  semantics: z.int(),
  ruleset: z
    .strictObject({ name: z.string().nullable(), version: z.int().nullable(), digest: z.string() })
    .nullable(),
  input: z.strictObject({
    geometry: z
      .strictObject({
        dimension: z.enum(["polygon", "line", "point"]),
        position_count: z.int(),
        bbox: bboxSchema,
      })
      .nullable(),
    schemes: z.array(z.strictObject({ type: z.string(), role: z.string().exactOptional() })),
  }),
  sources: z.array(
    z.strictObject({
      source_name: z.string(),
      kind,
      status: z.enum(["ok", "failed"]),
      live: z
        .literal(true)
        .describe("Whether it is a live source, which is queried for each evaluation, but not for a plan")
        .exactOptional(),
      edition: z.string().exactOptional(),
      collected_at: z.string().exactOptional(),
      reason: z.string().exactOptional(),
      feature_count: z.int(),
      candidates: z
        .int()
        .nullable()
        .describe("Number of candidate areas that the index finds; null if there is nothing to count"),
      within_m: z.number().exactOptional(),
    }),
  ),
  sets: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.enum(["area", "derived", "subject"]),
      where: z.string().exactOptional().describe("The filter of an area set as CQL2-Text"),
      needs: z.array(need),
      sources: z.array(z.strictObject({ source_name: z.string(), edition: z.string().nullable() })),
      operands: z
        .strictObject({ op: z.enum(["union", "intersection", "difference"]), sets: z.array(z.string()) })
        .exactOptional(),
      candidates: z.int().nullable(),
    }),
  ),
  checks: z.array(
    z.strictObject({
      id: z.string(),
      sets: z.array(z.string()),
      needs: z.array(need),
      failed_sources: z.array(z.string()),
    }),
  ),
  steps: z.array(
    z.union([
      z.strictObject({
        do: z.literal("measure"),
        source_name: z.string(),
        within_m: z.number().exactOptional(),
      }),
      z.strictObject({ do: z.literal("look_up"), source_name: z.string() }),
      z.strictObject({ do: z.literal("select"), set: z.string() }),
      z.strictObject({ do: z.literal("judge"), check: z.string() }),
    ]),
  ),
  refusals: z.array(z.strictObject({ pointer: z.string(), code: z.string(), message: z.string() })),
  lint: z.array(lintFindingSchema),
});

export const explainResponseSchema: z.ZodType<ExplainResponse> = z.strictObject({
  data: z.strictObject({ plan: planSchema, reference_id: z.string().nullable() }),
  meta: metaSchema,
  errors: z.array(z.never()),
});
