import { decisionsResponseSchema, rulesetResponseSchema } from "@groundrule/contract";
import { hostInProcess } from "@groundrule/service";
import { smallWorld, squarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HttpCaller, problemOf } from "../../../test/http.ts";
import { newOrganization, startService, type TestService } from "../../../test/service.ts";

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
  const engine = smallWorld();
  service = await startService(
    hostInProcess(() => engine),
    { presets: [{ name: "preset.mild", version: 1, body: MILD, createdAt: "2026-01-01T00:00:00Z" }] },
  );
  caller = new HttpCaller(service);
  for (const ruleset of [STRICT, MILD]) await caller.post("/v1/rulesets", { name: "plots", ...ruleset });
  for (const asked of [
    { ruleset_id: "plots@1" },
    { ruleset_id: "plots" },
    { ruleset: STRICT },
    { ruleset: NEVER },
  ]) {
    const input = { geometry: squarePlot(0.1, 0.05) };
    expect((await caller.post("/v1/evaluate", { input, ...asked })).status).toBe(200);
  }
  await caller.post("/v1/intersections", { input: { geometry: squarePlot(0.1, 0.05) } });
});
afterAll(() => service.stop());

async function listed(query: string, from: HttpCaller = caller) {
  const response = await from.get(`/v1/decisions?${query}`);
  expect(response.status, query).toBe(200);
  return decisionsResponseSchema.parse(await response.json()).data;
}

async function digestOfFirst(): Promise<string> {
  const response = await caller.get("/v1/rulesets/plots/1");
  return rulesetResponseSchema.parse(await response.json()).data.digest;
}

describe("GET /v1/decisions by verdict and ruleset", () => {
  it("finds decisions by what was decided", async () => {
    const count = async (query: string) => (await listed(query)).pagination.total_count;
    expect(await count("")).toBe(5);
    expect(await count("verdict=NON_COMPLIANT")).toBe(2);
    expect(await count("verdict=WARNING")).toBe(1);
    expect(await count("verdict=COMPLIANT")).toBe(1);
    expect(await count("verdict=WARNING&verdict=COMPLIANT").catch(() => "refused")).toBe("refused");
  });

  it("finds decisions by a ruleset's name, version or digest, sent inline or not", async () => {
    const digest = await digestOfFirst();
    const count = async (ruleset: string) => (await listed(`ruleset=${ruleset}`)).pagination.total_count;
    expect(await count("plots")).toBe(3);
    expect(await count("plots@1")).toBe(2);
    expect(await count("plots@2")).toBe(1);
    expect(await count("plots@3")).toBe(0);
    expect(await count(digest)).toBe(2);
    expect(await count("preset.mild")).toBe(1);
    expect(await count("preset.mild@1")).toBe(1);
    expect(await count("preset.mild@2")).toBe(0);
    expect(await count("nobody")).toBe(0);
    expect((await listed(`ruleset=plots&verdict=WARNING`)).items[0]?.digests.ruleset).not.toBe(digest);
  });

  it("tells as much as CSV", async () => {
    const response = await caller.get("/v1/decisions?ruleset=plots&verdict=NON_COMPLIANT&page_size=1", {
      Accept: "text/csv",
    });
    expect(response.headers.get("X-Total-Count")).toBe("2");
    expect((await response.text()).trimEnd().split("\r\n")).toHaveLength(2);
  });

  it("finds nothing of another organization, whatever it asks for", async () => {
    const stranger = caller.with((await newOrganization(service.store)).key);
    const digest = await digestOfFirst();
    for (const query of ["verdict=NON_COMPLIANT", "ruleset=plots", `ruleset=${digest}`]) {
      expect((await listed(query, stranger)).pagination.total_count, query).toBe(0);
    }
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
    expect(await problemOf(caller.get(`/v1/decisions?${query}`))).toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  it("says so while decisions of an earlier release are being indexed, and lists them without filters", async () => {
    const { areDecisionsIndexed } = service.store;
    service.store.areDecisionsIndexed = async () => false;
    const refused = await caller.get("/v1/decisions?verdict=WARNING");
    expect(refused.headers.get("Retry-After")).toBe("2");
    expect(await problemOf(refused)).toMatchObject({ code: "STORAGE_UNAVAILABLE", status: 503 });
    expect((await listed("")).pagination.total_count).toBe(5);
    service.store.areDecisionsIndexed = areDecisionsIndexed;
  });
});
