import { migration } from "../../migrations/0004-standing.ts";
import type { Input, StoreState } from "../../port/port.ts";
import { type Operation, queryFirstRow, queryRows, readNow, run, sql } from "../../sql/operation.ts";
import { hasHad } from "../schema.ts";

/** Also reads stores of older schemas, which lack these columns. */
export function* findStoreState(): Operation<StoreState> {
  const hasKeys = (yield* queryFirstRow(sql`SELECT id FROM api_key LIMIT 1`)) !== undefined;
  if (!(yield* hasHad(migration))) return { hasKeys, peppers: [], servedAtMs: undefined };
  const peppers = yield* queryRows<StoreState["peppers"][number]>(
    sql`SELECT version, fingerprint FROM pepper ORDER BY version`,
  );
  const served = yield* queryFirstRow<{ lastMs: number }>(sql`SELECT last_ms AS "lastMs" FROM served`);
  return { hasKeys, peppers, servedAtMs: served?.lastMs };
}

export function* setPepper({
  version,
  fingerprint,
  replaces = null,
}: Input<"setPepper">): Operation<{ readonly fingerprint: string }> {
  yield* run(sql`
    INSERT INTO pepper (version, fingerprint) VALUES (${version}, ${fingerprint})
    ON CONFLICT (version) DO UPDATE SET fingerprint = excluded.fingerprint
    WHERE pepper.fingerprint = ${replaces}`);
  const kept = yield* queryFirstRow<{ fingerprint: string }>(
    sql`SELECT fingerprint FROM pepper WHERE version = ${version}`,
  );
  return kept!;
}

export function* noteServed({ ballast }: Input<"noteServed">): Operation<void> {
  const nowMs = yield* readNow();
  yield* run(sql`
    INSERT INTO served (no, last_ms, ballast) VALUES (1, ${nowMs}, ${"x".repeat(ballast)})
    ON CONFLICT (no) DO UPDATE SET last_ms = excluded.last_ms, ballast = excluded.ballast`);
}
