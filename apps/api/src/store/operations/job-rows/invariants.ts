import type { Scope } from "../../../ledger/scope.ts";
import { type Operation, queryRows, type Statement, sql, sqlAll } from "../../sql/operation.ts";
import { type Findings, readFirstBroken } from "../findings.ts";
import { HAS_KEY, UNFINISHED } from "./job-row.ts";

/** The job's id within a plot's key: it follows `job/` and has a fixed length. */
const JOB_OF_KEY: Statement = sql`substr(idempotency_key, 5, 36)`;
const IS_PLOT_KEY: Statement = sql`idempotency_key LIKE 'job/%'`;

/** I16: each charge under a plot's key is one unit, for a job of the same scope. */
export function* checkPlotCharges(
  sinceMs: number,
  of: (column: string) => Statement,
  findings: Findings,
): Operation<void> {
  const strays = yield* readFirstBroken<{ id: string; key: string }>(sql`
    SELECT decision.organization, decision.mode, decision.id, decision.idempotency_key AS key
    FROM decision LEFT JOIN job ON job.id = substr(decision.idempotency_key, 5, 36)
      AND job.organization = decision.organization AND job.mode = decision.mode
    WHERE ${of("decision.organization")} AND decision.idempotency_key LIKE 'job/%'
      AND decision.created_at_ms > ${sinceMs}
      AND (job.id IS NULL OR units <> 1 OR route <> '/v1/evaluate' OR generation <> 1)`);
  const miscounted = yield* readFirstBroken<{ id: string; answered: number; charged: number }>(sql`
    SELECT organization, mode, id, answered, coalesce(charged, 0) AS charged
    FROM job LEFT JOIN (
      SELECT ${JOB_OF_KEY} AS job_id, count(*) AS charged FROM decision WHERE ${IS_PLOT_KEY} GROUP BY ${JOB_OF_KEY}
    ) AS counted ON job_id = id
    WHERE ${of("organization")} AND answered <> coalesce(charged, 0)`);
  for (const row of strays) {
    const message = `decision ${row.id} is not one unit of a job's plot, as its key "${row.key}" says`;
    findings.add("I16", row, message, row.standsFor);
  }
  for (const row of miscounted) {
    const message = `job ${row.id} counts ${row.answered} plots answered, but ${row.charged} were charged`;
    findings.add("I17", row, message, row.standsFor);
  }
}

interface PlotSums extends Scope {
  readonly id: string;
  readonly plots: number;
  readonly answered: number;
  readonly invalid: number;
  readonly degraded: number;
  readonly rows: number;
  readonly charged: number;
  readonly refused: number;
  readonly undecided: number;
  readonly both: number;
}

/** I17: a job's counts match its plots, and each plot has a charge, an error line, or neither yet. */
export function* checkPlotCounts(
  nowMs: number,
  extent: "open" | "all",
  of: (column: string) => Statement,
  findings: Findings,
): Operation<void> {
  const which = extent === "open" ? UNFINISHED : sql`state <> 'staged'`;
  const jobs = yield* queryRows<PlotSums>(sql`
    SELECT job.organization, job.mode, job.id, plots, answered, invalid, degraded, count(number) AS rows,
      count(CASE WHEN ${HAS_KEY} THEN 1 END) AS charged,
      count(CASE WHEN status = 'invalid' THEN 1 END) AS refused,
      count(CASE WHEN status = 'degraded' THEN 1 END) AS undecided,
      count(CASE WHEN status IS NOT NULL AND ${HAS_KEY} THEN 1 END) AS both
    FROM job
    LEFT JOIN job_plot ON job_plot.job_id = job.id
    WHERE ${sqlAll([of("job.organization"), which])} AND holds_plots = 1 AND job.expires_at_ms > ${nowMs}
    GROUP BY job.organization, job.mode, job.id, plots, answered, invalid, degraded`);
  for (const job of jobs) {
    const counted = `${job.plots} plots, ${job.answered} answered, ${job.invalid} invalid, ${job.degraded} degraded`;
    const found = `${job.rows}, ${job.charged}, ${job.refused} and ${job.undecided}`;
    const agrees =
      job.plots === job.rows &&
      job.answered === job.charged &&
      job.invalid === job.refused &&
      job.degraded === job.undecided;
    if (!agrees) findings.add("I17", job, `job ${job.id} counts ${counted}, but it has ${found}`);
    if (job.both > 0) {
      findings.add("I17", job, `job ${job.id} has ${job.both} plots with a charge and an error line`);
    }
  }
}
