import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as setTimeoutOf } from "node:timers/promises";
import { DEFAULT_LIMITS } from "@groundrule/contract";
import { catchUp } from "../charging/catch-up.ts";
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
import { mintId } from "./exchange/request/mint-id.ts";
import { mintRequestId } from "./exchange/request/request-id.ts";
import { StoreKeyRing } from "./gates/store-key-ring.ts";
import { watchProcess } from "./monitoring/metrics.ts";
import { hardenedServer } from "./server/hardened-server.ts";
import { ConnectionTurns } from "./server/turns.ts";

export interface ServeOptions
  extends Pick<
    AppOptions,
    | "admission"
    | "burst"
    | "console"
    | "corsOrigins"
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
  /** Looks at the store a second for keys that turn out to be unknown. Default 100. */
  readonly unknownKeys?: number;
  readonly charging?: Partial<ChargingSettings>;
  /** Opens editions that are not current any more, for jobs that began on them. Absent: those jobs wait. */
  readonly openArchive?: OpenArchive;
  /** How jobs are run. */
  readonly jobs?: Partial<JobSettings>;
  /** Hears what becomes of jobs. */
  readonly onJob?: (event: JobEvent) => void;
  /** Default 127.0.0.1: a development server is not for the network unless asked. */
  readonly host?: string;
  /** Default 8080; 0 takes any free one. */
  readonly port?: number;
  /** Hears lines meant for the person who started the server. Default: standard output. */
  readonly print?: (line: string) => void;
  /** Hears of our own errors. Default: standard error. */
  readonly report?: (error: unknown, requestId?: string) => void;
  /** Stop gracefully on SIGTERM and SIGINT. Default true. */
  readonly stopOnSignals?: boolean;
  /** Milliseconds that `/readyz` says `stopping` on SIGTERM before connections are refused. Default 3,000. */
  readonly drainDelayMs?: number;
  /** Milliseconds that running requests may take to end when stopping. Default 7,000. */
  readonly stopTimeoutMs?: number;
  /** What answers may take that their readers do not. */
  readonly outbox?: OutboxLimits;
}

export interface RunningServer {
  readonly url: string;
  /** Refuses new connections, lets running requests finish, then resolves. */
  stop(): Promise<void>;
  /** Resolves when the server has stopped, however it came to. */
  readonly stopped: Promise<void>;
}

/**
 * Serves the API until it is stopped. What was counted in memory is written then; the store stays
 * open, for whoever opened it to close.
 *
 * Slow or abusive peers are cut off: 5 s for the headers of a request, 15 s for all of it, 30 s
 * without a byte while it is answered, 10 s without taking more of its answer, 64 header lines, 16 KiB of
 * headers, 16 requests that wait for the answer to another on their connection.
 *
 * Fails: as `listen` does, where the port cannot be had.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { host = "127.0.0.1", port = 8080, print = console.log, drainDelayMs = 3_000 } = options;
  const { outbox = DEFAULT_OUTBOX } = options;
  const { store, report = reportToStandardError } = options;
  const steadyMs = () => performance.now();
  let draining = false;

  const keys = new StoreKeyRing(store, options.peppers, steadyMs, options.unknownKeys);
  const charging = createCharging({ store, mintDecisionId: () => mintId("dec_"), sleep }, options.charging);
  const upkeep = new AbortController();
  let broken: { readonly violations: readonly Violation[]; readonly foundMs: number } | undefined;
  const sleepUntilEnd = (milliseconds: number) => sleep(milliseconds, upkeep.signal);
  const upkept = { store, sleep: sleepUntilEnd, fail: report, signal: upkeep.signal };
  const catchingUp = catchUp(upkept).catch(report);
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
  watchProcess();
  let countSources: JobRunnerPorts["onSources"] = () => {};
  const jobs = startJobRunner(
    {
      store,
      charging,
      engine: options.engine,
      openArchive: options.openArchive,
      engineVersion: options.engineVersion,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      owner: mintId("run_"),
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
    // Each is found again every minute as long as it lasts.
    violations: () =>
      broken !== undefined && steadyMs() - broken.foundMs < BROKEN_SHOWN_MS ? broken.violations : [],
    report,
  });
  const turns = new ConnectionTurns();
  const server = hardenedServer(app.fetch, {
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
  // Such as no file being left for another connection: whoever is connected is answered still.
  server.on("error", report);
  const closed = new Promise<void>((resolve) => {
    server.once("close", resolve);
  });
  const stopped = closed.then(async () => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, onSignal);
    upkeep.abort();
    await jobs.stop();
    await Promise.all([watching, catchingUp, charging.flush().catch(report), noteStop(store).catch(report)]);
  });

  /**
   * From here on every answer that can say so ends its connection. One whose head has left without
   * saying so keeps it: its peer may be sending the next request already, which then says so.
   */
  const drain = (): void => {
    if (draining) return;
    draining = true;
    // Others take the jobs at once.
    void jobs.stop();
    for (const outgoing of turns.running) if (!outgoing.headersSent) closeAfter(outgoing);
  };
  const stop = async (): Promise<void> => {
    drain();
    // What is still on its way now ends its connection too: kept alive, it would outlive what it waits for.
    for (const outgoing of turns.running) closeAfter(outgoing);
    server.close();
    const deadline = setTimeout(() => server.closeAllConnections(), options.stopTimeoutMs ?? 7_000);
    await stopped;
    clearTimeout(deadline);
  };
  function onSignal(signal: NodeJS.Signals): void {
    if (draining) return;
    drain();
    // A load balancer must see /readyz turn before its connections are refused; a person at ^C need not wait.
    const delay = setTimeout(stop, signal === "SIGTERM" ? drainDelayMs : 0);
    void stopped.then(() => clearTimeout(delay));
  }
  if (options.stopOnSignals ?? true) for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, onSignal);

  const url = urlOf(server.address() as AddressInfo);
  print(`groundrule listens on ${url}`);
  return { url, stop, stopped };
}

/** A store that takes no writes says so elsewhere. */
async function noteStop(store: ServeOptions["store"]): Promise<void> {
  try {
    await store.noteServed({ ballast: 0 });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

const BROKEN_SHOWN_MS = 90_000;

/** Nothing that waits keeps a process alive which has nothing else to do. */
function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return setTimeoutOf(milliseconds, undefined, { ref: false, signal }).catch(() => {});
}

/** Ends the connection with this answer, and tells the peer where that can still be told. */
function closeAfter(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.once("finish", () => outgoing.req.socket.destroySoon());
  else outgoing.shouldKeepAlive = false;
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

function reportToStandardError(error: unknown, requestId?: string): void {
  console.error(requestId ?? "groundrule:", error);
}
