import {
  decisionResponseShape,
  decisionsResponseShape,
  PAGE_LANGUAGES,
  rulesetResponseShape,
} from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { LANGUAGES } from "@groundrule/report";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem, HttpCaller } from "../../../test/http.ts";
import { createTestOrganization, startService, type TestService } from "../../../test/service.ts";

const parks = (outcome: string, op: string) => ({
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "park", set: "parks", measure: "count", op, value: 1, outcome }],
});
const STRICT = parks("NON_COMPLIANT", ">=");
const MILD = parks("WARNING", ">=");
const NEVER = parks("WARNING", "<");

let service: TestService;
let caller: HttpCaller;

beforeAll(async () => {
  service = await startService(createSmallWorld(), {
    presets: [{ name: "preset.mild", version: 1, body: MILD, createdAt: "2026-01-01T00:00:00Z" }],
  });
  caller = new HttpCaller(service);
  for (const ruleset of [STRICT, MILD]) await caller.post("/v1/rulesets", { name: "plots", ...ruleset });
  for (const question of [
    { ruleset_id: "plots@1" },
    { ruleset_id: "plots" },
    { ruleset: STRICT },
    { ruleset: NEVER },
  ]) {
    const input = { geometry: createSquarePlot(0.1, 0.05) };
    expect((await caller.post("/v1/evaluate", { input, ...question })).status).toBe(200);
  }
  await caller.post("/v1/intersections", { input: { geometry: createSquarePlot(0.1, 0.05) } });
});
afterAll(() => service.stop());

async function fetchDecisions(query: string, from: HttpCaller = caller) {
  const response = await from.get(`/v1/decisions?${query}`);
  expect(response.status, query).toBe(200);
  return readShape(decisionsResponseShape, await response.json()).data;
}

async function digestOfFirst(): Promise<string> {
  const response = await caller.get("/v1/rulesets/plots/1");
  return readShape(rulesetResponseShape, await response.json()).data.digest;
}

describe("GET /v1/decisions by verdict and ruleset", () => {
  it("finds decisions by what was decided", async () => {
    const count = async (query: string) => (await fetchDecisions(query)).pagination.total_count;
    expect(await count("")).toBe(5);
    expect(await count("verdict=NON_COMPLIANT")).toBe(2);
    expect(await count("verdict=WARNING")).toBe(1);
    expect(await count("verdict=COMPLIANT")).toBe(1);
    expect(await count("verdict=WARNING&verdict=COMPLIANT").catch(() => "refused")).toBe("refused");
  });

  it("finds decisions by a ruleset's name, version or digest, sent inline or not", async () => {
    const digest = await digestOfFirst();
    const count = async (ruleset: string) =>
      (await fetchDecisions(`ruleset=${ruleset}`)).pagination.total_count;
    expect(await count("plots")).toBe(3);
    expect(await count("plots@1")).toBe(2);
    expect(await count("plots@2")).toBe(1);
    expect(await count("plots@3")).toBe(0);
    expect(await count(digest)).toBe(2);
    expect(await count("preset.mild")).toBe(1);
    expect(await count("preset.mild@1")).toBe(1);
    expect(await count("preset.mild@2")).toBe(0);
    expect(await count("nobody")).toBe(0);
    expect((await fetchDecisions(`ruleset=plots&verdict=WARNING`)).items[0]?.digests.ruleset).not.toBe(
      digest,
    );
  });

  it("has as much as CSV", async () => {
    const response = await caller.get("/v1/decisions?ruleset=plots&verdict=NON_COMPLIANT&page_size=1", {
      Accept: "text/csv",
    });
    expect(response.headers.get("X-Total-Count")).toBe("2");
    expect((await response.text()).trimEnd().split("\r\n")).toHaveLength(2);
  });

  it.each([
    "verdict=DEGRADED",
    "verdict=compliant",
    "verdict=",
    "ruleset=",
    "ruleset=plots@",
    "ruleset=plots@0",
    "ruleset=plots@1@2",
    "ruleset=plots@99999999999",
    "ruleset=a%20b",
    `ruleset=${"a".repeat(9_000)}`,
  ])("refuses %s", async (query) => {
    expect(await expectProblem(caller.get(`/v1/decisions?${query}`))).toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("goes on before a decision, with the filters and the count of what is left", async () => {
    const all = (await fetchDecisions("page_size=200")).items.map(({ decision_id }) => decision_id);
    const seen: string[] = [];
    for (let before = ""; ; ) {
      const { items, pagination } = await fetchDecisions(`page_size=2${before}`);
      expect(pagination.total_count).toBe(all.length - seen.length);
      if (items.length === 0) break;
      seen.push(...items.map(({ decision_id }) => decision_id));
      before = `&before=${seen.at(-1)}`;
    }
    expect(seen).toEqual(all);
    const warned = (await fetchDecisions("verdict=WARNING")).items[0]!.decision_id;
    expect((await fetchDecisions(`verdict=WARNING&before=${warned}`)).pagination.total_count).toBe(0);
    expect(
      (await fetchDecisions(`verdict=WARNING&before=${all[0]}`)).items.map((item) => item.decision_id),
    ).toEqual([warned]);
  });

  it("pages to any depth by time, and refuses a page far beyond what filters are paged for", async () => {
    const deep = "page=1000000&page_size=200";
    expect((await fetchDecisions(deep)).items).toEqual([]);
    expect((await fetchDecisions(`from=2020-01-01T00:00:00Z&${deep}`)).pagination.total_count).toBe(5);
    expect((await fetchDecisions("verdict=WARNING&page=50&page_size=200")).items).toEqual([]);
    for (const filter of ["verdict=WARNING", "ruleset=plots", "reference_id=a", "request_id=b"]) {
      expect(await expectProblem(caller.get(`/v1/decisions?${filter}&page=51&page_size=200`))).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer: "?page", code: "PAGE_TOO_DEEP" }],
      });
    }
  });

  it("refuses to go on before a decision that the caller has not, or from a page", async () => {
    const own = (await fetchDecisions("")).items[0]!.decision_id;
    const stranger = caller.with((await createTestOrganization(service.store)).key);
    for (const [from, query, pointer, code] of [
      [stranger, `before=${own}`, "?before", "DECISION_UNKNOWN"],
      [caller, "before=dec_none", "?before", "DECISION_UNKNOWN"],
      [caller, "before=%20", "?before", "DECISION_UNKNOWN"],
      [caller, `before=${own}&page=2`, "?page", "UNEXPECTED_PARAMETER"],
    ] as const) {
      expect(await expectProblem(from.get(`/v1/decisions?${query}`))).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer, code }],
      });
    }
  });

  it("reports that decisions of an earlier release are being indexed, and lists them without filters", async () => {
    const { areDecisionsIndexed } = service.store;
    service.store.areDecisionsIndexed = async () => false;
    const refused = await caller.get("/v1/decisions?verdict=WARNING");
    expect(refused.headers.get("Retry-After")).toBe("2");
    expect(await expectProblem(refused)).toMatchObject({ code: "STORAGE_UNAVAILABLE", status: 503 });
    expect((await fetchDecisions("")).pagination.total_count).toBe(5);
    service.store.areDecisionsIndexed = areDecisionsIndexed;
  });
});

describe("the page of a decision", () => {
  const pageOf = (headers: Record<string, string>, query = "") =>
    firstVerdict().then((id) =>
      caller.get(`/v1/decisions/${id}${query}`, { Accept: "text/html", ...headers }),
    );

  async function firstVerdict(): Promise<string> {
    return (await fetchDecisions("verdict=NON_COMPLIANT")).items[0]!.decision_id;
  }

  it("is in the language of the caller or of the query, and declares it", async () => {
    for (const [headers, query, language] of [
      [{}, "", "en"],
      [{ "Accept-Language": "pt-BR,pt;q=0.9,en;q=0.8" }, "", "pt"],
      [{ "Accept-Language": "de, es;q=0.3, en;q=0.2" }, "", "es"],
      [{ "Accept-Language": "de" }, "", "en"],
      [{ "Accept-Language": "pt" }, "?language=es", "es"],
    ] as const) {
      const response = await pageOf(headers, query);
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Language")).toBe(language);
      expect(response.headers.get("Vary")).toMatch(/^Accept, Accept-Language\b/);
      expect(await response.text()).toContain(`<html lang="${language}">`);
    }
  });

  it("is written in every language of reports, with the same digests and figures in each", async () => {
    expect(PAGE_LANGUAGES).toEqual(LANGUAGES);
    const json = await caller.get(`/v1/decisions/${await firstVerdict()}`);
    const { response } = readShape(decisionResponseShape, await json.json()).data.record!;
    const { digest } = (response as { readonly data: { readonly digest: string } }).data;
    const pages = await Promise.all(
      PAGE_LANGUAGES.map(async (language) => (await pageOf({}, `?language=${language}`)).text()),
    );
    expect(new Set(pages).size).toBe(3);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const digests = (page: string) => page.match(/\b[0-9a-f]{64}\b/g);
    expect(digests(pages[0]!)).toContain(digest);
    for (const page of pages) expect(digests(page)).toEqual(digests(pages[0]!));
  });

  it("is JSON in no language: a requested one is refused, and so is an unknown one", async () => {
    const id = await firstVerdict();
    const json = (query: string, headers = {}) => caller.get(`/v1/decisions/${id}${query}`, headers);
    for (const headers of [
      {},
      { Accept: "application/json" },
      { Accept: "text/html;q=0.1, application/json" },
    ]) {
      expect(await expectProblem(json("?language=pt", headers))).toMatchObject({
        code: "VALIDATION_FAILED",
        errors: [{ pointer: "?language", code: "UNEXPECTED_PARAMETER" }],
      });
    }
    for (const query of [
      "?language=de",
      "?language=",
      "?language=PT",
      "?lang=pt",
      "?language=pt&language=es",
    ]) {
      expect(await expectProblem(json(query, { Accept: "text/html" }))).toMatchObject({
        code: "VALIDATION_FAILED",
      });
    }
    const answer = await json("", { "Accept-Language": "pt" });
    expect(answer.headers.get("Content-Language")).toBeNull();
    expect(answer.headers.get("Vary")).toMatch(/^Accept(?:, Accept-Encoding)?$/);
    expect(await answer.text()).toBe(await (await json("")).text());
  });
});
