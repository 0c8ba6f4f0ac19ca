import type { Scope } from "../../ledger/scope.ts";
import { type Operation, queryFirstRow, sql } from "../sql/operation.ts";
import { buildScopeCondition } from "./charges/ledger.ts";

/**
 * The number of a ledger's first decision at or after an instant; if there is none, the number after the last. Time in
 * a ledger never goes back and its decisions are numbered without gaps, so bisection finds it: twenty look-ups among a
 * million decisions.
 */
export function* readFirstSeqSince(scope: Scope, sinceMs: number): Operation<number> {
  const found = yield* queryFirstRow<{ seq: number }>(sql`
    WITH RECURSIVE search (low, high) AS (
      SELECT CAST(1 AS BIGINT), seq + 1 FROM ledger WHERE ${buildScopeCondition(scope)}
      UNION ALL
      SELECT CASE WHEN created_at_ms < ${sinceMs} THEN (low + high) / 2 + 1 ELSE low END,
        CASE WHEN created_at_ms < ${sinceMs} THEN high ELSE (low + high) / 2 END
      FROM search LEFT JOIN decision ON ${buildScopeCondition(scope)} AND seq = (low + high) / 2
      WHERE low < high
    )
    SELECT low AS seq FROM search WHERE low = high`);
  return found?.seq ?? 1;
}

/** The number of the newest decision of a ledger, 0 for none. */
export function* readNewestSeq(scope: Scope): Operation<number> {
  const ledger = yield* queryFirstRow<{ seq: number }>(
    sql`SELECT seq FROM ledger WHERE ${buildScopeCondition(scope)}`,
  );
  return ledger?.seq ?? 0;
}
