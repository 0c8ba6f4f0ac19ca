import type { Charge, Settlement } from "../../../ledger/arbitrate.ts";
import { parseJobKey } from "../../../ledger/job-key.ts";
import type { Scope } from "../../../ledger/scope.ts";
import { type Operation, queryRows, run, sql, sqlList } from "../../sql/operation.ts";
import { buildScopeCondition } from "../charges/ledger.ts";
import { UNFINISHED } from "./job-row.ts";

/**
 * Keys of plots that may not be charged any more: their job has ended, or they are recorded as refused or degraded. The
 * ledger must be locked, so that charges and error lines exclude each other.
 */
export function* readWithdrawnKeys(
  scope: Scope,
  settlements: readonly Settlement[],
  nowMs: number,
): Operation<ReadonlySet<string>> {
  const withdrawn = new Set<string>();
  for (const [jobId, keys] of groupKeysByJob(settlements)) {
    const open = yield* queryRows<{ number: number }>(sql`
      SELECT number FROM job_plot JOIN job ON job.id = job_id
      WHERE job_id = ${jobId} AND number IN (${sqlList([...keys.keys()].map((number) => sql`${number}`))})
        AND status IS NULL AND ${UNFINISHED} AND expires_at_ms > ${nowMs} AND ${buildScopeCondition(scope)}`);
    for (const { number } of open) keys.delete(number);
    for (const key of keys.values()) withdrawn.add(key);
  }
  return withdrawn;
}

/** Adds charged plots to their jobs' counts. */
export function* addAnsweredPlotCounts(charges: readonly Charge[]): Operation<void> {
  for (const [jobId, keys] of groupKeysByJob(charges.map(({ settlement }) => settlement))) {
    yield* run(sql`UPDATE job SET answered = answered + ${keys.size} WHERE id = ${jobId}`);
  }
}

function groupKeysByJob(settlements: readonly Settlement[]): Map<string, Map<number, string>> {
  const jobs = new Map<string, Map<number, string>>();
  for (const { key } of settlements) {
    const plot = parseJobKey(key);
    if (key === null || plot === undefined) continue;
    const keys = jobs.get(plot.jobId) ?? new Map<number, string>();
    jobs.set(plot.jobId, keys.set(plot.number, key));
  }
  return jobs;
}
