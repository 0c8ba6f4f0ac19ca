import type { NewJobLine } from "../../port/jobs.ts";
import type { Input } from "../../port/port.ts";
import { type Operation, queryFirstRow, queryRows, run, sql } from "../../sql/operation.ts";
import { lockLedger } from "../charges/ledger.ts";
import { findJobScope, HAS_KEY, UNFINISHED } from "./job-row.ts";

export function* noteJobLines({ jobId, lines }: Input<"noteJobLines">): Operation<void> {
  const scope = yield* findJobScope(jobId);
  if (scope === undefined) return;
  // Locks like a charge does, so that a plot gets either a charge or an error line.
  const { nowMs } = yield* lockLedger(scope);
  const going = yield* queryFirstRow(sql`
    SELECT id FROM job WHERE id = ${jobId} AND ${UNFINISHED} AND expires_at_ms > ${nowMs}`);
  if (going === undefined) return;
  const counts = { invalid: 0, degraded: 0 };
  for (const line of lines) {
    const isNoted = yield* recordJobLine(jobId, line);
    if (isNoted && line.failure !== undefined) counts[line.failure.status]++;
  }
  yield* run(sql`
    UPDATE job SET invalid = invalid + ${counts.invalid}, degraded = degraded + ${counts.degraded}
    WHERE id = ${jobId}`);
}

function* recordJobLine(jobId: string, { number, attempts, failure }: NewJobLine): Operation<boolean> {
  const noted = yield* queryRows(sql`
    UPDATE job_plot SET attempts = ${attempts}, status = ${failure?.status ?? null}, error = ${failure?.error ?? null}
    WHERE job_id = ${jobId} AND number = ${number} AND status IS NULL
      AND NOT EXISTS (SELECT 1 FROM job WHERE job.id = job_id AND ${HAS_KEY})
    RETURNING number`);
  return noted.length > 0;
}
