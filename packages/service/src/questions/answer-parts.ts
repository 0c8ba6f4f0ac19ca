import type { DistanceRequest, IntersectionsRequest, Meta } from "@groundrule/contract";
import type { SourceOutcome, SpatialOptions, Warning } from "@groundrule/engine";
import type { PointerInBody } from "../task/refusal.ts";
import type { Answered, Call } from "./question.ts";

// Parts that several answers share.

/**
 * @param charged true if the request is charged; an unsettled answer never reaches the caller
 * @param pointerInBody converts the warnings' pointers to pointers into the request
 */
export function buildAnswerMeta(
  call: Pick<Call<string>, "requestId" | "engineVersion">,
  charged: boolean,
  warnings: readonly Warning[],
  pointerInBody: PointerInBody,
): Meta {
  return {
    request_id: call.requestId,
    charged,
    engine_version: call.engineVersion,
    warnings: warnings.map((warning) => ({
      ...warning,
      pointer: pointerInBody(warning.pointer, warning.code),
    })),
  };
}

/** The edition of each source that an answer is based on, for its decision. */
export function toEditions(sources: readonly SourceOutcome[]): Readonly<Record<string, string>> {
  const editions: [name: string, edition: string][] = [];
  for (const { source_name, edition } of sources) {
    if (edition !== undefined) editions.push([source_name, edition]);
  }
  return Object.fromEntries(editions);
}

/** `ok` if every source answered. */
export function computeCompleteness(sources: readonly SourceOutcome[]): "ok" | "failed" {
  return sources.every(({ status }) => status === "ok") ? "ok" : "failed";
}

// Parts of the questions about reference areas and registers.

export function toAreaOptions(
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

/** An answer from separate queries of sources: complete if all of them answered. */
export function createAnsweredFromSources(
  sources: readonly SourceOutcome[],
  call: Call<string>,
  body: (complete: boolean) => object,
): Answered {
  const complete = computeCompleteness(sources) === "ok";
  return {
    body: body(complete),
    sources,
    complete,
    digests: { editions: toEditions(sources), engine_version: call.engineVersion },
  };
}
