import type { DistanceRequest, IntersectionsRequest } from "@groundrule/contract";
import type { SourceOutcome, SpatialOptions } from "@groundrule/engine";
import type { PointerInBody } from "../task/refusal.ts";
import { editionsOf } from "./answer-parts.ts";
import type { Answered, Call } from "./question.ts";

// What the questions about reference areas and registers have in common.

export function areaOptions(
  request: IntersectionsRequest | DistanceRequest,
  call: Call<string>,
): SpatialOptions {
  const { input, reference_areas_source: source, reference_areas_country_iso3: countryIso3 } = request;
  return {
    ...(input.crs !== undefined && { crs: input.crs }),
    ...(source !== undefined && { sources: [source] }),
    ...(countryIso3 !== undefined && { countryIso3 }),
    now: call.now,
    maxResults: call.limits.resultAreas,
    provided: call.provided,
  };
}

export const areaPointerInBody: PointerInBody = (pointer, code) => {
  if (code === "CRS_UNKNOWN" && pointer === "") return "/input/crs";
  if (code === "SOURCE_UNKNOWN") return "/reference_areas_source";
  if (pointer === "/minDistanceMeters") return "/input/min_distance_m";
  if (pointer === "/maxDistanceMeters") return "/input/max_distance_m";
  return `/input/geometry${pointer}`;
};

/** An answer that asked sources one by one: whole where every one answered. */
export function answeredBy(
  sources: readonly SourceOutcome[],
  call: Call<string>,
  body: (complete: boolean) => object,
): Answered {
  const complete = sources.every(({ status }) => status === "ok");
  return {
    body: body(complete),
    sources,
    complete,
    digests: { editions: editionsOf(sources), engine_version: call.engineVersion },
  };
}
