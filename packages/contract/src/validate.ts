import type { Fault, GeometryInput, Warning } from "@groundrule/engine";
import type { LintFinding } from "@groundrule/engine/rulesets";
import * as z from "zod";
import {
  absentable,
  areaHaSchema,
  bboxSchema,
  crsSchema,
  lintFindingSchema,
  warningSchema,
} from "./members.ts";
import { faultSchema } from "./problem.ts";

/** Body of `POST /v1/validate`: a geometry, a ruleset or both. */
export interface ValidateRequest {
  readonly geometry?: GeometryInput | undefined;
  readonly crs?: string | undefined;
  /** Hectares around each point: whether the points can be judged with it. */
  readonly area_ha?: number | undefined;
  readonly ruleset?: object | undefined;
}

/** Answer of `POST /v1/validate`; a part that was not sent is null. */
export interface ValidateResponse {
  readonly data: {
    readonly geometry: ValidGeometry | InvalidGeometry | null;
    readonly ruleset: { readonly valid: boolean; readonly lint: readonly LintFinding[] } | null;
  };
}

/** What a geometry that can be asked about holds; of points with an area, what their discs hold. */
export interface ValidGeometry {
  readonly valid: true;
  readonly position_count: number;
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  /** What was mended. */
  readonly warnings: readonly Warning[];
}

/** Why a geometry cannot be asked about. */
export interface InvalidGeometry {
  readonly valid: false;
  readonly code: string;
  readonly errors: readonly Fault[];
  /** What is known of it beside its faults, as a proposed repair. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Any object: what is wrong with its inside is the answer. */
function toBeChecked(what: string): z.ZodType<object, unknown> {
  return z
    .unknown()
    .refine(
      (value): value is object => typeof value === "object" && value !== null && !Array.isArray(value),
      {
        error: `expected ${what}`,
        abort: true,
      },
    )
    .meta({ type: "object", description: `What may be ${what}` });
}

const NOT_NULL = { not: { type: "null" } };

export const validateRequestSchema: z.ZodType<ValidateRequest, unknown> = z
  .strictObject({
    geometry: absentable(toBeChecked("a GeoJSON geometry")),
    crs: absentable(crsSchema),
    area_ha: absentable(areaHaSchema),
    ruleset: absentable(toBeChecked("a ruleset")),
  })
  .refine(
    ({ geometry, ruleset }) => geometry !== undefined || ruleset !== undefined,
    "expected a member geometry or ruleset",
  )
  .meta({
    anyOf: [
      { required: ["geometry"], properties: { geometry: NOT_NULL } },
      { required: ["ruleset"], properties: { ruleset: NOT_NULL } },
    ],
  });

export const validateResponseSchema: z.ZodType<ValidateResponse> = z.strictObject({
  data: z.strictObject({
    geometry: z
      .union([
        z.strictObject({
          valid: z.literal(true),
          position_count: z.int(),
          bbox: bboxSchema,
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
