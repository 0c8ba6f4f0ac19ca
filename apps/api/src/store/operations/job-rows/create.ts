import { JOB_UNFINISHED_MS, JOBS_UNFINISHED_MAX } from "@groundrule/contract/stored";
import { DEFAULT_HOLDING_LIMITS } from "../../../ledger/holdings.ts";
import { JOB_ID_PATTERN } from "../../../ledger/job-key.ts";
import type { Scope } from "../../../ledger/scope.ts";
import type { SubscriptionStatus } from "../../../ledger/subscription.ts";
import { computeTextDigest } from "../../../ledger/text-digest.ts";
import type { CreatedJob, NewJob, NewJobPlot } from "../../port/jobs.ts";
import type { Input } from "../../port/port.ts";
import {
  countRows,
  type Operation,
  queryFirstRow,
  readNow,
  run,
  type Statement,
  sql,
  sqlList,
} from "../../sql/operation.ts";
import { recordHoldings } from "../charges/holdings.ts";
import {
  buildScopeCondition,
  type Ledger,
  lockLedger,
  readCurrentPeriod,
  recordScopeTime,
} from "../charges/ledger.ts";
import { selectJobsWhere, UNFINISHED } from "./job-row.ts";

// Thousands of plots in one transaction would block the charges of everyone (SQLite has one writer) or of the
// organization (whose ledger is locked). They are staged first, and the job is opened when all are stored.

/** How long staged plots of a job that is not opened are kept, in case the upload is slow. */
const STAGED_MS = 86_400_000;

export function* beginJob(job: Input<"beginJob">): Operation<CreatedJob | { readonly kind: "begun" }> {
  if (!JOB_ID_PATTERN.test(job.id))
    throw new Error(`found the id ${job.id} of a job, expected ${JOB_ID_PATTERN}`);
  const ledger = yield* lockLedger(job.scope);
  const refusal =
    (yield* findCreationObstacle(job)) ??
    (yield* findUnpaidReason(job.scope, ledger)) ??
    (yield* reserveJobRoom(job));
  if (refusal !== undefined) return refusal;
  // Not the ledger's time, which would have to be recorded.
  const nowMs = yield* readNow();
  const { organization, mode } = job.scope;
  yield* run(sql`
    INSERT INTO job (id, organization, mode, api_key_id, fingerprint, ruleset_name, ruleset_version,
      ruleset_digest, ruleset, options, editions, groups, live, reference_id, evaluated_at_ms, created_at_ms,
      state, plots, answered, invalid, degraded, turn, expires_at_ms, holds_plots, bytes, holds_upload)
    VALUES (${job.id}, ${organization}, ${mode}, ${job.apiKeyId}, ${job.fingerprint}, ${job.rulesetName},
      ${job.rulesetVersion}, ${job.rulesetDigest}, ${job.ruleset}, ${job.options}, ${job.editions},
      ${job.groups}, ${job.live}, ${job.referenceId}, ${job.evaluatedAtMs ?? nowMs}, ${nowMs}, 'staged',
      0, 0, 0, 0, 0, ${nowMs + STAGED_MS}, 1, ${job.bytes}, 1)`);
  return { kind: "begun" };
}

export function* addJobPlots({ jobId, from, batch }: Input<"addJobPlots">): Operation<void> {
  for (let at = 0; at < batch.length; at += ROWS) {
    const values = batch.slice(at, at + ROWS).map((plot, i) => buildPlotRow(jobId, from + at + i, plot));
    yield* run(sql`
      INSERT INTO job_plot (job_id, number, plot_id, input, input_digest, attempts, status, error)
      VALUES ${sqlList(values)}`);
  }
  const invalid = batch.filter((plot) => "error" in plot).length;
  yield* run(sql`
    UPDATE job SET plots = plots + ${batch.length}, invalid = invalid + ${invalid} WHERE id = ${jobId}`);
}

/** Rows per statement: preparing more costs more than it saves. */
const ROWS = 50;

function buildPlotRow(jobId: string, number: number, plot: NewJobPlot): Statement {
  const [input, error] = "error" in plot ? [null, plot.error] : [plot.input, null];
  return sql`(${jobId}, ${number}, ${JSON.stringify(plot.id)}, ${input},
    ${input === null ? null : computeTextDigest(input)}, 0, ${error === null ? null : "invalid"}, ${error})`;
}

export function* openJob(job: Input<"openJob">): Operation<CreatedJob> {
  const { id, scope, plots } = job;
  const ledger = yield* lockLedger(scope);
  const refusal = yield* findCreationObstacle(job);
  if (refusal !== undefined) {
    yield* run(sql`UPDATE job SET expires_at_ms = ${ledger.nowMs} WHERE id = ${id} AND state = 'staged'`);
    return refusal;
  }
  const { nowMs } = ledger;
  yield* recordScopeTime(scope, ledger);
  yield* run(sql`
    UPDATE job SET state = 'queued', idempotency_key = ${job.idempotencyKey}, created_at_ms = ${nowMs},
      expires_at_ms = ${nowMs + JOB_UNFINISHED_MS}
    WHERE id = ${id} AND state = 'staged' AND plots = ${plots} AND expires_at_ms > ${nowMs}`);
  const [opened] = yield* selectJobsWhere(sql`id = ${id} AND state = 'queued'`);
  if (opened === undefined) throw new Error(`job ${id} was not staged with ${plots} plots`);
  return { kind: "created", job: opened };
}

/** The reason why nothing can be charged for a job now, if any: a job that could only wait for that is refused. */
function* findUnpaidReason(scope: Scope, ledger: Ledger): Operation<Refused | undefined> {
  const found = yield* queryFirstRow<{ status: SubscriptionStatus }>(
    sql`SELECT status FROM subscription WHERE organization = ${scope.organization}`,
  );
  const subscription = found?.status ?? "expired";
  if (subscription !== "active") return { kind: "inactive", subscription };
  const { usage: period } = yield* readCurrentPeriod(scope, ledger);
  return period.used >= period.quota ? { kind: "over-quota", period, nowMs: ledger.nowMs } : undefined;
}

/** Reserves room for a job; returns the excess if there is no room. */
function* reserveJobRoom({
  scope,
  bytes,
  bytesLimit = DEFAULT_HOLDING_LIMITS.job_bytes,
}: Pick<NewJob, "scope" | "bytesLimit"> & { readonly bytes: number }): Operation<Refused | undefined> {
  const excess = yield* recordHoldings(scope, [{ kind: "job_bytes", amount: bytes, limit: bytesLimit }]);
  return excess && { kind: "held", excess };
}

type Refused = Exclude<CreatedJob, { readonly kind: "created" }>;

/** The reason why a job is not created, if any. The ledger must be locked. */
function* findCreationObstacle({
  scope,
  idempotencyKey,
  fingerprint,
  unfinishedLimit = JOBS_UNFINISHED_MAX,
}: Omit<NewJob, "plots">): Operation<Refused | undefined> {
  const [job] = yield* selectJobsWhere(
    sql`${buildScopeCondition(scope)} AND idempotency_key = ${idempotencyKey}`,
  );
  if (job !== undefined) return { kind: job.fingerprint === fingerprint ? "met" : "conflict", job };
  const nowMs = yield* readNow();
  const unfinished = yield* countRows(sql`
    job WHERE ${UNFINISHED} AND ${buildScopeCondition(scope)} AND expires_at_ms > ${nowMs}`);
  return unfinished >= unfinishedLimit ? { kind: "limit", unfinished } : undefined;
}
