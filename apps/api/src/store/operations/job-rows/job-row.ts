import { PLOT_LINE_BYTES, ROW_BYTES } from "../../../ledger/holdings.ts";
import type { Scope } from "../../../ledger/scope.ts";
import type { JobSummary, StoredJob } from "../../port/jobs.ts";
import { rowDamagedError } from "../../port/sound-rows.ts";
import { type Operation, queryRows, readNow, type Statement, sql } from "../../sql/operation.ts";

const SUMMARY_COLUMNS: Statement = sql`id, organization, mode, api_key_id AS "apiKeyId",
  coalesce(idempotency_key, '') AS "idempotencyKey", fingerprint, ruleset_name AS "rulesetName",
  ruleset_version AS "rulesetVersion", ruleset_digest AS "rulesetDigest", editions,
  reference_id AS "referenceId", evaluated_at_ms AS "evaluatedAtMs", state, paused_reason AS "pausedReason",
  plots, answered, invalid, degraded, created_at_ms AS "createdAtMs", finished_at_ms AS "finishedAtMs",
  expires_at_ms AS "expiresAtMs"`;

/**
 * Jobs that may continue. The states are literals in the SQL, not parameters, so that an index over them can be used.
 */
export const UNFINISHED: Statement = sql`state IN ('queued', 'running', 'paused')`;

/** Condition: jobs that their organization sees. */
export const OPENED: Statement = sql`state <> 'staged'`;

/** @param rest conditions, order and limit */
export function* selectJobsWhere(rest: Statement): Operation<readonly StoredJob[]> {
  return yield* selectJobRows<StoredJob>(
    sql`SELECT ${SUMMARY_COLUMNS}, ruleset, options, groups, live FROM job WHERE ${rest}`,
  );
}

/** @param rest conditions, order and limit */
export function* selectJobSummariesWhere(rest: Statement): Operation<readonly JobSummary[]> {
  return yield* selectJobRows<JobSummary>(sql`SELECT ${SUMMARY_COLUMNS} FROM job WHERE ${rest}`);
}

function* selectJobRows<Row extends JobSummary>(statement: Statement): Operation<readonly Row[]> {
  const jobs = yield* queryRows<Omit<Row, "scope" | "nowMs"> & Scope>(statement);
  const nowMs = yield* readNow();
  return jobs.map(
    ({ organization, mode, ...job }) => ({ ...job, scope: { organization, mode }, nowMs }) as unknown as Row,
  );
}

/** The scope of a job that is not staged, in any state. */
export function* findJobScope(jobId: string): Operation<Scope | undefined> {
  const [scope] = yield* queryRows<Scope>(
    sql`SELECT organization, mode FROM job WHERE id = ${jobId} AND ${OPENED}`,
  );
  return scope;
}

/** SQL for the key of a plot, where `job_plot` and its `job` are in the query. */
export const PLOT_KEY: Statement = sql`'job/' || job_plot.job_id || '/' || CAST(job_plot.number AS TEXT)`;

/**
 * SQL condition: a plot has an idempotency key, in any state. A scalar, not `EXISTS`: PostgreSQL turns that into a
 * join, and before it has statistics it compares every plot of a job with every key of the organization.
 */
export const HAS_KEY: Statement = sql`((SELECT 1 FROM idempotency
  WHERE idempotency.organization = job.organization AND idempotency.mode = job.mode
    AND idempotency.key = ${PLOT_KEY}) IS NOT NULL)`;

/**
 * SQL for the bytes that jobs count for among the holdings: a plot without a result counts with room for an error line.
 */
export const COUNTED_BYTES: Statement = sql`(${ROW_BYTES.job} + octet_length(ruleset) + octet_length(options)
  + octet_length(editions) + octet_length(groups) + octet_length(live)
  + (SELECT CAST(coalesce(sum(${ROW_BYTES.plot} + coalesce(octet_length(plot_id), 0)
      + coalesce(octet_length(input), 0)
      + CASE WHEN error IS NOT NULL THEN octet_length(error) WHEN input IS NOT NULL THEN ${PLOT_LINE_BYTES} ELSE 0 END
    ), 0) AS BIGINT) FROM job_plot WHERE job_plot.job_id = job.id))`;

/** Parses a plot's id, which is a text or a number. */
export function parsePlotId(text: string | null): string | number | null {
  if (text === null) return null;
  try {
    const id: unknown = JSON.parse(text);
    if (typeof id === "string" || typeof id === "number") return id;
  } catch {
    // Same as any other missing text.
  }
  throw rowDamagedError("the id of a plot cannot be read");
}
