import { isOverdue, type SourceEntry } from "@groundrule/engine";
import type { LiveStatistics } from "@groundrule/node";
import type { EngineHost } from "@groundrule/service";
import type { JobRunner } from "../../jobs/job-runner.ts";
import type { LedgerTotals, Store, Violation } from "../../store/port/port.ts";
import { Metrics, type Sample } from "./metrics.ts";

/** The metrics of the service, with gauges of its load, its sources and its ledgers. */
export function createServiceMetrics(ports: GaugePorts, load: Load): Metrics {
  const { engine, store, jobs, now, steadyMs, engineVersion } = ports;
  const metrics = new Metrics();
  metrics.gauge(
    "groundrule_build_info",
    "Always 1; the labels name the running release",
    () => [
      {
        labels: {
          version: engineVersion,
          node: process.version,
          semantics: String(engine.semantics()),
          store: store.kind,
        },
        value: 1,
      },
    ],
    "version",
    "node",
    "semantics",
    "store",
  );
  metrics.gauge("groundrule_ready", "Whether charges can be stored (1) or not (0)", async () => [
    { value: ports.draining?.() === true || (await store.trouble()) !== undefined ? 0 : 1 },
  ]);
  metrics.gauge(
    "groundrule_ledgers_frozen",
    "Ledgers that are frozen and charge nothing, because an invariant is broken",
    () => [
      {
        value: new Set(ports.violations?.().map(({ organization, mode }) => `${mode} ${organization}`)).size,
      },
    ],
  );
  metrics.gauge(
    "groundrule_source_edition",
    "Always 1; the labels name the current edition of each source",
    () =>
      [...(ports.editions?.() ?? [])].map(([source, edition]) => ({ labels: { source, edition }, value: 1 })),
    "source",
    "edition",
  );
  metrics.gauge("groundrule_requests_running", "Requests in progress", () => [{ value: load.running() }]);
  metrics.gauge("groundrule_requests_waiting", "Requests waiting to be processed", () => [
    { value: load.waiting() },
  ]);
  metrics.gauge("groundrule_bodies_bytes", "Bytes of request bodies in memory", () => [
    { value: load.bodyBytes() },
  ]);
  metrics.gauge("groundrule_sources_failed", "Sources that cannot be queried", () => [
    { value: engine.failures().length },
  ]);
  metrics.gauge(
    "groundrule_data_folder_readable",
    "Whether the data folder can be read (1) or not (0); the open editions go on answering",
    () => [{ value: ports.dataTrouble?.() === undefined ? 1 : 0 }],
  );
  metrics.gauge(
    "groundrule_source_overdue",
    "Whether a source is older than its manifest's refresh_interval_days (1) or not (0)",
    () => buildOverdueSamples(engine.sources(), now().toISOString()),
    "source",
  );
  const ofLive = (read: (source: LiveStatistics) => number) => () =>
    engine.statistics().map((source) => ({ labels: { source: source.source_name }, value: read(source) }));
  metrics.counter(
    "groundrule_live_calls_total",
    "Queries to a live source",
    ofLive(({ calls }) => calls),
    "source",
  );
  metrics.counter(
    "groundrule_live_failures_total",
    "Queries that a live source did not answer",
    ofLive(({ failures }) => failures),
    "source",
  );
  metrics.counter(
    "groundrule_live_seconds_total",
    "Seconds that a live source needed to answer a query",
    ofLive(({ seconds }) => seconds),
    "source",
  );
  metrics.gauge(
    "groundrule_live_breaker_open",
    "State of a live source: paused after failures (1), being tried again (0.5) or in use (0)",
    ofLive(({ breaker }) => (breaker === "open" ? 1 : breaker === "half-open" ? 0.5 : 0)),
    "source",
  );
  if (jobs !== undefined) {
    metrics.gauge("groundrule_jobs_running", "Jobs that this process runs", () => [
      { value: jobs.figures().running },
    ]);
    metrics.counter(
      "groundrule_job_events_total",
      "Steps of jobs in this process, by kind",
      () => [...jobs.figures().events].map(([event, value]) => ({ labels: { event }, value })),
      "event",
    );
  }
  const totals = cacheForOneSecond(steadyMs, () => store.ledgerTotals({}));
  const ofLedgers = (read: (totals: LedgerTotals) => number) => async () =>
    (await totals()).map((each) => ({ labels: { mode: each.mode }, value: read(each) }));
  metrics.gauge(
    "groundrule_quota_limit",
    "Sum of the quotas of the current periods",
    ofLedgers(({ quota }) => quota),
    "mode",
  );
  metrics.gauge(
    "groundrule_quota_used",
    "Sum of the charges of the current periods",
    ofLedgers(({ used }) => used),
    "mode",
  );
  metrics.gauge(
    "groundrule_ledgers_exhausted",
    "Organizations that have used up their quota for the period",
    ofLedgers(({ exhausted }) => exhausted),
    "mode",
  );
  return metrics;
}

/** The parts of the service that the gauges read. */
export interface GaugePorts {
  readonly engine: Pick<EngineHost, "failures" | "semantics" | "sources" | "statistics">;
  readonly engineVersion: string;
  readonly store: Pick<Store, "kind" | "ledgerTotals" | "trouble">;
  /** The runner of jobs, if this process has one. */
  readonly jobs?: Pick<JobRunner, "figures"> | undefined;
  readonly now: () => Date;
  /** Milliseconds of a clock that is never set. */
  readonly steadyMs: () => number;
  /** True once the service is stopping. */
  readonly draining?: () => boolean;
  /** Invariants of charging that were found broken; their scopes are frozen. */
  readonly violations?: () => readonly Violation[];
  /** Why the data folder cannot be read now; undefined if it can. */
  readonly dataTrouble?: () => string | undefined;
  /** The digest of the current edition of each source, by source name. */
  readonly editions?: () => ReadonlyMap<string, string>;
}

/** Requests that the gates count now. */
export interface Load {
  running(): number;
  waiting(): number;
  bodyBytes(): number;
}

const LEDGERS_READ_MS = 1_000;

/** Samples for the sources that declare an interval; the others are never overdue. */
function buildOverdueSamples(entries: readonly SourceEntry[], now: string): Sample[] {
  return entries.flatMap((entry) => {
    const overdue = isOverdue(entry, now);
    return overdue === undefined ? [] : { labels: { source: entry.source_name }, value: Number(overdue) };
  });
}

/** Read once for all gauges, and at most once a second however often they are asked: no key is needed to ask. */
function cacheForOneSecond<Value>(steadyMs: () => number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly atMs: number; readonly value: Promise<Value> } | undefined;
  return () => {
    const atMs = steadyMs();
    if (last === undefined || atMs - last.atMs > LEDGERS_READ_MS) last = { atMs, value: read() };
    return last.value;
  };
}
