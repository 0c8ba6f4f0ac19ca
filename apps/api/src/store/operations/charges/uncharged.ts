import type { Input, UnchargedOutcome } from "../../port/port.ts";
import { type Operation, queryFirstRow, run, sql } from "../../sql/operation.ts";
import { buildScopeCondition, lockLedger } from "./ledger.ts";

/** Pseudo-key under which all uncharged answers of a scope are counted; no caller can send it. */
const ALL_KEYS = "*";

export function* takeUncharged({
  scope,
  limit,
  windowMs,
}: Input<"takeUncharged">): Operation<UnchargedOutcome> {
  const { nowMs } = yield* lockLedger(scope);
  const known = yield* queryFirstRow<{ startMs: number; count: number }>(sql`
    SELECT window_start_ms AS "startMs", count FROM attempt WHERE ${buildScopeCondition(scope)} AND key = ${ALL_KEYS}`);
  const isOpen = known !== undefined && nowMs < known.startMs + windowMs;
  const startMs = isOpen ? known.startMs : nowMs;
  const count = isOpen ? known.count : 0;
  if (count >= limit) return { kind: "used up", count, waitMs: startMs + windowMs - nowMs };
  yield* run(sql`
    INSERT INTO attempt (organization, mode, key, window_start_ms, count)
    VALUES (${scope.organization}, ${scope.mode}, ${ALL_KEYS}, ${startMs}, ${count + 1})
    ON CONFLICT (organization, mode, key) DO UPDATE SET
      window_start_ms = excluded.window_start_ms, count = excluded.count`);
  return { kind: "taken" };
}
