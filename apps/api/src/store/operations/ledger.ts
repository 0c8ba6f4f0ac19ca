import type { PeriodUsage } from "../../ledger/arbitrate.ts";
import { periodAt } from "../../ledger/period.ts";
import type { Scope } from "../../ledger/scope.ts";
import { StoreError } from "../port/store-error.ts";
import { firstRow, locking, now, type Operation, run, type Statement, sql } from "../sql/operation.ts";

/** The head of a scope's charges. */
export interface Ledger {
  readonly quota: number;
  readonly seq: number;
  readonly frozen: string | null;
  readonly anchorMs: number;
  readonly nowMs: number;
}

/** The rows of one scope. */
export function inScope({ organization, mode }: Scope): Statement {
  return sql`organization = ${organization} AND mode = ${mode}`;
}

/**
 * Locks a scope's ledger until the transaction ends, and reads the time once it holds the lock: a
 * request that queued across the end of a period is charged in the new one. Time in a scope never
 * goes back, whatever the clock does; who writes at that time must record it ({@link keepTime}).
 *
 * Every operation that writes in a scope begins here, so locks are always taken in one order.
 *
 * Fails: `ORGANIZATION_UNKNOWN`.
 */
export function* lockLedger(scope: Scope): Operation<Ledger> {
  const row = yield* firstRow<Omit<Ledger, "nowMs"> & { clockMs: number }>(
    locking(sql`
      SELECT quota, seq, frozen, clock_ms AS "clockMs",
        (SELECT anchor_ms FROM subscription WHERE subscription.organization = ledger.organization) AS "anchorMs"
      FROM ledger WHERE ${inScope(scope)}`),
  );
  if (row === undefined) throw organizationUnknown(scope.organization);
  const { clockMs, ...ledger } = row;
  return { ...ledger, nowMs: Math.max(yield* now(), clockMs) };
}

/** The scope's time is at least this from now on. */
export function* keepTime(scope: Scope, { nowMs }: Pick<Ledger, "nowMs">): Operation<void> {
  yield* run(sql`UPDATE ledger SET clock_ms = ${nowMs} WHERE ${inScope(scope)} AND clock_ms < ${nowMs}`);
}

/** A scope's current period, and whether it has a row: it is given one by its first charge. */
export function* currentPeriod(
  scope: Scope,
  { quota, anchorMs, nowMs }: Pick<Ledger, "quota" | "anchorMs" | "nowMs">,
): Operation<{ readonly usage: PeriodUsage; readonly isOpen: boolean }> {
  const period = periodAt(anchorMs, nowMs);
  const row = yield* firstRow<{ quota: number; used: number }>(
    sql`SELECT quota, used FROM period WHERE ${inScope(scope)} AND no = ${period.no}`,
  );
  return { usage: { ...period, quota, used: 0, ...row }, isOpen: row !== undefined };
}

/** Gives a period its row. The ledger must be locked. */
export function* openPeriod(scope: Scope, { no, startsAtMs, endsAtMs, quota }: PeriodUsage): Operation<void> {
  yield* run(sql`
    INSERT INTO period (organization, mode, no, starts_at_ms, ends_at_ms, quota, used)
    VALUES (${scope.organization}, ${scope.mode}, ${no}, ${startsAtMs}, ${endsAtMs}, ${quota}, 0)`);
}

export function organizationUnknown(organization: string): StoreError {
  return new StoreError("ORGANIZATION_UNKNOWN", `no organization is named "${organization}"`, {
    organization,
  });
}
