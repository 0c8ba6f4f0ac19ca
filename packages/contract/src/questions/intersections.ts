import {
  array,
  choice,
  countryCodeShape,
  type Described,
  type DescribedInput,
  describedAs,
  intersectionMatchShape,
  named,
  nullable,
  objectOf,
  optional,
  type Shape,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { requestMembers as answeredMembers, metaShape, overlapShape } from "../answer-members.ts";
import { toMemberSchemas } from "../described-shape.ts";
import { crsMember, geometryShape, OWN_SCHEMAS, referenceIdMember, sourceNameShape } from "../members.ts";
import { explainParameter } from "./plan.ts";

/** The filters that the two questions about areas share. */
export const areaFilterMembers = {
  reference_areas_country_iso3: optional(
    countryCodeShape,
    "Only areas of this country, by its ISO 3166-1 alpha-3 code",
  ),
  reference_areas_source: optional(
    sourceNameShape,
    "Only areas of this source, or of the members of this group",
  ),
  reference_id: referenceIdMember,
};

const requestMembers = {
  input: describedAs(
    named("IntersectionsInput", () => objectOf({ geometry: geometryShape, crs: crsMember })),
    "The plot",
  ),
  ...areaFilterMembers,
};

/** Body of `POST /v1/intersections`. */
export interface IntersectionsRequest extends DescribedInput<typeof requestMembers> {}

/** Query of `POST /v1/intersections`. */
export interface IntersectionsQuery {
  /** The geometry of each feature; the service's default is `overlap`. */
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
    array<IntersectionFeature>(named("IntersectionFeature", () => objectOf(featureMembers))),
    "The features of the collection",
  ),
  ...answeredMembers,
  meta: metaShape,
};

/** Answer of `POST /v1/intersections`: one feature per area that shares a point with the input. */
export interface IntersectionsResponse extends Described<typeof responseMembers> {}

export const intersectionsResponseShape: Shape<IntersectionsResponse> = objectOf(responseMembers);

export const intersectionsRequestSchema = z.strictObject(
  toMemberSchemas(requestMembers, OWN_SCHEMAS),
) as z.ZodType as z.ZodType<IntersectionsRequest, unknown>;

export const intersectionsQuerySchema: z.ZodType<IntersectionsQuery, unknown> = z.strictObject({
  geometry: z
    .enum(["overlap", "area", "none"])
    .default("overlap")
    .describe("The geometry of each feature: its overlap with the input, the whole area, or none"),
  explain: explainParameter,
});
