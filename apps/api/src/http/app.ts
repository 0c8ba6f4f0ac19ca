import { DEFAULT_LIMITS, JSON_TYPE, type Limits, noQuerySchema } from "@groundrule/contract";
import { type EngineHost, Refusal } from "@groundrule/service";
import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import { type Preset, RulesetCatalog } from "../catalog/ruleset-catalog.ts";
import type { Charging } from "../charging/charging.ts";
import type { JobRunner } from "../jobs/job-runner.ts";
import { hideApiKeys } from "../keys/api-key.ts";
import { DEFAULT_HOLDING_LIMITS, type HoldingLimits } from "../ledger/holdings.ts";
import type { Store, Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { renderErrorsPage } from "./docs/errors-page.ts";
import { createGuideRenderer } from "./docs/guides.ts";
import { renderMissingPage } from "./docs/missing-page.ts";
import { createReferenceRenderer } from "./docs/reference.ts";
import { Cors, createPreflightMiddleware } from "./exchange/cors.ts";
import type { ApiEnv } from "./exchange/env.ts";
import { HttpRefusal } from "./exchange/http-refusal.ts";
import { createProblemResponse } from "./exchange/problems.ts";
import { KnownPathsRouter } from "./exchange/request/known-paths.ts";
import { negotiateMediaType } from "./exchange/request/media-type.ts";
import { createRequestIdMiddleware } from "./exchange/request/request-id.ts";
import { parseQuery } from "./exchange/request/request-parts.ts";
import { suggestNearestPath } from "./exchange/request/suggest-path.ts";
import { buildAnswer } from "./exchange/respond.ts";
import { authenticate, type KeyRing, requireScope } from "./gates/authenticate.ts";
import { type BurstLimit, createBurstLimiter, DEFAULT_BURST_LIMIT } from "./gates/limit-bursts.ts";
import { RefusalPace } from "./gates/refusal-pace.ts";
import {
  type Admission,
  createLoadShedding,
  DEFAULT_ADMISSION,
  READ_ADMISSION,
  TILE_ADMISSION,
} from "./gates/shed-load.ts";
import type { RequestEvent } from "./monitoring/metrics.ts";
import { createRequestObserver } from "./monitoring/observe.ts";
import { createServiceMetrics } from "./monitoring/service-metrics.ts";
import { openApiDocument } from "./openapi/document.ts";
import { type ConsoleOptions, consoleRedirect, createConsoleHandler, isBuilt } from "./operations/console.ts";
import { DOCS_HOME, PAGE_HEADERS } from "./operations/documentation.ts";
import { OPERATIONS } from "./operations/operations.ts";
import type { Operation } from "./operations/record/operation.ts";
import type { DataTrouble, ServiceParts } from "./operations/record/service-parts.ts";

export interface AppOptions {
  readonly engine: EngineHost;
  readonly store: Store;
  readonly charging: Charging;
  readonly keys: KeyRing;
  readonly now: () => Date;
  /** Steady clock, milliseconds; it is never set. */
  readonly steadyMs: () => number;
  /** Mints request ids: 1 to 128 characters of `A-Za-z0-9_:.-`. */
  readonly mintId: () => string;
  readonly engineVersion: string;
  readonly limits?: Partial<Limits>;
  readonly burst?: BurstLimit;
  /** Maximum unpaid data that an organization may store in each mode. */
  readonly holdings?: Partial<HoldingLimits>;
  /** Origins whose pages may call the service from browsers, e.g. `https://app.example.com`. Default: none. */
  readonly corsOrigins?: readonly string[];
  readonly admission?: Admission;
  /** Limits for tiles, which have places of their own. */
  readonly tileAdmission?: Admission;
  /** Limits for reads whose duration grows with the stored data, such as lists; they have places of their own too. */
  readonly readAdmission?: Admission;
  /** Rulesets that come with the service. */
  readonly presets?: readonly Preset[];
  /** Returns true while the service is stopping; `/readyz` then reports it. */
  readonly draining?: () => boolean;
  readonly violations?: () => readonly Violation[];
  /** Returns why the data folder cannot be read now, for `/readyz` and the metrics; absent: it always can. */
  readonly dataTrouble?: () => DataTrouble | undefined;
  /** Returns the digest of each source's current edition, by source name, for the metrics. */
  readonly editions?: () => ReadonlyMap<string, string>;
  /** The runner of the jobs sent here; absent: another process runs them. */
  readonly jobs?: Pick<JobRunner, "drop" | "figures" | "wake">;
  /** Handed to who answers questions besides this app: hears how the sources of an answer fared. */
  readonly onSourceCounts?: (count: ServiceParts["onSources"]) => void;
  /** The folder of the guides in Markdown, served under `/docs/guides`; absent: none are served. */
  readonly guides?: string;
  /** The web page under `/console/`; absent: it is not served. */
  readonly console?: ConsoleOptions;
  /** Called with errors that are bugs of the service. */
  readonly report: (error: unknown, requestId?: string) => void;
  /** Called with every request. */
  readonly onRequest?: (event: RequestEvent) => void;
}

/** The HTTP service as a function from requests to responses; {@link startServer} binds it to a port. */
export function createApp(options: AppOptions): Hono<ApiEnv> {
  const { engine, store, charging, now, steadyMs, engineVersion, report } = options;
  const limits = options.limits === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...options.limits };
  const holdings = { ...DEFAULT_HOLDING_LIMITS, ...options.holdings };
  const rulesets = new RulesetCatalog(store, options.presets);
  const pace = new RefusalPace(steadyMs);
  const expectedMs = (organization: string): number => engine.expectedMs?.(organization) ?? 0;
  const shedding = createLoadShedding(options.admission ?? DEFAULT_ADMISSION, steadyMs, pace, expectedMs);
  const readShedding = createLoadShedding(options.readAdmission ?? READ_ADMISSION, steadyMs, pace);
  const tileShedding = createLoadShedding(options.tileAdmission ?? TILE_ADMISSION, steadyMs, pace);
  const metrics = createServiceMetrics(options, {
    running: () => [shedding, readShedding, tileShedding].reduce((sum, { running }) => sum + running(), 0),
    waiting: () => [shedding, readShedding, tileShedding].reduce((sum, { waiting }) => sum + waiting(), 0),
    bodyBytes: () => shedding.bodyBytes(),
  });
  const burst = options.burst ?? DEFAULT_BURST_LIMIT;
  const description = openApiDocument(limits);
  const service: ServiceParts = {
    engine,
    rulesets,
    store,
    charging,
    limits,
    holdings,
    burst,
    engineVersion,
    now,
    runner: options.jobs,
    onSources: (sources) => metrics.countSources(sources),
    draining: options.draining ?? (() => false),
    dataTrouble: options.dataTrouble ?? (() => undefined),
    violations: options.violations ?? (() => []),
    tell: (words) => report(new Error(words)),
    metrics: () => metrics.text(),
    documentation: {
      openapi: JSON.stringify(description),
      reference: createReferenceRenderer(description),
      guides: createGuideRenderer(options.guides),
      errors: renderErrorsPage,
    },
  };
  options.onSourceCounts?.(service.onSources);

  const cors = new Cors(options.corsOrigins ?? []);
  const app = new Hono<ApiEnv>({ router: new KnownPathsRouter() });
  app.use(
    createRequestIdMiddleware(options.mintId, cors),
    createRequestObserver(steadyMs, (event) => {
      metrics.countRequest(event);
      options.onRequest?.(event);
    }),
    createPreflightMiddleware(cors),
  );

  const routes = new Map<string, string[]>();
  const route = (method: "GET" | "POST", path: string, ...handlers: Handler<ApiEnv>[]): void => {
    app.on(method, [path], createRouteRecorder(path), ...handlers);
    routes.set(path, [...(routes.get(path) ?? []), method]);
  };
  const known = [authenticate(options.keys), createBurstLimiter(burst, steadyMs, now, pace)];
  const rooms = { work: shedding.gate, reads: readShedding.gate, tiles: tileShedding.gate };
  const gatesOf = ({ key, room, query }: Operation): Handler<ApiEnv>[] => [
    ...(key === "none" ? [] : [...known, rooms[room]]),
    ...(key === "none" || key === "any" ? [] : [requireScope(key)]),
    ...(query === "none" ? [withoutQuery] : []),
  ];

  for (const operation of OPERATIONS) {
    route(operation.method, operation.path, ...gatesOf(operation), operation.handler(service));
  }
  if (options.console !== undefined) {
    const page = createConsoleHandler(options.console);
    route("GET", "/console", withoutQuery, consoleRedirect);
    route("GET", "/console/", withoutQuery, page);
    route("GET", "/console/:file{.+}", withoutQuery, page);
  }
  for (const [path, methods] of routes)
    app.all(path, createRouteRecorder(path), methodNotAllowedHandler(methods));

  const home = options.console !== undefined && isBuilt(options.console) ? "/console/" : DOCS_HOME;
  const paths = [...routes.keys()].filter((path) => !path.includes("{"));
  app.notFound((c) => {
    const { path } = c.req;
    if (path === "/" && isBrowser(c)) {
      return buildAnswer(c.get("common"), null, 308, { Location: home, Vary: "Accept" });
    }
    const meant = suggestNearestPath(path, paths);
    const next = meant === undefined ? "/openapi.json lists its paths." : `did you mean ${meant}?`;
    return respondRefusal(c, new Refusal("NOT_FOUND", `The service has no path ${path}; ${next}`));
  });
  app.onError((error, c) => {
    const id = c.get("requestId");
    const refusal = toRefusal(error, id);
    if (refusal.code === "INTERNAL_ERROR" || error instanceof StoreError) report(error, id);
    return respondRefusal(c, refusal);
  });
  return app;
}

/** Answers a refused request: with a problem, or with a page where a browser looks for one of the documentation. */
function respondRefusal(c: Context<ApiEnv>, refusal: Refusal): Response {
  c.set("code", refusal.code);
  const common = c.get("common");
  if (refusal.code !== "NOT_FOUND" || !/^\/(?:docs\/.*)?$/.test(c.req.path))
    return createProblemResponse(refusal, common);
  if (c.req.path !== "/" && isBrowser(c)) {
    const page = renderMissingPage(hideApiKeys(refusal.message));
    return buildAnswer(common, page, 404, { ...PAGE_HEADERS, Vary: "Accept" });
  }
  return createProblemResponse(
    new HttpRefusal(refusal.code, refusal.message, { headers: { Vary: "Accept" } }),
    common,
  );
}

/** True for a request that reads, by a client that prefers a page to JSON. */
function isBrowser(c: Context<ApiEnv>): boolean {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return false;
  return negotiateMediaType(c.req.header("Accept"), [JSON_TYPE, "text/html"]) === "text/html";
}

function toRefusal(error: Error, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreError && error.code === "STORAGE_UNAVAILABLE") {
    return new Refusal("STORAGE_UNAVAILABLE", "The service cannot reach its storage at the moment; retry.");
  }
  if (error instanceof StoreError && error.code === "OUTCOME_UNKNOWN") {
    return new Refusal(
      "OUTCOME_UNKNOWN",
      "It is not known whether the change was stored; retry with the same idempotency key, or check the stored state before you retry.",
    );
  }
  if (error instanceof StoreError && error.code === "VALUE_INVALID") {
    return new Refusal("VALIDATION_FAILED", `The request cannot be stored: ${error.message}.`);
  }
  return new Refusal("INTERNAL_ERROR", `The service failed; report the request id ${requestId}.`);
}

/** Records the route's template, for logs and metrics. */
function createRouteRecorder(path: string): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set("route", path);
    await next();
  };
}

/** Refuses any query: it would otherwise be ignored silently. */
const withoutQuery: Handler<ApiEnv> = async (c, next) => {
  parseQuery(noQuerySchema, c);
  await next();
};

/** A sentence about what lets a page of another origin call, for a preflight that was refused. */
function describeCorsHint(c: Context<ApiEnv>): string {
  const isPreflight = c.get("note") !== undefined;
  return isPreflight
    ? " Pages of another origin may call if the setting cors_origins names that origin."
    : "";
}

function methodNotAllowedHandler(methods: readonly string[]): Handler<ApiEnv> {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return (c) => {
    throw new HttpRefusal(
      "METHOD_NOT_ALLOWED",
      `Found the method ${c.req.method}, expected ${allow} for ${c.req.path}.${describeCorsHint(c)}`,
      {
        headers: { Allow: allow },
      },
    );
  };
}
