import type { MiddlewareHandler } from "hono";
import type { ApiEnv, CommonHeaders } from "./env.ts";
import { buildAnswer } from "./respond.ts";

/**
 * The origins whose pages may call the service from browsers (Fetch standard, CORS protocol). The service uses no
 * cookies, so credentials are never allowed: a key travels in `Authorization`, where the page has put it.
 *
 * Headers sent to an origin come from the configuration, never from the request. If no origin is allowed, none are
 * sent.
 */
export class Cors {
  readonly #byOrigin: ReadonlyMap<string, CrossOriginHeaders>;
  readonly #toOthers: CrossOriginHeaders;

  /** Fails: an `Error` if one is not an origin as browsers send it; see {@link originFault}. */
  constructor(origins: readonly string[]) {
    for (const origin of origins) {
      const fault = originFault(origin);
      if (fault !== undefined) throw new Error(`found the origin "${origin}", expected ${fault}`);
    }
    this.#byOrigin = new Map(origins.map((origin) => [origin, createCorsHeaders(origin)]));
    // A cache must not serve an answer without these headers to a page that needs them.
    this.#toOthers = origins.length === 0 ? {} : { Vary: "Origin" };
  }

  /** True if pages of an origin may read answers. */
  allows(origin: string | undefined): boolean {
    return origin !== undefined && this.#byOrigin.has(origin);
  }

  /** @param origin the request's `Origin` */
  headersFor(origin: string | undefined): CrossOriginHeaders {
    return (origin !== undefined && this.#byOrigin.get(origin)) || this.#toOthers;
  }
}

type CrossOriginHeaders = Omit<CommonHeaders, "X-Request-Id">;

function createCorsHeaders(origin: string): CrossOriginHeaders {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(", "),
    Vary: "Origin",
  };
}

/** Describes the expected form of an origin as browsers write it (RFC 6454 §6.2); undefined if the text has it. */
export function originFault(text: string): string | undefined {
  if (text.includes("*")) return `exact origins without *, such as ${EXAMPLE}`;
  const written = URL.canParse(text) ? new URL(text) : undefined;
  if (written === undefined || !/^https?:$/.test(written.protocol)) return `an origin such as ${EXAMPLE}`;
  return text === written.origin ? undefined : `it as browsers send it: ${written.origin}`;
}

const EXAMPLE = "https://app.example.com";

/**
 * Answers the preflight request that a browser sends before a call from an allowed page: before any gate, for any path,
 * with the same few bytes. Any other `OPTIONS` request is passed on; the log says of one from another page what allows it.
 */
export function createPreflightMiddleware(cors: Cors): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const isPreflight =
      c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
    if (isPreflight && cors.allows(c.req.header("Origin"))) {
      return buildAnswer(c.get("common"), null, 204, PREFLIGHT_HEADERS);
    }
    if (isPreflight)
      c.set("note", "the setting cors_origins does not name the origin of the page that called");
    await next();
    return undefined;
  };
}

/** Request headers that the service uses and that browsers include in preflights. */
export const REQUEST_HEADERS: readonly string[] = [
  "Accept",
  "Authorization",
  "Content-Encoding",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "X-Request-Id",
];

/** Answer headers that pages may read; browsers show a few others by default. */
export const EXPOSED_HEADERS: readonly string[] = [
  "Accept-Encoding",
  "Accept-Post",
  "Allow",
  "Content-Encoding",
  "Date",
  "ETag",
  "Idempotent-Replayed",
  "Location",
  "Retry-After",
  "Vary",
  "WWW-Authenticate",
  "X-Decision-Id",
  "X-Next-From",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
  "X-Total-Count",
];

/** The longest that any browser caches it: Chromium two hours, Firefox a day. */
const MAX_AGE_SECONDS = 86_400;

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": REQUEST_HEADERS.join(", "),
  "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
};
