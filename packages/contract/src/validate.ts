import type { Fault, GeometryInput, Warning } from "@groundrule/engine";
import { isObject } from "@groundrule/engine/internal/json";
import type { LintFinding } from "@groundrule/engine/rulesets";
import * as z from "zod";
import { schemaRef } from "./described-shape.ts";
import {
  absentable,
  areaHaSchema,
  bboxSchema,
  crsSchema,
  lintFindingSchema,
  plotFeatureSchema,
  warningSchema,
} from "./members.ts";
import { faultSchema } from "./problem.ts";

/** Body of `POST /v1/validate`: a geometry, plots, a ruleset, or several of them. */
export interface ValidateRequest {
  readonly geometry?: GeometryInput | undefined;
  /** Plots, checked one by one and against each other; a GeoJSON FeatureCollection. */
  readonly plots?: PlotCollection | undefined;
  /** The system that is to take the plots. */
  readonly profile?: ProfileName | undefined;
  /** What the plots produce: a point of `cattle` may be larger. */
  readonly commodity?: string | undefined;
  readonly crs?: string | undefined;
  /** Hectares around each point: whether the points can be judged with it. */
  readonly area_ha?: number | undefined;
  readonly ruleset?: object | undefined;
}

/** Answer of `POST /v1/validate`; a part that was not sent is null. */
export interface ValidateResponse {
  readonly data: {
    readonly geometry: ValidGeometry | InvalidGeometry | null;
    readonly plots: CheckedPlots | null;
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

/** A GeoJSON FeatureCollection; what is wrong with its features is the answer. */
export interface PlotCollection {
  readonly type: "FeatureCollection";
  /** The plots, each a Feature; unchecked. */
  readonly features: readonly unknown[];
  /** CRS of the positions in the manner before RFC 7946. */
  readonly crs?: unknown;
}

/** Systems that take plots, whose rules are known. */
export const PROFILE_NAMES = ["eudr"] as const;

/** One of {@link PROFILE_NAMES}. */
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Features that a request may hold. */
export const VALIDATED_PLOTS_MAX = 1000;

/** Findings that an answer tells; the others are counted. */
export const PLOT_FINDINGS_MAX = 1000;

/** Characters of a commodity. */
const COMMODITY_MAX_LENGTH = 64;

/** What is wrong with plots, by themselves and with each other. */
export interface CheckedPlots {
  /** Whether no finding is an error. */
  readonly valid: boolean;
  /** Features of the request. */
  readonly plot_count: number;
  /** Findings that are errors, told or not. */
  readonly error_count: number;
  /** Findings that are warnings, told or not. */
  readonly warning_count: number;
  /** Whether there are more findings than are told; the counts are of all. */
  readonly truncated: boolean;
  readonly findings: readonly ValidateFinding[];
}

/** One problem of one plot. */
export interface ValidateFinding {
  /** Number of the feature, the first is 1; 0 of all together. */
  readonly plot: number;
  /** Its id; its number where it has none. */
  readonly id: string | number;
  readonly code: string;
  /** Whether it stops the plot from being accepted. */
  readonly severity: "error" | "warning";
  /** JSON pointer into the request. */
  readonly pointer: string;
  /** Where it is, longitude and latitude. */
  readonly position?: readonly [number, number] | undefined;
  /** What was found. */
  readonly found: string;
  /** What was expected. */
  readonly expected: string;
  /** What mends it. */
  readonly mend: string;
  /** What the finding is about, m². */
  readonly area_m2?: number | undefined;
  /** The other plot of an overlap. */
  readonly other?:
    | {
        /** Its number. */
        readonly plot: number;
        /** Its id. */
        readonly id: string | number;
      }
    | undefined;
}

/**
 * Any object: what is wrong with its inside is the answer.
 *
 * @param component what describes it as it should be
 */
function toBeChecked(what: string, component: string): z.ZodType<object, unknown> {
  return z
    .unknown()
    .refine((value): value is object => isObject(value), {
      error: `expected ${what}`,
      abort: true,
    })
    .meta({ $ref: schemaRef(component) });
}

const NOT_NULL = { not: { type: "null" } };

const plotsSchema: z.ZodType<PlotCollection, unknown> = z
  .looseObject({
    type: z.literal("FeatureCollection"),
    features: z.array(plotFeatureSchema).min(1).max(VALIDATED_PLOTS_MAX),
  })
  .describe("Plots, a GeoJSON FeatureCollection: the answer lists the faults of its features");

export const validateRequestSchema: z.ZodType<ValidateRequest, unknown> = z
  .strictObject({
    geometry: absentable(toBeChecked("a GeoJSON geometry", "Geometry")),
    plots: absentable(plotsSchema),
    profile: absentable(
      z
        .enum(PROFILE_NAMES)
        .describe(
          "The system that will receive `plots`; without it, only the rules that hold for any purpose are checked",
        ),
    ),
    commodity: absentable(
      z
        .string()
        .max(COMMODITY_MAX_LENGTH)
        .describe("What `plots` produce; a point for cattle may stand for more than 4 ha"),
    ),
    crs: absentable(crsSchema),
    area_ha: absentable(areaHaSchema),
    ruleset: absentable(toBeChecked("a ruleset", "Ruleset")),
  })
  .refine(
    ({ geometry, plots, ruleset }) => geometry !== undefined || plots !== undefined || ruleset !== undefined,
    "expected a member geometry, plots or ruleset",
  )
  .refine(({ plots, profile }) => profile === undefined || plots !== undefined, {
    path: ["profile"],
    error: "expected it only beside the member plots, a FeatureCollection",
  })
  .refine(({ plots, commodity }) => commodity === undefined || plots !== undefined, {
    path: ["commodity"],
    error: "expected it only beside the member plots, a FeatureCollection",
  })
  // Conditions, not alternatives: generators make a class of members, and of alternatives a union without them.
  .meta({
    if: { properties: { geometry: { type: "null" }, plots: { type: "null" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["ruleset"], properties: { ruleset: NOT_NULL } },
    dependentSchemas: Object.fromEntries(
      ["profile", "commodity"].map((name) => [
        name,
        {
          if: { properties: { [name]: NOT_NULL } },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { required: ["plots"], properties: { plots: NOT_NULL } },
        },
      ]),
    ),
  });

const plotIdSchema = z.union([z.string(), z.number()]);

const findingSchema: z.ZodType<ValidateFinding> = z.strictObject({
  plot: z.int().min(0),
  id: plotIdSchema,
  code: z.string(),
  severity: z.enum(["error", "warning"]),
  pointer: z.string(),
  // Not every generator knows tuples.
  position: (z.array(z.number()).length(2) as z.ZodType as z.ZodType<readonly [number, number]>).optional(),
  found: z.string(),
  expected: z.string(),
  mend: z.string(),
  area_m2: z.number().optional(),
  other: z.strictObject({ plot: z.int().min(1), id: plotIdSchema }).optional(),
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
    plots: z
      .strictObject({
        valid: z.boolean(),
        plot_count: z.int(),
        error_count: z.int(),
        warning_count: z.int(),
        truncated: z.boolean(),
        findings: z.array(findingSchema).max(PLOT_FINDINGS_MAX),
      })
      .nullable(),
    ruleset: z.strictObject({ valid: z.boolean(), lint: z.array(lintFindingSchema) }).nullable(),
  }),
});
