import type { MiddlewareHandler } from "hono";
import type { ApiEnv, CommonHeaders } from "./env.ts";
import { answerOf } from "./respond.ts";

/**
 * The origins whose pages may call the service from browsers (Fetch standard, CORS protocol). Nobody is asked for a
 * cookie, so credentials are never allowed: a key travels in `Authorization`, where the page has put it.
 *
 * What is sent to an origin is one of the texts that were set, never what a request said. Where no origin is allowed,
 * nothing is sent.
 */
export class Cors {
  readonly #byOrigin: ReadonlyMap<string, CrossOriginHeaders>;
  readonly #toOthers: CrossOriginHeaders;

  /** Fails: an `Error` where one is no origin as browsers send it; see {@link originFault}. */
  constructor(origins: readonly string[]) {
    for (const origin of origins) {
      const fault = originFault(origin);
      if (fault !== undefined) throw new Error(`found the origin "${origin}", expected ${fault}`);
    }
    this.#byOrigin = new Map(origins.map((origin) => [origin, headersTo(origin)]));
    // Whoever keeps answers must not hand one that has no origin to a page that needs it.
    this.#toOthers = origins.length === 0 ? {} : { Vary: "Origin" };
  }

  /** Whether pages of an origin may read answers. */
  allows(origin: string | undefined): boolean {
    return origin !== undefined && this.#byOrigin.has(origin);
  }

  /** @param origin the request's `Origin` */
  headersFor(origin: string | undefined): CrossOriginHeaders {
    return (origin !== undefined && this.#byOrigin.get(origin)) || this.#toOthers;
  }
}

type CrossOriginHeaders = Omit<CommonHeaders, "X-Request-Id">;

function headersTo(origin: string): CrossOriginHeaders {
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS.join(", "),
    Vary: "Origin",
  };
}

/** What was expected of an origin that is none as browsers write it (RFC 6454 §6.2); undefined where nothing is wrong. */
export function originFault(text: string): string | undefined {
  if (text.includes("*")) return `exact origins without *, such as ${EXAMPLE}`;
  const written = URL.canParse(text) ? new URL(text) : undefined;
  if (written === undefined || !/^https?:$/.test(written.protocol)) return `an origin such as ${EXAMPLE}`;
  return text === written.origin ? undefined : `it as browsers send it: ${written.origin}`;
}

const EXAMPLE = "https://app.example.com";

/**
 * Answers the question that a browser asks before it calls for an allowed page: before any gate, of no path in
 * particular, with the same few bytes. Any other `OPTIONS` goes on.
 */
export function answerPreflights(cors: Cors): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const isPreflight =
      c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") !== undefined;
    if (isPreflight && cors.allows(c.req.header("Origin"))) {
      return answerOf(c.get("common"), null, 204, PREFLIGHT_HEADERS);
    }
    await next();
    return undefined;
  };
}

/** Headers of requests that mean something to the service and that browsers ask about. */
export const REQUEST_HEADERS: readonly string[] = [
  "Accept",
  "Authorization",
  "Content-Encoding",
  "Content-Type",
  "Idempotency-Key",
  "If-None-Match",
  "X-Request-Id",
];

/** Headers of answers that pages may read; browsers show a few others unasked. */
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

/** As long as any browser keeps it: Chromium two hours, Firefox a day. */
const MAX_AGE_SECONDS = 86_400;

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": REQUEST_HEADERS.join(", "),
  "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
};
