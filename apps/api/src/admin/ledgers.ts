import type { PeriodUsage } from "../ledger/arbitrate.ts";
import type { KeyMode, Scope } from "../ledger/scope.ts";
import { buildUsageReport, type UsageReport } from "../ledger/usage.ts";
import { getOrganization, type ManagePorts, requireValidQuota } from "./organizations.ts";

/** Fails: `VALUE_INVALID`, `ORGANIZATION_UNKNOWN`. */
export async function setQuota(
  ports: ManagePorts,
  input: { readonly organization: string; readonly mode: KeyMode; readonly quota: number },
): Promise<PeriodUsage> {
  const scope = await resolveScope(ports, input);
  return ports.store.setQuota({ scope, quota: requireValidQuota(input.quota) });
}

/** Fails: `ORGANIZATION_UNKNOWN`. */
export async function readUsage(
  ports: ManagePorts,
  input: { readonly organization: string; readonly mode: KeyMode },
): Promise<UsageReport> {
  const scope = await resolveScope(ports, input);
  const usage = await ports.store.usage({ scope });
  if (usage === undefined) throw new Error(`organization ${scope.organization} has no ledger`);
  return buildUsageReport(scope.mode, usage);
}

/** Erases the requests and answers of decisions made before an instant; charges and digests stay. */
export async function eraseDecisions(
  ports: ManagePorts,
  input: { readonly organization: string; readonly beforeMs: number },
): Promise<{ readonly erased: number }> {
  const { id } = await getOrganization(ports, input.organization);
  return ports.store.eraseDecisions({ organization: id, beforeMs: input.beforeMs });
}

/** Unfreezes a ledger so that it charges again, after a person has understood the cause. */
export async function releaseLedger(
  ports: ManagePorts,
  input: { readonly organization: string; readonly mode: KeyMode },
): Promise<void> {
  await ports.store.freeze({ scope: await resolveScope(ports, input), reason: null });
}

async function resolveScope(
  ports: ManagePorts,
  { organization, mode }: { readonly organization: string; readonly mode: KeyMode },
): Promise<Scope> {
  return { organization: (await getOrganization(ports, organization)).id, mode };
}
