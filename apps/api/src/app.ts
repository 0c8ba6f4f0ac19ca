import { DEFAULT_LIMITS, type Limits } from "@groundrule/contract";
import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { EngineHost } from "./engine-host.ts";
import type { ApiEnv } from "./env.ts";
import { authenticate, type KeyRing } from "./gates/authenticate.ts";
import { openApiDocument } from "./openapi.ts";
import { problemResponse } from "./problems.ts";
import { type QuestionContext, questionHandler } from "./question.ts";
import { Refusal } from "./refusal.ts";
import { requestId } from "./request-id.ts";
import { distance } from "./routes/distance.ts";
import { evaluate } from "./routes/evaluate.ts";
import { healthHandler, readyHandler } from "./routes/health.ts";
import { intersections } from "./routes/intersections.ts";
import { sourcesHandler } from "./routes/sources.ts";
import { subjects } from "./routes/subjects.ts";

export interface AppOptions {
  readonly engine: EngineHost;
  readonly keys: KeyRing;
  readonly now: () => Date;
  /** Mints request ids: 1 to 128 characters of `A-Za-z0-9_:.-`. */
  readonly mintId: () => string;
  readonly engineVersion: string;
  readonly limits?: Partial<Limits>;
  /** Whether the service is stopping; `/readyz` then says so. */
  readonly draining?: () => boolean;
  /** Hears of errors that are nobody's fault but ours. */
  readonly report: (error: unknown, requestId: string) => void;
}

/** The HTTP service as a function from requests to responses; {@link startServer} gives it a port. */
export function createApp(options: AppOptions): Hono<ApiEnv> {
  const { engine, keys, now, engineVersion, report } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const context: QuestionContext = { engine, limits, engineVersion, now };
  const withKey = authenticate(keys);

  const app = new Hono<ApiEnv>();
  app.use(requestId(options.mintId), answerHeaders);

  const route = (method: "GET" | "POST", path: string, ...handlers: Handler<ApiEnv>[]) => {
    app.on(method, [path], ...handlers);
    app.all(path, methodNotAllowed(method === "GET" ? "GET, HEAD" : method));
  };

  route("POST", evaluate.path, withKey, questionHandler(evaluate, context));
  route("POST", intersections.path, withKey, questionHandler(intersections, context));
  const distanceQuestion = distance(limits.distanceMeters);
  route("POST", distanceQuestion.path, withKey, questionHandler(distanceQuestion, context));
  route("POST", subjects.path, withKey, questionHandler(subjects, context));
  route("GET", "/v1/sources", withKey, sourcesHandler(engine));
  const document = openApiDocument(limits);
  route("GET", "/openapi.json", (c) => c.json(document));
  route("GET", "/healthz", healthHandler);
  route("GET", "/readyz", readyHandler(engine, options.draining ?? (() => false)));

  app.notFound((c) => {
    const refusal = new Refusal("NOT_FOUND", `Nothing is at ${c.req.path}; see /openapi.json.`);
    return problemResponse(refusal, c.get("requestId"));
  });
  app.onError((error, c) => {
    const id = c.get("requestId");
    if (error instanceof Refusal) return problemResponse(error, id);
    report(error, id);
    return problemResponse(new Refusal("INTERNAL_ERROR", `Something failed here; quote ${id}.`), id);
  });
  return app;
}

/** Nothing here is to be framed, sniffed or cached: answers hold customers' plots. */
const answerHeaders: MiddlewareHandler<ApiEnv> = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
  await withSecureHeaders(c, async () => {});
};

const withSecureHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  xFrameOptions: "DENY",
});

function methodNotAllowed(allow: string): Handler<ApiEnv> {
  return (c) => {
    throw new Refusal("METHOD_NOT_ALLOWED", `${c.req.path} takes ${allow}, not ${c.req.method}.`, {
      headers: { Allow: allow },
    });
  };
}
