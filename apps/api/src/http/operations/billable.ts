import {
  DEFAULT_LIMITS,
  distanceFeaturesShape,
  distanceRequestSchema,
  distanceResponseShape,
  evaluateFeaturesShape,
  evaluateRequestSchema,
  evaluateResponseShape,
  GEOJSON_TYPE,
  intersectionsRequestSchema,
  intersectionsResponseShape,
  JSON_TYPE,
  type Limits,
  subjectsRequestSchema,
  subjectsResponseShape,
} from "@groundrule/contract";
import { type AnyQuestion, listQuestions } from "@groundrule/service";
import { createQuestionHandler } from "./question-handler.ts";
import { GEOMETRY_CODES } from "./record/codes.ts";
import {
  ASKING_RULESET,
  OWNER,
  PLOT,
  POINT,
  PROPERTY,
  RULESET,
  UNCOVERED_PLOT,
} from "./record/demo-input.ts";
import { defineJsonContent, defineOperation, type Operation } from "./record/operation.ts";

/** A billable operation; its path and its query are those of the question that answers it. */
function createBillableOperation(
  path: string,
  record: Pick<Operation, "id" | "tag" | "summary" | "request" | "answer" | "codes"> & {
    readonly key: "evaluate" | "discover";
  },
): Operation {
  return defineOperation({
    ...record,
    method: "POST",
    path,
    room: "work",
    isCharged: true,
    query: getQuestionByPath(path, DEFAULT_LIMITS).querySchema,
    handler: (service) => createQuestionHandler(getQuestionByPath(path, service.limits), service),
  });
}

function getQuestionByPath(path: string, limits: Limits): AnyQuestion {
  const question = listQuestions(limits).find((each) => each.path === path);
  if (question === undefined) throw new Error(`no question has the path ${path}`);
  return question;
}

const evaluate = createBillableOperation("/v1/evaluate", {
  id: "evaluate",
  tag: "Verdicts",
  summary: "Evaluate a ruleset on a plot and the subjects behind it",
  key: "evaluate",
  request: {
    schema: { name: "EvaluateRequest", of: evaluateRequestSchema },
    examples: {
      inline: {
        summary: "A ruleset sent inline",
        value: {
          input: { geometry: PLOT, scheme: { ...OWNER, role: "owner" } },
          ruleset: RULESET,
          reference_id: "plot-1",
        },
      },
      saved: {
        summary: "A version of a saved ruleset",
        value: { input: { geometry: PLOT, scheme: OWNER }, ruleset_id: "forest-plots@1" },
      },
      point: {
        summary: "A point with the four hectares around it",
        value: {
          input: { geometry: POINT, area_ha: 4, country_iso3: "BRA", scheme: OWNER },
          ruleset_id: "forest-plots@1",
        },
      },
      declared: {
        summary: "Facts that the applicant declares, and the property that the plot is part of",
        value: {
          input: {
            geometry: PLOT,
            property: PROPERTY,
            facts: {
              modules: 6.5,
              permit: {
                id: "ASV-2024-17",
                issuer: "SEMA-MT",
                issued_on: "2024-03-01",
                valid_until: "2029-02-28",
              },
            },
          },
          ruleset: ASKING_RULESET,
        },
      },
      notCovered: {
        summary: "A plot that the sources do not cover: its checks are open",
        value: {
          input: { geometry: UNCOVERED_PLOT, scheme: OWNER },
          ruleset_id: "forest-plots@1",
          options: { strict_coverage: true },
        },
      },
    },
  },
  answer: {
    content: {
      ...defineJsonContent("EvaluateResponse", evaluateResponseShape),
      [GEOJSON_TYPE]: { name: "EvaluateFeatures", of: evaluateFeaturesShape },
    },
  },
  codes: [
    ...GEOMETRY_CODES,
    "INPUT_INCOMPLETE",
    "RESULT_TOO_LARGE",
    "RULESET_INVALID",
    "RULESET_NOT_FOUND",
    "SCHEME_UNSUPPORTED",
  ],
});

const INTERSECTIONS = { name: "IntersectionsResponse", of: intersectionsResponseShape };

const intersections = createBillableOperation("/v1/intersections", {
  id: "intersections",
  tag: "Discovery",
  summary: "List the reference areas that share a point with a geometry",
  key: "discover",
  request: {
    schema: { name: "IntersectionsRequest", of: intersectionsRequestSchema },
    examples: {
      everySource: { summary: "Every source", value: { input: { geometry: PLOT } } },
      oneSource: {
        summary: "One source, one country",
        value: {
          input: { geometry: PLOT, crs: "OGC:CRS84" },
          reference_areas_source: "demo:indigenous",
          reference_areas_country_iso3: "BRA",
          reference_id: "plot-1",
        },
      },
    },
  },
  answer: { content: { [GEOJSON_TYPE]: INTERSECTIONS, [JSON_TYPE]: INTERSECTIONS } },
  codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
});

const distance = createBillableOperation("/v1/distance", {
  id: "distance",
  tag: "Discovery",
  summary: "List the reference areas whose distance from a geometry lies within a range",
  key: "discover",
  request: {
    schema: {
      name: "DistanceRequest",
      of: ({ distanceMeters }: Limits) => distanceRequestSchema(distanceMeters),
    },
    examples: {
      within: {
        summary: "Parks within ten kilometres",
        value: { input: { geometry: PLOT, max_distance_m: 10_000 }, reference_areas_source: "demo:parks" },
      },
    },
  },
  answer: {
    content: {
      ...defineJsonContent("DistanceResponse", distanceResponseShape),
      [GEOJSON_TYPE]: { name: "DistanceFeatures", of: distanceFeaturesShape },
    },
  },
  codes: [...GEOMETRY_CODES, "RESULT_TOO_LARGE"],
});

const subjects = createBillableOperation("/v1/subjects", {
  id: "subjects",
  tag: "Discovery",
  summary: "Look up a typed identifier in the registers",
  key: "discover",
  request: {
    schema: { name: "SubjectsRequest", of: subjectsRequestSchema },
    examples: {
      equals: { summary: "One identifier", value: { input: { scheme: OWNER } } },
      malformed: {
        summary: "One whose leading zero a spreadsheet dropped",
        value: { input: { scheme: { type: "br:cnpj", value: "6990590000123" } } },
      },
      ilike: {
        summary: "Every branch of a company",
        value: {
          input: { scheme: { type: "br:cnpj", value: "78018459%" } },
          match_op: "ilike",
          subject_source: "demo:sanctions",
        },
      },
    },
  },
  answer: { content: defineJsonContent("SubjectsResponse", subjectsResponseShape) },
  codes: ["PATTERN_TOO_COMPLEX", "SCHEME_UNSUPPORTED", "SOURCE_UNKNOWN"],
});

export const BILLABLE: readonly Operation[] = [evaluate, intersections, distance, subjects];
