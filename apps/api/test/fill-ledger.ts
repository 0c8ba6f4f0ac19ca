import type { Scope } from "../src/ledger/scope.ts";
import { makeSettlement } from "./settlement.ts";
import type { StorePlace } from "./store-places.ts";

/**
 * Gives a ledger so many charges, past the store: all of one reference, request id, ruleset and verdict, a millisecond apart
 * and in one period, with keys of callers. Nobody else may have the place open with SQLite.
 */
export async function fillLedger(place: StorePlace, scope: Scope, decisions: number): Promise<void> {
  const store = await place.openIfThere({});
  const digests = '{"ruleset":"usual"}';
  await store.settle(makeSettlement(scope, { key: "first-key", referenceId: "plot", digests }));
  await store.close();
  const series = place.url.startsWith("sqlite:")
    ? `(WITH RECURSIVE series (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM series WHERE n < ${decisions}) SELECT n FROM series)`
    : `generate_series(2, ${decisions}) AS series (n)`;
  const ours = `organization = '${scope.organization}' AND mode = '${scope.mode}'`;
  await place.meddle(`
    INSERT INTO decision (id, organization, mode, seq, period_no, units, idempotency_key, generation, route,
      fingerprint, request_digest, response_digest, digests, media_type, request_id, reference_id, created_at_ms)
    SELECT id || '-' || n, organization, mode, n, period_no, units, 'caller-' || n, 1, route, fingerprint,
      request_digest, response_digest, digests, media_type, request_id, reference_id, created_at_ms + n
    FROM decision, ${series} WHERE ${ours};
    INSERT INTO record (decision_id, request, response)
    SELECT decision.id, request, response FROM decision, record
    WHERE ${ours} AND seq > 1 AND decision_id = (SELECT id FROM decision AS first WHERE ${ours} AND seq = 1);
    INSERT INTO idempotency (organization, mode, key, generation, fingerprint, decision_id, settled_at_ms,
      expires_at_ms, replays)
    SELECT organization, mode, idempotency_key, 1, fingerprint, id, created_at_ms, created_at_ms + 86400000, 0
    FROM decision WHERE ${ours} AND seq > 1;
    UPDATE ledger SET seq = ${decisions}, clock_ms = clock_ms + ${decisions} WHERE ${ours};
    UPDATE period SET used = ${decisions} WHERE ${ours}`);
  if (!place.url.startsWith("sqlite:")) await place.meddle("ANALYZE");
}
