import {
  GEOJSON_TYPE,
  type IntersectionFeature,
  type IntersectionsQuery,
  type IntersectionsRequest,
  type IntersectionsResponse,
  intersectionsQuerySchema,
  intersectionsRequestSchema,
  JSON_TYPE,
} from "@groundrule/contract";
import type { IntersectionMatch } from "@groundrule/engine";
import {
  areaPointerInBody,
  buildAnswerMeta,
  createAnsweredFromSources,
  toAreaOptions,
} from "./answer-parts.ts";
import type { Question } from "./question.ts";

type MediaType = typeof GEOJSON_TYPE | typeof JSON_TYPE;

/** `POST /v1/intersections`: every reference area that shares a point with a geometry. */
export const intersections: Question<IntersectionsRequest, IntersectionsQuery, MediaType> = {
  path: "/v1/intersections",
  mediaTypes: [GEOJSON_TYPE, JSON_TYPE],
  requestSchema: intersectionsRequestSchema,
  querySchema: intersectionsQuerySchema,
  pointerInBody: areaPointerInBody,
  liveNeeds: (request, call) => call.engine.liveNeeds(request.input.geometry, toAreaOptions(request, call)),
  answer: (request, { geometry }, call) => {
    const { matches, sources, warnings } = call.engine.intersections(request.input.geometry, {
      ...toAreaOptions(request, call),
      geometry,
    });
    return createAnsweredFromSources(
      sources,
      call,
      (complete): IntersectionsResponse => ({
        type: "FeatureCollection",
        features: matches.map(toFeature),
        sources,
        reference_id: request.reference_id ?? null,
        meta: buildAnswerMeta(call, complete, warnings, areaPointerInBody),
      }),
    );
  },
  toExplain: (request, call) => ({
    ask: "intersections",
    geometry: request.input.geometry,
    options: toAreaOptions(request, call),
  }),
};

function toFeature(match: IntersectionMatch): IntersectionFeature {
  return {
    type: "Feature",
    geometry: match.geometry ?? null,
    properties: {
      source_name: match.source_name,
      source_id: match.source_id,
      name: match.name,
      country_iso3: match.country_iso3,
      overlap_area_m2: match.overlap_area_m2,
      overlap_ratio: match.overlap_ratio,
      area_overlap_ratio: match.area_overlap_ratio,
      ...(match.geometry_status !== undefined && { geometry_status: match.geometry_status }),
      properties: match.properties,
    },
  };
}
