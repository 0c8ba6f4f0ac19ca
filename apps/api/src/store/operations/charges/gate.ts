import type { StoredKey } from "../../../ledger/key-state.ts";
import { computePeriodAt } from "../../../ledger/period.ts";
import type { Scope } from "../../../ledger/scope.ts";
import type { SubscriptionStatus } from "../../../ledger/subscription.ts";
import type { Answer, AttemptCount, Gate, Input } from "../../port/port.ts";
import { requireSoundAnswer } from "../../port/sound-rows.ts";
import {
  type Operation,
  queryFirstRow,
  queryRows,
  readNow,
  type Statement,
  sql,
  sqlList,
} from "../../sql/operation.ts";
import { buildScopeCondition } from "./ledger.ts";

/** See {@link openGates}. */
export function* openGate({ scope, key }: Input<"openGate">): Operation<Gate | undefined> {
  const gateOf = yield* openGates(scope, [key]);
  return gateOf?.(key);
}

/**
 * Opens the gates of several requests of a scope, by key; undefined for an unknown organization. It takes one
 * statement: gates are opened for every request, and the database may be across a network. The result has a row for
 * each key with stored state, or one row without a key.
 */
export function* openGates(
  scope: Scope,
  keys: readonly (string | null)[],
): Operation<((key: string | null) => Gate) | undefined> {
  const found = yield* queryRows<GateRow>(sql`
    SELECT ledger.quota, clock_ms AS "clockMs", status, anchor_ms AS "anchorMs",
      period.no, period.quota AS "periodQuota", used,
      known.key, generation, fingerprint, "decisionId", "settledAtMs", "expiresAtMs", "acknowledgeUntilMs",
      replays, "windowStartMs", count
    FROM ledger
    JOIN subscription ON subscription.organization = ledger.organization
    LEFT JOIN period ON period.organization = ledger.organization AND period.mode = ledger.mode
      AND period.no = (SELECT max(no) FROM period AS newest
        WHERE newest.organization = ledger.organization AND newest.mode = ledger.mode)
    LEFT JOIN (${buildKeyRows(scope, keys)}) AS known ON 1 = 1
    WHERE ledger.organization = ${scope.organization} AND ledger.mode = ${scope.mode}`);
  const [first] = found;
  if (first === undefined) return undefined;
  const nowMs = Math.max(yield* readNow(), first.clockMs);
  const known = new Map(found.map((row) => [row.key, row]));
  const period = computePeriodAt(first.anchorMs, nowMs);
  const isOpen = first.no === period.no;
  const common = {
    nowMs,
    subscription: first.status,
    period: {
      ...period,
      quota: isOpen ? first.periodQuota : first.quota,
      used: isOpen ? first.used : 0,
    },
  };
  return (key) => {
    const row = key === null ? undefined : known.get(key);
    return { ...common, stored: row && toStoredKey(row), attempts: row && toAttemptCount(row) };
  };
}

/** Pads the key list to a few fixed lengths so that few statements are prepared. */
function buildKeyRows({ organization, mode }: Scope, keys: readonly (string | null)[]): Statement {
  let batchSize = 1;
  while (batchSize < keys.length) batchSize *= 2;
  const keyRows = Array.from({ length: batchSize }, (_, i) => sql`(${keys[i] ?? null})`);
  return sql`
    SELECT column1 AS key, generation, fingerprint, decision_id AS "decisionId",
      settled_at_ms AS "settledAtMs", expires_at_ms AS "expiresAtMs",
      acknowledge_until_ms AS "acknowledgeUntilMs", replays, window_start_ms AS "windowStartMs", count
    FROM (VALUES ${sqlList(keyRows)}) AS asked
    LEFT JOIN idempotency ON idempotency.organization = ${organization} AND idempotency.mode = ${mode}
      AND idempotency.key = column1
    LEFT JOIN attempt ON attempt.organization = ${organization} AND attempt.mode = ${mode}
      AND attempt.key = column1
    WHERE generation IS NOT NULL OR window_start_ms IS NOT NULL`;
}

/** Columns of a missing record are null; the first column of each group shows which. */
interface GateRow extends Omit<StoredKey, "key" | "generation"> {
  readonly key: string | null;
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

function toStoredKey(row: GateRow): StoredKey | undefined {
  const { key, generation, fingerprint, decisionId, settledAtMs, expiresAtMs, acknowledgeUntilMs, replays } =
    row;
  if (key === null || generation === null) return undefined;
  return { key, generation, fingerprint, decisionId, settledAtMs, expiresAtMs, acknowledgeUntilMs, replays };
}

function toAttemptCount({ windowStartMs, count }: GateRow): AttemptCount | undefined {
  return windowStartMs === null ? undefined : { windowStartMs, count };
}

export function* findAnswer({ scope, decisionId }: Input<"findAnswer">): Operation<Answer | undefined> {
  const found = yield* queryFirstRow<Answer>(sql`
    SELECT response, response_digest AS "responseDigest", media_type AS "mediaType", request_id AS "requestId"
    FROM decision JOIN record ON decision_id = id
    WHERE id = ${decisionId} AND ${buildScopeCondition(scope)}`);
  return found && requireSoundAnswer(found);
}
