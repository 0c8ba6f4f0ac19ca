import type { StoredKey } from "../../ledger/key-state.ts";
import { periodAt } from "../../ledger/period.ts";
import type { Scope } from "../../ledger/scope.ts";
import type { Answer, Gate, SubscriptionStatus } from "../port/port.ts";
import { soundAnswer } from "../port/sound-rows.ts";
import { firstRow, now, type Operation, sql } from "../sql/operation.ts";
import { inScope } from "./ledger.ts";

/** One statement: a gate is opened for every request, and a database may be a network away. */
export function* openGate({
  scope,
  key,
}: {
  readonly scope: Scope;
  readonly key: string | null;
}): Operation<Gate | undefined> {
  const row = yield* firstRow<GateRow>(sql`
    SELECT ledger.quota, clock_ms AS "clockMs", status, anchor_ms AS "anchorMs",
      period.no, period.quota AS "periodQuota", used,
      generation, fingerprint, decision_id AS "decisionId", settled_at_ms AS "settledAtMs",
      expires_at_ms AS "expiresAtMs", acknowledge_until_ms AS "acknowledgeUntilMs", replays,
      window_start_ms AS "windowStartMs", count
    FROM ledger
    JOIN subscription ON subscription.organization = ledger.organization
    LEFT JOIN period ON period.organization = ledger.organization AND period.mode = ledger.mode
      AND period.no = (SELECT max(no) FROM period AS newest
        WHERE newest.organization = ledger.organization AND newest.mode = ledger.mode)
    LEFT JOIN idempotency ON idempotency.organization = ledger.organization
      AND idempotency.mode = ledger.mode AND idempotency.key = ${key}
    LEFT JOIN attempt ON attempt.organization = ledger.organization
      AND attempt.mode = ledger.mode AND attempt.key = ${key}
    WHERE ledger.organization = ${scope.organization} AND ledger.mode = ${scope.mode}`);
  if (row === undefined) return undefined;
  const nowMs = Math.max(yield* now(), row.clockMs);
  const period = periodAt(row.anchorMs, nowMs);
  const isOpen = row.no === period.no;
  return {
    nowMs,
    subscription: row.status,
    period: {
      ...period,
      quota: isOpen ? row.periodQuota : row.quota,
      used: isOpen ? row.used : 0,
    },
    stored: storedKeyOf(key, row),
    attempts: row.windowStartMs === null ? undefined : { windowStartMs: row.windowStartMs, count: row.count },
  };
}

/** Columns of what is not there are null; the first of each group tells. */
interface GateRow extends Omit<StoredKey, "key" | "generation"> {
  readonly quota: number;
  readonly clockMs: number;
  readonly status: SubscriptionStatus;
  readonly anchorMs: number;
  readonly no: number | null;
  readonly periodQuota: number;
  readonly used: number;
  readonly generation: number | null;
  readonly windowStartMs: number | null;
  readonly count: number;
}

function storedKeyOf(key: string | null, row: GateRow): StoredKey | undefined {
  const { generation, fingerprint, decisionId, settledAtMs, expiresAtMs, acknowledgeUntilMs, replays } = row;
  if (key === null || generation === null) return undefined;
  return { key, generation, fingerprint, decisionId, settledAtMs, expiresAtMs, acknowledgeUntilMs, replays };
}

export function* findAnswer({
  scope,
  decisionId,
}: {
  readonly scope: Scope;
  readonly decisionId: string;
}): Operation<Answer | undefined> {
  const found = yield* firstRow<Answer>(sql`
    SELECT response, response_digest AS "responseDigest", media_type AS "mediaType", request_id AS "requestId"
    FROM decision JOIN record ON decision_id = id
    WHERE id = ${decisionId} AND ${inScope(scope)}`);
  return found && soundAnswer(found);
}
