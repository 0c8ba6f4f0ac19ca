import type { GeometryInput, IntersectionMatch, OverlapGeometry, SourceOutcome } from "@groundrule/engine";
import { intersectionMatchShape } from "@groundrule/engine/shapes";
import * as z from "zod";
import { countrySchema } from "./country.ts";
import { schemaOf } from "./described-shape.ts";
import {
  absentable,
  crsSchema,
  geometrySchema,
  type Meta,
  metaSchema,
  overlapSchema,
  referenceIdSchema,
  sourceNameSchema,
  sourceOutcomeSchema,
} from "./members.ts";
import { explainParameter } from "./plan.ts";

/** Body of `POST /v1/intersections`. */
export interface IntersectionsRequest {
  readonly input: { readonly geometry: GeometryInput; readonly crs?: string | undefined };
  readonly reference_areas_country_iso3?: string | undefined;
  readonly reference_areas_source?: string | undefined;
  readonly reference_id?: string | undefined;
}

/** Query of `POST /v1/intersections`. */
export interface IntersectionsQuery {
  /** Which geometry each feature carries. */
  readonly geometry: "overlap" | "area" | "none";
  readonly explain: boolean;
}

/** Answer of `POST /v1/intersections`: one feature an area that shares a point with the input. */
export interface IntersectionsResponse {
  readonly type: "FeatureCollection";
  readonly features: readonly IntersectionFeature[];
  readonly sources: readonly SourceOutcome[];
  readonly reference_id: string | null;
  readonly meta: Meta;
}

/** A match as a GeoJSON feature. */
export interface IntersectionFeature {
  readonly type: "Feature";
  /**
   * Of a polygon, polygons; of a line, its parts; of points, points. Null with `geometry=none`, where input
   * and area only touch, and where `geometry_status` says why.
   */
  readonly geometry: OverlapGeometry | null;
  readonly properties: Omit<IntersectionMatch, "geometry">;
}

/** The filters that the two questions about areas share. */
export const areaFilterShape: {
  reference_areas_country_iso3: z.ZodType<string | undefined, unknown>;
  reference_areas_source: z.ZodType<string | undefined, unknown>;
  reference_id: z.ZodType<string | undefined, unknown>;
} = {
  reference_areas_country_iso3: absentable(countrySchema),
  reference_areas_source: absentable(
    sourceNameSchema.describe("Query only this source, or the members of this group"),
  ),
  reference_id: absentable(referenceIdSchema),
};

export const intersectionsRequestSchema: z.ZodType<IntersectionsRequest, unknown> = z.strictObject({
  input: z.strictObject({ geometry: geometrySchema, crs: absentable(crsSchema) }),
  ...areaFilterShape,
});

export const intersectionsQuerySchema: z.ZodType<IntersectionsQuery, unknown> = z.strictObject({
  geometry: z
    .enum(["overlap", "area", "none"])
    .default("overlap")
    .describe("The geometry of each feature: its overlap with the input, the whole area, or none"),
  explain: explainParameter,
});

export const intersectionsResponseSchema: z.ZodType<IntersectionsResponse> = z.strictObject({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.strictObject({
      type: z.literal("Feature"),
      geometry: overlapSchema.nullable(),
      properties: schemaOf(intersectionMatchShape),
    }),
  ),
  sources: z.array(sourceOutcomeSchema),
  reference_id: z.string().nullable(),
  meta: metaSchema,
});
