import {
  answerShapes,
  anything,
  array,
  bboxShape,
  boolean,
  choice,
  type Described,
  type DescribedInput,
  describedAs,
  evaluationInputMembers,
  named,
  nullable,
  number,
  object,
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
import { namedPart, type OwnSchemas, schemaRef, toMemberSchemas } from "../described-shape.ts";
import { crsMember, OWN_SCHEMAS, plotFeatureSchema } from "../members.ts";

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
  code: answerShapes.code,
  severity: describedAs(choice("error", "warning"), "Whether the finding stops the plot from being accepted"),
  pointer: answerShapes.pointer,
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
    array<ValidateFinding>(
      named("ValidateFinding", () => objectOf(findingMembers)),
      { max: PLOT_FINDINGS_MAX },
    ),
    "The faults of the plots, each with its place and how to fix it",
  ),
};

/** The findings on plots, one by one and against each other. */
export interface CheckedPlots extends Described<typeof checkedPlotsMembers> {}

const validMembers = {
  valid: choice(true),
  position_count: answerShapes.positionCount,
  bbox: bboxShape,
  warnings: describedAs(array(warningShape), "Warnings that do not change the answer"),
};

/** Properties of a geometry that can be evaluated; for points with an area, of their discs. */
export interface ValidGeometry extends Described<typeof validMembers> {}

const invalidMembers = {
  valid: choice(false),
  code: answerShapes.code,
  errors: describedAs(array(faultShape), "Each fault with its place"),
  details: describedAs(
    anyMembers,
    "What is known of the geometry beside its faults, such as a proposed repair",
  ),
};

/** The reasons why a geometry cannot be evaluated. */
export interface InvalidGeometry extends Described<typeof invalidMembers> {}

export const validateResponseShape = objectOf({
  data: named("Validated", () =>
    objectOf({
      geometry: describedAs(
        nullable(
          union<[ValidGeometry, InvalidGeometry]>([
            named("ValidGeometry", () => objectOf(validMembers)),
            named("InvalidGeometry", () => objectOf(invalidMembers)),
          ]),
        ),
        "The result of the check of the geometry; null if none was sent",
      ),
      plots: describedAs(
        nullable<CheckedPlots>(named("CheckedPlots", () => objectOf(checkedPlotsMembers))),
        "The result of the check of the collection; null if none was sent",
      ),
      ruleset: describedAs(
        nullable(
          named("CheckedRuleset", () =>
            objectOf({
              valid: describedAs(boolean(), "Whether it would be accepted"),
              lint: describedAs(array(lintFindingShape), "Likely mistakes in the ruleset"),
            }),
          ),
        ),
        "The result of the check of the ruleset; null if none was sent",
      ),
    }),
  ),
});
/** Answer of `POST /v1/validate`; a part that was not sent is null. */
export type ValidateResponse = ValueOf<typeof validateResponseShape>;

const NOT_NULL = { not: { type: "null" } };

/** Any object: faults of its content are reported in the answer. */
const anyGeometry = object<object>({}, { words: "a GeoJSON geometry" });
const anyRuleset = object<object>({}, { words: "a ruleset, as an object" });
const plotsShape = anything() as Shape<PlotCollection>;
const commodityShape = text({ max: COMMODITY_MAX_LENGTH });

const bodyMembers = {
  geometry: optional(anyGeometry, "A GeoJSON geometry, or a Feature around one"),
  plots: optional(
    plotsShape,
    "Plots, a GeoJSON FeatureCollection: the answer lists the faults of its features",
  ),
  profile: optional(
    choice(...PROFILE_NAMES),
    "The system that will receive `plots`; without it, only the rules that hold for any purpose are checked",
  ),
  commodity: optional(
    commodityShape,
    "What `plots` produce; a point for cattle may stand for more than 4 ha",
  ),
  crs: crsMember,
  area_ha: evaluationInputMembers.area_ha,
  ruleset: optional(anyRuleset, "The sets and checks of a ruleset"),
};

/** Body of `POST /v1/validate`: a geometry, plots, a ruleset, or several of them. */
export interface ValidateRequest extends DescribedInput<typeof bodyMembers> {}

/** @param component describes the valid form */
function createObjectSchema(words: string, component: string): z.ZodType {
  return z
    .unknown()
    .refine((value) => isObject(value), { error: `expected ${words}`, abort: true })
    .meta({ $ref: schemaRef(component) });
}

const OWN: OwnSchemas = new Map([
  ...OWN_SCHEMAS,
  [anyGeometry.form, createObjectSchema("a GeoJSON geometry", "Geometry")],
  [anyRuleset.form, createObjectSchema("a ruleset, as an object", "Ruleset")],
  [commodityShape.form, z.string().max(COMMODITY_MAX_LENGTH)],
  [plotsShape.form, namedPart("ValidatedPlots", createPlotsSchema(VALIDATED_PLOTS_MAX))],
]);

/**
 * The schema of a FeatureCollection of plots. What is wrong with one of them is reported in the answer.
 *
 * @param maxPlots most plots of the collection
 */
export function createPlotsSchema(maxPlots: number): z.ZodType<PlotCollection, unknown> {
  return z.looseObject({
    type: z.literal("FeatureCollection"),
    features: z.array(plotFeatureSchema).min(1).max(maxPlots).describe("The features of the collection"),
  });
}

export const validateRequestSchema: z.ZodType<ValidateRequest, unknown> = (
  z.strictObject(toMemberSchemas(bodyMembers, OWN)) as z.ZodType as z.ZodType<ValidateRequest, unknown>
)
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
