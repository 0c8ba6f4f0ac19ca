import {
  createRulesetResponseShape,
  decisionResponseShape,
  evaluateResponseShape,
  rulesetResponseShape,
  rulesetsResponseShape,
  sourcesResponseShape,
  usageResponseShape,
  validateResponseShape,
} from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { parseRecord, replayRecord } from "@groundrule/engine/records";
import { palette, parseRuleset } from "@groundrule/engine/rulesets";
import { BOW_TIE } from "@groundrule/testing/shapes";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem, HttpCaller } from "../../test/http.ts";
import { createTestOrganization, startService, type TestService } from "../../test/service.ts";

// Sections 2.1, 2.2, 4.1 to 4.5 and 9 of the interface specification, tested over HTTP.

const BODY = {
  description: "Nothing in a park.",
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
};
const OTHER = { ...BODY, checks: [{ id: "park", set: "parks", outcome: "WARNING" }] };
const PRESET = { name: "preset.no-parks", version: 2, body: BODY, createdAt: "2026-01-01T00:00:00Z" };
const OF_GROUPS = {
  name: "preset.of-groups",
  version: 1,
  body: { ...BODY, sets: { parks: { sources: ["preset:two", "preset:one"] } } },
  createdAt: "2026-01-01T00:00:00Z",
};

let service: TestService;
let caller: HttpCaller;

beforeAll(async () => {
  service = await startService(createSmallWorld(), {
    presets: [PRESET, { ...PRESET, version: 1 }, OF_GROUPS],
  });
  caller = new HttpCaller(service);
});
afterAll(() => service.stop());

async function createCaller(more: Parameters<typeof createTestOrganization>[1] = {}): Promise<HttpCaller> {
  return caller.with((await createTestOrganization(service.store, more)).key);
}

const create = async (from: HttpCaller, ruleset: object) => {
  const response = await from.post("/v1/rulesets", ruleset);
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
  return { response, ...readShape(createRulesetResponseShape, JSON.parse(text)) };
};

describe("§4.1 POST /v1/rulesets", () => {
  it("creates a version, and states where it is, with body and instant", async () => {
    const { response, data } = await create(await createCaller(), { name: "plots", ...BODY });
    expect(response.headers.get("Location")).toBe("/v1/rulesets/plots/1");
    expect(data).toMatchObject({ ruleset: "plots", version: 1, body: BODY });
    expect(data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("stores the checks that a policy leaves to others, and states them in its verdicts", async () => {
    const from = await createCaller();
    const not_examined = ["Whether a permit exists."];
    const { data } = await create(from, { name: "leaves", ...BODY, not_examined });
    expect(data.body).toMatchObject({ not_examined });
    const input = { geometry: createSquarePlot(0.1, 0.05) };
    const evaluated = await (await from.post("/v1/evaluate", { input, ruleset_id: "leaves" })).json();
    expect(evaluated).toMatchObject({ data: { ruleset: { name: "leaves", not_examined } } });
    const wrong = await expectProblem(from.post("/v1/rulesets", { name: "w", ...BODY, not_examined: [""] }));
    expect(wrong).toMatchObject({ code: "RULESET_INVALID", errors: [{ pointer: "/not_examined/0" }] });
  });

  it("warns of a mistake that the editions leave no doubt about, and so does every verdict", async () => {
    const from = await createCaller();
    const sets = { parks: { sources: ["demo:parks"], where: "source_name LIKE 'Demo:%'" } };
    const response = await from.post("/v1/rulesets", { name: "cased", ...BODY, sets });
    const { meta } = readShape(createRulesetResponseShape, await response.json());
    expect(meta.warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["FILTER_NEVER", "/sets/parks/where"],
      ["CHECK_NEVER", "/checks/0"],
    ]);
    const input = { geometry: createSquarePlot(0.1, 0.05) };
    const pointersOf = async (ruleset: object) => {
      const answer = await (await from.post("/v1/evaluate", { input, ...ruleset })).json();
      const { data, meta } = readShape(evaluateResponseShape, answer);
      return { digest: data.digest, found: meta.warnings.map(({ code, pointer }) => `${code} ${pointer}`) };
    };
    const saved = await pointersOf({ ruleset_id: "cased" });
    const inline = await pointersOf({ ruleset: { ...BODY, sets } });
    expect(saved.found).toEqual(
      expect.arrayContaining(["FILTER_NEVER /ruleset_id", "CHECK_NEVER /ruleset_id"]),
    );
    expect(inline.found).toEqual(
      expect.arrayContaining(["FILTER_NEVER /ruleset/sets/parks/where", "CHECK_NEVER /ruleset/checks/0"]),
    );
    expect(inline.digest).toBe(saved.digest);
    const clean = await from.post("/v1/rulesets", { name: "clean", ...BODY });
    expect(readShape(createRulesetResponseShape, await clean.json()).meta).toEqual({ warnings: [] });
  });

  it("refuses a version after the last possible one, and proposes another name", async () => {
    const from = await createCaller();
    await create(from, { name: "full", version: 2 ** 31 - 1, ...BODY });
    const response = await from.post("/v1/rulesets", { name: "full", ...BODY });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: "RULESET_ALREADY_EXISTS",
      detail: expect.stringContaining("another name"),
      details: { name: "full", version: 2 ** 31 - 1 },
    });
  });

  it("refuses a bad name or version, and members that are missing or unknown", async () => {
    for (const [ruleset, pointer] of [
      [{ name: "a/b", ...BODY }, "/name"],
      [{ name: "x".repeat(65), ...BODY }, "/name"],
      [{ name: "a", version: 0, ...BODY }, "/version"],
      [{ name: "a", version: 2 ** 31, ...BODY }, "/version"],
      [{ name: "a", version: 1.5, ...BODY }, "/version"],
      [{ name: "a", sets: BODY.sets }, "/checks"],
      [{ name: "a", ...BODY, check: [] }, "/check"],
    ] as const) {
      const refused = await expectProblem(caller.post("/v1/rulesets", ruleset));
      expect({ code: refused.code, errors: refused.errors }).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer }],
      });
    }
  });

  it("keeps members of any name as they were sent", async () => {
    const text = `{"name":"proto","sets":{"parks":{"sources":["demo:parks"]},"__proto__":{"sources":["demo:parks"]}},"checks":[{"id":"park","set":"parks","outcome":"WARNING"}]}`;
    const refused = await expectProblem(caller.post("/v1/rulesets", text));
    expect(refused).toMatchObject({ code: "RULESET_INVALID", errors: [{ pointer: "/sets/__proto__" }] });
  });
});

describe("§8.2 POST /v1/rulesets under an Idempotency-Key", () => {
  const publish = async (from: HttpCaller, key: string, ruleset: object, query = "") => {
    const response = await from.post(`/v1/rulesets${query}`, ruleset, { "Idempotency-Key": key });
    return { response, text: await response.text() };
  };
  const count = async (from: HttpCaller) =>
    readShape(rulesetsResponseShape, await (await from.get("/v1/rulesets")).json()).data.pagination
      .total_count;

  it("answers a retry with the first answer, and publishes and bills nothing", async () => {
    const from = await createCaller();
    const first = await publish(from, "publish-1", { name: "plots", ...BODY }, "?lint=true");
    expect(first.response.headers.has("Idempotent-Replayed")).toBe(false);
    // The order of members does not make a different request.
    const again = await publish(from, "publish-1", { ...BODY, name: "plots" }, "?lint=true");
    for (const { response } of [first, again]) {
      expect(response.status).toBe(201);
      expect(response.headers.get("Location")).toBe("/v1/rulesets/plots/1");
    }
    expect(again.text).toBe(first.text);
    expect(again.response.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await count(from)).toBe(1);
    const usage = readShape(usageResponseShape, await (await from.get("/v1/usage")).json());
    expect(usage.data.used).toBe(0);
  });

  it("answers a retry of a pinned version likewise, and not that the version exists", async () => {
    const from = await createCaller();
    const pinned = { name: "plots", version: 7, ...BODY };
    const first = await publish(from, "publish-7", pinned);
    expect(await publish(from, "publish-7", pinned)).toMatchObject({ text: first.text });
    expect(await expectProblem(from.post("/v1/rulesets", pinned))).toMatchObject({
      code: "RULESET_ALREADY_EXISTS",
    });
  });

  it("refuses a key that stands for another publication", async () => {
    const from = await createCaller();
    await publish(from, "publish-1", { name: "plots", ...BODY });
    for (const [other, query] of [
      [{ name: "plots", ...OTHER }, ""],
      [{ name: "other", ...BODY }, ""],
      [{ name: "plots", ...BODY }, "?lint=true"],
    ] as const) {
      const headers = { "Idempotency-Key": "publish-1" };
      expect(await expectProblem(from.post(`/v1/rulesets${query}`, other, headers))).toMatchObject({
        status: 422,
        code: "IDEMPOTENCY_KEY_CONFLICT",
        details: { name: "plots", version: 1 },
      });
    }
    expect(await count(from)).toBe(1);
  });

  it("keeps a key free when nothing was published", async () => {
    const from = await createCaller();
    const refused = await publish(from, "try-again", { name: "plots", ...BODY, checks: [] });
    expect(refused.response.status).toBe(422);
    expect((await publish(from, "try-again", { name: "plots", ...BODY })).response.status).toBe(201);
  });

  it("keeps the keys of publications apart from those of charges", async () => {
    const from = await createCaller();
    const headers = { "Idempotency-Key": "both-uses" };
    expect((await publish(from, "both-uses", { name: "plots", ...BODY })).response.status).toBe(201);
    const input = { geometry: createSquarePlot(0.05, 0.05) };
    const verdict = await from.post("/v1/evaluate", { input, ruleset_id: "plots" }, headers);
    expect(verdict.status).toBe(200);
    expect(verdict.headers.has("Idempotent-Replayed")).toBe(false);
  });
});

describe("§4.2 GET /v1/rulesets", () => {
  const list = async (from: HttpCaller, query = "") =>
    readShape(rulesetsResponseShape, await (await from.get(`/v1/rulesets${query}`)).json()).data;

  it("lists what is known of each version but its body, newest first, by pages and by name", async () => {
    const from = await createCaller();
    for (const name of ["a", "b", "b", "c"]) await create(from, { name, ...BODY });
    const all = await list(from);
    expect(all.items.map(({ ruleset, version }) => `${ruleset}@${version}`).sort()).toEqual([
      "a@1",
      "b@1",
      "b@2",
      "c@1",
    ]);
    expect(all.pagination).toEqual({ page: 1, page_size: 25, total_count: 4, total_pages: 1 });
    const second = await list(from, "?page=2&page_size=3");
    expect(second.items).toHaveLength(1);
    expect(second.pagination).toEqual({ page: 2, page_size: 3, total_count: 4, total_pages: 2 });
    expect((await list(from, "?name=b")).items.map(({ version }) => version)).toEqual([2, 1]);
    for (const page of [2, 9, 1_000_001, 2 ** 31 - 1]) {
      const beyond = await list(from, `?page=${page}&page_size=200`);
      expect(beyond.items).toEqual([]);
      expect(beyond.pagination).toEqual({ page, page_size: 200, total_count: 4, total_pages: 1 });
      const presets = await list(from, `?page=${page}&page_size=200&name=preset.`);
      expect([presets.items, presets.pagination.total_count]).toEqual([[], 3]);
      expect(await (await from.get(`/v1/decisions?page=${page}&page_size=200`)).json()).toMatchObject({
        data: { items: [], pagination: { page, total_count: 0, total_pages: 0 } },
      });
    }
    expect((await list(from, "?name=preset.no-parks")).items.map(({ version }) => version)).toEqual([2, 1]);
  });

  it("refuses pages that are none, and larger ones than 200", async () => {
    for (const query of [
      "?page=0",
      "?page=x",
      "?page=2147483648",
      "?page_size=201",
      "?page_size=0",
      "?pagesize=3",
    ]) {
      expect(await expectProblem(caller.get(`/v1/rulesets${query}`))).toMatchObject({
        status: 422,
        code: "VALIDATION_FAILED",
      });
    }
  });
});

describe("§4.3 and §4.4 GET /v1/rulesets/{name} and /{version}", () => {
  const get = async (from: HttpCaller, path: string) =>
    readShape(rulesetResponseShape, await (await from.get(`/v1/rulesets/${path}`)).json()).data;

  it("gives the latest version or the pinned one, with body and palette", async () => {
    const from = await createCaller();
    await create(from, { name: "r", ...BODY });
    await create(from, { name: "r", ...OTHER });
    expect(await get(from, "r")).toMatchObject({ version: 2, body: OTHER });
    const pinned = await get(from, "r/1");
    expect(pinned).toMatchObject({ version: 1, body: BODY, palette: palette(parseRuleset(BODY)) });
  });

  it("reads presets, which are everybody's and nobody's to write", async () => {
    expect(await get(caller, "preset.no-parks")).toMatchObject({ version: 2, body: BODY });
    expect(await get(caller, "preset.no-parks/1")).toMatchObject({ version: 1 });
  });

  it("answers RULESET_NOT_FOUND for a name, a version or a text that is none", async () => {
    const from = await createCaller();
    await create(from, { name: "r", ...BODY });
    for (const path of ["q", "R", "r/2", "r/0", "r/01", "r/x", "r/1.0", "r/99999999999", "preset.x"]) {
      expect(await expectProblem(from.get(`/v1/rulesets/${path}`))).toMatchObject({
        status: 404,
        code: "RULESET_NOT_FOUND",
      });
    }
  });
});

describe("§2.1 a saved ruleset", () => {
  it("is evaluated by name and version, or by name in its latest version, as the same ruleset sent along", async () => {
    const from = await createCaller();
    await create(from, { name: "r", ...BODY });
    await create(from, { name: "r", ...OTHER });
    const input = { geometry: createSquarePlot(0.03, 0.05) };
    const verdict = async (ruleset: object) =>
      readShape(evaluateResponseShape, await (await from.post("/v1/evaluate", { input, ...ruleset })).json())
        .data;
    const pinned = await verdict({ ruleset_id: "r@1" });
    expect(pinned).toMatchObject({ verdict: "NON_COMPLIANT", ruleset: { name: "r", version: 1 } });
    expect(await verdict({ ruleset_id: "r" })).toMatchObject({ verdict: "WARNING", ruleset: { version: 2 } });
    expect(pinned.digest).toBe((await verdict({ ruleset: BODY })).digest);
    expect(await verdict({ ruleset_id: "preset.no-parks@1" })).toMatchObject({ digest: pinned.digest });
    expect(await expectProblem(from.post("/v1/evaluate", { input, ruleset_id: "r@x" }))).toMatchObject({
      status: 422,
    });
  });
});

describe("a decision's record", () => {
  it("is replayed to the same verdict: with the ruleset a name stood for, its evidence limit and its groups", async () => {
    const from = await createCaller();
    const all = {
      sets: { all: { sources: ["demo:all"] } },
      checks: [{ id: "all", set: "all", outcome: "WARNING" }],
    };
    await create(from, { name: "all", ...all });
    const input = { geometry: createSquarePlot(0.1, 0.05) };
    const answer = await from.post("/v1/evaluate?evidence_limit=1", { input, ruleset_id: "all" });
    const path = `/v1/decisions/${answer.headers.get("X-Decision-Id")}`;
    const { data } = readShape(decisionResponseShape, await (await from.get(path)).json());
    const record = parseRecord(data.record);
    expect(record.groups).toEqual({ "demo:all": ["demo:lands", "demo:parks"] });
    expect(replayRecord(createSmallWorld(), record)).toMatchObject({ differs: [] });
    expect(data.digests).not.toHaveProperty("groups");
  });
});

describe("T-23 organizations", () => {
  it("see only the sources that are available to them", async () => {
    const from = await createCaller({ sources: ["demo:p*"] });
    const { data } = readShape(sourcesResponseShape, await (await from.get("/v1/sources")).json());
    expect(data.items.map(({ source_name, feature_count }) => [source_name, feature_count])).toEqual([
      ["demo:parks", 2],
    ]);
    const input = { geometry: createSquarePlot(0.1, 0.05) };
    const found = (await (await from.post("/v1/intersections", { input })).json()) as { features: object[] };
    expect(found.features).toHaveLength(2);
    const named = await expectProblem(
      from.post("/v1/intersections", { input, reference_areas_source: "demo:lands" }),
    );
    expect(named.code).toBe("SOURCE_UNKNOWN");
    const ruleset = { ...BODY, sets: { parks: { sources: ["demo:lands"] } } };
    expect((await expectProblem(from.post("/v1/evaluate", { input, ruleset }))).code).toBe("SOURCE_UNKNOWN");
    expect((await expectProblem(from.post("/v1/rulesets", { name: "l", ...ruleset }))).code).toBe(
      "SOURCE_UNKNOWN",
    );
    // Only the owner of the data may leave sources out.
    const without = { options: { without: ["demo:lands"] }, input, ruleset };
    for (const query of ["", "?explain=true"]) {
      const refused = await expectProblem(from.post(`/v1/evaluate${query}`, without));
      expect(refused).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
      expect(refused.errors).toMatchObject([{ pointer: "/options/without" }]);
    }
    const scheme = { type: "br:cnpj", value: "1" };
    expect((await expectProblem(from.post("/v1/subjects", { input: { scheme } }))).status).toBe(422);
  });
});

describe("a query", () => {
  it("of a probe is nobody's concern", async () => {
    for (const path of ["/healthz?at=1", "/readyz?at=1"]) expect((await caller.get(path)).status).toBe(200);
  });
});

describe("§2.2 a group", () => {
  const input = { geometry: createSquarePlot(0.1, 0.05) };
  const ruleset = {
    sets: { all: { sources: ["demo:all"] } },
    checks: [{ id: "all", set: "all", measure: "count", value: 2, op: ">=", outcome: "NON_COMPLIANT" }],
  };
  const sourcesOf = async (from: HttpCaller) =>
    readShape(sourcesResponseShape, await (await from.get("/v1/sources")).json()).data.items.map(
      ({ source_name }) => source_name,
    );

  it("is unknown to an organization that may not see one of them, wherever it is named, and costs nothing", async () => {
    const from = await createCaller({ sources: ["demo:parks", "demo:sanctions"] });
    expect(await sourcesOf(from)).toEqual(["demo:parks", "demo:sanctions"]);
    const filtered = { input, reference_areas_source: "demo:all" };
    for (const [path, body, pointer] of [
      ["/v1/evaluate", { input, ruleset }, "/ruleset/sets/all/sources/0"],
      ["/v1/evaluate?explain=true", { input, ruleset }, "/ruleset/sets/all/sources/0"],
      ["/v1/rulesets", { name: "all", ...ruleset }, "/sets/all/sources/0"],
      ["/v1/intersections", filtered, "/reference_areas_source"],
      ["/v1/distance", { ...filtered, input: { ...input, max_distance_m: 1 } }, "/reference_areas_source"],
    ] as const) {
      const problem = await expectProblem(from.post(path, body));
      expect(problem, path).toMatchObject({ status: 422, code: "SOURCE_UNKNOWN", errors: [{ pointer }] });
      expect(JSON.stringify(problem), path).not.toContain("demo:lands");
    }
    const usage = readShape(usageResponseShape, await (await from.get("/v1/usage")).json());
    expect(usage.data.used).toBe(0);
  });

  it("of a missing preset is named, with the command that shows its operator how to get it", async () => {
    const detail =
      "Groups that the ruleset names are not available: preset:one, preset:two. The operator of the service brings them as groundrule sources list --needed-by RULESET says.";
    for (const path of ["/v1/evaluate", "/v1/evaluate?explain=true"]) {
      const problem = await expectProblem(caller.post(path, { input, ruleset_id: "preset.of-groups" }));
      expect(problem).toMatchObject({
        status: 422,
        code: "SOURCE_UNKNOWN",
        errors: [{ pointer: "/ruleset_id" }, { pointer: "/ruleset_id" }],
        details: { unknown_sources: ["preset:one", "preset:two"] },
      });
      expect(problem.detail).toContain(detail);
    }
  });
});

describe("POST /v1/validate", () => {
  const validate = async (body: object) =>
    readShape(validateResponseShape, await (await caller.post("/v1/validate", body)).json()).data;

  it("states whether a geometry would be taken, with every fault and a repair", async () => {
    expect(await validate({ geometry: createSquarePlot(0, 0) })).toEqual({
      geometry: { valid: true, position_count: 5, bbox: [-0.01, -0.01, 0.01, 0.01], warnings: [] },
      plots: null,
      ruleset: null,
    });
    const { geometry } = await validate({ geometry: BOW_TIE });
    expect(geometry).toMatchObject({
      valid: false,
      code: "GEOMETRY_INVALID",
      details: { repaired: { type: "MultiPolygon" }, area_change_m2: expect.any(Number) },
    });
    const names = JSON.stringify(geometry).matchAll(/"(\w+)":/g);
    for (const [, name] of names) expect(name).toMatch(/^[a-z0-9_]+$/);
    if (geometry?.valid !== false) throw new Error("expected an invalid geometry");
    expect(geometry.errors[0]?.pointer).toMatch(/^\/geometry\/coordinates\/0/);
    expect(geometry.details).toHaveProperty("repaired");
    expect(await validate({ geometry: BOW_TIE, crs: "EPSG:1" })).toMatchObject({
      geometry: { code: "CRS_UNKNOWN", errors: [{ pointer: "/crs" }] },
    });
  });

  it("states whether a ruleset would be taken, and what is doubtful about it", async () => {
    expect(await validate({ ruleset: BODY })).toMatchObject({ ruleset: { valid: true } });
    const { ruleset } = await validate({ ruleset: { ...BODY, checks: [] } });
    expect(ruleset?.valid).toBe(false);
    expect(ruleset?.lint[0]?.pointer).toMatch(/^\/ruleset/);
  });

  const collection = (...features: unknown[]) => ({ type: "FeatureCollection", features });
  const feature = (geometry: unknown, properties: object = {}, id?: string) => ({
    type: "Feature",
    ...(id !== undefined && { id }),
    geometry,
    properties,
  });

  it("reports every problem of every plot, with pointers into the request", async () => {
    const { plots, geometry } = await validate({
      plots: collection(feature(BOW_TIE, {}, "tie"), null, feature(createSquarePlot(10, 0))),
    });
    expect(geometry).toBeNull();
    expect(plots).toMatchObject({
      valid: false,
      plot_count: 3,
      error_count: 2,
      warning_count: 1,
      truncated: false,
    });
    expect(plots?.findings).toMatchObject([
      {
        plot: 1,
        id: "tie",
        code: "RING_SELF_CROSSING",
        pointer: expect.stringMatching(/^\/plots\/features\/0\/geometry\/coordinates\/0/),
      },
      { plot: 1, code: "IN_SEA", pointer: "/plots/features/0/geometry" },
      { plot: 2, id: 2, code: "PLOT_UNREADABLE", pointer: "/plots/features/1" },
    ]);
  });

  it("checks plots by a profile, and against each other", async () => {
    const plots = collection(
      feature(
        { type: "Point", coordinates: [-59.123456, -9.123456] },
        { ProducerName: "Ana", ProducerCountry: "BR", Area: 5 },
      ),
      feature(createSquarePlot(10, 0), { ProducerName: "Ana", ProducerCountry: "BRA" }),
      feature(createSquarePlot(10, 0), { ProducerName: "Bia", ProducerCountry: "BR" }),
    );
    const { plots: findings } = await validate({ plots, profile: "eudr" });
    const codes = findings?.findings.map(({ plot, code }) => `${plot} ${code}`);
    expect(codes).toEqual(
      expect.arrayContaining([
        "1 POINT_TOO_LARGE",
        "2 COUNTRY_CODE_INVALID",
        "2 OUTSIDE_COUNTRY",
        "3 PLOTS_IDENTICAL",
      ]),
    );
    expect(findings?.findings.at(-1)).toMatchObject({
      area_m2: expect.any(Number),
      other: { plot: 2, id: 2 },
    });
    const cattle = await validate({ plots, profile: "eudr", commodity: "Cattle" });
    expect(JSON.stringify(cattle)).not.toContain("POINT_TOO_LARGE");
    expect((await validate({ plots })).plots?.findings.map(({ code }) => code)).not.toContain(
      "POINT_TOO_LARGE",
    );
  });

  it("lists a limited number of findings, and counts the others", async () => {
    const points = { type: "MultiPoint", coordinates: Array.from({ length: 300 }, () => [10, 5]) };
    const features = Array.from({ length: 20 }, (_, i) => feature(points, {}, `p${i}`));
    const { plots } = await validate({ plots: collection(...features) });
    expect(plots).toMatchObject({ truncated: true });
    expect(plots?.findings).toHaveLength(1000);
    expect(plots!.error_count + plots!.warning_count).toBeGreaterThan(2000);
  });

  it("refuses a profile without plots, and one that is not known", async () => {
    const geometry = createSquarePlot(0, 0);
    for (const [body, pointer] of [
      [{ geometry, profile: "eudr" }, "/profile"],
      [{ geometry, commodity: "cocoa" }, "/commodity"],
      [{ plots: collection(feature(geometry)), profile: "eu" }, "/profile"],
      [{ plots: { type: "Feature" } }, "/plots/type"],
      [{ plots: collection() }, "/plots/features"],
    ] as const) {
      const { code, errors } = await expectProblem(caller.post("/v1/validate", body));
      expect(code).toBe("VALIDATION_FAILED");
      expect(errors[0], JSON.stringify(body)).toMatchObject({ pointer });
    }
  });

  it("takes one of them at least", async () => {
    expect((await expectProblem(caller.post("/v1/validate", {}))).code).toBe("VALIDATION_FAILED");
  });
});

describe("the reference page", () => {
  it("is whole without a network, and runs its own scripts alone", async () => {
    const page = await fetch(`${service.url}/docs`);
    const text = await page.text();
    expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    const loaded = [...text.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]+)"/g)];
    expect(loaded).toHaveLength(2);
    for (const [, path] of loaded) expect((await fetch(service.url + path)).status, path).toBe(200);
    expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|src="http/);
    expect((await fetch(`${service.url}/docs/..%2fpackage.json`)).status).toBe(404);
  });
});
