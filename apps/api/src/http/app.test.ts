import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { intersectionsResponseShape, problemSchema, sourcesResponseShape } from "@groundrule/contract";
import { EngineError, type SourceEntry } from "@groundrule/engine";
import { readShape } from "@groundrule/engine/internal";
import { type BodyTask, type EngineHost, hostInProcess } from "@groundrule/service";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { KEY, makeLiteralApp, PLOT } from "../../test/literal-app.ts";
import { makeLiteralEngine } from "../../test/literal-engine.ts";
import { createTestFolder } from "../../test/temporary-folder.ts";
import { mintApiKey } from "../keys/api-key.ts";

const AUTHORIZED = { Authorization: `Bearer ${KEY}` };
const INTERSECTIONS = "/v1/intersections";
const question = { input: { geometry: PLOT } };

describe("a request id", () => {
  it("is the caller's, echoed in the header, in meta, and as the instance of a problem", async () => {
    const app = makeLiteralApp();
    const answered = await app.post(INTERSECTIONS, question, { "X-Request-Id": "job:17" });
    expect(answered.headers.get("X-Request-Id")).toBe("job:17");
    expect(await answered.json()).toMatchObject({ meta: { request_id: "job:17" } });
    const refused = await app.problem(INTERSECTIONS, {}, { "X-Request-Id": "job:17" });
    expect(refused.instance).toBe("job:17");
  });

  it("is minted where none is sent, or one not of its form", async () => {
    const app = makeLiteralApp();
    for (const sent of [undefined, "", "a b", "x".repeat(129), "é"]) {
      const response = await app.request("/healthz", {
        headers: sent === undefined ? {} : { "X-Request-Id": sent },
      });
      expect(response.headers.get("X-Request-Id")).toMatch(/^req_\d+$/);
    }
  });
});

describe("every answer", () => {
  it("forbids sniffing, framing, caching and referrers, problems and unknown paths too", async () => {
    const app = makeLiteralApp();
    const responses = [
      await app.request("/healthz"),
      await app.request("/nowhere"),
      await app.post(INTERSECTIONS, "{"),
      await app.post(INTERSECTIONS, question),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 200]);
    for (const { headers } of responses) {
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("X-Frame-Options")).toBe("DENY");
      expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Request-Id")).not.toBeNull();
    }
  });
});

describe("an answer that can be kept", () => {
  /** Example paths of each route with parameters; every named thing exists. */
  const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
    "/console/:file{.+}": ["index.html", "config.json", "sw.js", "assets/main-1a2b.js"].map(
      inFolder("/console/"),
    ),
    "/docs/:file": ["docs.css", "docs.js", "icon.svg"].map(inFolder("/docs/")),
    "/docs/guides/:page": ["/docs/guides/settings"],
    "/docs/reference/:group": ["verdicts", "one-page"].map(inFolder("/docs/reference/")),
    "/v1/decisions/:id": ["/v1/decisions/dec_1"],
    "/v1/jobs/:id": ["/v1/jobs/job_1"],
    "/v1/jobs/:id/cancel": ["/v1/jobs/job_1/cancel"],
    "/v1/jobs/:id/results": ["/v1/jobs/job_1/results"],
    "/v1/rulesets/:name": ["/v1/rulesets/kept"],
    "/v1/rulesets/:name/:version": ["/v1/rulesets/kept/1"],
    // A tile with areas, and one without.
    "/v1/sources/:name/tiles/:z/:x/:y": ["8/128/127", "8/0/0"].map(inFolder("/v1/sources/demo:parks/tiles/")),
  };
  /** Headers about a body, which a 304 lacks, and about this one request. */
  const OF_ONE = /^(?:content-(?:encoding|length|type)|transfer-encoding|date|x-request-id|x-ratelimit-.*)$/;

  function inFolder(folder: string): (name: string) => string {
    return (name) => folder + name;
  }

  it("differs from its 304 by the body alone, on every route: browsers store the headers of a 304", async () => {
    const folder = await createTestFolder();
    mkdirSync(join(folder, "assets"));
    for (const name of ["index.html", "sw.js", "assets/main-1a2b.js"])
      writeFileSync(join(folder, name), "1;");
    const engine = createSmallWorld();
    const app = makeLiteralApp(engine, {
      console: { folder },
      corsOrigins: ["https://app.example"],
    });
    const ruleset = {
      name: "kept",
      sets: { parks: { sources: ["demo:parks"] } },
      checks: Array.from({ length: 60 }, (_, i) => ({ id: `park-${i}`, set: "parks", outcome: "WARNING" })),
    };
    expect((await app.post("/v1/rulesets", ruleset)).status).toBe(201);
    const kept = new Set<string>();
    for (const template of app.paths) {
      for (const path of EXAMPLES[template] ?? [template]) {
        expect(path, "EXAMPLES has no path of this route").not.toMatch(/\/:|[{*]/);
        for (const coding of ["identity", "gzip"]) {
          for (const origin of ["https://app.example", "https://other.example"]) {
            const headers = { ...AUTHORIZED, "Accept-Encoding": coding, Origin: origin };
            const whole = await app.request(path, { headers });
            const tag = whole.headers.get("ETag");
            if (!whole.ok)
              expect([404, 405, 308], `${path} is asked for as it can be`).toContain(whole.status);
            if (tag === null) {
              expect(whole.headers.get("Cache-Control"), `${path}, which has no tag`).toBe("no-store");
              continue;
            }
            kept.add(template);
            const same = await app.request(path, { headers: { ...headers, "If-None-Match": tag } });
            expect([same.status, await same.text()], path).toEqual([304, ""]);
            expect(same.headers.get("Content-Type"), path).toBeNull();
            const lasting = (sent: Response) => [...sent.headers].filter(([name]) => !OF_ONE.test(name));
            expect(lasting(same), `${path} as ${coding}`).toEqual(lasting(whole));
          }
        }
      }
    }
    expect([...kept].toSorted()).toEqual([
      "/console/",
      "/console/:file{.+}",
      "/docs",
      "/docs/:file",
      "/docs/errors",
      "/docs/guides",
      "/docs/guides/:page",
      "/docs/reference/:group",
      "/openapi.json",
      "/v1/rulesets/:name",
      "/v1/rulesets/:name/:version",
      "/v1/sources/:name/tiles/:z/:x/:y",
    ]);
  });
});

describe("routing", () => {
  it("answers an unknown path with NOT_FOUND, slash or case aside", async () => {
    const app = makeLiteralApp();
    for (const path of ["/", "/v1", "/v1/evaluate/", "/V1/evaluate", "/v1/ruleset", "/v2/evaluate", "/%00"]) {
      const response = await app.request(path, { method: "POST", headers: AUTHORIZED });
      expect(response.status).toBe(404);
      expect(problemSchema.parse(await response.json())).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("answers a wrong method with METHOD_NOT_ALLOWED and what is allowed", async () => {
    const app = makeLiteralApp();
    for (const [path, method, allow] of [
      [INTERSECTIONS, "GET", "POST"],
      ["/v1/evaluate", "PUT", "POST"],
      ["/v1/subjects", "OPTIONS", "POST"],
      ["/v1/sources", "POST", "GET, HEAD"],
      ["/healthz", "DELETE", "GET, HEAD"],
    ] as const) {
      const response = await app.request(path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe(allow);
      expect(problemSchema.parse(await response.json())).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
    }
    expect((await app.request("/healthz", { method: "HEAD" })).status).toBe(200);
  });
});

describe("the authentication gate", () => {
  const ask = (headers: Record<string, string>) => makeLiteralApp().request("/v1/sources", { headers });

  it("refuses a request without a key", async () => {
    const response = await ask({});
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toBe('Bearer realm="groundrule"');
    expect(await response.json()).toMatchObject({ code: "AUTHENTICATION_REQUIRED" });
  });

  it("refuses a key of wrong form, wrong checksum, or that nobody issued", async () => {
    const foreign = mintApiKey("test", (length) => new Uint8Array(length).fill(8));
    for (const header of [
      `Basic ${KEY}`,
      "Bearer",
      `Bearer ${KEY} ${KEY}`,
      `Bearer ${KEY.slice(0, -1)}`,
      `Bearer ${KEY}0`,
      `Bearer ${KEY.replace("gr_test_", "gr_live_")}`,
      `Bearer ${KEY.slice(0, 20)}${KEY[20] === "a" ? "b" : "a"}${KEY.slice(21)}`,
      `Bearer ${foreign}`,
    ]) {
      const response = await ask({ Authorization: header });
      expect(response.status, header).toBe(401);
      expect(response.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
      expect(await response.json()).toMatchObject({ code: "API_KEY_INVALID" });
    }
  });

  it("lets the key in, whatever the case of the scheme's name", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER "]) {
      expect((await ask({ Authorization: `${scheme} ${KEY}` })).status).toBe(200);
    }
  });

  it("stands before everything that looks at the body", async () => {
    const response = await makeLiteralApp().request(INTERSECTIONS, { method: "POST", body: "{" });
    expect(response.status).toBe(401);
  });

  it("does not guard what holds no customer's data", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      expect((await makeLiteralApp().request(path)).status).toBe(200);
    }
  });
});

describe("content negotiation", () => {
  it.each([
    ["/v1/intersections", undefined, "application/geo+json"],
    ["/v1/intersections", "*/*", "application/geo+json"],
    ["/v1/intersections", "application/json", "application/json"],
    ["/v1/intersections", "application/json;q=0.5, application/*;q=0.4", "application/json"],
    ["/v1/intersections", "application/geo+json;q=0, */*", "application/json"],
    ["/v1/intersections", "application/json; charset=utf-8", "application/json"],
    ["/v1/distance", undefined, "application/json"],
    ["/v1/distance", "application/geo+json", "application/geo+json"],
    ["/v1/distance", "application/geo+json;q=0.9, application/json;q=0.1", "application/geo+json"],
    ["/v1/subjects", "text/html, */*;q=0.1", "application/json"],
  ])("answers %s accepting %s with %s", async (path, accept, expected) => {
    const input = path.endsWith("subjects")
      ? { scheme: { type: "br:cnpj", value: "1" } }
      : { geometry: PLOT, ...(path.endsWith("distance") && { max_distance_m: 1 }) };
    const response = await makeLiteralApp().post(
      path,
      { input },
      accept === undefined ? {} : { Accept: accept },
    );
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, expected]);
  });

  it("gives intersections the same body under both media types, and states that it varies", async () => {
    const app = makeLiteralApp();
    const ask = (accept: string) =>
      app.post(INTERSECTIONS, question, { Accept: accept, "X-Request-Id": "r" });
    const answers = [await ask("application/json"), await ask("application/geo+json")];
    const [json, geojson] = await Promise.all(answers.map((response) => response.text()));
    expect(json).toBe(geojson);
    expect(answers[0]!.headers.get("Vary")).toBe("Accept");
    expect(readShape(intersectionsResponseShape, JSON.parse(json!)).features).toHaveLength(1);
  });

  it("answers NOT_ACCEPTABLE with what is offered", async () => {
    const app = makeLiteralApp();
    for (const accept of ["text/html", "application/json;q=0", "application/json;q=2", "nonsense"]) {
      const refused = await app.problem("/v1/distance", { input: {} }, { Accept: accept });
      expect(refused).toMatchObject({
        code: "NOT_ACCEPTABLE",
        details: { offered: ["application/json", "application/geo+json"] },
      });
    }
  });
});

describe("a body", () => {
  it("must be JSON in UTF-8, plain or as gzip", async () => {
    const app = makeLiteralApp();
    for (const headers of [
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/geo+json" },
      { "Content-Type": "application/json; charset=latin1" },
      { "Content-Type": "" },
      { "Content-Encoding": "br" },
    ]) {
      expect((await app.problem(INTERSECTIONS, question, headers as never)).code).toBe(
        "UNSUPPORTED_MEDIA_TYPE",
      );
    }
    const typed = { "Content-Type": 'Application/JSON; charset="UTF-8"' };
    expect((await app.post(INTERSECTIONS, question, typed)).status).toBe(200);
  });

  it("of no declared length is refused as soon as it passes the limit", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 400;
        controller.enqueue(new Uint8Array(400).fill(0x20));
      },
    });
    const app = makeLiteralApp(makeLiteralEngine(), { limits: { bodyBytes: 1000 } });
    const response = await app.request(INTERSECTIONS, {
      method: "POST",
      body: endless,
      duplex: "half",
      headers: { ...AUTHORIZED, "Content-Type": "application/json" },
    });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(3000);
  });

  it("of exactly the limit is read", async () => {
    const text = JSON.stringify(question);
    const app = makeLiteralApp(makeLiteralEngine(), { limits: { bodyBytes: text.length } });
    expect((await app.post(INTERSECTIONS, text)).status).toBe(200);
    expect((await app.post(INTERSECTIONS, `${text} `)).status).toBe(413);
  });

  it("that is not strict JSON is MALFORMED_JSON at its place", async () => {
    const app = makeLiteralApp();
    expect(await app.problem(INTERSECTIONS, "")).toMatchObject({ status: 400, code: "MALFORMED_JSON" });
    for (const [body, code, pointer] of [
      ['{"input":1,"input":2}', "DUPLICATE_MEMBER", "/input"],
      ['{"input":{"x":1e999}}', "NUMBER_UNSAFE", "/input/x"],
      [`{"input":${"[".repeat(100)}`, "NESTING_TOO_DEEP", `/input${"/0".repeat(63)}`],
    ]) {
      expect(await app.problem(INTERSECTIONS, body)).toMatchObject({
        status: 400,
        code: "MALFORMED_JSON",
        errors: [{ code, pointer }],
      });
    }
  });

  it("that is JSON of another form is VALIDATION_FAILED with every fault", async () => {
    const app = makeLiteralApp();
    expect(await app.problem(INTERSECTIONS, [])).toMatchObject({
      code: "VALIDATION_FAILED",
      errors: [{ pointer: "", code: "INVALID_TYPE" }],
    });
    const refused = await app.problem(INTERSECTIONS, {
      input: { geometri: PLOT, crs: 4326 },
      reference_areas_contry_iso3: "BRA",
      reference_id: "x".repeat(129),
    });
    expect(refused.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["/input/geometry", "INVALID_VALUE"],
      ["/input/crs", "INVALID_TYPE"],
      ["/input/geometri", "UNKNOWN_MEMBER"],
      ["/reference_id", "INVALID_VALUE"],
      ["/reference_areas_contry_iso3", "UNKNOWN_MEMBER"],
    ]);
    expect(refused.errors[2]!.message).toContain('did you mean "geometry"?');
    expect(refused.errors[4]!.message).toContain('did you mean "reference_areas_country_iso3"?');
  });

  it("with a hundred thousand unknown members gets a hundred faults", async () => {
    const members = Array.from({ length: 100_000 }, (_, i) => `"m${i}":0`).join(",");
    const refused = await makeLiteralApp().problem(INTERSECTIONS, `{${members}}`);
    expect(refused.errors).toHaveLength(100);
  });

  it("may hold unknown members inside GeoJSON", async () => {
    const geometry = { type: "Feature", geometry: { ...PLOT, crs: {} }, properties: { owner: 1 }, extra: [] };
    expect((await makeLiteralApp().post(INTERSECTIONS, { input: { geometry } })).status).toBe(200);
  });
});

describe("a query", () => {
  it("refuses unknown parameters with the nearest known, repeated ones, and values out of range", async () => {
    const app = makeLiteralApp();
    for (const [path, pointer, code] of [
      [`${INTERSECTIONS}?geometri=none`, "?geometri", "UNKNOWN_MEMBER"],
      [`${INTERSECTIONS}?explain=yes`, "?explain", "INVALID_VALUE"],
      [`${INTERSECTIONS}?lint=true`, "?lint", "UNKNOWN_MEMBER"],
      [`${INTERSECTIONS}?geometry=none&geometry=area`, "?geometry", "REPEATED_PARAMETER"],
      [`${INTERSECTIONS}?geometry=`, "?geometry", "INVALID_VALUE"],
      ["/v1/distance?geometry=none", "?geometry", "UNKNOWN_MEMBER"],
      ["/v1/subjects?geometry=none", "?geometry", "UNKNOWN_MEMBER"],
      ["/v1/validate?lint=true", "?lint", "UNKNOWN_MEMBER"],
      ["/v1/rulesets?explain=true", "?explain", "UNKNOWN_MEMBER"],
      ["/v1/evaluate?evidence_limit=0", "?evidence_limit", "INVALID_VALUE"],
      ["/v1/evaluate?evidence_limit=201", "?evidence_limit", "INVALID_VALUE"],
      ["/v1/evaluate?evidence_limit=1e2", "?evidence_limit", "INVALID_VALUE"],
      ["/v1/evaluate?evidence_limit=%2B1", "?evidence_limit", "INVALID_VALUE"],
      ["/v1/evaluate?evidence_limit=1&__proto__=1", "?__proto__", "UNKNOWN_MEMBER"],
    ] as const) {
      const refused = await app.problem(path, {});
      expect({ code: refused.code, errors: refused.errors }, path).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer, code }],
      });
    }
  });
});

describe("what the engine refuses", () => {
  const refusing = (error: Error) =>
    makeLiteralEngine({
      intersections: () => {
        throw error;
      },
    });

  it("is reported in terms of the request: pointers lead into the body, with the facts", async () => {
    const faults = [{ pointer: "/coordinates/0/3", code: "RING_NOT_CLOSED", message: "…" }];
    const app = makeLiteralApp(
      refusing(new EngineError("GEOMETRY_INVALID", "ring 0 is open", { faults, rings: 1 })),
    );
    expect(await app.problem(INTERSECTIONS, question)).toEqual({
      type: "/docs/errors#geometry_invalid",
      title: "The geometry is not valid",
      status: 422,
      code: "GEOMETRY_INVALID",
      detail: "ring 0 is open",
      instance: "req_1",
      errors: [{ pointer: "/input/geometry/coordinates/0/3", code: "RING_NOT_CLOSED", message: "…" }],
      details: { rings: 1 },
    });
  });

  it("has a place even where the engine names none", async () => {
    for (const [code, pointer] of [
      ["SOURCE_UNKNOWN", "/reference_areas_source"],
      ["CRS_UNKNOWN", "/input/crs"],
      ["GEOMETRY_TOO_COMPLEX", "/input/geometry"],
    ] as const) {
      const refused = await makeLiteralApp(refusing(new EngineError(code, "no"))).problem(
        INTERSECTIONS,
        question,
      );
      expect(refused.errors).toEqual([{ pointer, code, message: "no" }]);
    }
  });

  it("for a reason of our own is a 503 to be retried", async () => {
    const app = makeLiteralApp(refusing(new EngineError("SNAPSHOT_CORRUPT", "section 3 is damaged")));
    const response = await app.post(INTERSECTIONS, question);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
  });
});

describe("an answer", () => {
  const wide = (count: number) =>
    makeLiteralEngine({
      intersections: (geometry, options) => {
        const answer = makeLiteralEngine().intersections(geometry, options);
        return { ...answer, matches: Array.from({ length: count }, () => answer.matches[0]!) };
      },
    });

  it("is written as JSON.stringify writes it, up to its limit to the byte", async () => {
    const whole = await (await makeLiteralApp(wide(3)).post(INTERSECTIONS, question)).text();
    expect(JSON.stringify(JSON.parse(whole))).toBe(whole);
    const limited = (resultBytes: number) => makeLiteralApp(wide(3), { limits: { resultBytes } });
    const length = Buffer.byteLength(whole);
    expect(await (await limited(length).post(INTERSECTIONS, question)).text()).toBe(whole);
    expect(await limited(length - 1).problem(INTERSECTIONS, question)).toMatchObject({
      status: 422,
      code: "RESULT_TOO_LARGE",
      details: { limit_bytes: length - 1 },
    });
  });

  it("requests no more areas of the engine than an answer may have", async () => {
    const queries: unknown[] = [];
    const engine = makeLiteralEngine({
      intersections: (geometry, options) => {
        queries.push(options);
        return makeLiteralEngine().intersections(geometry, options);
      },
    });
    const body = { ...question, reference_areas_source: "demo:parks", reference_areas_country_iso3: "bra" };
    await makeLiteralApp(engine, { limits: { resultAreas: 12 } }).post(
      `${INTERSECTIONS}?geometry=area`,
      body,
    );
    expect(queries).toEqual([
      {
        countryIso3: "BRA",
        geometry: "area",
        maxResults: 12,
        now: "2026-11-20T10:00:00.000Z",
        sources: ["demo:parks"],
      },
    ]);
  });
});

/** Editions whose age {@link makeLiteralApp}'s clock finds overdue, fresh or unknown. */
const AGED = ["old", "fresh", "unknown", "without"].map(
  (source_name): SourceEntry => ({
    source_name,
    source_dataset: source_name,
    kind: "leaf",
    feature_count: 1,
    ...(source_name !== "unknown" && {
      collected_at_latest: source_name === "fresh" ? "2026-11-01T00:00:00Z" : "2026-08-01T00:00:00Z",
    }),
    ...(source_name !== "without" && { refresh_interval_days: 30 }),
  }),
);

describe("GET /v1/sources", () => {
  it("states which sources are overdue, of those that declare an interval", async () => {
    const app = makeLiteralApp(makeLiteralEngine({ sources: () => AGED }));
    const response = await app.request("/v1/sources", { headers: AUTHORIZED });
    const { data } = readShape(sourcesResponseShape, await response.json());
    expect(data.items.map(({ overdue, refresh_interval_days }) => [overdue, refresh_interval_days])).toEqual([
      [true, 30],
      [false, 30],
      [true, 30],
      [undefined, undefined],
    ]);
  });

  const engine = makeLiteralEngine({
    sources: () => [
      { source_name: "a", source_dataset: "a", kind: "leaf", feature_count: 1, country_coverage: ["BRA"] },
      { source_name: "b", source_dataset: "b", kind: "leaf", feature_count: 1, country_coverage: ["PER"] },
      {
        source_name: "g",
        source_dataset: "g",
        kind: "group",
        feature_count: 2,
        country_coverage: ["BRA", "PER"],
      },
      {
        source_name: "w",
        source_dataset: "w",
        kind: "leaf",
        feature_count: 1,
        country_coverage: ["PER"],
        coverage: { extent: "global", known: "declared" },
      },
      {
        source_name: "r",
        source_dataset: "r",
        kind: "subject_register",
        feature_count: 1,
        supported_schemes: ["br:cnpj"],
      },
    ],
  });
  const names = async (query: string) => {
    const response = await makeLiteralApp(engine).request(`/v1/sources${query}`, { headers: AUTHORIZED });
    const { data } = readShape(sourcesResponseShape, await response.json());
    return data.items.map(({ source_name }) => source_name).join("");
  };

  it("filters by kind and by country in any case; what is global is of every country, a register of none", async () => {
    expect(await names("")).toBe("abgwr");
    expect(await names("?kind=subject_register")).toBe("r");
    expect(await names("?country_iso3=per")).toBe("bgw");
    expect(await names("?country_iso3=PER&kind=group")).toBe("g");
    expect(await names("?country_iso3=CHL")).toBe("w");
  });

  it("refuses an unknown kind or country", async () => {
    for (const query of ["?kind=leaves", "?country_iso3=QQQ", "?country_iso3=BR", "?page=1"]) {
      const response = await makeLiteralApp(engine).request(`/v1/sources${query}`, { headers: AUTHORIZED });
      expect(await response.json()).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
    }
  });
});

describe("/readyz", () => {
  it("reports that sources failed, without their names and reasons, and stays ready for the others", async () => {
    const failures = [{ source_name: "demo:parks", reason: "its edition is damaged" }];
    const response = await makeLiteralApp(makeLiteralEngine({ failures: () => failures })).request("/readyz");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "degraded",
      reasons: ["SOURCES_FAILED"],
      failed_sources: 1,
      overdue_sources: 0,
    });
  });

  it("counts overdue sources and stays ready", async () => {
    const response = await makeLiteralApp(makeLiteralEngine({ sources: () => AGED })).request("/readyz");
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: "ready", reasons: [], failed_sources: 0, overdue_sources: 2 },
    ]);
  });
});

describe("/openapi.json", () => {
  it("describes exactly the paths and methods that answer", async () => {
    const app = makeLiteralApp();
    const document = (await (await app.request("/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(new Set(Object.keys(document.paths))).toEqual(
      new Set([...app.paths].map((path) => path.replaceAll(/:(\w+)/g, "{$1}"))),
    );
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of ["get", "post", "put", "delete", "patch"]) {
        const { status } = await app.request(
          path.replace("{file}", "docs.js").replace("{page}", "embed").replace("{group}", "jobs"),
          {
            method: method.toUpperCase(),
          },
        );
        expect(status !== 405 && status !== 404, `${method} ${path}`).toBe(method in methods);
      }
    }
  });

  it("refers only to schemas it holds", async () => {
    const text = await (await makeLiteralApp().request("/openapi.json")).text();
    const document = JSON.parse(text);
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    for (const path of references) {
      const found = path.split("/").reduce((value, key) => value?.[key], document);
      expect(found, path).toBeDefined();
    }
    const named = references.map((path) => path.split("/")[2]);
    // JobResult is a line of an answer in lines, which the description can only declare as text.
    expect(new Set([...named, "JobResult"])).toEqual(new Set(Object.keys(document.components.schemas)));
  });
});

describe("a body", () => {
  /** An app, and the list of steps its body readers were called with. */
  function watched(): { app: ReturnType<typeof makeLiteralApp>; steps: BodyTask["step"][] } {
    const steps: BodyTask["step"][] = [];
    const host = hostInProcess(() => makeLiteralEngine());
    const engine: EngineHost = {
      ...host,
      answer: (task) => {
        steps.push(task.step);
        return host.answer(task);
      },
    };
    return { app: makeLiteralApp(makeLiteralEngine(), { engine }), steps };
  }

  it("crosses once where the gates are open, and is only identified where its answer is stored", async () => {
    const { app, steps } = watched();
    const headers = { "Idempotency-Key": `crossings-${crypto.randomUUID()}` };
    const charged = await app.post(INTERSECTIONS, question, headers);
    expect([charged.status, steps.splice(0)]).toEqual([200, ["answer"]]);
    const replayed = await app.post(INTERSECTIONS, question, headers);
    expect([replayed.headers.get("Idempotent-Replayed"), steps.splice(0)]).toEqual(["true", ["identify"]]);
    const other = { ...question, reference_id: "another" };
    expect(await app.problem(INTERSECTIONS, other, headers)).toMatchObject({
      code: "IDEMPOTENCY_KEY_CONFLICT",
    });
    expect(steps).toEqual(["identify"]);
  });

  it.each([
    ["whose key is malformed", { "Idempotency-Key": "short" }],
    ["whose key is malformed, to be explained", { "Idempotency-Key": "short" }, "?explain=true"],
    ["whose key holds an answer", { "Idempotency-Key": "holds-an-answer" }],
  ])(
    "that is no JSON is refused for that before anything else: a request %s",
    async (_, headers, query = "") => {
      const { app } = watched();
      await app.post(INTERSECTIONS, question, headers);
      expect(await app.problem(`${INTERSECTIONS}${query}`, "{", headers)).toMatchObject({
        code: "MALFORMED_JSON",
      });
    },
  );
});
