import { type HoldingExcess, type HoldingKind, ROW_BYTES } from "../../../ledger/holdings.ts";
import type { Scope } from "../../../ledger/scope.ts";
import { type Operation, queryFirstRow, run, type Statement, sql } from "../../sql/operation.ts";
import { buildScopeCondition } from "./ledger.ts";

/** Kinds that are counted in `holding`; versions of a name are few and are counted in their own table. */
type CountedKind = Exclude<HoldingKind, "ruleset_versions">;

/** An additional amount to be stored, and its maximum. */
export interface Wanted {
  readonly kind: CountedKind;
  readonly amount: number;
  readonly limit: number;
}

/**
 * Records that more is stored, in the transaction that stores it. If a limit would be exceeded, nothing is recorded and
 * the excess is returned. The ledger must be locked, so that concurrent writers on any replica see each other's
 * amounts.
 */
export function* recordHoldings(
  scope: Scope,
  wanted: readonly Wanted[],
): Operation<HoldingExcess | undefined> {
  for (const { kind, amount, limit } of wanted) {
    // A write that adds nothing is not refused after a limit was lowered.
    if (amount <= 0) continue;
    const amountStored = yield* readHoldingAmount(scope, kind);
    if (amountStored + amount > limit) return { holding: kind, held: amountStored, requested: amount, limit };
  }
  for (const { kind, amount } of wanted) yield* changeHolding(scope, kind, amount);
  return undefined;
}

/** Records that this amount is no longer stored. */
export function* recordRelease(scope: Scope, kind: CountedKind, amount: number): Operation<void> {
  yield* changeHolding(scope, kind, -amount);
}

function* changeHolding(scope: Scope, kind: CountedKind, amount: number): Operation<void> {
  if (amount === 0) return;
  yield* run(sql`
    UPDATE holding SET amount = CASE WHEN amount + ${amount} > 0 THEN amount + ${amount} ELSE 0 END
    WHERE ${buildScopeCondition(scope)} AND kind = ${kind}`);
}

/** The amount stored of a kind. The ledger must be locked. */
function* readHoldingAmount(scope: Scope, kind: CountedKind): Operation<number> {
  const counted = sql`SELECT amount FROM holding WHERE ${buildScopeCondition(scope)} AND kind = ${kind}`;
  const known = yield* queryFirstRow<{ amount: number }>(counted);
  if (known !== undefined) return known.amount;
  const { organization, mode } = scope;
  yield* run(sql`
    INSERT INTO holding (organization, mode, kind, amount)
    VALUES (${organization}, ${mode}, ${kind}, ${SUMS[kind](scope)})`);
  return (yield* queryFirstRow<{ amount: number }>(counted))!.amount;
}

/** Computes the amount of each kind from the rows themselves. */
const SUMS: Readonly<Record<CountedKind, (scope: Scope) => Statement>> = {
  job_bytes: (scope) =>
    sql`(SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM job WHERE ${buildScopeCondition(scope)})`,
  ruleset_bytes: (scope) => sql`(
    (SELECT CAST(coalesce(sum(octet_length(body) + ${ROW_BYTES.ruleset}), 0) AS BIGINT) FROM ruleset
      WHERE ${buildScopeCondition(scope)})
    + (SELECT CAST(coalesce(sum(octet_length(response) + ${ROW_BYTES.publication}), 0) AS BIGINT) FROM publication
      WHERE ${buildScopeCondition(scope)}))`,
  ruleset_names: (scope) =>
    sql`(SELECT count(DISTINCT name) FROM ruleset WHERE ${buildScopeCondition(scope)})`,
};

/**
 * Discards the stored amounts, so that the next write counts them again: this corrects for rows that were deleted
 * without a record, or written by a release that keeps no amounts.
 */
export function* discardHoldings(): Operation<void> {
  yield* run(sql`DELETE FROM holding`);
}
