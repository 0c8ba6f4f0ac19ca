import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "@groundrule/contract";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpCaller } from "../../test/http.ts";
import { KEY, makeLiteralApp, PLOT } from "../../test/literal-app.ts";
import { startService, type TestService } from "../../test/service.ts";
import type { Charging } from "../charging/charging.ts";
import type { Store } from "../store/port/port.ts";
import { Cors, EXPOSED_HEADERS, originFault, REQUEST_HEADERS } from "./exchange/cors.ts";
import type { KeyRing } from "./gates/authenticate.ts";
import { DEFAULT_ADMISSION } from "./gates/shed-load.ts";
import { openApiDocument } from "./openapi/document.ts";

const PAGE = "https://app.example.com";
const OTHER_PAGE = "http://localhost:5173";
const corsOrigins = [PAGE, OTHER_PAGE];
const question = { input: { geometry: PLOT } };

const preflight = (origin: string, headers: Record<string, string> = {}): RequestInit => ({
  method: "OPTIONS",
  headers: { Origin: origin, "Access-Control-Request-Method": "POST", ...headers },
});

/** The headers of an answer that a browser evaluates. */
function selectCrossOriginHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));
}

/**
 * Expects that the page may read the answer and its headers, and that caches separate it from answers to other origins.
 */
function expectReadable(response: Response, origin: string = PAGE): void {
  expect(selectCrossOriginHeaders(response)).toEqual({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
  });
  expectVarying(response);
}

function expectVarying({ headers }: Response): void {
  expect((headers.get("Vary") ?? "").split(", ")).toContain("Origin");
}

describe("a preflight", () => {
  const app = makeLiteralApp(undefined, { corsOrigins });

  it("lists to an allowed page what it may send, for as long as browsers store it", async () => {
    for (const origin of corsOrigins) {
      const response = await app.request(
        "/v1/evaluate",
        preflight(origin, { "Access-Control-Request-Headers": "authorization,content-type,idempotency-key" }),
      );
      expect(response.status).toBe(204);
      expect(selectCrossOriginHeaders(response)).toEqual({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, HEAD, POST",
        "access-control-allow-headers": REQUEST_HEADERS.join(", "),
        "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
        "access-control-max-age": "86400",
      });
      expectVarying(response);
    }
  });

  it("is answered before any gate, without a key, a burst or a look at the storage", async () => {
    const touched: PropertyKey[] = [];
    const watched = new Proxy({} as Store & Charging & KeyRing, {
      get: (_, name) => {
        touched.push(name);
        return undefined;
      },
    });
    const events: unknown[] = [];
    const guarded = makeLiteralApp(undefined, {
      corsOrigins,
      store: watched,
      charging: watched,
      keys: watched,
      admission: { ...DEFAULT_ADMISSION, places: 0, waiting: 0 },
      burst: { perSecond: 0.001, burst: 1 },
      onRequest: ({ route, status, organization }) => void events.push([route, status, organization]),
    });
    touched.length = 0;
    for (let i = 0; i < 1_000; i++) {
      const response = await guarded.request("/v1/evaluate", preflight(PAGE, { Authorization: "Bearer x" }));
      expect(response.status).toBe(204);
    }
    expect(touched).toEqual([]);
    expect(events).toHaveLength(1_000);
    expect(events[0]).toEqual([undefined, 204, undefined]);
  });

  it("spends nothing of a key's burst", async () => {
    const scarce = makeLiteralApp(undefined, { corsOrigins, burst: { perSecond: 0.001, burst: 1 } });
    const authorized = { Authorization: `Bearer ${KEY}` };
    for (let i = 0; i < 10; i++) await scarce.request("/v1/me", preflight(PAGE, authorized));
    expect((await scarce.request("/v1/me", { headers: authorized })).status).toBe(200);
    const refused = await scarce.request("/v1/me", { headers: { ...authorized, Origin: PAGE } });
    expect(refused.status).toBe(429);
    expectReadable(refused);
  });

  it("is the same for every path and request: nothing of the request is echoed", async () => {
    const first = await app.request("/v1/evaluate", preflight(PAGE));
    for (const path of ["/v1/nowhere", "/", "/metrics", "/v1/rulesets/a/b/c", `/${"x".repeat(8_000)}`]) {
      const response = await app.request(
        path,
        preflight(PAGE, {
          "Access-Control-Request-Method": "DELETE",
          "Access-Control-Request-Headers": `x-${"a".repeat(4_000)},${"b,".repeat(1_000)}`,
          "Access-Control-Request-Private-Network": "true",
        }),
      );
      expect(response.status).toBe(204);
      expect(selectCrossOriginHeaders(response)).toEqual(selectCrossOriginHeaders(first));
      expect(await response.text()).toBe("");
    }
  });

  it.each([
    "null",
    "",
    "*",
    "https://app.example.com/",
    "https://APP.example.com",
    "HTTPS://app.example.com",
    "https://app.example.com:443",
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://app.example.com.evil.com",
    "https://evil.com?https://app.example.com",
    "https://notapp.example.com",
    "https://app.example.com, https://evil.com",
    "https://app.example.com https://evil.com",
    "https://app.example.com\u00a0",
    "http://localhost",
    "http://localhost:51733",
    "constructor",
    "__proto__",
  ])("of the origin %j is refused as any other OPTIONS, and gives nothing away", async (origin) => {
    for (const [path, status] of [
      ["/v1/evaluate", 405],
      ["/nowhere", 404],
    ] as const) {
      const response = await app.request(path, preflight(origin));
      expect(response.status).toBe(status);
      expect(selectCrossOriginHeaders(response)).toEqual({});
      expectVarying(response);
    }
  });

  it("is no preflight without the requested method, and no other method is one", async () => {
    const options = await app.request("/v1/evaluate", { method: "OPTIONS", headers: { Origin: PAGE } });
    expect(options.status).toBe(405);
    expectReadable(options);
    const get = await app.request("/healthz", {
      headers: { Origin: PAGE, "Access-Control-Request-Method": "GET" },
    });
    expect(get.status).toBe(200);
    expectReadable(get);
  });
});

describe("an answer to a page of another origin", () => {
  it("can be read on every path, by every method, whatever it is", async () => {
    const app = makeLiteralApp(createSmallWorld(), { corsOrigins });
    const statuses = new Set<number>();
    for (const path of [
      ...app.paths,
      "/nowhere",
      "/v1/sources/none/tiles/0/0/0",
      "/v1/sources/demo:parks/tiles/0/0/0",
    ]) {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS", "DELETE"]) {
        for (const authorization of [{}, { Authorization: `Bearer ${KEY}` }]) {
          const requested = path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "none");
          const init = { method, headers: { Origin: PAGE, ...authorization } };
          const response = await app.request(requested, init);
          expectReadable(response);
          statuses.add(response.status);
        }
      }
    }
    expect(statuses).toEqual(new Set([200, 401, 404, 405, 415, 422]));
  });

  it("can be read where it is refused late, and after a failure of ours", async () => {
    const own = makeLiteralApp(undefined, { corsOrigins, limits: { bodyBytes: 100 } });
    const from = { Origin: PAGE };
    const all = [
      await own.post("/v1/intersections", { input: "x".repeat(200) }, from),
      await own.post("/v1/intersections", "{", from),
      await own.post("/v1/intersections", question, { ...from, Accept: "image/png" }),
    ];
    const full = makeLiteralApp(undefined, {
      corsOrigins,
      admission: { ...DEFAULT_ADMISSION, places: 0, waiting: 0 },
    });
    all.push(await full.post("/v1/intersections", question, from));
    const failing = makeLiteralApp(undefined, {
      corsOrigins,
      keys: { find: () => Promise.reject(new Error("lost")) },
    });
    all.push(await failing.post("/v1/intersections", question, from));
    expect(all.map(({ status }) => status)).toEqual([413, 400, 406, 503, 500]);
    for (const response of all) expectReadable(response);
  });

  it("is not for a page that is not allowed, and varies by origin", async () => {
    const app = makeLiteralApp(undefined, { corsOrigins });
    for (const headers of [{}, { Origin: "https://evil.example" }, { Origin: "null" }]) {
      const response = await app.post("/v1/intersections", question, headers);
      expect(response.status).toBe(200);
      expect(selectCrossOriginHeaders(response)).toEqual({});
      expectVarying(response);
    }
  });

  it("is as it always was where no origin is allowed", async () => {
    const app = makeLiteralApp();
    const response = await app.request("/openapi.json", { headers: { Origin: PAGE } });
    expect(selectCrossOriginHeaders(response)).toEqual({});
    expect(response.headers.get("Vary")).toBe("Accept-Encoding");
    expect((await app.request("/v1/evaluate", preflight(PAGE))).status).toBe(405);
  });
});

describe("what is kept and sent again", () => {
  let service: TestService;
  let caller: HttpCaller;
  beforeAll(async () => {
    service = await startService(createSmallWorld(), { corsOrigins });
    caller = new HttpCaller(service);
  });
  afterAll(() => service.stop());

  it("names the origin among all that an answer depends on, packed, tagged, shared, empty or not changed", async () => {
    await caller.post("/v1/rulesets", {
      name: "plots",
      sets: { parks: { sources: ["demo:parks"] } },
      checks: [{ id: "park", set: "parks", outcome: "WARNING" }],
    });
    for (const [path, vary] of [
      ["/openapi.json", "Accept-Encoding, Origin"],
      ["/docs/docs.css", "Accept-Encoding, Origin"],
      ["/v1/rulesets/plots", "Authorization, Accept-Encoding, Origin"],
      ["/v1/sources/demo:parks/tiles/0/0/0", "Authorization, Accept-Encoding, Origin"],
      ["/v1/sources/demo:parks/tiles/14/0/0", "Authorization, Accept-Encoding, Origin"],
      ["/v1/decisions", "Accept, Origin"],
      ["/healthz", "Origin"],
    ] as const) {
      for (const coding of ["gzip", "identity"]) {
        const headers = { Origin: PAGE, "Accept-Encoding": coding };
        const response = await caller.get(path, headers);
        expect(response.ok, path).toBe(true);
        await response.arrayBuffer();
        expect(response.headers.get("Vary"), `${path} ${coding}`).toBe(vary);
        expectReadable(response);
        const tag = response.headers.get("ETag");
        if (tag === null) continue;
        const again = await caller.get(path, { ...headers, Origin: OTHER_PAGE, "If-None-Match": tag });
        expect(again.status).toBe(304);
        expect(again.headers.get("Vary")?.split(", ")).toContain("Origin");
        expectReadable(again, OTHER_PAGE);
      }
    }
  });

  it("is read by the page that requests it, not by the one that it was charged for", async () => {
    const body = { input: { geometry: createSquarePlot(0.1, 0.05) } };
    const headers = { "Idempotency-Key": "plot-1-2026" };
    const first = await caller.post("/v1/intersections", body, { ...headers, Origin: PAGE });
    expectReadable(first);
    const again = await caller.post("/v1/intersections", body, { ...headers, Origin: OTHER_PAGE });
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expectReadable(again, OTHER_PAGE);
    const elsewhere = await caller.post("/v1/intersections", body, {
      ...headers,
      Origin: "https://evil.example",
    });
    expect(elsewhere.headers.get("Idempotent-Replayed")).toBe("true");
    expect(selectCrossOriginHeaders(elsewhere)).toEqual({});
  });
});

describe("an origin", () => {
  it.each([
    ["*", "exact origins"],
    ["null", "an origin such as"],
    ["", "an origin such as"],
    ["app.example.com", "an origin such as"],
    ["https://*.example.com", "exact origins"],
    ["https://app.example.com/", "send it: https://app.example.com"],
    ["https://APP.example.com", "send it: https://app.example.com"],
    ["https://app.example.com:443", "send it: https://app.example.com"],
    ["https://app.example.com/path", "send it: https://app.example.com"],
    ["https://user@app.example.com", "send it: https://app.example.com"],
    ["https://bücher.example", "send it: https://xn--bcher-kva.example"],
    ["https://app.example.com\r\nX: y", "an origin such as"],
    ["https://app.example.com\r\n", "send it: https://app.example.com"],
    ["ftp://app.example.com", "an origin such as"],
    ["file:///", "an origin such as"],
  ])("is refused as a setting where browsers never send it: %j", (text, expected) => {
    expect(originFault(text)).toContain(expected);
    expect(() => new Cors([text])).toThrow(expected);
  });

  it.each([
    "https://app.example.com",
    "http://localhost:5173",
    "http://[::1]:8080",
    "https://xn--bcher-kva.example",
  ])("is taken as browsers send it: %s", (text) => expect(originFault(text)).toBeUndefined());
});

describe("the headers that pages may send and read", () => {
  /** Names matched by a pattern in the shipped files of a folder. */
  const namesIn = (folder: string, pattern: RegExp): Set<string> => {
    const root = join(import.meta.dirname, "../../../..", folder);
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    const texts = files
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(root, name), "utf8"));
    return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!)));
  };
  /** Browsers set these themselves and do not let pages set them (Fetch standard). */
  const FORBIDDEN = ["Accept-Encoding", "Access-Control-Request-Method", "Content-Length", "Origin"];
  /** Browsers show these to any page that may read the answer (Fetch standard). */
  const SAFELISTED = ["Content-Language", "Content-Type"];

  it("are those that the service reads and pages can set", () => {
    const read = namesIn("apps/api/src/http", /req\.header\("([^"]+)"\)/g);
    expect(new Set(REQUEST_HEADERS)).toEqual(new Set([...read].filter((name) => !FORBIDDEN.includes(name))));
  });

  it("are all that the client reads, and all that the description lists", () => {
    const byClient = namesIn("packages/client/src", /headers\.get\("([^"]+)"\)/g);
    expect([...byClient]).toContain("Retry-After");
    const { paths } = openApiDocument(DEFAULT_LIMITS) as unknown as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
    };
    const described = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses) as { readonly headers: object }[])
      .flatMap(({ headers }) => Object.keys(headers));
    const needed = new Set([...byClient, ...described, "Allow"].filter((name) => !SAFELISTED.includes(name)));
    expect(new Set(EXPOSED_HEADERS)).toEqual(needed);
  });
});
