import type { Scope } from "../src/ledger/scope.ts";

/** SQL after which a ledger of one decision has so many keys that stand for none of theirs. */
export function buildDanglingKeysSql({ organization, mode }: Scope, keys: number): string {
  return `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${keys})
    INSERT INTO idempotency (organization, mode, key, generation, fingerprint, decision_id, settled_at_ms, expires_at_ms,
      replays)
    SELECT organization, mode, 'dangling-' || i, 1, 'f', id, 1, 2, 0 FROM decision, n
    WHERE organization = '${organization}' AND mode = '${mode}'`;
}
