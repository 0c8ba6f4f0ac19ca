import {
  JSON_TYPE,
  type SubjectsQuery,
  type SubjectsRequest,
  type SubjectsResponse,
  subjectsQuerySchema,
  subjectsRequestSchema,
} from "@groundrule/contract";
import type { SubjectsOptions } from "@groundrule/engine";
import { buildAnswerMeta, computeCompleteness, createAnsweredFromSources } from "./answer-parts.ts";
import type { Call, Question } from "./question.ts";

/** `POST /v1/subjects`: the registers' records for an identifier. */
export const subjects: Question<SubjectsRequest, SubjectsQuery, typeof JSON_TYPE> = {
  path: "/v1/subjects",
  mediaTypes: [JSON_TYPE],
  requestSchema: subjectsRequestSchema,
  querySchema: subjectsQuerySchema,
  pointerInBody: toBodyPointer,
  answer: (request, _query, call) => {
    const { matches, sources, warnings, truncated, malformed } = call.engine.subjects(
      request.input.scheme,
      toSubjectsOptions(request, call),
    );
    return createAnsweredFromSources(
      sources,
      call,
      (complete): SubjectsResponse => ({
        data: {
          // An edition without a build time cannot be newer than the question.
          matches: matches.map((match) => ({ ...match, indexed_at: match.indexed_at ?? call.now })),
          subject_check: computeCompleteness(sources),
          sources,
          reference_id: request.reference_id ?? null,
          ...(truncated !== undefined && { truncated }),
          ...(malformed !== undefined && { malformed }),
        },
        meta: buildAnswerMeta(call, complete, warnings, toBodyPointer),
        errors: [],
      }),
    );
  },
  toExplain: (request, call) => ({
    ask: "subjects",
    scheme: request.input.scheme,
    options: toSubjectsOptions(request, call),
  }),
};

function toSubjectsOptions(
  { subject_source, match_op }: SubjectsRequest,
  call: Call<string>,
): SubjectsOptions {
  return {
    ...(subject_source !== undefined && { source: subject_source }),
    matchOp: match_op ?? "equals",
    now: call.now,
  };
}

function toBodyPointer(pointer: string, code: string): string {
  return code === "SOURCE_UNKNOWN" ? "/subject_source" : `/input${pointer}`;
}
