import { type HoldingExcess, type HoldingKind, ROW_BYTES } from "../../../ledger/holdings.ts";
import type { Scope } from "../../../ledger/scope.ts";
import { firstRow, type Operation, run, type Statement, sql } from "../../sql/operation.ts";
import { inScope } from "./ledger.ts";

/** Kinds that are counted in `holding`; versions of a name are few, and counted where they lie. */
type CountedKind = Exclude<HoldingKind, "ruleset_versions">;

/** More of a kind that is about to be stored, and the most that there may be of it. */
export interface Wanted {
  readonly kind: CountedKind;
  readonly amount: number;
  readonly limit: number;
}

/**
 * Notes that more is stored, in the transaction that stores it; where one of the limits would be exceeded, nothing is
 * noted and that one is given. The ledger must be locked: so of those that write at once, on any replica, each sees what
 * the others hold.
 */
export function* hold(scope: Scope, wanted: readonly Wanted[]): Operation<HoldingExcess | undefined> {
  for (const { kind, amount, limit } of wanted) {
    // What adds nothing is not refused where a limit was lowered.
    if (amount <= 0) continue;
    const held = yield* heldOf(scope, kind);
    if (held + amount > limit) return { holding: kind, held, requested: amount, limit };
  }
  for (const { kind, amount } of wanted) yield* change(scope, kind, amount);
  return undefined;
}

/** Notes that so much is stored no longer. */
export function* release(scope: Scope, kind: CountedKind, amount: number): Operation<void> {
  yield* change(scope, kind, -amount);
}

function* change(scope: Scope, kind: CountedKind, amount: number): Operation<void> {
  if (amount === 0) return;
  yield* run(sql`
    UPDATE holding SET amount = CASE WHEN amount + ${amount} > 0 THEN amount + ${amount} ELSE 0 END
    WHERE ${inScope(scope)} AND kind = ${kind}`);
}

/** What is held of a kind. The ledger must be locked. */
function* heldOf(scope: Scope, kind: CountedKind): Operation<number> {
  const counted = sql`SELECT amount FROM holding WHERE ${inScope(scope)} AND kind = ${kind}`;
  const known = yield* firstRow<{ amount: number }>(counted);
  if (known !== undefined) return known.amount;
  const { organization, mode } = scope;
  yield* run(sql`
    INSERT INTO holding (organization, mode, kind, amount)
    VALUES (${organization}, ${mode}, ${kind}, ${SUMS[kind](scope)})`);
  return (yield* firstRow<{ amount: number }>(counted))!.amount;
}

/** What there is of each kind, from where it lies. */
const SUMS: Readonly<Record<CountedKind, (scope: Scope) => Statement>> = {
  job_bytes: (scope) =>
    sql`(SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM job WHERE ${inScope(scope)})`,
  ruleset_bytes: (scope) => sql`(
    (SELECT CAST(coalesce(sum(octet_length(body) + ${ROW_BYTES.ruleset}), 0) AS BIGINT) FROM ruleset
      WHERE ${inScope(scope)})
    + (SELECT CAST(coalesce(sum(octet_length(response) + ${ROW_BYTES.publication}), 0) AS BIGINT) FROM publication
      WHERE ${inScope(scope)}))`,
  ruleset_names: (scope) => sql`(SELECT count(DISTINCT name) FROM ruleset WHERE ${inScope(scope)})`,
};

/**
 * Has everything counted again when next something is stored: what was deleted without a note, or stored and deleted by
 * a release that knows of no holdings, counts no longer then.
 */
export function* forgetHoldings(): Operation<void> {
  yield* run(sql`DELETE FROM holding`);
}
