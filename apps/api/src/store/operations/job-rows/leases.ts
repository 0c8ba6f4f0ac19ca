import { JOB_RETENTION_MS } from "@groundrule/contract/stored";
import type { StoredJob } from "../../port/jobs.ts";
import type { Input } from "../../port/port.ts";
import {
  type Operation,
  queryFirstRow,
  queryRows,
  readNow,
  type Statement,
  sql,
} from "../../sql/operation.ts";
import { selectJobsWhere } from "./job-row.ts";

/** Attempts to claim a job: another process may take the one found; if others are always quicker, they do the work. */
const TRIES = 8;

export function* claimJob({
  owner,
  leaseMs,
  isAlone = false,
}: Input<"claimJob">): Operation<StoredJob | undefined> {
  const isOver = (nowMs: number): Statement =>
    isAlone
      ? sql`${buildClaimableCondition(nowMs)} OR ${buildAbandonedCondition(owner, nowMs)}`
      : buildClaimableCondition(nowMs);
  for (let tried = 0; tried < TRIES; tried++) {
    const nowMs = yield* readNow();
    const next = yield* queryFirstRow<{ id: string }>(sql`
        SELECT id FROM job WHERE ${isOver(nowMs)}
        ORDER BY (SELECT max(turn) FROM job AS other WHERE other.organization = job.organization),
          turn, created_at_ms, id
        LIMIT 1`);
    if (next === undefined) return undefined;
    // If another process is claiming it, this waits for its commit and then checks the row again.
    const claimed = yield* queryRows(sql`
        UPDATE job SET state = 'running', lease_owner = ${owner}, lease_until_ms = ${nowMs + leaseMs},
          turn = (SELECT max(turn) FROM job) + 1
        WHERE id = ${next.id} AND (${isOver(nowMs)}) RETURNING id`);
    if (claimed.length > 0) return (yield* selectJobsWhere(sql`id = ${next.id}`))[0];
  }
  return undefined;
}

function buildClaimableCondition(nowMs: number): Statement {
  return sql`state IN ('queued', 'running') AND (lease_until_ms IS NULL OR lease_until_ms <= ${nowMs})
    AND expires_at_ms > ${nowMs}`;
}

/** Condition: the lease's process is gone, whatever the lease says. */
function buildAbandonedCondition(owner: string, nowMs: number): Statement {
  return sql`state = 'running' AND lease_owner <> ${owner} AND expires_at_ms > ${nowMs}`;
}

export function* renewJob({ jobId, owner, leaseMs }: Input<"renewJob">): Operation<boolean> {
  const nowMs = yield* readNow();
  const renewed = yield* queryRows(sql`
    UPDATE job SET lease_until_ms = ${nowMs + leaseMs} WHERE ${buildOwnedCondition(jobId, owner, nowMs)} RETURNING id`);
  return renewed.length > 0;
}

export function* releaseJob(input: Input<"releaseJob">): Operation<boolean> {
  const { jobId, owner, state } = input;
  const nowMs = yield* readNow();
  const reason = input.state === "paused" ? input.reason : null;
  const ended =
    state === "done" ? sql`, finished_at_ms = ${nowMs}, expires_at_ms = ${nowMs + JOB_RETENTION_MS}` : sql``;
  const released = yield* queryRows(sql`
    UPDATE job SET state = ${state}, paused_reason = ${reason}, lease_owner = NULL, lease_until_ms = NULL ${ended}
    WHERE ${buildOwnedCondition(jobId, owner, nowMs)} RETURNING id`);
  return released.length > 0;
}

function buildOwnedCondition(jobId: string, owner: string, nowMs: number): Statement {
  return sql`id = ${jobId} AND lease_owner = ${owner} AND state = 'running' AND expires_at_ms > ${nowMs}`;
}

export function* resumeJob({ jobId }: Input<"resumeJob">): Operation<boolean> {
  const resumed = yield* queryRows(sql`
    UPDATE job SET state = 'queued', paused_reason = NULL
    WHERE id = ${jobId} AND state = 'paused' AND expires_at_ms > ${yield* readNow()} RETURNING id`);
  return resumed.length > 0;
}
