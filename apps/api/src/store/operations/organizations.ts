import type { PeriodUsage } from "../../ledger/arbitrate.ts";
import type { KeyMode, Scope } from "../../ledger/scope.ts";
import type { SubscriptionStatus } from "../../ledger/subscription.ts";
import type { Usage } from "../../ledger/usage.ts";
import type { Gate, Organization } from "../port/port.ts";
import { StoreError } from "../port/store-error.ts";
import { now, type Operation, rows, run, type Statement, sql } from "../sql/operation.ts";
import { openGate } from "./gate.ts";
import { currentPeriod, inScope, keepTime, lockLedger, organizationUnknown } from "./ledger.ts";

export function* createOrganization(input: {
  readonly id: string;
  readonly name: string;
  readonly quota: Readonly<Record<KeyMode, number>>;
  readonly anchorMs?: number;
  readonly sources?: readonly string[];
}): Operation<Organization> {
  const { id, name, sources = ["*"] } = input;
  const nowMs = yield* now();
  const created = yield* rows(sql`
    INSERT INTO organization (id, name, created_at_ms, sources)
    VALUES (${id}, ${name}, ${nowMs}, ${sources.join(",")})
    ON CONFLICT DO NOTHING RETURNING id`);
  if (created.length === 0) {
    throw new StoreError("ORGANIZATION_EXISTS", `an organization "${name}" already exists`, { name });
  }
  const anchorMs = input.anchorMs ?? nowMs;
  yield* run(sql`
    INSERT INTO subscription (organization, status, anchor_ms) VALUES (${id}, 'active', ${anchorMs})`);
  for (const mode of ["live", "test"] as const) {
    yield* run(sql`
      INSERT INTO ledger (organization, mode, quota, seq, clock_ms)
      VALUES (${id}, ${mode}, ${input.quota[mode]}, 0, 0)`);
  }
  return { id, name, createdAtMs: nowMs, subscription: "active", anchorMs, sources };
}

export function* setSubscription({
  organization,
  status,
}: {
  readonly organization: string;
  readonly status: SubscriptionStatus;
}): Operation<Organization> {
  yield* run(sql`UPDATE subscription SET status = ${status} WHERE organization = ${organization}`);
  const [found] = yield* organizationsWhere(sql`id = ${organization}`);
  if (found === undefined) throw organizationUnknown(organization);
  return found;
}

export function* listOrganizations(): Operation<readonly Organization[]> {
  return yield* organizationsWhere(sql`1 = 1`);
}

function* organizationsWhere(condition: Statement): Operation<readonly Organization[]> {
  const found = yield* rows<Omit<Organization, "sources"> & { sources: string }>(sql`
    SELECT id, name, created_at_ms AS "createdAtMs", status AS subscription, anchor_ms AS "anchorMs", sources
    FROM organization JOIN subscription ON subscription.organization = id
    WHERE ${condition} ORDER BY name`);
  return found.map((organization) => ({ ...organization, sources: organization.sources.split(",") }));
}

export function* setQuota({
  scope,
  quota,
}: {
  readonly scope: Scope;
  readonly quota: number;
}): Operation<PeriodUsage> {
  const ledger = yield* lockLedger(scope);
  yield* keepTime(scope, ledger);
  const { usage } = yield* currentPeriod(scope, ledger);
  yield* run(sql`UPDATE ledger SET quota = ${quota} WHERE ${inScope(scope)}`);
  yield* run(sql`
    UPDATE period SET quota = ${Math.max(quota, usage.used)}
    WHERE ${inScope(scope)} AND no = ${usage.no}`);
  return (yield* currentPeriod(scope, { ...ledger, quota })).usage;
}

export function* usage({ scope }: { readonly scope: Scope }): Operation<Usage | undefined> {
  const gate: Gate | undefined = yield* openGate({ scope, key: null });
  if (gate === undefined) return undefined;
  const byRoute = yield* rows<{ route: string; units: number }>(sql`
    SELECT route, CAST(sum(units) AS BIGINT) AS units FROM decision
    WHERE ${inScope(scope)} AND period_no = ${gate.period.no} GROUP BY route`);
  return {
    period: gate.period,
    byRoute: [...byRoute].sort((a, b) => (a.route < b.route ? -1 : 1)),
  };
}

export function* freeze({
  scope,
  reason,
}: {
  readonly scope: Scope;
  readonly reason: string | null;
}): Operation<void> {
  yield* lockLedger(scope);
  yield* run(sql`UPDATE ledger SET frozen = ${reason} WHERE ${inScope(scope)}`);
}
