import { JOB_RETENTION_MS, JOB_UNFINISHED_MS } from "@groundrule/contract/stored";
import { computeTextDigest } from "../../../ledger/text-digest.ts";
import { migration } from "../../migrations/0005-jobs.ts";
import type { JobPlot, JobSummary, StoredJob } from "../../port/jobs.ts";
import type { Input, Page } from "../../port/port.ts";
import { rowDamagedError } from "../../port/sound-rows.ts";
import { countRows, type Operation, queryRows, readNow, sql, sqlAll } from "../../sql/operation.ts";
import { buildScopeCondition } from "../charges/ledger.ts";
import { hasHad } from "../schema.ts";
import { HAS_KEY, OPENED, parsePlotId, selectJobSummariesWhere, selectJobsWhere } from "./job-row.ts";

export function* findJob({ scope, jobId }: Input<"findJob">): Operation<StoredJob | undefined> {
  return (yield* selectJobsWhere(sql`id = ${jobId} AND ${buildScopeCondition(scope)} AND ${OPENED}`))[0];
}

/** Finds a job in any state. */
export function* findJobByKey({
  scope,
  idempotencyKey,
}: Input<"findJobByKey">): Operation<JobSummary | undefined> {
  return (yield* selectJobSummariesWhere(
    sql`${buildScopeCondition(scope)} AND idempotency_key = ${idempotencyKey}`,
  ))[0];
}

export function* listJobs({ scope, page, pageSize }: Input<"listJobs">): Operation<Page<JobSummary>> {
  const nowMs = yield* readNow();
  const condition = sqlAll([
    buildScopeCondition(scope),
    OPENED,
    sql`expires_at_ms > ${nowMs}`,
    // Older jobs have expired, so an index over the creation time skips them.
    sql`created_at_ms > ${nowMs - JOB_UNFINISHED_MS - JOB_RETENTION_MS}`,
  ]);
  const totalCount = yield* countRows(sql`job WHERE ${condition}`);
  const items = yield* selectJobSummariesWhere(sql`${condition}
    ORDER BY created_at_ms DESC, id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`);
  return { items, totalCount };
}

export function* pausedJobs(): Operation<readonly JobSummary[]> {
  return yield* selectJobSummariesWhere(
    sql`state = 'paused' AND expires_at_ms > ${yield* readNow()} ORDER BY created_at_ms, id`,
  );
}

export function* pendingJobPlots({
  jobId,
  after,
  limit,
}: Input<"pendingJobPlots">): Operation<readonly JobPlot[]> {
  const pending = yield* queryRows<PendingRow>(sql`
    SELECT number, plot_id AS id, input, input_digest AS "inputDigest", attempts
    FROM job_plot JOIN job ON job.id = job_id
    WHERE job_id = ${jobId} AND number > ${after} AND status IS NULL AND input IS NOT NULL AND NOT ${HAS_KEY}
    ORDER BY number LIMIT ${limit}`);
  return pending.map(({ number, id, input, inputDigest, attempts }) => {
    const plotId = parsePlotId(id);
    if (plotId === null || computeTextDigest(input) !== inputDigest) {
      throw rowDamagedError(`plot ${number} of job ${jobId} is not the one that was sent`);
    }
    return { number, id: plotId, input, attempts };
  });
}

interface PendingRow {
  readonly number: number;
  readonly id: string | null;
  readonly input: string;
  readonly inputDigest: string | null;
  readonly attempts: number;
}

/** Includes staged jobs: they may be opened while editions are being deleted. */
export function* pinnedEditions(): Operation<readonly string[]> {
  if (!(yield* hasHad(migration))) return [];
  const pinned = yield* queryRows<{ editions: string }>(
    sql`SELECT editions FROM job WHERE state IN ('staged', 'queued', 'running', 'paused')`,
  );
  return pinned.map(({ editions }) => editions);
}
