import { keyStateAt, type StoredKey } from "../../../ledger/key-state.ts";
import type { Counts, Input } from "../../port/port.ts";
import { type Operation, queryRows, readNow, run, sql } from "../../sql/operation.ts";
import { discardHoldings } from "../charges/holdings.ts";
import { buildScopeCondition, lockLedger, recordScopeTime } from "../charges/ledger.ts";
import { deleteOldReceipts } from "../charges/receipts.ts";
import { readStoredKeys } from "../charges/settle.ts";
import { deleteExpiredJobs } from "../job-rows/ends.ts";

export function* acknowledgeExpiry({
  scope,
  key,
  generation,
  windowMs,
}: Input<"acknowledgeExpiry">): Operation<StoredKey | undefined> {
  const ledger = yield* lockLedger(scope);
  const { nowMs } = ledger;
  const [stored] = yield* readStoredKeys(scope, [key]);
  if (stored?.generation !== generation) return undefined;
  const state = keyStateAt(stored, nowMs);
  if (state === "ACKNOWLEDGED") return stored;
  if (state !== "EXPIRED") return undefined;
  const acknowledgeUntilMs = nowMs + windowMs;
  // If time went back before this instant, an answer reported as expired would be served again.
  yield* recordScopeTime(scope, ledger);
  yield* run(sql`
    UPDATE idempotency SET acknowledge_until_ms = ${acknowledgeUntilMs}
    WHERE ${buildScopeCondition(scope)} AND key = ${key}`);
  return { ...stored, acknowledgeUntilMs };
}

export function* addCounts({ replays, attempts, keyUses }: Counts): Operation<void> {
  for (const { scope, key, generation, count } of replays) {
    yield* run(sql`
      UPDATE idempotency SET replays = replays + ${count}
      WHERE ${buildScopeCondition(scope)} AND key = ${key} AND generation = ${generation}`);
  }
  for (const { scope, key, windowStartMs, count } of attempts) {
    yield* run(sql`
      INSERT INTO attempt (organization, mode, key, window_start_ms, count)
      VALUES (${scope.organization}, ${scope.mode}, ${key}, ${windowStartMs}, ${count})
      ON CONFLICT (organization, mode, key) DO UPDATE SET
        count = CASE WHEN attempt.window_start_ms = excluded.window_start_ms
          THEN attempt.count + excluded.count ELSE excluded.count END,
        window_start_ms = excluded.window_start_ms
      WHERE attempt.window_start_ms <= excluded.window_start_ms`);
  }
  for (const { id, usedAtMs } of keyUses) {
    yield* run(sql`
      UPDATE api_key SET last_used_at_ms = ${usedAtMs}
      WHERE id = ${id} AND coalesce(last_used_at_ms, 0) < ${usedAtMs}`);
  }
}

export function* sweep(): Operation<{ keys: number }> {
  const nowMs = yield* readNow();
  const keys = yield* queryRows(sql`
    DELETE FROM idempotency WHERE expires_at_ms < ${nowMs - TOMBSTONE_MS} RETURNING generation`);
  yield* run(sql`DELETE FROM publication WHERE expires_at_ms < ${nowMs - TOMBSTONE_MS}`);
  yield* run(sql`DELETE FROM attempt WHERE window_start_ms < ${nowMs - DAY_MS}`);
  yield* deleteExpiredJobs(nowMs - TOMBSTONE_MS);
  yield* deleteOldReceipts(nowMs);
  yield* discardHoldings();
  return { keys: keys.length };
}

const DAY_MS = 86_400_000;

/**
 * How long after its expiry a key is kept. A retry with such a key receives the report that its answer has expired;
 * without the stored key the retry would be charged a second time.
 */
export const TOMBSTONE_MS: number = 400 * DAY_MS;
