import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "@groundrule/contract";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { KEY, makeLiteralApp, PLOT } from "../../test/literal-app.ts";
import { createTestFolder } from "../../test/temporary-folder.ts";
import type { RequestEvent } from "./monitoring/metrics.ts";

const engine = createSmallWorld();
const app = makeLiteralApp(engine);
const feature = { type: "Feature", properties: {}, geometry: PLOT };
const collection = { type: "FeatureCollection", features: [feature] };
const ruleset = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "in-park", set: "parks", outcome: "WARNING" }],
};
const question = { ruleset, input: { geometry: PLOT } };
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

type Sent = readonly [path: string, body?: unknown, headers?: Readonly<Record<string, string>>];

/** Sends a request with the key, unless its headers say otherwise: a POST if it has a body. */
async function send([path, body, headers]: Sent): Promise<{
  problem: Problem;
  text: string;
  response: Response;
}> {
  const response = await app.request(path, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json", ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { response, text, problem: JSON.parse(text) };
}

const as = (authorization: string): Sent => ["/v1/me", undefined, { Authorization: authorization }];

it.each<[mistake: string, sent: Sent, code: string, next: string]>([
  ["no key", as(""), "AUTHENTICATION_REQUIRED", "`Authorization: Bearer <API key>` is missing"],
  ["the key alone", as(KEY), "API_KEY_INVALID", '"Bearer " is missing before the API key'],
  [
    "the key as a password",
    as(`Basic ${btoa(`${KEY}:`)}`),
    "API_KEY_INVALID",
    "Found the scheme Basic, expected Bearer",
  ],
  ["another scheme", as(`Token ${KEY}`), "API_KEY_INVALID", "expected Bearer"],
  ["an empty variable", as("Bearer "), "API_KEY_INVALID", "is a variable empty?"],
  ["the key in quotes", as(`Bearer "${KEY}"`), "API_KEY_INVALID", "without quotes or brackets"],
  ["the scheme twice", as(`Bearer Bearer ${KEY}`), "API_KEY_INVALID", "expected the key alone"],
  ["the key in the query", [`/v1/me?api_key=${KEY}`], "VALIDATION_FAILED", 'unknown member "api_key"'],
  ["the key in the path", [`/v1/me/${KEY}`], "NOT_FOUND", "/openapi.json lists its paths"],
  ["a question by GET", ["/v1/evaluate"], "METHOD_NOT_ALLOWED", "expected POST"],
  ["a slash at the end", ["/v1/evaluate/", question], "NOT_FOUND", "did you mean /v1/evaluate?"],
  ["a typo in the path", ["/v1/evalute", question], "NOT_FOUND", "did you mean /v1/evaluate?"],
  ["a typo before a name", ["/v1/ruleset/forest"], "NOT_FOUND", "did you mean /v1/rulesets/forest?"],
  ["no version", ["/sources"], "NOT_FOUND", "did you mean /v1/sources?"],
  ["the version twice", ["/v1/v1/me"], "NOT_FOUND", "did you mean /v1/me?"],
  ["a path of something else", ["/wp-login.php"], "NOT_FOUND", "/openapi.json lists its paths"],
  [
    "a collection as the question",
    ["/v1/evaluate", collection],
    "VALIDATION_FAILED",
    'found a FeatureCollection, expected an object that holds it: {"input": {"geometry": …}}, one plot; POST /v1/jobs takes many',
  ],
  [
    "a collection as the areas' question",
    ["/v1/intersections", collection],
    "VALIDATION_FAILED",
    'expected an object that holds it: {"input": {"geometry": …}}, one plot a request',
  ],
  ["a Feature as the question", ["/v1/evaluate", feature], "VALIDATION_FAILED", '{"input": {"geometry": …}}'],
  ["a geometry as the question", ["/v1/distance", PLOT], "VALIDATION_FAILED", '{"input": {"geometry": …}}'],
  [
    "a geometry as the input",
    ["/v1/evaluate", { ruleset, input: PLOT }],
    "VALIDATION_FAILED",
    '{"geometry": …}',
  ],
  ["a collection to validate", ["/v1/validate", collection], "VALIDATION_FAILED", '{"plots": …}'],
  ["a collection as a job", ["/v1/jobs", collection], "VALIDATION_FAILED", '{"plots": …}'],
  [
    "a collection as a geometry",
    ["/v1/evaluate", { ruleset, input: { geometry: collection } }],
    "VALIDATION_FAILED",
    "the geometry of one feature",
  ],
  ["a ruleset as the question", ["/v1/evaluate", ruleset], "VALIDATION_FAILED", '{"ruleset": …}'],
  [
    "a ruleset as text",
    ["/v1/evaluate", { ...question, ruleset: "{}" }],
    "VALIDATION_FAILED",
    "expected a ruleset, as an object",
  ],
  [
    "a geometry as text",
    ["/v1/evaluate", { ruleset, input: { geometry: "POINT (0 0)" } }],
    "VALIDATION_FAILED",
    "expected a GeoJSON geometry as an object",
  ],
  [
    "an unknown ruleset",
    ["/v1/evaluate", { ruleset_id: "forest", input: { geometry: PLOT } }],
    "RULESET_NOT_FOUND",
    "GET /v1/rulesets lists",
  ],
  [
    "a form, as curl -d does",
    ["/v1/evaluate", question, { "Content-Type": "application/x-www-form-urlencoded" }],
    "UNSUPPORTED_MEDIA_TYPE",
    "send the header `Content-Type: application/json`",
  ],
  [
    "single quotes",
    ["/v1/evaluate", "{'input': 1}"],
    "MALFORMED_JSON",
    "a member name in double quotes (byte 1)",
  ],
  [
    "a byte order mark before bad JSON",
    ["/v1/evaluate", "\ufeff{x"],
    "MALFORMED_JSON",
    'found "x", expected a member name',
  ],
])(
  "a request with %s is answered with the next step, and never with the key",
  async (_mistake, sent, code, next) => {
    const { problem, text, response } = await send(sent);
    expect(problem.code).toBe(code);
    expect(problem.detail).toContain(next);
    expect([...response.headers].join() + text).not.toContain(KEY.slice("gr_test_".length));
  },
);

it("reads JSON after a byte order mark as without it, and counts bytes after it", async () => {
  const [plain, marked] = await Promise.all(
    ["", "\ufeff"].map((mark) => send(["/v1/evaluate", mark + JSON.stringify(question)])),
  );
  expect(marked!.response.status).toBe(200);
  expect(JSON.parse(marked!.text).data).toEqual(JSON.parse(plain!.text).data);
  expect((await send(["/v1/evaluate", "\ufeff{x"])).problem.details).toEqual({ offset: 1 });
});

it("places a misplaced collection as a fault of the whole body, with what was found and expected", async () => {
  const { problem } = await send(["/v1/validate", collection]);
  expect(problem.errors?.[0]).toEqual({
    pointer: "",
    code: "INVALID_TYPE",
    message: expect.stringMatching(
      /^found a FeatureCollection, expected an object that holds it: \{"plots": …\}$/,
    ),
  });
});

it("names the setting cors_origins to a preflight that no origin is set for, and to the operator", async () => {
  const events: RequestEvent[] = [];
  const app = makeLiteralApp(engine, { onRequest: (event) => events.push(event) });
  const Origin = "https://app.example.com";
  const response = await app.request("/v1/evaluate", {
    method: "OPTIONS",
    headers: { Origin, "Access-Control-Request-Method": "POST" },
  });
  const { detail } = (await response.json()) as Problem;
  expect([response.status, detail]).toEqual([405, expect.stringContaining("cors_origins")]);
  await app.request("/healthz", { headers: { Origin } });
  expect(events.map(({ note }) => note)).toEqual([expect.stringContaining("cors_origins"), undefined]);
});

describe("a browser", () => {
  it("is led from / to the console, or to the documentation where none is served; a program is not", async () => {
    const folder = await createTestFolder();
    const bare = makeLiteralApp(engine, { console: { folder } });
    writeFileSync(join(folder, "index.html"), "<p>");
    const app = makeLiteralApp(engine, { console: { folder } });
    for (const [from, accept, method, expected] of [
      [app, BROWSER, "GET", [308, "/console/", ""]],
      [app, "text/html", "HEAD", [308, "/console/", ""]],
      [bare, BROWSER, "GET", [308, "/docs", ""]],
      [app, BROWSER, "POST", [404, null, "NOT_FOUND"]],
      ...[
        "*/*",
        "application/json",
        "text/html;q=0.5, application/json",
        "text/html, application/json",
        "",
      ].map((each) => [app, each, "GET", [404, null, "NOT_FOUND"]] as const),
    ] as const) {
      const response = await from.request("/", { method, headers: { Accept: accept } });
      const text = await response.text();
      const code = text === "" ? "" : JSON.parse(text).code;
      expect([response.status, response.headers.get("Location"), code], `${method} ${accept}`).toEqual(
        expected,
      );
      expect(response.headers.get("Vary")).toBe("Accept");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("gets a page for one that the documentation lacks, and a program a problem", async () => {
    for (const path of [
      "/docs/",
      "/docs/nothing",
      "/docs/guides/nothing",
      "/docs/a/<b>",
      `/docs/guides/${KEY}`,
    ]) {
      const page = await app.request(path, { headers: { Accept: BROWSER } });
      expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(page.headers.get("Vary")).toBe("Accept");
      const text = await page.text();
      expect(text).toContain("<h1>Not found</h1>");
      expect(text).not.toMatch(/<b>/);
      expect(text).not.toContain(KEY);
      const problem = await app.request(path, { headers: { Accept: "*/*" } });
      expect([problem.status, problem.headers.get("Vary")]).toEqual([404, "Accept"]);
      expect(await problem.json()).toMatchObject({ code: "NOT_FOUND" });
    }
    const elsewhere = await app.request("/nowhere", { headers: { Accept: BROWSER } });
    expect(elsewhere.headers.get("Content-Type")).toBe("application/problem+json");
  });
});

it("leaves the refusal of a job in lines as it is, though a member shows that something is misplaced", async () => {
  const headers = { "Content-Type": "application/x-ndjson", "Idempotency-Key": "job-in-lines" };
  const lines = `${JSON.stringify({ type: "Polygon", ...ruleset })}\n${JSON.stringify(feature)}\n`;
  const { problem } = await send(["/v1/jobs", lines, headers]);
  expect([problem.status, problem.code]).toEqual([422, "VALIDATION_FAILED"]);
  expect(problem.detail).toContain("unknown member");
});
