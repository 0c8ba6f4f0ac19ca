import type { PeriodUsage } from "../../charging/arbitrate.ts";
import { type Period, periodAt } from "../../charging/period.ts";
import type { Scope } from "../../charging/scope.ts";
import { firstRow, locking, now, type Operation, run, type Statement, sql } from "../operation.ts";
import { StoreError } from "../store-error.ts";

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
 * goes back, whatever the clock does.
 *
 * Every operation that writes in a scope begins here, so locks are always taken in one order.
 *
 * Fails: `ORGANIZATION_UNKNOWN`.
 */
export function* lockLedger(scope: Scope): Operation<Ledger> {
  const row = yield* firstRow<Omit<Ledger, "nowMs" | "anchorMs"> & { clockMs: number }>(
    locking(sql`SELECT quota, seq, frozen, clock_ms AS "clockMs" FROM ledger WHERE ${inScope(scope)}`),
  );
  if (row === undefined) throw organizationUnknown(scope.organization);
  const { clockMs, ...ledger } = row;
  const nowMs = Math.max(yield* now(), clockMs);
  if (nowMs > clockMs) {
    yield* run(sql`UPDATE ledger SET clock_ms = ${nowMs} WHERE ${inScope(scope)}`);
  }
  const subscription = yield* firstRow<{ anchorMs: number }>(
    sql`SELECT anchor_ms AS "anchorMs" FROM subscription WHERE organization = ${scope.organization}`,
  );
  if (subscription === undefined) throw new Error(`organization ${scope.organization} has no subscription`);
  return { ...ledger, anchorMs: subscription.anchorMs, nowMs };
}

/** What a scope's current period has used; nothing where nothing was charged in it yet. */
export function* currentUsage(
  scope: Scope,
  ledger: Pick<Ledger, "quota" | "anchorMs" | "nowMs">,
): Operation<PeriodUsage> {
  const period = periodAt(ledger.anchorMs, ledger.nowMs);
  const row = yield* firstRow<{ quota: number; used: number }>(
    sql`SELECT quota, used FROM period WHERE ${inScope(scope)} AND no = ${period.no}`,
  );
  return { ...period, quota: row?.quota ?? ledger.quota, used: row?.used ?? 0 };
}

/** The current period's row, made where it is missing. The ledger must be locked. */
export function* openPeriod(scope: Scope, ledger: Ledger): Operation<Period> {
  const { no, startsAtMs, endsAtMs } = periodAt(ledger.anchorMs, ledger.nowMs);
  yield* run(sql`
    INSERT INTO period (organization, mode, no, starts_at_ms, ends_at_ms, quota, used)
    VALUES (${scope.organization}, ${scope.mode}, ${no}, ${startsAtMs}, ${endsAtMs}, ${ledger.quota}, 0)
    ON CONFLICT DO NOTHING`);
  return { no, startsAtMs, endsAtMs };
}

export function organizationUnknown(organization: string): StoreError {
  return new StoreError("ORGANIZATION_UNKNOWN", `there is no organization "${organization}"`, {
    organization,
  });
}
