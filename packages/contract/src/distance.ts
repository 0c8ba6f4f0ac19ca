import type { DistanceMatch, GeometryInput, MultiPolygonGeometry, SourceOutcome } from "@groundrule/engine";
import { distanceMatchShape } from "@groundrule/engine/shapes";
import * as z from "zod";
import { schemaOf } from "./described-shape.ts";
import { areaFilterShape } from "./intersections.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import {
  absentable,
  crsSchema,
  geometrySchema,
  type Meta,
  metaSchema,
  multiPolygonSchema,
  sourceOutcomeSchema,
} from "./members.ts";
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

/** Answer of `POST /v1/distance`, nearest first. */
export interface DistanceResponse {
  readonly data: {
    readonly matches: readonly Omit<DistanceMatch, "geometry">[];
    /** `failed`: a source could not be asked, so matches may be missing. */
    readonly distance_check: "ok" | "failed";
    readonly sources: readonly SourceOutcome[];
    readonly reference_id: string | null;
  };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

/** The same answer as `application/geo+json`: one feature a match, with the whole area's geometry. */
export interface DistanceFeatures {
  readonly type: "FeatureCollection";
  readonly features: readonly DistanceFeature[];
  readonly distance_check: "ok" | "failed";
  readonly sources: readonly SourceOutcome[];
  readonly reference_id: string | null;
  readonly meta: Meta;
}

/** A match as a GeoJSON feature. */
export interface DistanceFeature {
  readonly type: "Feature";
  readonly geometry: MultiPolygonGeometry;
  readonly properties: Omit<DistanceMatch, "geometry">;
}

/**
 * @param limitMeters greatest `max_distance_m` the service answers
 */
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

const match = schemaOf(distanceMatchShape);
const check = z.enum(["ok", "failed"]);

export const distanceResponseSchema: z.ZodType<DistanceResponse> = z.strictObject({
  data: z.strictObject({
    matches: z.array(match),
    distance_check: check,
    sources: z.array(sourceOutcomeSchema),
    reference_id: z.string().nullable(),
  }),
  meta: metaSchema,
  errors: z.array(z.never()),
});

export const distanceFeaturesSchema: z.ZodType<DistanceFeatures> = z.strictObject({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.strictObject({
      type: z.literal("Feature"),
      geometry: multiPolygonSchema,
      properties: match,
    }),
  ),
  distance_check: check,
  sources: z.array(sourceOutcomeSchema),
  reference_id: z.string().nullable(),
  meta: metaSchema,
});
