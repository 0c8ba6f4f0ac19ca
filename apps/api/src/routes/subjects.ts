import {
  type SubjectsRequest,
  type SubjectsResponse,
  subjectsQuerySchema,
  subjectsRequestSchema,
} from "@groundrule/contract";
import { completeness, given, metaOf } from "../answer-parts.ts";
import { JSON_TYPE } from "../media-type.ts";
import type { Question } from "../question.ts";

/** `POST /v1/subjects`: what registers hold under an identifier. */
export const subjects: Question<SubjectsRequest, Record<string, never>, typeof JSON_TYPE> = {
  path: "/v1/subjects",
  mediaTypes: [JSON_TYPE],
  requestSchema: subjectsRequestSchema,
  querySchema: subjectsQuerySchema,
  pointerInBody,
  answer: async (request, _query, call): Promise<SubjectsResponse> => {
    const answer = await call.engine.subjects(request.input.scheme, {
      ...given({ source: request.subject_source }),
      matchOp: request.match_op,
      now: call.now,
    });
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
};

function pointerInBody(pointer: string, code: string): string {
  return code === "SOURCE_UNKNOWN" ? "/subject_source" : `/input${pointer}`;
}
