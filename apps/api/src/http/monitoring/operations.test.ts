import type { SourceEntry } from "@groundrule/engine";
import { hostInProcess } from "@groundrule/service";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import { describe, expect, it } from "vitest";
import { HttpCaller } from "../../../test/http.ts";
import { createTestOrganization, startService } from "../../../test/service.ts";
import { mintApiKey } from "../../keys/api-key.ts";
import { serviceLog } from "./request-log.ts";
import { createServiceMetrics } from "./service-metrics.ts";

const RULESET = {
  sets: { parks: { sources: ["demo:parks"] }, listed: { registers: ["demo:sanctions"] } },
  checks: [
    { id: "park", set: "parks", outcome: "NON_COMPLIANT" },
    { id: "listed", set: "listed", outcome: "NON_COMPLIANT" },
  ],
};

/** A service that was asked all kinds of things, with its log. */
async function createQueriedService() {
  const lines: string[] = [];
  const log = serviceLog({ write: (line) => void lines.push(line) });
  let engine = createSmallWorld();
  const service = await startService(
    hostInProcess(() => engine),
    { onRequest: log.request, report: log.error },
  );
  const caller = new HttpCaller(service);
  const input = {
    geometry: createSquarePlot(0.0312345678, 0.0512345678),
    scheme: { type: "br:cnpj", value: LISTED_CNPJ },
  };
  const key = { "Idempotency-Key": "logged-key" };
  await caller.post("/v1/evaluate", { input, ruleset: RULESET, reference_id: "case" }, key);
  await caller.post("/v1/evaluate", { input, ruleset: RULESET, reference_id: "case" }, key);
  await caller.post("/v1/subjects", { input: { scheme: input.scheme } });
  await caller.post("/v1/intersections", {
    input: { geometry: { type: "Polygon", coordinates: [[[0.0312345678]]] } },
  });
  await caller.with("gr_test_wrong").get("/v1/usage");
  await caller.get(`/v1/${encodeURIComponent(LISTED_CNPJ)}`);
  await createTestOrganization(service.store);
  engine = createSmallWorld(["demo:parks"]);
  await caller.post("/v1/evaluate", { input, ruleset: RULESET });
  return { service, caller, lines };
}

describe("the log", () => {
  it("T-47: holds neither coordinates, identifiers, references nor anything of a key but its id", async () => {
    const { service, lines } = await createQueriedService();
    await service.stop();
    const text = lines.join("");
    for (const secret of [
      "0.03123",
      "0.05123",
      "11222333",
      "11.222",
      "222.333",
      "case",
      "gr_test_",
      "logged-key",
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain(service.key.slice("gr_test_".length, "gr_test_".length + 6));
  });

  it("has the id, route, status, duration, caller and outcome of each request", async () => {
    const { service, lines } = await createQueriedService();
    await service.stop();
    const events = lines.map((line) => JSON.parse(line));
    expect(events.map(({ route, status, outcome, code }) => [route, status, outcome ?? code])).toEqual([
      ["/v1/evaluate", 200, "charged"],
      ["/v1/evaluate", 200, "replayed"],
      ["/v1/subjects", 200, "charged"],
      ["/v1/intersections", 422, expect.stringMatching(/GEOMETRY_INVALID|VALIDATION_FAILED/)],
      ["/v1/usage", 401, "API_KEY_INVALID"],
      [undefined, 404, "NOT_FOUND"],
      ["/v1/evaluate", 200, "uncharged"],
    ]);
    expect(events[0]).toMatchObject({
      level: "info",
      request_id: expect.stringMatching(/^req_/),
      method: "POST",
      organization: service.organization,
      mode: "test",
      key_id: expect.stringMatching(/^key_/),
      duration_ms: expect.any(Number),
      time: expect.stringMatching(/Z$/),
    });
  });
});

describe("an error that is logged", () => {
  it("holds nothing of an API key, wherever a caller has put one", () => {
    const lines: string[] = [];
    const log = serviceLog({ write: (line) => void lines.push(line) });
    const key = mintApiKey("live", (length) => new Uint8Array(length).fill(9));
    const detail = `Key (scope, key)=(org, ${key}) already exists.`;
    log.error(Object.assign(new Error(`the answer to ${key} is lost`), { detail }), "req_1");
    log.note(`asked with ${key}`);
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toContain(key.slice(8, 20));
    for (const line of lines) expect(line).toContain("gr_live_[hidden]");
    expect(JSON.parse(lines[0]!)).toMatchObject({ request_id: "req_1" });
  });
});

describe("/metrics", () => {
  it("counts requests by route, status and outcome, sources, latencies and what is left of quotas", async () => {
    const { service } = await createQueriedService();
    const response = await fetch(`${service.url}/metrics`);
    const text = await response.text();
    await service.stop();
    expect(response.headers.get("Content-Type")).toContain("version=0.0.4");
    const evaluate = 'method="POST",route="/v1/evaluate",status="200"';
    expect(text).toContain(`groundrule_requests_total{${evaluate},outcome="charged"} 1`);
    expect(text).toContain(`groundrule_requests_total{${evaluate},outcome="replayed"} 1`);
    expect(text).toContain(`groundrule_requests_total{${evaluate},outcome="uncharged"} 1`);
    expect(text).toContain('groundrule_source_answers_total{source="demo:parks",status="ok"} 1');
    expect(text).toContain('groundrule_source_answers_total{source="demo:parks",status="failed"} 1');
    expect(text).toContain('groundrule_request_duration_seconds_count{route="/v1/evaluate"} 3');
    expect(text).toContain('groundrule_quota_used{mode="test"} 2');
    expect(text).toContain("groundrule_sources_failed 1");
    expect(text).not.toContain(service.organization);
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(/^(|#.*|[a-z0-9_]+(\{([a-z_]+="(\\.|[^"\\])*",?)*\})? (Nan|[0-9.e+-]+))$/);
    }
  });
});

describe("the metrics of what runs", () => {
  it("name the release, the store, the current editions and what the process takes of its machine", async () => {
    const editions = new Map([["demo:parks", "e".repeat(64)]]);
    const engine = createSmallWorld();
    const service = await startService(engine, { editions: () => editions, engineVersion: "9.8.7" });
    const text = await (await fetch(`${service.url}/metrics`)).text();
    await service.stop();
    const { semantics } = engine;
    expect(text).toContain(
      `groundrule_build_info{version="9.8.7",node="${process.version}",semantics="${semantics}",store="sqlite"} 1`,
    );
    expect(text).toContain(`groundrule_source_edition{source="demo:parks",edition="${"e".repeat(64)}"} 1`);
    expect(text).toContain("groundrule_ready 1");
    expect(text).toContain("groundrule_ledgers_frozen 0");
    for (const name of [
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "process_start_time_seconds",
      "nodejs_eventloop_lag_p99_seconds",
      "nodejs_heap_size_used_bytes",
    ]) {
      expect(text, name).toMatch(new RegExp(`^${name} [0-9.e+-]+$`, "m"));
    }
    const started = Number(/^process_start_time_seconds (\d+)/m.exec(text)?.[1]);
    expect(Math.abs(started - (Date.now() / 1_000 - process.uptime()))).toBeLessThan(5);
  });

  it("report a store that takes no charges", async () => {
    const service = await startService(createSmallWorld());
    service.store.trouble = async () => "the disk is full";
    const text = await (await fetch(`${service.url}/metrics`)).text();
    await service.stop();
    expect(text).toContain("groundrule_ready 0");
  });
});

describe("the gauge of overdue sources", () => {
  it("is 1 or 0 for each source that declares an interval", async () => {
    const of = (source_name: string, collected_at_latest?: string): SourceEntry => ({
      source_name,
      source_dataset: source_name,
      kind: "leaf",
      feature_count: 1,
      refresh_interval_days: 30,
      ...(collected_at_latest !== undefined && { collected_at_latest }),
    });
    const { refresh_interval_days: _, ...without } = of("without", "1990-01-01T00:00:00Z");
    const entries = [
      of("old", "2026-01-01T00:00:00Z"),
      of("fresh", "2026-11-01T00:00:00Z"),
      of("unknown"),
      without,
    ];
    const ports = {
      engine: { sources: () => entries, failures: () => [], statistics: () => [], semantics: () => 1 },
      engineVersion: "0.1.0",
      store: {
        kind: "sqlite" as const,
        ledgerTotals: async () => [],
        trouble: async () => undefined,
      },
      now: () => new Date("2026-11-22T00:00:00Z"),
      steadyMs: () => 0,
    };
    const idle = { running: () => 0, waiting: () => 0, bodyBytes: () => 0 };
    const text = await createServiceMetrics(ports, idle).text();
    expect(text.match(/^groundrule_source_overdue.*$/gm)).toEqual([
      'groundrule_source_overdue{source="old"} 1',
      'groundrule_source_overdue{source="fresh"} 0',
      'groundrule_source_overdue{source="unknown"} 1',
    ]);
  });
});

describe("/readyz", () => {
  it("is unready where the state cannot be reached, and reports the cause to the operator once", async () => {
    const reported: string[] = [];
    const report = (error: unknown) => void reported.push((error as Error).message);
    const service = await startService(createSmallWorld(), { report });
    const { trouble } = service.store;
    service.store.trouble = async () => "/var/lib/groundrule/state.db was removed";
    await fetch(`${service.url}/readyz`);
    const response = await fetch(`${service.url}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: "unready",
      reasons: ["STORAGE_UNAVAILABLE"],
      failed_sources: 0,
      overdue_sources: 0,
    });
    expect(reported).toEqual(["not ready: /var/lib/groundrule/state.db was removed"]);
    service.store.trouble = trouble;
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await service.stop();
  });
});
