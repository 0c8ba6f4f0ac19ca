import { PoolError } from "@groundrule/node";
import { AnswerPool, hostInWorkers } from "@groundrule/service";
import {
  createSmallWorld,
  createSmallWorldSources,
  createSquarePlot,
  LISTED_CNPJ,
  SMALL_WORLD_OPTIONS,
} from "@groundrule/testing/small-world";
import { afterEach, describe, expect, it } from "vitest";
import { makeLiteralApp } from "../../test/literal-app.ts";

let pool: AnswerPool;
afterEach(() => pool.close());

function createWorkerApp() {
  pool = new AnswerPool(
    { sources: createSmallWorldSources(), options: SMALL_WORLD_OPTIONS },
    { size: 1, deadlineMs: 20_000 },
  );
  const engine = createSmallWorld();
  return makeLiteralApp(engine, { engine: hostInWorkers(() => engine, pool) });
}

const input = { geometry: createSquarePlot(0.1, 0.05) };
const scheme = { type: "br:cnpj", value: LISTED_CNPJ };
const ruleset = {
  sets: { parks: { sources: ["demo:parks"] }, listed: { registers: ["demo:sanctions"] } },
  checks: [
    { id: "parks", set: "parks", outcome: "WARNING" },
    { id: "listed", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};

describe("AnswerPool", () => {
  it("answers and refuses byte for byte as the engine in this thread does", async () => {
    const [here, there] = [makeLiteralApp(createSmallWorld()), createWorkerApp()];
    for (const [path, body] of [
      ["/v1/intersections", { input }],
      ["/v1/distance", { input: { ...input, max_distance_m: 10 } }],
      ["/v1/subjects", { input: { scheme } }],
      ["/v1/evaluate", { input: { ...input, scheme }, ruleset }],
      ["/v1/evaluate?lint=true", { input: { ...input, scheme }, ruleset }],
      ["/v1/evaluate?explain=true", { input, ruleset }],
      ["/v1/subjects?explain=true", { input: { scheme } }],
      ["/v1/intersections", { input: { geometry: { type: "Polygon", coordinates: [[[0, 0]]] } } }],
      ["/v1/evaluate", { input, ruleset: { sets: {}, checks: [] } }],
    ] as const) {
      const id = { "X-Request-Id": "same" };
      const [a, b] = [await here.post(path, body, id), await there.post(path, body, id)];
      expect(b.status).toBe(a.status);
      expect(await b.text()).toBe(await a.text());
    }
  });

  it("expects of an organization what its last answers counted, and of a job's plots nothing", async () => {
    createWorkerApp();
    let organizations = 0;
    const expectedAfter = async (geometry: object, more: object = {}): Promise<number> => {
      const organization = `organization ${organizations++}`;
      const body = JSON.stringify({ input: { geometry } });
      const task = {
        step: "answer",
        route: "/v1/intersections",
        body,
        query: { explain: false, geometry: "none" },
        mediaType: "application/json",
        requestId: "r",
        engineVersion: "0",
        now: "2026-11-24T00:00:00Z",
        organization,
        mode: "test",
        ...more,
      } as const;
      await pool.answer(task);
      return pool.expectedMs(organization);
    };
    const small = await expectedAfter(createSquarePlot(0.1, 0.05));
    // Edges that all cross each other are refused, which takes work too.
    const ring = Array.from({ length: 401 }, (_, i) => [
      0.1 + 0.01 * Math.cos(i * 3.13),
      0.05 + 0.01 * Math.sin(i * 3.13),
    ]);
    const star = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
    const large = await expectedAfter(star);
    expect(small).toBeGreaterThan(0);
    expect(small).toBeLessThan(0.1);
    expect(large).toBeGreaterThan(20 * small);
    // Counted, not timed.
    expect(await expectedAfter(star)).toBe(large);
    expect(await expectedAfter(star, { inBackground: true })).toBe(0);
  });

  it.each([
    ["EVALUATION_ABORTED", "EVALUATION_ABORTED"],
    ["OVERLOADED", "OVERLOADED"],
    ["POOL_CLOSED", "OVERLOADED"],
  ] as const)("says of a question the pool gave up with %s that %s, to be retried", async (cause, code) => {
    const app = createWorkerApp();
    pool.answer = () => Promise.reject(new PoolError(cause, "gave up", { deadlineMs: 1_000 }));
    const response = await app.post("/v1/intersections", { input });
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
    expect(await response.json()).toMatchObject({ code, details: { deadlineMs: 1_000 } });
    expect(app.reported).toEqual([]);
  });
});
