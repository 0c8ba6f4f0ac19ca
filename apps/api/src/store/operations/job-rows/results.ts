import { computeTextDigest } from "../../../ledger/text-digest.ts";
import type { JobResultRow, JobSummary } from "../../port/jobs.ts";
import type { Input } from "../../port/port.ts";
import { rowDamagedError } from "../../port/sound-rows.ts";
import { type Operation, queryRows, type Statement, sql, sqlList } from "../../sql/operation.ts";
import { buildScopeCondition } from "../charges/ledger.ts";
import { OPENED, PLOT_KEY, parsePlotId, selectJobSummariesWhere } from "./job-row.ts";

/** Bytes of answers and error lines after which a page ends; its first line is returned whatever its length. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** Answers read per statement. */
const BATCH = 200;

export function* listJobResults({
  scope,
  jobId,
  from,
  limit,
}: Input<"listJobResults">): Operation<{ job: JobSummary; lines: readonly JobResultRow[] } | undefined> {
  const [job] = yield* selectJobSummariesWhere(
    sql`id = ${jobId} AND ${buildScopeCondition(scope)} AND ${OPENED}`,
  );
  if (job === undefined) return undefined;
  if (job.nowMs >= job.expiresAtMs) return { job, lines: [] };
  const page = selectPageOutlines(yield* readLineOutlines(job, from, limit), job.finishedAtMs !== null);
  const answers = yield* readAnswersByDecision(
    page.flatMap(({ bytes, decisionId }) => (bytes === null ? [] : [decisionId!])),
  );
  return { job, lines: page.map((outline) => toResultRow(outline, answers)) };
}

/** A plot with everything except its answer, which may be long. */
interface Outline {
  readonly number: number;
  readonly id: string | null;
  readonly status: "invalid" | "degraded" | null;
  readonly error: string | null;
  /** Present for a charged plot. */
  readonly decisionId: string | null;
  /** Length of its answer; null if there is none, or none any more. */
  readonly bytes: number | null;
}

function* readLineOutlines(
  { id, scope }: JobSummary,
  from: number,
  limit: number,
): Operation<readonly Outline[]> {
  // Scalar subqueries, not joins: see HAS_KEY.
  const decisionId = sql`(SELECT decision_id FROM idempotency WHERE idempotency.organization = ${scope.organization}
    AND idempotency.mode = ${scope.mode} AND idempotency.key = ${PLOT_KEY})`;
  return yield* queryRows<Outline>(sql`
    SELECT number, plot_id AS id, status, error, ${decisionId} AS "decisionId",
      (SELECT octet_length(response) FROM record WHERE record.decision_id = ${decisionId}) AS bytes
    FROM job_plot WHERE job_id = ${id} AND number >= ${from} AND number < ${from + limit} ORDER BY number`);
}

/** The lines up to the first plot without one, as long as the page has room. */
function selectPageOutlines(found: readonly Outline[], isFinal: boolean): readonly Outline[] {
  let bytes = 0;
  const end = found.findIndex(({ status, decisionId, bytes: length, error }, i) => {
    bytes += length ?? error?.length ?? 0;
    return (!isFinal && status === null && decisionId === null) || (i > 0 && bytes > PAGE_BYTES);
  });
  return end === -1 ? found : found.slice(0, end);
}

function* readAnswersByDecision(decisionIds: readonly string[]): Operation<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (let at = 0; at < decisionIds.length; at += BATCH) {
    const ids: Statement[] = decisionIds.slice(at, at + BATCH).map((id) => sql`${id}`);
    const found = yield* queryRows<{ id: string; response: string; digest: string }>(sql`
      SELECT id, response, response_digest AS digest FROM decision JOIN record ON decision_id = id
      WHERE id IN (${sqlList(ids)})`);
    for (const { id, response, digest } of found) {
      if (computeTextDigest(response) !== digest) {
        throw rowDamagedError(`I15: the stored answer of decision ${id} is not the one that was charged`);
      }
      answers.set(id, response);
    }
  }
  return answers;
}

function toResultRow(outline: Outline, answers: ReadonlyMap<string, string>): JobResultRow {
  const { number, status, error, decisionId } = outline;
  const line = { number, id: parsePlotId(outline.id) };
  if (decisionId !== null) {
    const response = answers.get(decisionId);
    return response === undefined
      ? { ...line, status: "erased", decisionId }
      : { ...line, status: "answered", decisionId, response };
  }
  if (status === null) return { ...line, status: "cancelled" };
  return error === null ? { ...line, status: "erased", decisionId: null } : { ...line, status, error };
}
