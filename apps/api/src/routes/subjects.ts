import {
  type SubjectsQuery,
  type SubjectsRequest,
  type SubjectsResponse,
  subjectsQuerySchema,
  subjectsRequestSchema,
} from "@groundrule/contract";
import type { SubjectsOptions } from "@groundrule/engine";
import { completeness, given, metaOf } from "../answer-parts.ts";
import { JSON_TYPE } from "../media-type.ts";
import type { Call, Question } from "../question.ts";

/** `POST /v1/subjects`: what registers hold under an identifier. */
export const subjects: Question<SubjectsRequest, SubjectsQuery, typeof JSON_TYPE> = {
  path: "/v1/subjects",
  mediaTypes: [JSON_TYPE],
  requestSchema: subjectsRequestSchema,
  querySchema: subjectsQuerySchema,
  pointerInBody,
  answer: async (request, _query, call): Promise<SubjectsResponse> => {
    const answer = await call.engine.subjects(request.input.scheme, optionsOf(request, call));
    return {
      data: {
        matches: answer.matches,
        subject_check: completeness(answer.sources),
        sources: answer.sources,
        reference_id: request.reference_id ?? null,
        ...given({ truncated: answer.truncated }),
      },
      meta: metaOf(call, answer.warnings, pointerInBody),
      errors: [],
    };
  },
  toExplain: (request, call) => ({
    ask: "subjects",
    scheme: request.input.scheme,
    options: optionsOf(request, call),
  }),
};

function optionsOf(request: SubjectsRequest, call: Call<string>): SubjectsOptions {
  return { ...given({ source: request.subject_source }), matchOp: request.match_op, now: call.now };
}

function pointerInBody(pointer: string, code: string): string {
  return code === "SOURCE_UNKNOWN" ? "/subject_source" : `/input${pointer}`;
}
