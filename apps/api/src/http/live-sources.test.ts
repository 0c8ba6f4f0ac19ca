import { setTimeout as sleep } from "node:timers/promises";
import { openEngine, type ProvidedAreas, type SourceFailure, type StoredManifest } from "@groundrule/engine";
import { parseRecord, replayRecord } from "@groundrule/engine/records";
import { ENGINE_OPTIONS, LiveSources } from "@groundrule/node";
import { hostInProcess } from "@groundrule/service";
import { AreaProvider } from "@groundrule/testing/area-provider";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HttpCaller } from "../../test/http.ts";
import { createTestOrganization, startService, type TestService } from "../../test/service.ts";

const manifest: StoredManifest = {
  source_name: "live:parks",
  kind: "leaf",
  coverage: "global",
  coverage_known: "declared",
  columns: { kind: "string" },
};
const secret = "postgresql://reader:hunter2@db.example/parks";
const areas = [
  {
    id: "7",
    name: "Jaú",
    country_iso3: "BRA",
    geometry: createSquarePolygon(1, 1),
    properties: { kind: "II" },
  },
  { id: "8", geometry: createSquarePolygon(30, 1), properties: { kind: "IV" } },
];
const ruleset = {
  sets: { parks: { sources: ["live:parks"] } },
  checks: [{ id: "in-park", set: "parks", outcome: "NON_COMPLIANT" }],
};
const input = { geometry: createSquarePolygon(1.5, 1.5) };

/** Maximum waiting questions of one organization for the source. */
const WAITING = 8;

let provider: AreaProvider;
const failures: SourceFailure[] = [];
let live: LiveSources;
let server: TestService;

/** Sets the deadline of the provider's queries. */
function setQueryDeadline(deadline_ms: number): void {
  const table = { kind: "postgis", connection: secret, table: "parks", geometry: "geom" } as const;
  live.use([{ manifest, provider: { ...table, deadline_ms } }]);
}

beforeEach(async () => {
  provider = new AreaProvider(areas);
  failures.length = 0;
  live = new LiveSources(() => provider, {
    waitingOfLane: WAITING,
    waitMs: 60_000,
    onTrouble: (failure) => failures.push(failure),
  });
  setQueryDeadline(200);
  const engine = openEngine([{ manifest, live: true }], ENGINE_OPTIONS);
  server = await startService(hostInProcess(() => engine, live));
});

afterEach(async () => {
  await server.stop();
  await live.close();
});

async function sendRequest(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const caller = new HttpCaller(server);
  const response = await (body === undefined ? caller.get(path) : caller.post(path, body, headers));
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

const used = () => new HttpCaller(server).used();
const failing =
  (reason: string): (() => Promise<ProvidedAreas>) =>
  async () => ({ failed: reason });

describe("a question over a live source", () => {
  it("is answered by its areas on every path that reads areas, and charged", async () => {
    const evaluated = await sendRequest("/v1/evaluate", { input, ruleset });
    expect(evaluated.body.data).toMatchObject({
      verdict: "NON_COMPLIANT",
      sources: [{ status: "ok", matched: 1 }],
    });
    const found = await sendRequest("/v1/intersections", { input });
    expect(found.body.features[0].properties).toMatchObject({ source_id: "7", properties: { kind: "II" } });
    const near = await sendRequest("/v1/distance", { input: { ...input, max_distance_m: 1_000 } });
    expect(near.body.data.matches).toHaveLength(1);
    expect(await used()).toBe(3);
    expect(provider.queries).toHaveLength(3);
    // Only areas near the plot are queried.
    expect(provider.queries[0]!.boxes[0]![0]).toBeGreaterThan(1.49);
  });

  it("is degraded, uncharged and free to be sent again while the source fails, and charged once it is back", async () => {
    const words = `the database says: permission denied for table embargoes (user reader, host db.example) ${secret}`;
    provider.fault = async () => ({ failed: words, code: "PROVIDER_INVALID" });
    const headers = { "Idempotency-Key": "once-and-again" };
    const first = await sendRequest("/v1/evaluate", { input, ruleset }, headers);
    expect(first.body).toMatchObject({
      data: { verdict: "DEGRADED", at_least: "COMPLIANT", sources: [{ status: "failed" }] },
      meta: { charged: false },
    });
    expect(first.body.data.sources[0].reason).toBe(
      "PROVIDER_INVALID: the source is not set up as its database expects",
    );
    const decisions = await sendRequest("/v1/decisions");
    const open = [
      await sendRequest("/readyz"),
      await sendRequest("/v1/sources"),
      await sendRequest("/metrics"),
    ];
    for (const { text } of [first, decisions, ...open]) {
      expect(text).not.toMatch(/hunter2|reader|db\.example|embargoes|permission/);
    }
    // The operator sees the whole reason except the password, once.
    const reason = words.replace(secret, "***");
    expect(failures).toEqual([{ source_name: "live:parks", reason }]);
    expect(await used()).toBe(0);
    const ready = await sendRequest("/readyz");
    expect(ready.body).toMatchObject({
      status: "degraded",
      reasons: ["SOURCES_FAILED"],
      failed_sources: 1,
    });
    expect((await sendRequest("/metrics")).text).toContain(
      'groundrule_live_failures_total{source="live:parks"} 1',
    );

    provider.fault = undefined;
    const second = await sendRequest("/v1/evaluate", { input, ruleset }, headers);
    expect(second.body).toMatchObject({ data: { verdict: "NON_COMPLIANT" }, meta: { charged: true } });
    expect((await sendRequest("/readyz")).body.status).toBe("ready");
    expect(await used()).toBe(1);

    // A paid answer is replayed without querying the source.
    provider.fault = failing("down again");
    const replayed = await sendRequest("/v1/evaluate", { input, ruleset }, headers);
    expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replayed.text).toBe(second.text);
    expect(provider.queries).toHaveLength(2);
  });

  it("is refused where it wants more than the source gives, and learns nothing that is charged elsewhere", async () => {
    provider.fault = async () => ({ excess: { unit: "areas", found: 10_001, allowed: 10_000 } });
    for (const [path, body] of [
      ["/v1/evaluate", { input, ruleset }],
      ["/v1/intersections", { input }],
      ["/v1/distance", { input: { ...input, max_distance_m: 1_000_000 } }],
    ] as const) {
      const { status, body: problem } = await sendRequest(path, body);
      expect(status).toBe(422);
      expect(problem).toMatchObject({
        code: "GEOMETRY_TOO_COMPLEX",
        errors: [{ pointer: "/input/geometry" }],
        details: { source_name: "live:parks", unit: "areas", found: 10_001, allowed: 10_000 },
      });
      expect(problem).not.toHaveProperty("data");
    }
    expect(await used()).toBe(0);
    // The question is at fault, not the source.
    expect((await sendRequest("/readyz")).body.status).toBe("ready");
    expect((await sendRequest("/metrics")).text).toContain(
      'groundrule_live_failures_total{source="live:parks"} 0',
    );
  });

  it("waits no longer than its deadline for a source that never answers", async () => {
    provider.fault = () => new Promise(() => {});
    const { body } = await sendRequest("/v1/evaluate", { input, ruleset });
    expect(body.data.sources[0]).toMatchObject({
      status: "failed",
      reason: "PROVIDER_TIMEOUT: the source did not answer in time",
    });
  });

  it.each([
    ["throws", () => Promise.reject(new Error("out of memory"))],
    ["answers nonsense", async () => 7 as never],
    ["gives areas that are none", async () => ({ candidates: [{ id: 7 }] }) as never],
  ])("is degraded where its source %s", async (_, fault) => {
    provider.fault = fault as () => Promise<ProvidedAreas>;
    const { status, body } = await sendRequest("/v1/evaluate", { input, ruleset });
    expect(status).toBe(200);
    expect(body.data.verdict).toBe("DEGRADED");
  });

  it("is not queried for a plan, a refused request or a lint", async () => {
    const plan = await sendRequest("/v1/evaluate?explain=true", { input, ruleset });
    expect(plan.body.data.plan.sources[0]).toMatchObject({ live: true, status: "ok" });
    expect((await sendRequest("/v1/evaluate", { input: {}, ruleset })).status).toBe(422);
    const bowTie = { type: "Polygon", coordinates: [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]] }; // biome-ignore format: one line
    expect((await sendRequest("/v1/intersections", { input: { geometry: bowTie } })).status).toBe(422);
    expect(provider.queries).toEqual([]);
  });

  it("of one organization leaves a place to others, waits outside of its deadline, and is refused where too many wait", async () => {
    setQueryDeadline(30_000);
    const key = (await createTestOrganization(server.store)).key;
    const pending = Promise.withResolvers<ProvidedAreas>();
    const slow = () => pending.promise;
    provider.fault = slow;
    const crowd = Array.from({ length: 3 + WAITING }, () => sendRequest("/v1/evaluate", { input, ruleset }));
    // One of the provider's four connections is left.
    await expect.poll(() => provider.queries.length).toBe(3);
    await expect.poll(async () => (await sendRequest("/v1/evaluate", { input, ruleset })).status).toBe(503);
    const refused = await sendRequest("/v1/evaluate", { input, ruleset });
    expect(refused.headers.get("Retry-After")).toBe("2");
    expect(refused.body).toMatchObject({
      code: "OVERLOADED",
      details: { source_name: "live:parks", waiting: WAITING },
    });
    provider.fault = undefined;
    const other = await sendRequest("/v1/evaluate", { input, ruleset }, { Authorization: `Bearer ${key}` });
    expect(other.body.data.verdict).toBe("NON_COMPLIANT");
    // A question that only waits for its turn does not count as a failure of the source.
    expect((await sendRequest("/readyz")).body.status).toBe("ready");
    expect(provider.queries).toHaveLength(4);
    pending.resolve({ candidates: areas });
    for (const { body } of await Promise.all(crowd)) expect(body.data.verdict).toBe("NON_COMPLIANT");
    expect((await sendRequest("/metrics")).text).toContain(
      'groundrule_live_failures_total{source="live:parks"} 0',
    );
  });

  it("counts no waiting into its deadline", async () => {
    const table = { kind: "postgis", connection: secret, table: "parks", geometry: "geom" } as const;
    live.use([{ manifest, provider: { ...table, deadline_ms: 200, pool_size: 1 } }]);
    // Each query takes most of the deadline; together they take several.
    provider.fault = () => sleep(150).then(() => ({ candidates: areas }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendRequest("/v1/evaluate", { input, ruleset })),
    );
    for (const { body } of answers) expect(body.data.sources[0]).toMatchObject({ status: "ok" });
  });

  it("cancels the provider's query when the client has left", async () => {
    // Only the client's disconnection ends the question during this test.
    setQueryDeadline(30_000);
    const gone = new Promise<boolean>((resolve) => {
      provider.fault = ({ signal }) => {
        signal?.addEventListener("abort", () => resolve(true));
        return new Promise(() => {});
      };
    });
    const leaving = new AbortController();
    const sent = new HttpCaller(server).post("/v1/evaluate", { input, ruleset }, {}, leaving.signal);
    sent.catch(() => {});
    while (provider.queries.length === 0) await sleep(5);
    leaving.abort();
    expect(await gone).toBe(true);
    // A client that disconnects does not count as a failure of the source.
    provider.fault = undefined;
    expect((await sendRequest("/readyz")).body.status).toBe("ready");
    expect(await used()).toBe(0);
  });

  it("is listed, and its decision's record is replayed offline", async () => {
    expect((await sendRequest("/v1/sources")).body.data.items[0]).toMatchObject({
      kind: "leaf",
      feature_count: 0,
      live: true,
    });
    const { headers } = await sendRequest("/v1/evaluate", { input, ruleset });
    const { body } = await sendRequest(`/v1/decisions/${headers.get("X-Decision-Id")}`);
    expect(JSON.stringify(body)).not.toContain("hunter2");
    const record = parseRecord(body.data.record);
    const described = Object.values(record.request.live!);
    const offline = openEngine(
      described.map(({ manifest: failures }) => ({ manifest: failures, live: true as const })),
      ENGINE_OPTIONS,
    );
    expect(replayRecord(offline, record)).toMatchObject({ result: "identical" });
  });
});
