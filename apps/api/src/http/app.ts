import { DEFAULT_LIMITS, JSON_TYPE, type Limits, noQuerySchema } from "@groundrule/contract";
import {
  CHECK_RULESET_PATH,
  type EngineHost,
  JOBS_PATH,
  questionsOf,
  Refusal,
  TILES_PATH,
  VALIDATE_PATH,
} from "@groundrule/service";
import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { type Preset, RulesetCatalog } from "../catalog/ruleset-catalog.ts";
import type { Charging } from "../charging/charging.ts";
import type { JobRunner } from "../jobs/job-runner.ts";
import type { KeyScope } from "../keys/key-scopes.ts";
import { DEFAULT_HOLDING_LIMITS, type HoldingLimits } from "../ledger/holdings.ts";
import type { Store, Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";
import { errorsPage } from "./docs/errors-page.ts";
import { guidesIn } from "./docs/guides.ts";
import { referenceOf } from "./docs/reference.ts";
import { answerPreflights, Cors } from "./exchange/cors.ts";
import type { ApiEnv } from "./exchange/env.ts";
import { HttpRefusal } from "./exchange/http-refusal.ts";
import { problemResponse } from "./exchange/problems.ts";
import { KnownPathsRouter } from "./exchange/request/known-paths.ts";
import { requestId } from "./exchange/request/request-id.ts";
import { parseQuery } from "./exchange/request/request-parts.ts";
import { respond } from "./exchange/respond.ts";
import { SharedDocument } from "./exchange/shared-document.ts";
import { authenticate, type KeyRing, requireScope } from "./gates/authenticate.ts";
import { type BurstLimit, DEFAULT_BURST_LIMIT, limitBursts } from "./gates/limit-bursts.ts";
import { RefusalPace } from "./gates/refusal-pace.ts";
import {
  type Admission,
  DEFAULT_ADMISSION,
  READ_ADMISSION,
  shedLoad,
  TILE_ADMISSION,
} from "./gates/shed-load.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { RequestEvent } from "./operations/metrics.ts";
import { observe } from "./operations/observe.ts";
import { serviceMetrics } from "./operations/service-metrics.ts";
import { type ConsoleOptions, consoleHandler, consoleRedirect } from "./routes/console.ts";
import { decisionHandler, decisionsHandler } from "./routes/decisions.ts";
import { healthHandler, readyHandler } from "./routes/health.ts";
import {
  cancelJobHandler,
  createJobHandler,
  type JobsContext,
  jobHandler,
  jobResultsHandler,
  listJobsHandler,
} from "./routes/jobs.ts";
import { meHandler } from "./routes/me.ts";
import { type QuestionContext, questionHandler } from "./routes/question-handler.ts";
import {
  errorsPageHandler,
  guidesHandler,
  referenceFileHandler,
  referencePageHandler,
} from "./routes/reference-page.ts";
import { createRulesetHandler, listRulesetsHandler, rulesetHandler } from "./routes/rulesets.ts";
import { sourcesHandler } from "./routes/sources.ts";
import { tilesHandler } from "./routes/tiles.ts";
import { usageHandler } from "./routes/usage.ts";
import { validateHandler } from "./routes/validate.ts";

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
  /** Returns the digest of each source's current edition, by source name, for the metrics. */
  readonly editions?: () => ReadonlyMap<string, string>;
  /** The runner of the jobs sent here; absent: another process runs them. */
  readonly jobs?: Pick<JobRunner, "drop" | "standing" | "wake">;
  /**
   * Receives the callback to call with the state of each source after an answer; for hosts that answer questions
   * outside this app.
   */
  readonly onSourceCounts?: (count: QuestionContext["onSources"]) => void;
  /** The folder of the guides in Markdown, served under `/docs/guides`; absent: no guides are served. */
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
  const shedding = shedLoad(options.admission ?? DEFAULT_ADMISSION, steadyMs, pace, expectedMs);
  const readShedding = shedLoad(options.readAdmission ?? READ_ADMISSION, steadyMs, pace);
  const tileShedding = shedLoad(options.tileAdmission ?? TILE_ADMISSION, steadyMs, pace);
  const metrics = serviceMetrics(options, {
    running: () => [shedding, readShedding, tileShedding].reduce((sum, { running }) => sum + running(), 0),
    waiting: () => [shedding, readShedding, tileShedding].reduce((sum, { waiting }) => sum + waiting(), 0),
    bodyBytes: () => shedding.bodyBytes(),
  });
  const context: QuestionContext = {
    engine,
    rulesets,
    charging,
    limits,
    engineVersion,
    now,
    onSources: (sources) => metrics.countSources(sources),
  };

  options.onSourceCounts?.(context.onSources);
  const jobs: JobsContext = {
    engine,
    rulesets,
    store,
    limits,
    engineVersion,
    now,
    holdings,
    runner: options.jobs,
  };

  const cors = new Cors(options.corsOrigins ?? []);
  const app = new Hono<ApiEnv>({ router: new KnownPathsRouter() });
  app.use(
    requestId(options.mintId, cors),
    observe(steadyMs, (event) => {
      metrics.countRequest(event);
      options.onRequest?.(event);
    }),
    answerPreflights(cors),
  );

  const routes = new Map<string, string[]>();
  const route = (method: "GET" | "POST", path: string, ...handlers: Handler<ApiEnv>[]): void => {
    app.on(method, [path], named(path), ...handlers);
    routes.set(path, [...(routes.get(path) ?? []), method]);
  };
  const burst = options.burst ?? DEFAULT_BURST_LIMIT;
  const known = [authenticate(options.keys), limitBursts(burst, steadyMs, now, pace)];
  const keyed = [...known, shedding.gate];
  const withScope = (scope: KeyScope): Handler<ApiEnv>[] => [...keyed, requireScope(scope)];
  // Handlers for reads whose duration grows with the stored data.
  const reading = (scope: KeyScope): Handler<ApiEnv>[] => [...known, readShedding.gate, requireScope(scope)];

  for (const question of questionsOf(limits)) {
    route("POST", question.path, ...withScope(question.scope), questionHandler(question, context));
  }
  route("POST", JOBS_PATH, ...withScope("evaluate"), withoutQuery, createJobHandler(jobs));
  route("GET", JOBS_PATH, ...reading("evaluate"), listJobsHandler(jobs));
  route("GET", `${JOBS_PATH}/:id`, ...withScope("evaluate"), withoutQuery, jobHandler(jobs));
  route("GET", `${JOBS_PATH}/:id/results`, ...reading("evaluate"), jobResultsHandler(jobs));
  route("POST", `${JOBS_PATH}/:id/cancel`, ...withScope("evaluate"), withoutQuery, cancelJobHandler(jobs));
  route("POST", VALIDATE_PATH, ...keyed, withoutQuery, validateHandler(context));
  route("GET", "/v1/sources", ...keyed, sourcesHandler(engine, now));
  const tiles = tilesHandler({ engine, engineVersion, now });
  route("GET", TILES_PATH, ...known, tileShedding.gate, withoutQuery, tiles);
  route(
    "POST",
    CHECK_RULESET_PATH,
    ...withScope("catalog:write"),
    createRulesetHandler(context, rulesets, charging.settings, holdings),
  );
  route("GET", "/v1/rulesets", ...reading("catalog:read"), listRulesetsHandler(rulesets));
  route("GET", "/v1/rulesets/:name", ...withScope("catalog:read"), withoutQuery, rulesetHandler(rulesets));
  route(
    "GET",
    "/v1/rulesets/:name/:version",
    ...withScope("catalog:read"),
    withoutQuery,
    rulesetHandler(rulesets),
  );
  route("GET", "/v1/me", ...keyed, withoutQuery, meHandler(store, limits, burst));
  route("GET", "/v1/usage", ...reading("usage:read"), withoutQuery, usageHandler(store));
  route("GET", "/v1/decisions", ...reading("usage:read"), decisionsHandler(store, rulesets));
  route("GET", "/v1/decisions/:id", ...withScope("usage:read"), decisionHandler(store));

  const description = openApiDocument(limits);
  const document = new SharedDocument(JSON.stringify(description), { "Content-Type": JSON_TYPE });
  route("GET", "/openapi.json", withoutQuery, (c) => document.respond(c));
  const reference = referencePageHandler(referenceOf(description));
  route("GET", "/docs", withoutQuery, reference);
  route("GET", "/docs/reference/:group", withoutQuery, reference);
  route("GET", "/docs/errors", withoutQuery, errorsPageHandler(errorsPage));
  const guides = guidesHandler(guidesIn(options.guides));
  route("GET", "/docs/guides", withoutQuery, guides);
  route("GET", "/docs/guides/:page", withoutQuery, guides);
  route("GET", "/docs/:file", withoutQuery, referenceFileHandler());
  if (options.console !== undefined) {
    const page = consoleHandler(options.console);
    route("GET", "/console", withoutQuery, consoleRedirect);
    route("GET", "/console/", withoutQuery, page);
    route("GET", "/console/:file{.+}", withoutQuery, page);
  }
  // Probes come from machines that may add any query, and a query could not change the answer.
  route("GET", "/healthz", healthHandler);
  route(
    "GET",
    "/readyz",
    readyHandler({
      engine,
      store,
      now,
      draining: options.draining ?? (() => false),
      violations: options.violations ?? (() => []),
      tell: (words) => report(new Error(words)),
    }),
  );
  route("GET", "/metrics", withoutQuery, async (c) =>
    respond(c, await metrics.text(), 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }),
  );
  for (const [path, methods] of routes) app.all(path, named(path), methodNotAllowed(methods));

  app.notFound((c) => {
    c.set("code", "NOT_FOUND");
    const refusal = new Refusal(
      "NOT_FOUND",
      `The service has no path ${c.req.path}; /openapi.json lists its paths.`,
    );
    return problemResponse(refusal, c.get("common"));
  });
  app.onError((error, c) => {
    const id = c.get("requestId");
    const refusal = refusalOfError(error, id);
    if (refusal.code === "INTERNAL_ERROR" || error instanceof StoreError) report(error, id);
    c.set("code", refusal.code);
    return problemResponse(refusal, c.get("common"));
  });
  return app;
}

function refusalOfError(error: Error, requestId: string): Refusal {
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
function named(path: string): MiddlewareHandler<ApiEnv> {
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

function methodNotAllowed(methods: readonly string[]): Handler<ApiEnv> {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return (c) => {
    throw new HttpRefusal(
      "METHOD_NOT_ALLOWED",
      `Found the method ${c.req.method}, expected ${allow} for ${c.req.path}.`,
      {
        headers: { Allow: allow },
      },
    );
  };
}
