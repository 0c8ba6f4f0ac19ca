import type { Scope } from "../../charging/scope.ts";
import { firstRow, now, type Operation, sql } from "../operation.ts";
import type { Answer, AttemptCount, Gate, SubscriptionStatus } from "../port.ts";
import { currentUsage, inScope } from "./ledger.ts";
import { storedKeys } from "./settle.ts";

export function* openGate({
  scope,
  key,
}: {
  readonly scope: Scope;
  readonly key: string | null;
}): Operation<Gate | undefined> {
  const head = yield* firstRow<{
    quota: number;
    clockMs: number;
    status: SubscriptionStatus;
    anchorMs: number;
  }>(sql`
    SELECT quota, clock_ms AS "clockMs", status, anchor_ms AS "anchorMs"
    FROM ledger JOIN subscription USING (organization)
    WHERE ${inScope(scope)}`);
  if (head === undefined) return undefined;
  const nowMs = Math.max(yield* now(), head.clockMs);
  return {
    nowMs,
    subscription: head.status,
    period: yield* currentUsage(scope, { ...head, nowMs }),
    stored: key === null ? undefined : (yield* storedKeys(scope, [key]))[0],
    attempts: key === null ? undefined : yield* attemptsOn(scope, key),
  };
}

function* attemptsOn(scope: Scope, key: string): Operation<AttemptCount | undefined> {
  return yield* firstRow<AttemptCount>(sql`
    SELECT window_start_ms AS "windowStartMs", count FROM attempt
    WHERE ${inScope(scope)} AND key = ${key}`);
}

export function* findAnswer({
  scope,
  decisionId,
}: {
  readonly scope: Scope;
  readonly decisionId: string;
}): Operation<Answer | undefined> {
  return yield* firstRow<Answer>(sql`
    SELECT response, response_digest AS "responseDigest", media_type AS "mediaType", request_id AS "requestId"
    FROM decision JOIN record ON decision_id = id
    WHERE id = ${decisionId} AND ${inScope(scope)}`);
}
