import {
  type ErrorCode,
  JSON_TYPE,
  jobResultsQuerySchema,
  jobsQuerySchema,
  NDJSON_TYPE,
} from "@groundrule/contract";
import { BODY_CODES, KEYED_CODES } from "../codes.ts";
import { queryParameters } from "../components.ts";
import { answer, body, TEXT } from "../contents.ts";
import type { Json } from "../json.ts";
import { problems } from "../problems.ts";
import { RESPONSE_EXAMPLES } from "../response-examples.ts";
import { free } from "./operation.ts";
import { IDEMPOTENCY_KEY, inPath } from "./parameters.ts";

/** Jobs, their progress and their results. */
export function jobPaths(): Readonly<Record<string, Json>> {
  return {
    "/v1/jobs": {
      post: {
        operationId: "createJob",
        tags: ["Jobs"],
        summary:
          "Send thousands of plots to be evaluated one by one; each verdict is charged as a single request",
        parameters: [JOB_KEY],
        requestBody: jobBody(),
        responses: {
          202: answer("createJob", { [JSON_TYPE]: "JobResponse" }, ["Location"], ["Idempotent-Replayed"]),
          ...problems("createJob", [
            ...KEYED_CODES,
            ...BODY_CODES,
            "IDEMPOTENCY_KEY_CONFLICT",
            "HOLDING_LIMIT_REACHED",
            "IDEMPOTENCY_KEY_INVALID",
            "IDEMPOTENCY_KEY_REQUIRED",
            "JOB_EXPIRED",
            "JOB_LIMIT_REACHED",
            "OUTCOME_UNKNOWN",
            "QUOTA_EXCEEDED",
            "RULESET_INVALID",
            "RULESET_NOT_FOUND",
            "SCOPE_INSUFFICIENT",
            "SOURCE_UNKNOWN",
            "SUBSCRIPTION_INACTIVE",
          ]),
        },
      },
      get: free({
        id: "jobs",
        tag: "Jobs",
        summary: "List the jobs that have not expired, newest first",
        parameters: queryParameters(jobsQuerySchema),
        schema: "JobsResponse",
        codes: ["SCOPE_INSUFFICIENT"],
      }),
    },
    "/v1/jobs/{id}": {
      get: free({
        id: "job",
        tag: "Jobs",
        summary: "Get the progress of a job",
        parameters: [JOB_ID],
        schema: "JobResponse",
        codes: JOB_CODES,
      }),
    },
    "/v1/jobs/{id}/results": {
      get: {
        operationId: "jobResults",
        tags: ["Jobs"],
        summary: "Get a line of JSON for each plot, in order, up to the first plot that has none yet",
        parameters: [JOB_ID, ...queryParameters(jobResultsQuerySchema)],
        responses: {
          200: {
            ...answer("jobResults", {}, ["X-Next-From"]),
            content: { [NDJSON_TYPE]: { ...TEXT, example: RESPONSE_EXAMPLES.jobResults } },
          },
          ...problems("jobResults", [...KEYED_CODES, ...JOB_CODES]),
        },
      },
    },
    "/v1/jobs/{id}/cancel": {
      post: free({
        id: "cancelJob",
        tag: "Jobs",
        summary: "Cancel a job; its charges stay",
        parameters: [JOB_ID],
        schema: "JobResponse",
        codes: [...JOB_CODES, "OUTCOME_UNKNOWN"],
      }),
    },
  };
}

const JOB_KEY: Json = {
  ...IDEMPOTENCY_KEY,
  required: true,
  description:
    "The caller's name for this job; an upload that is sent again with the same key belongs to the same job",
};

const JOB_ID = inPath("id", { type: "string", examples: ["job_019abc"] });
const JOB_CODES: readonly ErrorCode[] = ["JOB_EXPIRED", "JOB_NOT_FOUND", "SCOPE_INSUFFICIENT"];

/** In lines, the first has the members of the other form but for the plots, and every other is a plot. */
function jobBody(): Json {
  const { content: whole, ...rest } = body("createJob", "CreateJobRequest") as { content: Json };
  const lines = {
    schema: {
      type: "string",
      description:
        "The terms in the first line; in every other line a plot, as a GeoJSON Feature or geometry",
    },
  };
  return { ...rest, content: { ...whole, [NDJSON_TYPE]: lines } };
}
