import type { Fault, GeometryInput, LintFinding, Warning } from "@groundrule/engine";
import * as z from "zod";
import { absentable, crsSchema, geometrySchema, lintFindingSchema, warningSchema } from "./members.ts";
import { faultSchema } from "./problem.ts";

/** Body of `POST /v1/validate`: a geometry, a ruleset or both. */
export interface ValidateRequest {
  readonly geometry?: GeometryInput;
  readonly crs?: string | undefined;
  readonly ruleset?: object | undefined;
}

/** Answer of `POST /v1/validate`; a part that was not sent is null. */
export interface ValidateResponse {
  readonly data: {
    readonly geometry: ValidGeometry | InvalidGeometry | null;
    readonly ruleset: { readonly valid: boolean; readonly lint: readonly LintFinding[] } | null;
  };
}

export interface ValidGeometry {
  readonly valid: true;
  readonly position_count: number;
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  /** What was mended. */
  readonly warnings: readonly Warning[];
}

export interface InvalidGeometry {
  readonly valid: false;
  readonly code: string;
  readonly errors: readonly Fault[];
  /** What is known of it beside its faults, as a proposed repair. */
  readonly details: Readonly<Record<string, unknown>>;
}

export const validateRequestSchema: z.ZodType<ValidateRequest, unknown> = z
  .strictObject({
    geometry: absentable(geometrySchema),
    crs: absentable(crsSchema),
    ruleset: absentable(
      z
        .unknown()
        .refine(isObject, { error: "expected a ruleset", abort: true })
        .meta({ type: "object", description: "The ruleset in full" }),
    ),
  })
  .refine(
    ({ geometry, ruleset }) => geometry !== undefined || ruleset !== undefined,
    "expected a geometry or a ruleset",
  );

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** `POST /v1/validate` takes no query. */
export const validateQuerySchema: z.ZodType<Record<string, never>, unknown> = z.strictObject({});

export const validateResponseSchema: z.ZodType<ValidateResponse> = z.strictObject({
  data: z.strictObject({
    geometry: z
      .union([
        z.strictObject({
          valid: z.literal(true),
          position_count: z.int(),
          bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
          warnings: z.array(warningSchema),
        }),
        z.strictObject({
          valid: z.literal(false),
          code: z.string(),
          errors: z.array(faultSchema),
          details: z.record(z.string(), z.unknown()),
        }),
      ])
      .nullable(),
    ruleset: z.strictObject({ valid: z.boolean(), lint: z.array(lintFindingSchema) }).nullable(),
  }),
});
