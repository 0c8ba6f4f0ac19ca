import type { KeyMode } from "../ledger/scope.ts";
import { buildUsageReport, type UsageReport } from "../ledger/usage.ts";
import type { Organization, StoredApiKey } from "../store/port/port.ts";
import type { ManagePorts } from "./organizations.ts";

/** An organization in the operator's list. */
export interface OrganizationReport {
  readonly organization: Organization;
  /** Its usage and keys in each mode. */
  readonly modes: Readonly<Record<KeyMode, ModeReport>>;
}

/** Usage and keys of an organization in one mode. */
export interface ModeReport {
  readonly usage: UsageReport;
  /** Number of keys that are valid now. */
  readonly validKeys: number;
  /** When one of its keys was last used, to the minute or so; null if never. */
  readonly lastUsedAtMs: number | null;
}

/** Yields every organization, by name; each is read when the caller gets to it. */
export async function* reportOrganizations(ports: ManagePorts): AsyncGenerator<OrganizationReport> {
  for (const organization of await ports.store.listOrganizations({})) {
    const keys = await ports.store.listApiKeys({ organization: organization.id });
    const report = (mode: KeyMode) => buildModeReport(ports, organization.id, mode, keys);
    yield { organization, modes: { live: await report("live"), test: await report("test") } };
  }
}

async function buildModeReport(
  { store }: ManagePorts,
  organization: string,
  mode: KeyMode,
  keys: readonly StoredApiKey[],
): Promise<ModeReport> {
  const usage = await store.usage({ scope: { organization, mode } });
  if (usage === undefined) throw new Error(`organization ${organization} has no ledger`);
  const own = keys.filter((key) => key.mode === mode);
  const used = own.flatMap(({ lastUsedAtMs }) => lastUsedAtMs ?? []);
  return {
    usage: buildUsageReport(mode, usage),
    validKeys: own.filter(isValid).length,
    lastUsedAtMs: used.length === 0 ? null : used.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  };
}

function isValid({ revokedAtMs, expiresAtMs, nowMs }: StoredApiKey): boolean {
  return revokedAtMs === null && (expiresAtMs === null || expiresAtMs > nowMs);
}
