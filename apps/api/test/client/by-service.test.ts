import { BOW_TIE } from "@groundrule/testing/shapes";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answerer, AnswerProblem, Question } from "../../../console/src/answering/answerer.ts";
import { createServiceAnswerer } from "../../../console/src/answering/by-service.ts";
import { NO_PARKS } from "../http.ts";
import { startService, type TestService } from "../service.ts";

const INSIDE: Question = { input: { geometry: createSquarePlot(0.05, 0.05) }, ruleset: { body: NO_PARKS } };

let service: TestService;
let answerer: Answerer;

beforeAll(async () => {
  service = await startService(createSmallWorld(), {
    presets: [{ name: "preset.parks", version: 3, body: NO_PARKS, createdAt: "2026-01-01T00:00:00Z" }],
  });
  answerer = createServiceAnswerer(service.url, service.key);
});
afterAll(async () => {
  answerer.close();
  await service.stop();
});

async function expectProblem(request: Promise<unknown>): Promise<AnswerProblem> {
  return request.then(
    () => expect.fail("expected a problem"),
    (error) => error,
  );
}

describe("byService", () => {
  it("gives the verdict with what a report is made of, and charges a key once", async () => {
    const first = await answerer.evaluate(INSIDE, { key: "plot-1-asked" });
    const second = await answerer.evaluate(INSIDE, { key: "plot-1-asked" });
    expect(first).toMatchObject({
      charged: true,
      verdict: { verdict: "NON_COMPLIANT" },
      warnings: [{ code: "COVERAGE_UNDECLARED" }],
    });
    expect(second).toEqual(first);
    expect(JSON.parse(JSON.stringify(first.record))).toMatchObject({
      request: { input: INSIDE.input, ruleset: NO_PARKS },
      response: { data: { digest: first.verdict.digest }, meta: { request_id: first.requestId }, errors: [] },
    });
    expect(await answerer.usage()).toEqual({ limit: 1_000_000, used: 1, periodEndsAt: expect.any(String) });
  });

  it("reports faults of a plot with their place and the repair", async () => {
    const problem = await expectProblem(answerer.evaluate({ ...INSIDE, input: { geometry: BOW_TIE } }));
    expect(problem).toMatchObject({ name: "AnswerProblem", code: "GEOMETRY_INVALID", status: 422 });
    expect(problem.faults[0]).toMatchObject({
      code: "RING_SELF_CROSSING",
      position: [expect.any(Number), expect.any(Number)],
    });
    expect(problem.repaired).toMatchObject({ type: "MultiPolygon" });
  });

  it("reports a bad key, and a service that is not there, as problems", async () => {
    const stranger = createServiceAnswerer(service.url, `${service.key.slice(0, -6)}aaaaaa`);
    expect(await expectProblem(stranger.usage())).toMatchObject({ code: "API_KEY_INVALID", status: 401 });
    const nobody = createServiceAnswerer("http://127.0.0.1:9/", service.key, {
      fetch: () => Promise.reject(new TypeError("refused")),
      sleep: async () => {},
    });
    const problem = await expectProblem(nobody.sources());
    expect(problem).toMatchObject({ name: "AnswerProblem", code: "NETWORK_FAILED" });
    expect(String(problem)).not.toContain(service.key);
  });

  it("ends with the caller's reason where the caller aborts, and with an abort once closed", async () => {
    const reason = new Error("the plot was removed");
    await expect(answerer.evaluate(INSIDE, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const other = createServiceAnswerer(service.url, service.key);
    other.close();
    await expect(other.usage()).rejects.toMatchObject({ name: "AbortError" });
  });

  it("stores, finds, lists, checks and explains rulesets", async () => {
    expect(await answerer.saveRuleset?.("parks", { ...NO_PARKS, description: "No parks" })).toEqual({
      name: "parks",
      version: 1,
    });
    expect(await answerer.saveRuleset?.("parks", NO_PARKS)).toEqual({ name: "parks", version: 2 });
    expect(await answerer.rulesets()).toEqual([
      { name: "parks", version: 2, isPreset: false },
      { name: "preset.parks", version: 3, isPreset: true },
    ]);
    expect(await answerer.ruleset("parks@1")).toMatchObject({
      name: "parks",
      version: 1,
      body: { description: "No parks" },
    });
    expect(await expectProblem(answerer.ruleset("nobody"))).toMatchObject({ code: "RULESET_NOT_FOUND" });
    expect(await answerer.checkRuleset(NO_PARKS)).not.toContainEqual(
      expect.objectContaining({ severity: "error" }),
    );
    expect(await answerer.checkRuleset({ ...NO_PARKS, checks: [{ id: "x" }] })).toContainEqual(
      expect.objectContaining({ severity: "error", pointer: expect.stringContaining("/checks/0") }),
    );
    expect(await answerer.explain({ ...INSIDE, ruleset: { id: "parks" } })).toMatchObject({
      ask: "evaluate",
      ruleset: { name: "parks", version: 2 },
    });
    expect((await answerer.sources()).map(({ source_name }) => source_name)).toContain("demo:parks");
  });
});
