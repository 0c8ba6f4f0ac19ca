import type { PeriodUsage } from "../../../ledger/arbitrate.ts";
import { computePeriodAt } from "../../../ledger/period.ts";
import type { Scope } from "../../../ledger/scope.ts";
import { StoreError } from "../../port/store-error.ts";
import {
  type Operation,
  queryFirstRow,
  readNow,
  run,
  type Statement,
  sql,
  withRowLocks,
} from "../../sql/operation.ts";

/** The head of a scope's ledger. */
export interface Ledger {
  readonly quota: number;
  readonly seq: number;
  readonly frozen: string | null;
  readonly anchorMs: number;
  readonly nowMs: number;
}

/** The sums by route in a period's row, see migration 7. */
export interface RouteSums {
  /** JSON: units by route. */
  readonly byRoute: string;
  /** The sums include decisions up to this number. */
  readonly countedSeq: number;
}

export const ROUTE_SUMS: Statement = sql`by_route AS "byRoute", counted_seq AS "countedSeq"`;
/** The same columns for a store that is only read and lacks the migration. */
export const NO_ROUTE_SUMS: Statement = sql`'{}' AS "byRoute", 0 AS "countedSeq"`;

/** Condition: rows of one scope. */
export function buildScopeCondition({ organization, mode }: Scope): Statement {
  return sql`organization = ${organization} AND mode = ${mode}`;
}

/**
 * Locks a scope's ledger until the transaction ends, and reads the time once it has the lock: a request that queued
 * across the end of a period is charged in the new one. Time in a scope never goes back, whatever the clock does; an
 * operation that writes at that time must record it ({@link recordScopeTime}).
 *
 * Every operation that writes in a scope begins here, so locks are always taken in one order.
 *
 * Fails: `ORGANIZATION_UNKNOWN`.
 */
export function* lockLedger(scope: Scope): Operation<Ledger> {
  const row = yield* queryFirstRow<Omit<Ledger, "nowMs"> & { clockMs: number }>(
    withRowLocks(sql`
      SELECT quota, seq, frozen, clock_ms AS "clockMs",
        (SELECT anchor_ms FROM subscription WHERE subscription.organization = ledger.organization) AS "anchorMs"
      FROM ledger WHERE ${buildScopeCondition(scope)}`),
  );
  if (row === undefined) throw organizationUnknownError(scope.organization);
  const { clockMs, ...ledger } = row;
  return { ...ledger, nowMs: Math.max(yield* readNow(), clockMs) };
}

/** Records the time: from now on the scope's time is never earlier. */
export function* recordScopeTime(scope: Scope, { nowMs }: Pick<Ledger, "nowMs">): Operation<void> {
  yield* run(
    sql`UPDATE ledger SET clock_ms = ${nowMs} WHERE ${buildScopeCondition(scope)} AND clock_ms < ${nowMs}`,
  );
}

/** A scope's current period and its sums by route; undefined before its first charge, which creates the row. */
export function* readCurrentPeriod(
  scope: Scope,
  { quota, anchorMs, nowMs }: Pick<Ledger, "quota" | "anchorMs" | "nowMs">,
): Operation<{ readonly usage: PeriodUsage; readonly routes: RouteSums | undefined }> {
  const period = computePeriodAt(anchorMs, nowMs);
  const row = yield* queryFirstRow<{ quota: number; used: number } & RouteSums>(
    sql`SELECT quota, used, ${ROUTE_SUMS} FROM period WHERE ${buildScopeCondition(scope)} AND no = ${period.no}`,
  );
  if (row === undefined) return { usage: { ...period, quota, used: 0 }, routes: undefined };
  const { byRoute, countedSeq, ...ledger } = row;
  return { usage: { ...period, ...ledger }, routes: { byRoute, countedSeq } };
}

/** Creates a period's row, which counts its decisions from the first. The ledger must be locked. */
export function* createPeriodRow(
  scope: Scope,
  { no, startsAtMs, endsAtMs, quota }: PeriodUsage,
  { seq }: Pick<Ledger, "seq">,
): Operation<RouteSums> {
  yield* run(sql`
    INSERT INTO period (organization, mode, no, starts_at_ms, ends_at_ms, quota, used, by_route, counted_seq)
    VALUES (${scope.organization}, ${scope.mode}, ${no}, ${startsAtMs}, ${endsAtMs}, ${quota}, 0, '{}', ${seq})`);
  return { byRoute: "{}", countedSeq: seq };
}

export function organizationUnknownError(organization: string): StoreError {
  return new StoreError("ORGANIZATION_UNKNOWN", `no organization is named "${organization}"`, {
    organization,
  });
}
