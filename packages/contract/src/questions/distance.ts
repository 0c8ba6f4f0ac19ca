import {
  array,
  choice,
  type Described,
  type DescribedInput,
  describedAs,
  distanceMatchShape,
  named,
  number,
  objectOf,
  optional,
  type Shape,
  type ValueOf,
} from "@groundrule/engine/internal";
import * as z from "zod";
import {
  requestMembers as answeredMembers,
  envelopeMembers,
  metaShape,
  multiPolygonShape,
} from "../answer-members.ts";
import { toMemberSchemas, toRequestSchema } from "../described-shape.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { crsMember, geometryShape, OWN_SCHEMAS } from "../members.ts";
import { areaFilterMembers } from "./intersections.ts";
import { explainParameter } from "./plan.ts";

/** Its greatest value depends on the service. */
const metersShape = number({ min: 0 });

const requestMembers = {
  input: describedAs(
    named("DistanceInput", () =>
      objectOf({
        geometry: geometryShape,
        crs: crsMember,
        min_distance_m: optional(metersShape, "Inclusive lower bound in metres; default 0"),
        max_distance_m: describedAs(metersShape, "Inclusive upper bound in metres"),
      }),
    ),
    "The plot and the range of distances",
  ),
  ...areaFilterMembers,
};

/** Body of `POST /v1/distance`. */
export interface DistanceRequest extends DescribedInput<typeof requestMembers> {}

/** Query of `POST /v1/distance`. */
export interface DistanceQuery {
  readonly explain: boolean;
}

const checkMembers = {
  distance_check: describedAs(
    choice("ok", "failed"),
    "`ok` if every source answered, `failed` if one did not, so that matches may be missing",
  ),
};

export const distanceResponseShape = objectOf({
  data: named("DistanceMatches", () =>
    objectOf({
      matches: describedAs(array(distanceMatchShape), "What was found, nearest first"),
      ...checkMembers,
      ...answeredMembers,
    }),
  ),
  ...envelopeMembers,
});
/** Answer of `POST /v1/distance`, nearest first. */
export type DistanceResponse = ValueOf<typeof distanceResponseShape>;

const featureMembers = {
  type: choice("Feature"),
  geometry: describedAs(multiPolygonShape, "The whole area"),
  properties: describedAs(distanceMatchShape, "The match"),
};

/** A match as a GeoJSON feature. */
export interface DistanceFeature extends Described<typeof featureMembers> {}

const featuresMembers = {
  type: choice("FeatureCollection"),
  features: describedAs(
    array<DistanceFeature>(named("DistanceFeature", () => objectOf(featureMembers))),
    "The features of the collection",
  ),
  ...checkMembers,
  ...answeredMembers,
  meta: metaShape,
};

/** The same answer as `application/geo+json`: one feature per match, with the whole area's geometry. */
export interface DistanceFeatures extends Described<typeof featuresMembers> {}

export const distanceFeaturesShape: Shape<DistanceFeatures> = objectOf(featuresMembers);

/** @param limitMeters maximum `max_distance_m` of the service */
export function distanceRequestSchema(
  limitMeters: number = DEFAULT_LIMITS.distanceMeters,
): z.ZodType<DistanceRequest, unknown> {
  const meters = z.number().min(0, { abort: true }).max(limitMeters, { abort: true });
  const own = new Map([...OWN_SCHEMAS, [metersShape.form, meters]]);
  const { input, ...filters } = requestMembers;
  const inputSchema = toRequestSchema(input, own) as z.ZodType<DistanceRequest["input"], unknown>;
  return z.strictObject({
    input: inputSchema.refine(({ min_distance_m = 0, max_distance_m }) => min_distance_m <= max_distance_m, {
      path: ["min_distance_m"],
      message: "expected min_distance_m not to exceed max_distance_m",
    }),
    ...toMemberSchemas(filters, own),
  }) as z.ZodType as z.ZodType<DistanceRequest, unknown>;
}

export const distanceQuerySchema: z.ZodType<DistanceQuery, unknown> = z.strictObject({
  explain: explainParameter,
});
