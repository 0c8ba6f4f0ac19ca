import type { GeometryInput } from "@groundrule/engine";
import {
  array,
  choice,
  type Described,
  describedAs,
  distanceMatchShape,
  objectOf,
  type Shape,
  type ValueOf,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { envelopeMembers, metaShape, multiPolygonShape, requestMembers } from "../answer-members.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { absentable, crsSchema, geometrySchema } from "../members.ts";
import { areaFilterShape } from "./intersections.ts";
import { explainParameter } from "./plan.ts";

/** Body of `POST /v1/distance`. */
export interface DistanceRequest {
  readonly input: {
    readonly geometry: GeometryInput;
    readonly crs?: string | undefined;
    /** Inclusive, metres. */
    readonly min_distance_m: number;
    /** Inclusive, metres. */
    readonly max_distance_m: number;
  };
  readonly reference_areas_country_iso3?: string | undefined;
  readonly reference_areas_source?: string | undefined;
  readonly reference_id?: string | undefined;
}

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
  data: objectOf({
    matches: describedAs(array(distanceMatchShape), "What was found, nearest first"),
    ...checkMembers,
    ...requestMembers,
  }),
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
  features: describedAs(array<DistanceFeature>(objectOf(featureMembers)), "The features of the collection"),
  ...checkMembers,
  ...requestMembers,
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
  return z.strictObject({
    input: z
      .strictObject({
        geometry: geometrySchema,
        crs: absentable(crsSchema),
        min_distance_m: absentable(meters.describe("Inclusive lower bound in metres; default 0")).transform(
          (value) => value ?? 0,
        ),
        max_distance_m: meters.describe("Inclusive upper bound in metres"),
      })
      .refine((input) => input.min_distance_m <= input.max_distance_m, {
        path: ["min_distance_m"],
        message: "expected min_distance_m not to exceed max_distance_m",
      }),
    ...areaFilterShape,
  });
}

export const distanceQuerySchema: z.ZodType<DistanceQuery, unknown> = z.strictObject({
  explain: explainParameter,
});
