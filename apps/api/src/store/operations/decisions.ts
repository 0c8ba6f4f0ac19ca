import type { Decision, DecisionQuestion, DecisionRecord, DecisionTexts, Input, Page } from "../port/port.ts";
import { requireSoundDecision, requireSoundRecord } from "../port/sound-rows.ts";
import { StoreError } from "../port/store-error.ts";
import {
  countRows,
  type Operation,
  queryFirstRow,
  queryRows,
  readNow,
  run,
  type Statement,
  sql,
  sqlAll,
} from "../sql/operation.ts";
import { buildScopeCondition, lockLedger } from "./charges/ledger.ts";
import {
  buildDecisionConditions,
  buildFilteredNumbersQuery,
  buildRulesetDigestList,
} from "./decision-filters.ts";
import { readFirstSeqSince, readNewestSeq } from "./decision-numbers.ts";
import { eraseJobs } from "./job-rows/ends.ts";

export function* findDecision({
  scope,
  decisionId,
}: Input<"findDecision">): Operation<DecisionRecord | undefined> {
  const found = yield* queryFirstRow<DecisionRecord>(sql`
    SELECT ${DECISION}, request, response FROM decision LEFT JOIN record ON decision_id = id
    WHERE id = ${decisionId} AND ${buildScopeCondition(scope)}`);
  return found && requireSoundRecord(found);
}

export function* findDecisionSeq({
  scope,
  decisionId,
}: Input<"findDecisionSeq">): Operation<number | undefined> {
  const found = yield* queryFirstRow<{ seq: number }>(
    sql`SELECT seq FROM decision WHERE id = ${decisionId} AND ${buildScopeCondition(scope)}`,
  );
  return found?.seq;
}

/**
 * Instants and the decision to continue after form a range of numbers. Without other filters each number in it is a
 * decision, so a page is found by its numbers and the count is their difference, whatever the total.
 */
export function* listDecisions(question: DecisionQuestion): Operation<Page<Decision>> {
  const { scope, referenceId, requestId, verdict, ruleset, page, pageSize } = question;
  const { first, last, isAll } = yield* readNumberRange(question);
  const conditions: Statement[] = [];
  if (referenceId !== undefined) conditions.push(sql`reference_id = ${referenceId}`);
  if (requestId !== undefined) conditions.push(sql`request_id = ${requestId}`);
  const isFiltered = verdict !== undefined || ruleset !== undefined;
  if (!isFiltered && conditions.length === 0) {
    const newest = last - (page - 1) * pageSize;
    const items = yield* queryRows<Decision>(sql`
      SELECT ${DECISION} FROM decision WHERE ${buildScopeCondition(scope)} AND seq <= ${newest}
      AND seq > ${Math.max(first - 1, newest - pageSize)} ORDER BY seq DESC`);
    return { items: items.map(requireSoundDecision), totalCount: Math.max(0, last - first + 1) };
  }
  const filters = { scope, verdict, digests: yield* buildRulesetDigestList(scope, ruleset) };
  const window = sql`LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;
  if (isFiltered && conditions.length === 0) {
    const range = isAll ? sql`` : sql` AND found.seq >= ${first} AND found.seq <= ${last}`;
    const from = sql`${buildFilteredNumbersQuery(filters)}${range}`;
    const totalCount = yield* countRows(from);
    const items = yield* queryRows<Decision>(sql`
      SELECT ${DECISION} FROM decision WHERE ${buildScopeCondition(scope)}
      AND seq IN (SELECT found.seq FROM ${from} ORDER BY found.seq DESC ${window}) ORDER BY seq DESC`);
    return { items: items.map(requireSoundDecision), totalCount };
  }
  if (!isAll) conditions.push(sql`seq >= ${first}`, sql`seq <= ${last}`);
  const all = sqlAll([buildScopeCondition(scope), ...conditions, ...buildDecisionConditions(filters)]);
  const totalCount = yield* countRows(sql`decision WHERE ${all}`);
  const items = yield* queryRows<Decision>(sql`
    SELECT ${DECISION} FROM decision WHERE ${all} ORDER BY seq DESC ${window}`);
  return { items: items.map(requireSoundDecision), totalCount };
}

/** The range of numbers that contains the decisions. */
function* readNumberRange({
  scope,
  fromMs,
  toMs,
  beforeSeq,
}: DecisionQuestion): Operation<{ first: number; last: number; isAll: boolean }> {
  const first = fromMs === undefined ? 1 : yield* readFirstSeqSince(scope, fromMs);
  const upTo = toMs === undefined ? yield* readNewestSeq(scope) : (yield* readFirstSeqSince(scope, toMs)) - 1;
  const last = beforeSeq === undefined ? upTo : Math.min(upTo, beforeSeq - 1);
  const isAll = fromMs === undefined && toMs === undefined && beforeSeq === undefined;
  return { first, last, isAll };
}

export function* listDecisionTexts({
  after,
  limit,
}: Input<"listDecisionTexts">): Operation<readonly DecisionTexts[]> {
  return yield* queryRows<DecisionTexts>(sql`
    SELECT id, digests, response FROM decision LEFT JOIN record ON decision_id = id
    WHERE id > ${after} ORDER BY id LIMIT ${limit}`);
}

const DECISION: Statement = sql`id, seq, period_no AS "periodNo", units, idempotency_key AS key, generation,
  route, fingerprint, request_digest AS "requestDigest", response_digest AS "responseDigest", digests,
  media_type AS "mediaType", request_id AS "requestId", reference_id AS "referenceId",
  created_at_ms AS "createdAtMs"`;

/** A key whose answer is erased has nothing to replay, so it expires too. */
export function* eraseDecisions({
  organization,
  beforeMs,
}: Input<"eraseDecisions">): Operation<{ erased: number }> {
  for (const mode of ["live", "test"] as const) yield* lockLedger({ organization, mode });
  const nowMs = yield* readNow();
  if (beforeMs > nowMs) {
    throw new StoreError(
      "VALUE_INVALID",
      "found an instant in the future, expected one in the past; only existing decisions can be erased",
      {
        beforeMs,
        nowMs,
      },
    );
  }
  const past = sql`SELECT id FROM decision WHERE organization = ${organization} AND created_at_ms < ${beforeMs}`;
  const erased = yield* queryRows(
    sql`DELETE FROM record WHERE decision_id IN (${past}) RETURNING decision_id`,
  );
  yield* run(sql`
    UPDATE idempotency SET expires_at_ms = ${nowMs}
    WHERE organization = ${organization} AND expires_at_ms > ${nowMs} AND decision_id IN (${past})`);
  yield* eraseJobs(organization, beforeMs, nowMs);
  yield* run(sql`
    INSERT INTO erasure (organization, before_ms, erased_at_ms) VALUES (${organization}, ${beforeMs}, ${nowMs})
    ON CONFLICT DO NOTHING`);
  return { erased: erased.length };
}
