import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as setTimeoutOf } from "node:timers/promises";
import { DEFAULT_LIMITS } from "@groundrule/contract";
import { completeEarlierReleaseWork } from "../charging/catch-up.ts";
import { type ChargingSettings, createCharging } from "../charging/charging.ts";
import { watchLedgers } from "../charging/reconcile.ts";
import type { OpenArchive } from "../jobs/job-engine.ts";
import { type JobEvent, type JobRunnerPorts, type JobSettings, startJobRunner } from "../jobs/job-runner.ts";
import type { Pepper } from "../keys/api-key-digest.ts";
import type { Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { type AppOptions, createApp } from "./app.ts";
import { Cors } from "./exchange/cors.ts";
import { DEFAULT_OUTBOX, Outbox, type OutboxLimits } from "./exchange/outbox.ts";
import { mintAscendingId } from "./exchange/request/mint-id.ts";
import { mintRequestId } from "./exchange/request/request-id.ts";
import { StoreKeyRing } from "./gates/store-key-ring.ts";
import { getProcessRegistry } from "./monitoring/metrics.ts";
import { createHardenedServer } from "./server/hardened-server.ts";
import { ConnectionTurns } from "./server/turns.ts";

export interface ServeOptions
  extends Pick<
    AppOptions,
    | "admission"
    | "burst"
    | "console"
    | "corsOrigins"
    | "dataTrouble"
    | "editions"
    | "engine"
    | "engineVersion"
    | "guides"
    | "holdings"
    | "limits"
    | "onRequest"
    | "presets"
    | "store"
  > {
  /** The secrets that API keys are stored under, the current one first. */
  readonly peppers: readonly Pepper[];
  /** Maximum look-ups per second of keys that turn out to be unknown. Default 100. */
  readonly unknownKeys?: number;
  readonly charging?: Partial<ChargingSettings>;
  /** Opens editions that are no longer current, for jobs that began on them. Absent: those jobs wait. */
  readonly openArchive?: OpenArchive;
  /** Settings of the job runner. */
  readonly jobs?: Partial<JobSettings>;
  /** Called with each event in the life of a job. */
  readonly onJob?: (event: JobEvent) => void;
  /** Default 127.0.0.1: a development server is not exposed to the network by default. */
  readonly host?: string;
  /** Default 8080; 0 takes any free one. */
  readonly port?: number;
  /** Called with lines for the person who started the server. Default: prints to standard output. */
  readonly print?: (line: string) => void;
  /** Called with bugs of the service. Default: prints to standard error. */
  readonly report?: (error: unknown, requestId?: string) => void;
  /** Called once when the server begins to stop, with the signal if one asked for it. */
  readonly onStop?: (signal?: NodeJS.Signals) => void;
  /** True to stop gracefully on SIGTERM and SIGINT. Default true. */
  readonly stopOnSignals?: boolean;
  /** How long `/readyz` reports `stopping` on SIGTERM before connections are refused, milliseconds. Default 3,000. */
  readonly drainDelayMs?: number;
  /** Milliseconds that running requests may take to end when stopping. Default 7,000. */
  readonly stopTimeoutMs?: number;
  /** Limits for answers that their readers do not take. */
  readonly outbox?: OutboxLimits;
}

export interface RunningServer {
  readonly url: string;
  /** Refuses new connections, lets running requests finish, then resolves. */
  stop(): Promise<void>;
  /** Resolves when the server has stopped, for whatever reason. */
  readonly stopped: Promise<void>;
}

/**
 * Serves the API until it is stopped. Counts kept in memory are written then; the store stays open, and its opener must
 * close it.
 *
 * Slow or abusive peers are cut off: 5 s for the headers of a request, 15 s for all of it, 30 s without a byte while it
 * is answered, 10 s without taking more of its answer, 64 header lines, 16 KiB of headers, 16 requests that wait for
 * the answer to another on their connection.
 *
 * Fails: as `listen` does, if the port is not available.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 8080, print = console.log, drainDelayMs = 3_000 } = options;
  const { outbox = DEFAULT_OUTBOX } = options;
  const { store, report = reportToStandardError } = options;
  const steadyMs = () => performance.now();
  let draining = false;

  const keys = new StoreKeyRing(store, options.peppers, steadyMs, options.unknownKeys);
  const charging = createCharging(
    { store, mintDecisionId: () => mintAscendingId("dec_"), sleep },
    options.charging,
  );
  const upkeep = new AbortController();
  let broken: { readonly violations: readonly Violation[]; readonly foundMs: number } | undefined;
  const sleepUntilEnd = (milliseconds: number) => sleep(milliseconds, upkeep.signal);
  const upkept = { store, sleep: sleepUntilEnd, fail: report, signal: upkeep.signal };
  const catchingUp = completeEarlierReleaseWork(upkept).catch(report);
  const watching = watchLedgers({
    ...upkept,
    report: (violations) => {
      broken = { violations, foundMs: steadyMs() };
      for (const { organization, mode, invariant, message } of violations) {
        report(
          new Error(
            `charging is frozen for ${organization} in ${mode} mode, because invariant ${invariant} is broken: ${message}`,
          ),
        );
      }
    },
  }).catch(report);
  getProcessRegistry();
  let countSources: JobRunnerPorts["onSources"] = () => {};
  const jobs = startJobRunner(
    {
      store,
      charging,
      engine: options.engine,
      openArchive: options.openArchive,
      engineVersion: options.engineVersion,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      owner: mintAscendingId("run_"),
      sleep,
      onSources: (sources) => countSources(sources),
      onEvent: options.onJob ?? (() => {}),
      report,
    },
    options.jobs,
  );
  const app = createApp({
    ...options,
    jobs,
    onSourceCounts: (count) => {
      countSources = count;
    },
    charging,
    keys,
    now: () => new Date(),
    steadyMs,
    mintId: mintRequestId,
    draining: () => draining,
    // Each violation is found again every minute as long as it lasts.
    violations: () =>
      broken !== undefined && steadyMs() - broken.foundMs < BROKEN_SHOWN_MS ? broken.violations : [],
    report,
  });
  const turns = new ConnectionTurns();
  const server = createHardenedServer(app.fetch, {
    outbox: new Outbox(outbox, steadyMs),
    cors: new Cors(options.corsOrigins ?? []),
    turns,
    onTurn: (outgoing) => {
      if (draining) outgoing.shouldKeepAlive = false;
    },
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    upkeep.abort();
    await Promise.all([watching, catchingUp, jobs.stop()]);
    throw error;
  }
  // For example EMFILE: existing connections are still served.
  server.on("error", report);
  const closed = new Promise<void>((resolve) => {
    server.once("close", resolve);
  });
  const stopped = closed.then(async () => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, onSignal);
    upkeep.abort();
    await jobs.stop();
    await Promise.all([
      watching,
      catchingUp,
      charging.flush().catch(report),
      recordStop(store).catch(report),
    ]);
  });

  /**
   * From here on every answer that still can closes its connection. An answer whose head has already left does not: its
   * peer may be sending the next request already, whose answer then does.
   */
  const drain = (signal?: NodeJS.Signals): void => {
    if (draining) return;
    draining = true;
    options.onStop?.(signal);
    // Other processes take the jobs at once.
    void jobs.stop();
    for (const outgoing of turns.running) if (!outgoing.headersSent) closeConnectionAfterAnswer(outgoing);
  };
  const stop = async (): Promise<void> => {
    drain();
    // Answers still on their way now close their connections too: kept alive, these would delay the stop.
    for (const outgoing of turns.running) closeConnectionAfterAnswer(outgoing);
    server.close();
    const deadline = setTimeout(() => server.closeAllConnections(), options.stopTimeoutMs ?? 7_000);
    await stopped;
    clearTimeout(deadline);
  };
  function onSignal(signal: NodeJS.Signals): void {
    if (draining) return;
    drain(signal);
    // A load balancer must see /readyz change before its connections are refused; a person at ^C need not wait.
    const delay = setTimeout(stop, signal === "SIGTERM" ? drainDelayMs : 0);
    void stopped.then(() => clearTimeout(delay));
  }
  if (options.stopOnSignals ?? true) for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, onSignal);

  const url = formatServerUrl(server.address() as AddressInfo);
  print(`groundrule listens on ${url}`);
  return { url, stop, stopped };
}

/** A store that takes no writes reports that elsewhere. */
async function recordStop(store: ServeOptions["store"]): Promise<void> {
  try {
    await store.noteServed({ ballast: 0 });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

const BROKEN_SHOWN_MS = 90_000;

/** A pending wait does not keep an otherwise idle process alive. */
function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return setTimeoutOf(milliseconds, undefined, { ref: false, signal }).catch(() => {});
}

/** Closes the connection after this answer, and announces it in a header if that has not been sent yet. */
function closeConnectionAfterAnswer(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.once("finish", () => outgoing.req.socket.destroySoon());
  else outgoing.shouldKeepAlive = false;
}

function formatServerUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function reportToStandardError(error: unknown, requestId?: string): void {
  console.error(requestId ?? "groundrule:", error);
}
