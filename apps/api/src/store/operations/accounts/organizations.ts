import type { PeriodUsage } from "../../../ledger/arbitrate.ts";
import type { KeyMode } from "../../../ledger/scope.ts";
import type { Usage } from "../../../ledger/usage.ts";
import type { Gate, Input, LedgerTotals, Organization } from "../../port/port.ts";
import { StoreError } from "../../port/store-error.ts";
import { type Operation, queryRows, readNow, run, type Statement, sql } from "../../sql/operation.ts";
import { openGate } from "../charges/gate.ts";
import {
  buildScopeCondition,
  lockLedger,
  organizationUnknownError,
  readCurrentPeriod,
  recordScopeTime,
} from "../charges/ledger.ts";
import { readRouteUnits } from "../charges/route-sums.ts";

export function* createOrganization(input: {
  readonly id: string;
  readonly name: string;
  readonly quota: Readonly<Record<KeyMode, number>>;
  readonly anchorMs?: number;
  readonly sources?: readonly string[];
}): Operation<Organization> {
  const { id, name, sources = ["*"] } = input;
  const nowMs = yield* readNow();
  const created = yield* queryRows(sql`
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
}: Input<"setSubscription">): Operation<Organization> {
  yield* run(sql`UPDATE subscription SET status = ${status} WHERE organization = ${organization}`);
  const [found] = yield* selectOrganizationsWhere(sql`id = ${organization}`);
  if (found === undefined) throw organizationUnknownError(organization);
  return found;
}

export function* listOrganizations(): Operation<readonly Organization[]> {
  return yield* selectOrganizationsWhere(sql`1 = 1`);
}

function* selectOrganizationsWhere(condition: Statement): Operation<readonly Organization[]> {
  const found = yield* queryRows<Omit<Organization, "sources"> & { sources: string }>(sql`
    SELECT id, name, created_at_ms AS "createdAtMs", status AS subscription, anchor_ms AS "anchorMs", sources
    FROM organization JOIN subscription ON subscription.organization = id
    WHERE ${condition} ORDER BY name`);
  return found.map((organization) => ({ ...organization, sources: organization.sources.split(",") }));
}

export function* setQuota({ scope, quota }: Input<"setQuota">): Operation<PeriodUsage> {
  const ledger = yield* lockLedger(scope);
  yield* recordScopeTime(scope, ledger);
  const { usage } = yield* readCurrentPeriod(scope, ledger);
  yield* run(sql`UPDATE ledger SET quota = ${quota} WHERE ${buildScopeCondition(scope)}`);
  yield* run(sql`
    UPDATE period SET quota = ${Math.max(quota, usage.used)}
    WHERE ${buildScopeCondition(scope)} AND no = ${usage.no}`);
  return (yield* readCurrentPeriod(scope, { ...ledger, quota })).usage;
}

export function* usage({ scope }: Input<"usage">): Operation<Usage | undefined> {
  const gate: Gate | undefined = yield* openGate({ scope, key: null });
  if (gate === undefined) return undefined;
  return { period: gate.period, byRoute: yield* readRouteUnits(scope, gate.period.no) };
}

/** One statement, however many ledgers there are. A ledger without a charge in its current period has no row for it. */
export function* ledgerTotals(): Operation<readonly LedgerTotals[]> {
  const nowMs = yield* readNow();
  return yield* queryRows<LedgerTotals>(sql`
    SELECT mode, CAST(sum(quota) AS BIGINT) AS quota, CAST(sum(used) AS BIGINT) AS used,
      CAST(sum(CASE WHEN used >= quota THEN 1 ELSE 0 END) AS BIGINT) AS exhausted
    FROM (
      SELECT ledger.mode, coalesce(period.quota, ledger.quota) AS quota, coalesce(used, 0) AS used
      FROM ledger LEFT JOIN period ON period.organization = ledger.organization AND period.mode = ledger.mode
        AND period.no = (SELECT max(no) FROM period AS newest
          WHERE newest.organization = ledger.organization AND newest.mode = ledger.mode)
        AND ends_at_ms > CASE WHEN clock_ms > ${nowMs} THEN clock_ms ELSE ${nowMs} END
    ) AS current GROUP BY mode ORDER BY mode`);
}

export function* freeze({ scope, reason }: Input<"freeze">): Operation<void> {
  yield* lockLedger(scope);
  yield* run(sql`UPDATE ledger SET frozen = ${reason} WHERE ${buildScopeCondition(scope)}`);
}
