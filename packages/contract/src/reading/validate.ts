import type { GeometryInput } from "@groundrule/engine";
import {
  array,
  bboxShape,
  boolean,
  choice,
  type Described,
  describedAs,
  nullable,
  number,
  objectOf,
  optional,
  type Shape,
  text,
  union,
  type ValueOf,
  warningShape,
} from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import * as z from "zod";
import { anyMembers, countShape, faultShape, lintFindingShape } from "../answer-members.ts";
import { schemaRef } from "../described-shape.ts";
import { absentable, areaHaSchema, crsSchema, plotFeatureSchema } from "../members.ts";

/** Body of `POST /v1/validate`: a geometry, plots, a ruleset, or several of them. */
export interface ValidateRequest {
  readonly geometry?: GeometryInput | undefined;
  /** Plots, checked one by one and against each other; a GeoJSON FeatureCollection. */
  readonly plots?: PlotCollection | undefined;
  /** The system that is to accept the plots. */
  readonly profile?: ProfileName | undefined;
  /** The product of the plots: a point of `cattle` may be larger. */
  readonly commodity?: string | undefined;
  readonly crs?: string | undefined;
  /** Hectares around each point, to check that the points can be evaluated with it. */
  readonly area_ha?: number | undefined;
  readonly ruleset?: object | undefined;
}

/** A GeoJSON FeatureCollection; faults of its features are reported in the answer. */
export interface PlotCollection {
  readonly type: "FeatureCollection";
  /** The plots, each a Feature; unchecked. */
  readonly features: readonly unknown[];
  /** CRS of the positions, in the form before RFC 7946. */
  readonly crs?: unknown;
}

/** Systems that accept plots and whose rules are known. */
export const PROFILE_NAMES = ["eudr"] as const;

/** One of {@link PROFILE_NAMES}. */
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Maximum features of a request. */
export const VALIDATED_PLOTS_MAX = 1000;

/** Maximum findings in an answer; further ones are only counted. */
export const PLOT_FINDINGS_MAX = 1000;

/** Maximum characters of a commodity. */
const COMMODITY_MAX_LENGTH = 64;

const plotId = describedAs(
  union([text(), number()]),
  "The id of the plot in the collection; its number where it has none",
);

const findingMembers = {
  plot: describedAs(
    number({ whole: true, min: 0 }),
    "Number of the plot, from 1; 0 if the finding is about the collection",
  ),
  id: plotId,
  code: text(),
  severity: describedAs(choice("error", "warning"), "Whether the finding stops the plot from being accepted"),
  pointer: text(),
  // A list instead of a tuple: some generators do not support tuples.
  position: optional(
    array(number(), { min: 2, max: 2 }) as object as Shape<readonly [number, number]>,
    "Where it is, `[longitude, latitude]` in degrees",
  ),
  found: describedAs(text(), "What was found"),
  expected: describedAs(text(), "What was expected"),
  mend: describedAs(text(), "How to fix it"),
  area_m2: optional(number(), "What the finding is about, square metres on the WGS 84 ellipsoid"),
  other: optional(
    objectOf({
      plot: describedAs(number({ whole: true, min: 1 }), "Number of the plot, from 1"),
      id: plotId,
    }),
    "The other plot of a duplicate or an overlap",
  ),
};

/** One problem of one plot. */
export interface ValidateFinding extends Described<typeof findingMembers> {}

const checkedPlotsMembers = {
  valid: describedAs(boolean(), "Whether no finding is an error"),
  plot_count: describedAs(countShape, "Number of plots that were checked"),
  error_count: describedAs(countShape, "Findings that stop a plot from being accepted"),
  warning_count: describedAs(countShape, "Findings that do not stop a plot from being accepted"),
  truncated: describedAs(
    boolean(),
    "Whether there are more findings than those shown; the counts are of all",
  ),
  findings: describedAs(
    array<ValidateFinding>(objectOf(findingMembers), { max: PLOT_FINDINGS_MAX }),
    "The faults of the plots, each with its place and how to fix it",
  ),
};

/** The findings on plots, one by one and against each other. */
export interface CheckedPlots extends Described<typeof checkedPlotsMembers> {}

const validMembers = {
  valid: choice(true),
  position_count: countShape,
  bbox: bboxShape,
  warnings: describedAs(array(warningShape), "Warnings that do not change the answer"),
};

/** Properties of a geometry that can be evaluated; for points with an area, of their discs. */
export interface ValidGeometry extends Described<typeof validMembers> {}

const invalidMembers = {
  valid: choice(false),
  code: text(),
  errors: describedAs(array(faultShape), "Each fault with its place"),
  details: describedAs(
    anyMembers,
    "What is known of the geometry beside its faults, such as a proposed repair",
  ),
};

/** The reasons why a geometry cannot be evaluated. */
export interface InvalidGeometry extends Described<typeof invalidMembers> {}

export const validateResponseShape = objectOf({
  data: objectOf({
    geometry: describedAs(
      nullable(union<[ValidGeometry, InvalidGeometry]>([objectOf(validMembers), objectOf(invalidMembers)])),
      "The result of the check of the geometry; null if none was sent",
    ),
    plots: describedAs(
      nullable<CheckedPlots>(objectOf(checkedPlotsMembers)),
      "The result of the check of the collection; null if none was sent",
    ),
    ruleset: describedAs(
      nullable(
        objectOf({
          valid: describedAs(boolean(), "Whether it would be accepted"),
          lint: describedAs(array(lintFindingShape), "Likely mistakes in the ruleset"),
        }),
      ),
      "The result of the check of the ruleset; null if none was sent",
    ),
  }),
});
/** Answer of `POST /v1/validate`; a part that was not sent is null. */
export type ValidateResponse = ValueOf<typeof validateResponseShape>;

/**
 * Any object: faults of its content are reported in the answer.
 *
 * @param component describes the valid form
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
    ruleset: absentable(toBeChecked("a ruleset, as an object", "Ruleset")),
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
  // Conditions, not alternatives: generators make a class from members, but a union without members from alternatives.
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
