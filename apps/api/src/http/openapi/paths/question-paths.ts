import {
  distanceQuerySchema,
  evaluateQuerySchema,
  GEOJSON_TYPE,
  intersectionsQuerySchema,
  JSON_TYPE,
  subjectsQuerySchema,
} from "@groundrule/contract";
import { BODY_CODES, GEOMETRY_CODES, KEYED_CODES } from "../codes.ts";
import { answer, body } from "../contents.ts";
import type { Json } from "../json.ts";
import { problems } from "../problems.ts";
import { question } from "./operation.ts";

/** What is asked about a plot, an identifier or a ruleset. */
export function questionPaths(): Readonly<Record<string, Json>> {
  return {
    "/v1/evaluate": {
      post: question({
        id: "evaluate",
        tag: "Verdicts",
        summary: "Evaluate a ruleset on a plot and the subjects behind it",
        query: evaluateQuerySchema,
        request: "EvaluateRequest",
        answers: { [JSON_TYPE]: "EvaluateResponse", [GEOJSON_TYPE]: "EvaluateFeatures" },
        codes: [
          ...GEOMETRY_CODES,
          "INPUT_INCOMPLETE",
          "RESULT_TOO_LARGE",
          "RULESET_INVALID",
          "RULESET_NOT_FOUND",
          "SCHEME_UNSUPPORTED",
        ],
      }),
    },
    "/v1/intersections": {
      post: question({
        id: "intersections",
        tag: "Discovery",
        summary: "List the reference areas that share a point with a geometry",
        query: intersectionsQuerySchema,
        request: "IntersectionsRequest",
        answers: { [GEOJSON_TYPE]: "IntersectionsResponse", [JSON_TYPE]: "IntersectionsResponse" },
        codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
      }),
    },
    "/v1/distance": {
      post: question({
        id: "distance",
        tag: "Discovery",
        summary: "List the reference areas whose distance from a geometry lies within a range",
        query: distanceQuerySchema,
        request: "DistanceRequest",
        answers: { [JSON_TYPE]: "DistanceResponse", [GEOJSON_TYPE]: "DistanceFeatures" },
        codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
      }),
    },
    "/v1/subjects": {
      post: question({
        id: "subjects",
        tag: "Discovery",
        summary: "Look up a typed identifier in the registers",
        query: subjectsQuerySchema,
        request: "SubjectsRequest",
        answers: { [JSON_TYPE]: "SubjectsResponse" },
        codes: ["PATTERN_TOO_COMPLEX", "SCHEME_UNSUPPORTED", "SOURCE_UNKNOWN"],
      }),
    },
    "/v1/validate": {
      post: {
        operationId: "validate",
        tags: ["Verdicts"],
        summary: "Check whether a geometry, plots or a ruleset are valid; never billed",
        requestBody: body("validate", "ValidateRequest"),
        responses: {
          200: answer("validate", { [JSON_TYPE]: "ValidateResponse" }),
          ...problems("validate", [...KEYED_CODES, ...BODY_CODES, "GEOMETRY_TOO_COMPLEX"]),
        },
      },
    },
  };
}
