import {
  type DistanceFeature,
  type DistanceFeatures,
  type DistanceQuery,
  type DistanceRequest,
  type DistanceResponse,
  distanceQuerySchema,
  distanceRequestSchema,
  GEOJSON_TYPE,
  JSON_TYPE,
} from "@groundrule/contract";
import type { DistanceMatch, DistanceOptions } from "@groundrule/engine";
import {
  areaPointerInBody,
  buildAnswerMeta,
  computeCompleteness,
  createAnsweredFromSources,
  toAreaOptions,
} from "./answer-parts.ts";
import type { Call, Question } from "./question.ts";

type MediaType = typeof GEOJSON_TYPE | typeof JSON_TYPE;

/**
 * `POST /v1/distance`: the reference areas whose distance from a geometry is within a range.
 *
 * @param limitMeters maximum `max_distance_m`
 */
export function createDistanceQuestion(
  limitMeters: number,
): Question<DistanceRequest, DistanceQuery, MediaType> {
  return {
    path: "/v1/distance",
    mediaTypes: [JSON_TYPE, GEOJSON_TYPE],
    requestSchema: distanceRequestSchema(limitMeters),
    querySchema: distanceQuerySchema,
    pointerInBody: areaPointerInBody,
    liveNeeds: (request, call) =>
      call.engine.liveNeeds(request.input.geometry, toDistanceOptions(request, call)),
    answer: (request, _query, call) => {
      const { matches, sources, warnings } = call.engine.distance(request.input.geometry, {
        ...toDistanceOptions(request, call),
        geometry: call.mediaType === GEOJSON_TYPE ? "area" : "none",
      });
      const distance_check = computeCompleteness(sources);
      const reference_id = request.reference_id ?? null;
      return createAnsweredFromSources(sources, call, (complete): DistanceResponse | DistanceFeatures => {
        const meta = buildAnswerMeta(call, complete, warnings, areaPointerInBody);
        return call.mediaType === JSON_TYPE
          ? { data: { matches, distance_check, sources, reference_id }, meta, errors: [] }
          : {
              type: "FeatureCollection",
              features: matches.map(toFeature),
              distance_check,
              sources,
              reference_id,
              meta,
            };
      });
    },
    toExplain: (request, call) => ({
      ask: "distance",
      geometry: request.input.geometry,
      options: toDistanceOptions(request, call),
    }),
  };
}

function toDistanceOptions(request: DistanceRequest, call: Call<string>): DistanceOptions {
  return {
    ...toAreaOptions(request, call),
    minDistanceMeters: request.input.min_distance_m ?? 0,
    maxDistanceMeters: request.input.max_distance_m,
  };
}

function toFeature({ geometry, ...properties }: DistanceMatch): DistanceFeature {
  if (geometry === undefined)
    throw new Error(`${properties.source_id} came without the geometry that was asked for`);
  return { type: "Feature", geometry, properties };
}
