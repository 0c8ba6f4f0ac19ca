import type { GeometryInput } from "@groundrule/engine";
import {
  array,
  choice,
  type Described,
  describedAs,
  intersectionMatchShape,
  nullable,
  objectOf,
  type Shape,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { metaShape, overlapShape, requestMembers } from "../answer-members.ts";
import { absentable, crsSchema, geometrySchema, referenceIdSchema, sourceNameSchema } from "../members.ts";
import { countrySchema } from "./country.ts";
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
  /** The geometry of each feature. */
  readonly geometry: "overlap" | "area" | "none";
  readonly explain: boolean;
}

const featureMembers = {
  type: choice("Feature"),
  geometry: describedAs(
    nullable(overlapShape),
    "Of a polygon, polygons; of a line, its parts; of points, points. Null with `geometry=none`, where input and area only touch, and where `geometry_status` says why",
  ),
  properties: describedAs(intersectionMatchShape, "The match"),
};

/** A match as a GeoJSON feature. */
export interface IntersectionFeature extends Described<typeof featureMembers> {}

const responseMembers = {
  type: choice("FeatureCollection"),
  features: describedAs(
    array<IntersectionFeature>(objectOf(featureMembers)),
    "The features of the collection",
  ),
  ...requestMembers,
  meta: metaShape,
};

/** Answer of `POST /v1/intersections`: one feature per area that shares a point with the input. */
export interface IntersectionsResponse extends Described<typeof responseMembers> {}

export const intersectionsResponseShape: Shape<IntersectionsResponse> = objectOf(responseMembers);

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
