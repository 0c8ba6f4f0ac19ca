import type { EngineHost } from "@groundrule/service";
import type { Store } from "../../store/port/port.ts";
import { Metrics } from "./metrics.ts";

/** The metrics of the service, with gauges of its load, its sources and its ledgers. */
export function serviceMetrics({ engine, store, steadyMs }: GaugePorts, load: Load): Metrics {
  const metrics = new Metrics();
  metrics.gauge("groundrule_requests_running", "Requests in progress", () => [{ value: load.running() }]);
  metrics.gauge("groundrule_requests_waiting", "Requests waiting to be processed", () => [
    { value: load.waiting() },
  ]);
  metrics.gauge("groundrule_bodies_bytes", "Bytes of request bodies in memory", () => [
    { value: load.bodyBytes() },
  ]);
  metrics.gauge("groundrule_sources_failed", "Sources that could not be opened", () => [
    { value: engine.failures().length },
  ]);
  let last: { readonly atMs: number; readonly totals: Promise<Map<string, LedgerTotals>> } | undefined;
  const ofLedgers = (read: (totals: LedgerTotals) => number) => async () => {
    // Read once for all gauges: it asks after every organization.
    const atMs = steadyMs();
    if (last === undefined || atMs - last.atMs > LEDGERS_READ_MS)
      last = { atMs, totals: ledgerTotals(store) };
    return [...(await last.totals)].map(([mode, totals]) => ({ labels: { mode }, value: read(totals) }));
  };
  metrics.gauge(
    "groundrule_quota_limit",
    "Sum of the quotas of the current periods",
    ofLedgers((t) => t.limit),
  );
  metrics.gauge(
    "groundrule_quota_used",
    "Sum of the charges of the current periods",
    ofLedgers((t) => t.used),
  );
  metrics.gauge(
    "groundrule_ledgers_exhausted",
    "Organizations that have used up their quota for the period",
    ofLedgers((t) => t.exhausted),
  );
  return metrics;
}

/** What the gauges are read from. */
export interface GaugePorts {
  readonly engine: Pick<EngineHost, "failures">;
  readonly store: Pick<Store, "listOrganizations" | "usage">;
  /** Milliseconds of a clock that is never set. */
  readonly steadyMs: () => number;
}

/** What the gates hold now. */
export interface Load {
  running(): number;
  waiting(): number;
  bodyBytes(): number;
}

const LEDGERS_READ_MS = 1_000;

interface LedgerTotals {
  limit: number;
  used: number;
  exhausted: number;
}

async function ledgerTotals(store: GaugePorts["store"]): Promise<Map<string, LedgerTotals>> {
  const organizations = await store.listOrganizations({});
  const byMode = new Map<string, LedgerTotals>();
  for (const mode of ["live", "test"] as const) {
    const totals = { limit: 0, used: 0, exhausted: 0 };
    for (const { id } of organizations) {
      const usage = await store.usage({ scope: { organization: id, mode } });
      if (usage === undefined) continue;
      totals.limit += usage.period.quota;
      totals.used += usage.period.used;
      if (usage.period.used >= usage.period.quota) totals.exhausted++;
    }
    byMode.set(mode, totals);
  }
  return byMode;
}
