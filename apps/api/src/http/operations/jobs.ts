import {
  createJobRequestSchema,
  JOB_BYTES_MAX,
  JOBS_UNFINISHED_MAX,
  type Job,
  type JobResponse,
  type JobsResponse,
  JSON_TYPE,
  jobResponseShape,
  jobResultShape,
  jobResultsQuerySchema,
  jobsQuerySchema,
  jobsResponseShape,
  NDJSON_TYPE,
  toPagination,
} from "@groundrule/contract";
import {
  type BodyResult,
  type BodyTask,
  JOBS_PATH,
  type JobQuery,
  type ReadJob,
  Refusal,
} from "@groundrule/service";
import type { Context, Handler } from "hono";
import { quotaExceededRefusal, subscriptionInactiveRefusal } from "../../charging/charging.ts";
import { toJobEditions, toTermTexts } from "../../jobs/job-terms.ts";
import { toUnreadError } from "../../jobs/plot-errors.ts";
import { formatInstant } from "../../ledger/clock.ts";
import { JOB_ID_PATTERN } from "../../ledger/job-key.ts";
import type { Scope } from "../../ledger/scope.ts";
import type { JobResultRow, JobSummary } from "../../store/port/jobs.ts";
import type { Store } from "../../store/port/port.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { HttpRefusal } from "../exchange/http-refusal.ts";
import { isTypeInUtf8 } from "../exchange/request/media-type.ts";
import { mintAscendingId } from "../exchange/request/mint-id.ts";
import {
  parseQuery,
  readBodyTask,
  requireAcceptableType,
  requireResultKind,
} from "../exchange/request/request-parts.ts";
import { respondBody, respondJson } from "../exchange/respond.ts";
import { holdingLimitRefusal } from "./holding-refusal.ts";
import { getSavedRuleset, resolveIdempotencyKey, toHttpRefusal } from "./question-handler.ts";
import { OWNER, PLOT, POINT } from "./record/demo-input.ts";
import { IDEMPOTENCY_KEY } from "./record/headers.ts";
import {
  defineJsonContent,
  defineOperation,
  type Operation,
  type PathParameter,
  TEXT,
} from "./record/operation.ts";
import type { ServiceParts } from "./record/service-parts.ts";

const JOB_ID: PathParameter = {
  description: "Identifier of the job, as returned when it was created",
  schema: { type: "string", examples: ["job_019abc"] },
  sample: "job_none",
};

/** An operation on the jobs of the organization and mode. */
const OF_JOBS = { tag: "Jobs", key: "evaluate", room: "work", query: "none" } as const;
const JOB = { content: defineJsonContent("JobResponse", jobResponseShape) };

/**
 * `POST /v1/jobs`: stores an upload of plots to be evaluated one by one, once its ruleset compiles against the caller's
 * sources. It is durable when it is answered. The key is required: an upload that is sent again is the same job.
 */
const createJob = defineOperation({
  ...OF_JOBS,
  id: "createJob",
  method: "POST",
  path: JOBS_PATH,
  summary: "Send thousands of plots to be evaluated one by one; each verdict is charged as a single request",
  headers: [
    {
      ...IDEMPOTENCY_KEY,
      required: true,
      description:
        "The caller's name for this job; an upload that is sent again with the same key belongs to the same job",
    },
  ],
  request: {
    schema: { name: "CreateJobRequest", of: createJobRequestSchema },
    examples: {
      collection: {
        summary: "Two plots, the second of them a point",
        value: {
          ruleset_id: "forest-plots@1",
          plots: {
            type: "FeatureCollection",
            features: [
              { type: "Feature", id: "a-1", geometry: PLOT, properties: { scheme: OWNER } },
              { type: "Feature", id: "a-2", geometry: POINT, properties: { scheme: OWNER, Area: 4 } },
            ],
          },
          reference_id: "harvest-2026",
        },
      },
    },
    more: {
      [NDJSON_TYPE]: {
        type: "string",
        description:
          "The terms in the first line; in every other line a plot, as a GeoJSON Feature or geometry",
      },
    },
  },
  answer: { ...JOB, status: 202, always: ["Location"], sometimes: ["Idempotent-Replayed"] },
  codes: [
    "DATA_UNAVAILABLE",
    "HOLDING_LIMIT_REACHED",
    "IDEMPOTENCY_KEY_CONFLICT",
    "IDEMPOTENCY_KEY_INVALID",
    "IDEMPOTENCY_KEY_REQUIRED",
    "JOB_EXPIRED",
    "JOB_LIMIT_REACHED",
    "OUTCOME_UNKNOWN",
    "QUOTA_EXCEEDED",
    "RULESET_INVALID",
    "RULESET_NOT_FOUND",
    "SOURCE_UNKNOWN",
    "SUBSCRIPTION_INACTIVE",
  ],
  handler: createJobHandler,
});

/** `GET /v1/jobs`: the jobs of the organization and mode, newest first. */
const jobs = defineOperation({
  ...OF_JOBS,
  id: "jobs",
  method: "GET",
  path: JOBS_PATH,
  summary: "List the jobs that have not expired, newest first",
  room: "reads",
  query: jobsQuerySchema,
  answer: { content: defineJsonContent("JobsResponse", jobsResponseShape) },
  codes: [],
  handler: listJobsHandler,
});

/** `GET /v1/jobs/{id}` */
const job = defineOperation({
  ...OF_JOBS,
  id: "job",
  method: "GET",
  path: `${JOBS_PATH}/:id`,
  summary: "Get the progress of a job",
  parameters: { id: JOB_ID },
  answer: JOB,
  codes: ["JOB_EXPIRED", "JOB_NOT_FOUND"],
  handler: createJobReadHandler,
});

/** `GET /v1/jobs/{id}/results`: a line for each plot, in order, up to the first that has none yet. */
const jobResults = defineOperation({
  ...OF_JOBS,
  id: "jobResults",
  method: "GET",
  path: `${JOBS_PATH}/:id/results`,
  summary: "Get a line of JSON for each plot, in order, up to the first plot that has none yet",
  parameters: { id: JOB_ID },
  room: "reads",
  query: jobResultsQuerySchema,
  exampleQuery: "limit=1",
  answer: {
    content: { [NDJSON_TYPE]: { ...TEXT, line: { name: "JobResult", of: jobResultShape } } },
    always: ["X-Next-From"],
  },
  codes: ["JOB_EXPIRED", "JOB_NOT_FOUND"],
  handler: jobResultsHandler,
});

/** `POST /v1/jobs/{id}/cancel`: ends a job; what was charged stays, and one that has ended stays as it is. */
const cancelJob = defineOperation({
  ...OF_JOBS,
  id: "cancelJob",
  method: "POST",
  path: `${JOBS_PATH}/:id/cancel`,
  summary: "Cancel a job; its charges stay",
  parameters: { id: JOB_ID },
  answer: JOB,
  codes: ["JOB_EXPIRED", "JOB_NOT_FOUND", "OUTCOME_UNKNOWN"],
  handler: cancelJobHandler,
});

export const JOBS: readonly Operation[] = [createJob, jobs, job, jobResults, cancelJob];

function createJobHandler(context: ServiceParts): Handler<ApiEnv> {
  const { store, runner, holdings } = context;
  return async (c) => {
    const scope = c.get("caller");
    const query: JobQuery = {
      form: isTypeInUtf8(c.req.header("Content-Type"), NDJSON_TYPE) ? "lines" : "json",
    };
    const bodyTypes = [JSON_TYPE, NDJSON_TYPE];
    const expecting = { route: JOBS_PATH, mediaTypes: [JSON_TYPE], bodyTypes, bodyBytes: JOB_BYTES_MAX };
    const call = { ...(await readBodyTask(c, context, expecting)), query };
    const key = await requireIdempotencyKey(c, () => computeRequestFingerprint(call, context));
    const result = await readJobUpload(call, c, context);
    if (result.kind === "refused" && LATER_CODES.has(result.refusal.code)) {
      // It compiled when it was sent first.
      const met = await findUnexpiredJob(scope, key, await computeRequestFingerprint(call, context), store);
      if (met !== undefined) return respondEarlierJob(c, met);
    }
    const upload = requireResultKind("job", result);
    const created = await store.createJob({
      id: mintAscendingId("job_"),
      scope,
      apiKeyId: scope.keyId,
      idempotencyKey: key,
      fingerprint: upload.fingerprint,
      rulesetName: upload.origin?.name ?? null,
      rulesetVersion: upload.origin?.version ?? null,
      rulesetDigest: upload.digest,
      ...toTermTexts(upload),
      referenceId: upload.referenceId,
      plots: toJobPlots(upload),
      bytesLimit: holdings.job_bytes,
    });
    switch (created.kind) {
      case "created":
        runner?.wake();
        return respondJob(c, created.job, 202);
      case "met":
        return respondEarlierJob(c, created.job);
      case "conflict":
        throw new Refusal(
          "IDEMPOTENCY_KEY_CONFLICT",
          `The idempotency key "${key}" was already used for another upload, which created the job ${created.job.id}; use a new key for a new job.`,
          { details: { job_id: created.job.id } },
        );
      case "inactive":
        throw toHttpRefusal(subscriptionInactiveRefusal(created.subscription));
      case "over-quota":
        throw toHttpRefusal(quotaExceededRefusal(created.period, 1, created.nowMs));
      case "held":
        throw holdingLimitRefusal(created.excess);
      case "limit":
        throw new HttpRefusal(
          "JOB_LIMIT_REACHED",
          `Found ${created.unfinished} unfinished jobs, expected fewer than ${JOBS_UNFINISHED_MAX} before you create another; wait until one is done, or cancel one.`,
          {
            details: { unfinished: created.unfinished, limit: JOBS_UNFINISHED_MAX },
            headers: { "Retry-After": "30" },
          },
        );
    }
  };
}

async function computeRequestFingerprint(
  call: Omit<BodyTask, "step">,
  { engine }: ServiceParts,
): Promise<string> {
  return requireResultKind("identified", await engine.answer({ ...call, step: "identify" })).fingerprint;
}

async function requireIdempotencyKey(c: Context<ApiEnv>, identified: () => Promise<string>): Promise<string> {
  const key = await resolveIdempotencyKey(c, identified);
  if (key !== null) return key;
  await identified();
  throw new Refusal(
    "IDEMPOTENCY_KEY_REQUIRED",
    "The header Idempotency-Key is missing; send a new key for each job, so that a repeated upload does not create a second job.",
  );
}

async function readJobUpload(
  call: Omit<BodyTask, "step">,
  c: Context<ApiEnv>,
  context: ServiceParts,
): Promise<BodyResult> {
  const task: BodyTask = { ...call, step: "answer" };
  const result = await context.engine.answer(task);
  if (result.kind !== "ruleset wanted") return result;
  try {
    const saved = await getSavedRuleset(result.named, c.get("caller"), context);
    return await context.engine.answer({ ...task, saved });
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", refusal: error };
    throw error;
  }
}

/** Refusals that a job would not have met when it was sent first. */
const LATER_CODES: ReadonlySet<string> = new Set(["RULESET_INVALID", "RULESET_NOT_FOUND", "SOURCE_UNKNOWN"]);

/** The job that a key and an upload made, if it has not expired. */
async function findUnexpiredJob(
  scope: Scope,
  key: string,
  fingerprint: string,
  store: Pick<Store, "findJobByKey">,
): Promise<JobSummary | undefined> {
  const job = await store.findJobByKey({ scope, idempotencyKey: key });
  return job?.fingerprint === fingerprint && job.nowMs < job.expiresAtMs ? job : undefined;
}

function toJobPlots({ plots }: ReadJob): Parameters<Store["createJob"]>[0]["plots"] {
  return plots.map((plot) =>
    "error" in plot ? { id: plot.id, error: toUnreadError(plot.error) } : { id: plot.id, input: plot.input },
  );
}

function respondEarlierJob(c: Context<ApiEnv>, job: JobSummary): Response | Promise<Response> {
  if (job.nowMs >= job.expiresAtMs) throw jobExpiredRefusal(job);
  return respondJob(c, job, 202, { "Idempotent-Replayed": "true" });
}

function listJobsHandler({ store }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    const { page, page_size } = parseQuery(jobsQuerySchema, c);
    const found = await store.listJobs({ scope: c.get("caller"), page, pageSize: page_size });
    const pagination = toPagination({ page, page_size }, found.totalCount);
    return respondJson(c, { data: { items: found.items.map(toJob), pagination } } satisfies JobsResponse);
  };
}

function createJobReadHandler({ store }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    const job = await store.findJob(readRequestedJob(c));
    return respondJob(c, requireUnexpiredJob(c, job), 200);
  };
}

function cancelJobHandler({ store, runner }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [JSON_TYPE]);
    await c.get("ticket").enter();
    const job = requireUnexpiredJob(c, await store.cancelJob(readRequestedJob(c)));
    runner?.drop(job.id);
    return respondJob(c, job, 200);
  };
}

function jobResultsHandler({ store }: ServiceParts): Handler<ApiEnv> {
  return async (c) => {
    requireAcceptableType(c, [NDJSON_TYPE]);
    const { from, limit } = parseQuery(jobResultsQuerySchema, c);
    const found = await store.listJobResults({ ...readRequestedJob(c), from, limit });
    requireUnexpiredJob(c, found?.job);
    const { lines } = found!;
    return respondBody(c, lines.map(formatResultLine).join(""), 200, {
      "Content-Type": NDJSON_TYPE,
      "X-Next-From": String(from + lines.length),
    });
  };
}

function readRequestedJob(c: Context<ApiEnv>): { readonly scope: Scope; readonly jobId: string } {
  const jobId = c.req.param("id") ?? "";
  if (!JOB_ID_PATTERN.test(jobId)) throw jobNotFoundRefusal(c);
  return { scope: c.get("caller"), jobId };
}

/** Refuses: `JOB_NOT_FOUND`, `JOB_EXPIRED`. */
function requireUnexpiredJob<Job extends JobSummary>(c: Context<ApiEnv>, job: Job | undefined): Job {
  if (job === undefined) throw jobNotFoundRefusal(c);
  if (job.nowMs >= job.expiresAtMs) throw jobExpiredRefusal(job);
  return job;
}

function jobNotFoundRefusal(c: Context<ApiEnv>): Refusal {
  const { mode } = c.get("caller");
  return new Refusal(
    "JOB_NOT_FOUND",
    `The organization has no job "${c.req.param("id")}" in ${mode} mode; GET /v1/jobs lists its jobs.`,
  );
}

function jobExpiredRefusal({ id, expiresAtMs }: JobSummary): Refusal {
  return new Refusal(
    "JOB_EXPIRED",
    `The job ${id} expired at ${formatInstant(expiresAtMs)}, and its upload is deleted; its charged answers are listed by GET /v1/decisions?request_id=${id}.`,
    { details: { expired_at: formatInstant(expiresAtMs) } },
  );
}

function respondJob(
  c: Context<ApiEnv>,
  job: JobSummary,
  status: 200 | 202,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  const location: Readonly<Record<string, string>> =
    status === 202 ? { Location: `${JOBS_PATH}/${job.id}` } : {};
  return respondJson(c, { data: toJob(job) } satisfies JobResponse, status, { ...location, ...headers });
}

function toJob(job: JobSummary): Job {
  const { pausedReason } = job;
  return {
    id: job.id,
    status: job.state,
    ...(pausedReason !== null && { paused_reason: pausedReason }),
    plots: job.plots,
    answered: job.answered,
    invalid: job.invalid,
    degraded: job.degraded,
    charged: job.answered,
    created_at: formatInstant(job.createdAtMs),
    finished_at: job.finishedAtMs === null ? null : formatInstant(job.finishedAtMs),
    expires_at: formatInstant(job.expiresAtMs),
    ruleset: { name: job.rulesetName, version: job.rulesetVersion, digest: job.rulesetDigest },
    editions: Object.entries(toJobEditions(job)).map(([source_name, edition]) => ({ source_name, edition })),
    evaluated_at: formatInstant(job.evaluatedAtMs),
    reference_id: job.referenceId,
  };
}

/** An answer is the stored text, as `POST /v1/evaluate` would send it. */
function formatResultLine(row: JobResultRow): string {
  const line = JSON.stringify({
    number: row.number,
    id: row.id,
    status: row.status,
    ...("decisionId" in row && row.decisionId !== null && { decision_id: row.decisionId }),
  });
  const rest =
    "response" in row ? `,"response":${row.response}` : "error" in row ? `,"error":${row.error}` : "";
  return `${line.slice(0, -1)}${rest}}\n`;
}
