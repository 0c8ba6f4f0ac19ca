import {
  arbitrateSettlements,
  type Charge,
  type Settlement,
  type SettleOutcome,
} from "../../../ledger/arbitrate.ts";
import type { StoredKey } from "../../../ledger/key-state.ts";
import type { Scope } from "../../../ledger/scope.ts";
import { computeTextDigest } from "../../../ledger/text-digest.ts";
import { type Operation, queryRows, run, type Statement, sql, sqlList } from "../../sql/operation.ts";
import { addAnsweredPlotCounts, readWithdrawnKeys } from "../job-rows/charged-plots.ts";
import {
  buildScopeCondition,
  createPeriodRow,
  type Ledger,
  lockLedger,
  type RouteSums,
  readCurrentPeriod,
} from "./ledger.ts";
import { addUnitsToSums } from "./route-sums.ts";

/**
 * The only operation that charges: writes key, quota, charge, evidence and stored answer together.
 *
 * State is read under the scope's lock, so {@link arbitrateSettlements} decides on state that nobody can change before the commit.
 * The schema's constraints are the last defence: `used <= quota`, one decision per key and generation, one per sequence
 * number. If one is violated, everything here is undone.
 */
export function* settleBatch(settlements: readonly Settlement[]): Operation<readonly SettleOutcome[]> {
  const scope = getSharedScope(settlements);
  const ledger = yield* lockLedger(scope);
  if (ledger.frozen !== null) return settlements.map(() => ({ kind: "frozen" }));
  const { usage: period, routes } = yield* readCurrentPeriod(scope, ledger);
  const keys = yield* readStoredKeys(
    scope,
    settlements.flatMap(({ key }) => (key === null ? [] : [key])),
  );
  const withdrawn = yield* readWithdrawnKeys(scope, settlements, ledger.nowMs);
  const { outcomes, charges } = arbitrateSettlements(
    settlements,
    { period, seq: ledger.seq, keys, withdrawn },
    ledger.nowMs,
  );
  if (charges.length > 0) {
    yield* writeCharges(
      scope,
      period.no,
      routes ?? (yield* createPeriodRow(scope, period, ledger)),
      charges,
      ledger,
    );
  }
  return outcomes;
}

function getSharedScope(settlements: readonly Settlement[]): Scope {
  const [first, ...others] = settlements;
  if (first === undefined) throw new Error("a batch holds at least one settlement");
  const { organization, mode } = first.scope;
  if (others.some(({ scope }) => scope.organization !== organization || scope.mode !== mode)) {
    throw new Error("a batch settles requests of one scope");
  }
  return first.scope;
}

export function* readStoredKeys(scope: Scope, keys: readonly string[]): Operation<readonly StoredKey[]> {
  if (keys.length === 0) return [];
  return yield* queryRows<StoredKey>(sql`
    SELECT key, generation, fingerprint, decision_id AS "decisionId", settled_at_ms AS "settledAtMs",
      expires_at_ms AS "expiresAtMs", acknowledge_until_ms AS "acknowledgeUntilMs", replays
    FROM idempotency
    WHERE ${buildScopeCondition(scope)} AND key IN (${sqlList(keys.map((key) => sql`${key}`))})`);
}

function* writeCharges(
  scope: Scope,
  periodNo: number,
  routes: RouteSums,
  charges: readonly Charge[],
  { seq, nowMs }: Ledger,
): Operation<void> {
  const units = charges.reduce((sum, { settlement }) => sum + settlement.units, 0);
  // Sums that lag behind stay true, and stay behind until they are counted.
  const counted =
    routes.countedSeq === seq
      ? sql`, by_route = ${addUnitsToSums(
          routes,
          charges.map(({ settlement }) => settlement),
        )}, counted_seq = ${seq + charges.length}`
      : sql``;
  yield* run(sql`
    UPDATE period SET used = used + ${units}${counted} WHERE ${buildScopeCondition(scope)} AND no = ${periodNo}`);
  yield* run(
    sql`UPDATE ledger SET seq = seq + ${charges.length}, clock_ms = ${nowMs} WHERE ${buildScopeCondition(scope)}`,
  );
  yield* run(sql`
    INSERT INTO decision (id, organization, mode, seq, period_no, units, idempotency_key, generation, route,
      fingerprint, request_digest, response_digest, digests, media_type, request_id, reference_id,
      created_at_ms)
    VALUES ${sqlList(charges.map((charge) => buildDecisionRow(scope, periodNo, charge)))}`);
  yield* run(sql`
    INSERT INTO record (decision_id, request, response)
    VALUES ${sqlList(
      charges.map(({ settlement }) => {
        return sql`(${settlement.decisionId}, ${settlement.request}, ${settlement.response})`;
      }),
    )}`);
  yield* assignKeysToCharges(scope, charges);
  yield* addAnsweredPlotCounts(charges);
}

/** True if any of these decisions was made; those of a batch are made together. */
export function* hasDecision(ids: readonly string[]): Operation<boolean> {
  const found = yield* queryRows(
    sql`SELECT id FROM decision WHERE id IN (${sqlList(ids.map((id) => sql`${id}`))})`,
  );
  return found.length > 0;
}

function buildDecisionRow(scope: Scope, periodNo: number, charge: Charge): Statement {
  const { settlement } = charge;
  return sql`(${settlement.decisionId}, ${scope.organization}, ${scope.mode}, ${charge.seq}, ${periodNo},
    ${settlement.units}, ${settlement.key}, ${charge.generation}, ${settlement.route},
    ${settlement.fingerprint}, ${computeTextDigest(settlement.request)}, ${computeTextDigest(settlement.response)},
    ${settlement.digests}, ${settlement.mediaType}, ${settlement.requestId}, ${settlement.referenceId},
    ${charge.settledAtMs})`;
}

/** Assigns keys to their charges: a free key as new, an expired one in its next generation. */
function* assignKeysToCharges(scope: Scope, charges: readonly Charge[]): Operation<void> {
  const keyed = charges.filter(({ settlement }) => settlement.key !== null);
  if (keyed.length === 0) return;
  const keys = keyed.map(({ settlement, generation, settledAtMs, expiresAtMs }) => {
    const { key, fingerprint, decisionId } = settlement;
    return sql`(${scope.organization}, ${scope.mode}, ${key}, ${generation}, ${fingerprint}, ${decisionId},
      ${settledAtMs}, ${expiresAtMs}, NULL, 0)`;
  });
  const taken = yield* queryRows(sql`
    INSERT INTO idempotency (organization, mode, key, generation, fingerprint, decision_id, settled_at_ms,
      expires_at_ms, acknowledge_until_ms, replays)
    VALUES ${sqlList(keys)}
    ON CONFLICT (organization, mode, key) DO UPDATE SET
      generation = excluded.generation, fingerprint = excluded.fingerprint,
      decision_id = excluded.decision_id, settled_at_ms = excluded.settled_at_ms,
      expires_at_ms = excluded.expires_at_ms, acknowledge_until_ms = NULL, replays = 0
    WHERE idempotency.generation = excluded.generation - 1
      AND idempotency.acknowledge_until_ms <= excluded.settled_at_ms
    RETURNING key`);
  if (taken.length !== keyed.length) throw new Error("a key was taken under its scope's lock");
}
