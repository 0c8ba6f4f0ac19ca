import { JOB_RETENTION_MS } from "@groundrule/contract/stored";
import { ROW_BYTES } from "../../../ledger/holdings.ts";
import type { Scope } from "../../../ledger/scope.ts";
import type { JobSummary } from "../../port/jobs.ts";
import type { Input } from "../../port/port.ts";
import {
  type Operation,
  queryFirstRow,
  queryRows,
  readNow,
  run,
  type Statement,
  sql,
} from "../../sql/operation.ts";
import { recordRelease } from "../charges/holdings.ts";
import { buildScopeCondition, lockLedger, recordScopeTime } from "../charges/ledger.ts";
import { COUNTED_BYTES, OPENED, selectJobSummariesWhere, UNFINISHED } from "./job-row.ts";

export function* cancelJob({ scope, jobId }: Input<"cancelJob">): Operation<JobSummary | undefined> {
  const ledger = yield* lockLedger(scope);
  yield* recordScopeTime(scope, ledger);
  yield* endJobs(
    sql`id = ${jobId} AND ${buildScopeCondition(scope)} AND expires_at_ms > ${ledger.nowMs}`,
    ledger.nowMs,
  );
  return (yield* selectJobSummariesWhere(
    sql`id = ${jobId} AND ${buildScopeCondition(scope)} AND ${OPENED}`,
  ))[0];
}

/**
 * Ends the selected jobs that are unfinished; an expired one stays expired. Their ledgers must be locked, so that no
 * charge comes afterwards.
 */
function* endJobs(which: Statement, nowMs: number): Operation<void> {
  yield* run(sql`
    UPDATE job SET state = 'cancelled', paused_reason = NULL, lease_owner = NULL, lease_until_ms = NULL,
      finished_at_ms = ${nowMs},
      expires_at_ms = CASE WHEN expires_at_ms > ${nowMs} THEN ${nowMs + JOB_RETENTION_MS} ELSE expires_at_ms END
    WHERE ${which} AND ${UNFINISHED}`);
}

/** Plots deleted per step. */
const STEP = 500;

/** An ended job needs its uploads no more: results come from error lines and decisions. */
export function* shedUploads(): Operation<{ remains: boolean }> {
  const ended = yield* queryFirstRow<Scope & { id: string }>(sql`
    SELECT id, organization, mode FROM job WHERE holds_upload = 1 AND holds_plots = 1 AND finished_at_ms IS NOT NULL
    ORDER BY finished_at_ms, id LIMIT 1`);
  if (ended === undefined) return { remains: false };
  const { id, organization, mode } = ended;
  const first = yield* queryFirstRow<{ number: number | null }>(
    sql`SELECT min(number) AS number FROM job_plot WHERE job_id = ${id} AND input IS NOT NULL`,
  );
  if (typeof first?.number === "number") {
    yield* run(sql`
      UPDATE job_plot SET input = NULL, input_digest = NULL
      WHERE job_id = ${id} AND number >= ${first.number} AND number < ${first.number + STEP}`);
  } else {
    const scope = { organization, mode };
    yield* lockLedger(scope);
    yield* run(sql`
      UPDATE job SET holds_upload = 0, ruleset = '', options = '', groups = '', live = '' WHERE id = ${id}`);
    yield* updateJobHolding(scope, id, COUNTED_BYTES);
  }
  return { remains: true };
}

/** Updates the bytes a job counts for among the holdings. The ledger must be locked. */
function* updateJobHolding(scope: Scope, jobId: string, bytes: Statement): Operation<void> {
  const before = yield* queryFirstRow<{ bytes: number }>(sql`SELECT bytes FROM job WHERE id = ${jobId}`);
  if (before === undefined) return;
  const [after] = yield* queryRows<{ bytes: number }>(
    sql`UPDATE job SET bytes = ${bytes} WHERE id = ${jobId} RETURNING bytes`,
  );
  yield* recordRelease(scope, "job_bytes", before.bytes - after!.bytes);
}

/** Bytes of an expired job, which is kept to answer a retry of it. A job that was charged counts for nothing. */
const EXPIRED_BYTES: Statement = sql`CASE WHEN answered > 0 THEN 0 ELSE ${ROW_BYTES.job} END`;

export function* expireJobs(): Operation<{ remains: boolean }> {
  const nowMs = yield* readNow();
  const expired = yield* queryFirstRow<Scope & { id: string; state: string }>(sql`
    SELECT id, organization, mode, state FROM job
    WHERE holds_plots = 1 AND expires_at_ms <= ${nowMs} ORDER BY expires_at_ms, id LIMIT 1`);
  if (expired === undefined) return { remains: false };
  const { id, organization, mode, state } = expired;
  const first = yield* queryFirstRow<{ number: number | null }>(
    sql`SELECT min(number) AS number FROM job_plot WHERE job_id = ${id}`,
  );
  if (typeof first?.number === "number") {
    if (state !== "staged") yield* endExpiredJob({ organization, mode }, id);
    yield* run(sql`DELETE FROM job_plot WHERE job_id = ${id} AND number < ${first.number + STEP}`);
  } else if (state === "staged") {
    const deleted = yield* queryRows<{ bytes: number }>(
      sql`DELETE FROM job WHERE id = ${id} RETURNING bytes`,
    );
    for (const { bytes } of deleted) yield* recordRelease({ organization, mode }, "job_bytes", bytes);
  } else {
    const scope = { organization, mode };
    yield* lockLedger(scope);
    // The remaining row answers a retry of the job.
    yield* run(sql`
      UPDATE job SET holds_plots = 0, holds_upload = 0, ruleset = '', options = '', editions = '', groups = '', live = ''
      WHERE id = ${id}`);
    yield* updateJobHolding(scope, id, EXPIRED_BYTES);
  }
  return { remains: true };
}

/** Ends a job that expired unfinished. */
function* endExpiredJob(scope: Scope, jobId: string): Operation<void> {
  const { nowMs } = yield* lockLedger(scope);
  yield* endJobs(sql`id = ${jobId}`, nowMs);
}

/**
 * Deletes uploads and error lines of jobs created before an instant. Unfinished ones end, since nothing is left to
 * evaluate. The ledgers must be locked.
 */
export function* eraseJobs(organization: string, beforeMs: number, nowMs: number): Operation<void> {
  const old = sql`organization = ${organization} AND created_at_ms < ${beforeMs} AND ${OPENED}`;
  yield* endJobs(old, nowMs);
  yield* run(sql`
    UPDATE job_plot SET plot_id = NULL, input = NULL, input_digest = NULL, error = NULL
    WHERE job_id IN (SELECT id FROM job WHERE ${old} AND holds_plots = 1)`);
  // The rest of the job is counted by the next sweep.
  yield* run(sql`
    UPDATE job SET ruleset = '', options = '', groups = '', live = '', holds_upload = holds_plots WHERE ${old}`);
  // A job that was never opened is deleted by the next sweep, and can no longer be opened.
  yield* run(sql`
    UPDATE job SET expires_at_ms = ${nowMs}
    WHERE organization = ${organization} AND created_at_ms < ${beforeMs} AND state = 'staged'`);
}

/** Deletes jobs that expired before an instant and whose uploads are deleted. */
export function* deleteExpiredJobs(beforeMs: number): Operation<void> {
  yield* queryRows(sql`DELETE FROM job WHERE expires_at_ms < ${beforeMs} AND holds_plots = 0 RETURNING id`);
}
