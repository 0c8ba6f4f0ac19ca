import { ApiError, type Client, createClient, type ScreenPlot } from "@groundrule/client";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobSettings } from "../../src/jobs/job-runner.ts";
import { NO_PARKS } from "../http.ts";
import { createTestOrganization, startService, type TestService } from "../service.ts";

// Every method of the client, against the service itself.

const INSIDE = createSquarePlot(0.05, 0.05);
const FAST: Partial<JobSettings> = { lookMs: 20, examineMs: 20, retryAfterMs: [5, 5], leaseMs: 1_000 };

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService(createSmallWorld(), { jobs: FAST });
  client = createClient({ baseUrl: service.url, apiKey: service.key });
});
afterAll(() => service.stop());

/** A client of an organization of its own. */
async function createOtherClient(quota: number): Promise<Client> {
  const { key } = await createTestOrganization(service.store, { quota });
  return createClient({ baseUrl: service.url, apiKey: key });
}

async function collectItems<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("the client", () => {
  it("sends every kind of request, also for GeoJSON where there is such an answer", async () => {
    const input = { geometry: INSIDE };
    const evaluated = await client.evaluate(
      { ruleset: NO_PARKS, input, reference_id: "ours" },
      { query: { evidence_limit: 1, lint: true } },
    );
    expect(evaluated.data).toMatchObject({ verdict: "NON_COMPLIANT", reference_id: "ours" });
    expect(evaluated.meta.lint).toBeInstanceOf(Array);
    const drawn = await client.evaluateFeatures({ ruleset: NO_PARKS, input });
    expect(drawn.features[0]).toMatchObject({
      geometry: { type: "MultiPolygon" },
      properties: { check_id: "park" },
    });
    const met = await client.intersections({ input }, { query: { geometry: "none" } });
    expect(met.features.map(({ geometry }) => geometry)).toEqual(met.features.map(() => null));
    expect(met.features.length).toBeGreaterThan(0);
    const near = { input: { geometry: createSquarePlot(0.3, 0.05), max_distance_m: 20_000 } };
    expect((await client.distance(near)).data.matches[0]).toMatchObject({ source_id: "p2" });
    expect((await client.distanceFeatures(near)).features[0]!.geometry.type).toBe("MultiPolygon");
    const named = await client.subjects({ input: { scheme: { type: "br:cnpj", value: LISTED_CNPJ } } });
    expect(named.data.matches).toHaveLength(1);
    const { plan } = (await client.explain("evaluate", { ruleset: NO_PARKS, input })).data;
    expect(plan.sources.map(({ source_name }) => source_name)).toEqual(["demo:parks"]);
  });

  it("reports the key's organization, its use, and its decisions page by page", async () => {
    const own = await createOtherClient(5);
    for (const reference_id of ["a", "b", "c"]) {
      await own.evaluate({ ruleset: NO_PARKS, input: { geometry: INSIDE }, reference_id });
    }
    expect((await own.me()).data.quota).toMatchObject({ limit: 5, used: 3 });
    expect((await own.usage()).data.by_route).toEqual({ "/v1/evaluate": 3 });
    const decisions = await collectItems(own.decisions.each({ page_size: 1, from: new Date(0) }));
    expect(decisions.map(({ reference_id }) => reference_id)).toEqual(["c", "b", "a"]);
    const { record } = (await own.decisions.get(decisions[0]!.decision_id)).data;
    expect(record?.request).toMatchObject({ reference_id: "c" });
    expect((await own.decisions.list({ reference_id: "b" })).data.pagination.total_count).toBe(1);
  });

  it("keeps the catalog of rulesets, where a retry is no second version", async () => {
    const own = await createOtherClient(5);
    const options = { idempotencyKey: "publish-parks", query: { lint: true } };
    const first = await own.rulesets.create({ name: "parks", ...NO_PARKS }, options);
    const again = await own.rulesets.create({ name: "parks", ...NO_PARKS }, options);
    expect([first.isReplayed, again.isReplayed, again.data.version]).toEqual([false, true, 1]);
    await own.rulesets.create({ name: "parks", ...NO_PARKS });
    expect((await own.rulesets.get("parks")).data.version).toBe(2);
    expect((await own.rulesets.get("parks", 1)).data.palette.checks).toHaveProperty("park");
    expect((await collectItems(own.rulesets.each({ page_size: 1 }))).map(({ version }) => version)).toEqual([
      2, 1,
    ]);
    expect(await own.lint({ sets: {}, checks: [] })).not.toEqual([]);
    expect((await own.validate({ geometry: INSIDE })).data.geometry).toMatchObject({ valid: true });
    expect((await own.sources.list({ kind: "subject_register" })).data.items).toHaveLength(1);
  });

  it("follows a job to its end, with a line for each plot in order", async () => {
    const features = Array.from({ length: 23 }, (_, i) => ({
      type: "Feature",
      id: `p${i}`,
      properties: {},
      geometry: i === 7 ? { type: "Polygon", coordinates: [[[0, 0]]] } : INSIDE,
    }));
    const body = { ruleset: NO_PARKS, plots: { type: "FeatureCollection", features } } as const;
    const { data: job } = await client.jobs.create(body, { idempotencyKey: "the-one-job" });
    expect((await client.jobs.create(body, { idempotencyKey: "the-one-job" })).isReplayed).toBe(true);
    const lines = await collectItems(client.jobs.results(job.id, { limit: 5, pollMs: [5, 20] }));
    expect(lines.map(({ number, id }) => `${number} ${id}`)).toEqual(
      features.map(({ id }, i) => `${i} ${id}`),
    );
    expect(lines.map(({ status }) => status)).toEqual(
      features.map((_, i) => (i === 7 ? "invalid" : "answered")),
    );
    expect(await client.jobs.wait(job.id)).toMatchObject({ status: "done", charged: 22 });
    expect((await collectItems(client.jobs.each({ page_size: 1 }))).map(({ id }) => id)).toContain(job.id);
    expect((await client.jobs.cancel(job.id)).data.status).toBe("done");
    const rest = await collectItems(client.jobs.results(job.id, { from: 20 }));
    expect(rest.map(({ number }) => number)).toEqual([20, 21, 22]);
  });

  it("does not wait for a job whose quota is spent, and gives the lines there are", async () => {
    const own = await createOtherClient(2);
    const features = Array.from({ length: 4 }, () => ({ type: "Feature", properties: {}, geometry: INSIDE }));
    const { data: job } = await own.jobs.create({
      ruleset: NO_PARKS,
      plots: { type: "FeatureCollection", features },
    });
    const paused = { status: "paused", paused_reason: "quota_exceeded" };
    expect(await own.jobs.wait(job.id, { pollMs: [5, 20] })).toMatchObject(paused);
    const lines: number[] = [];
    const run = async (): Promise<void> => {
      for await (const { number } of own.jobs.results(job.id, { pollMs: [5, 20] })) lines.push(number);
    };
    await expect(run()).rejects.toMatchObject({ name: "JobPausedError", job: paused });
    expect(lines).toEqual([0, 1]);
  });

  it("screens plots once: the second run of a name replays, and sends only the rest", async () => {
    const own = await createOtherClient(6);
    const plots = (count: number): ScreenPlot[] =>
      Array.from({ length: count }, (_, i) => ({
        id: i,
        input: { geometry: createSquarePlot(0.02 + i / 100, 0.05) },
      }));
    const options = { ruleset: NO_PARKS, run: "harvest", concurrency: 3 };
    expect(await collectItems(own.screen(plots(4), options))).toHaveLength(4);
    const second = await collectItems(own.screen(plots(6), options));
    const replays = second.map((one) => one.status === "answered" && one.response.isReplayed);
    expect(replays).toEqual([true, true, true, true, false, false]);
    expect((await own.usage()).data.used).toBe(6);
    const error = await collectItems(own.screen(plots(9), options)).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "QUOTA_EXCEEDED", problem: { used: 6, remaining: 0 } });
  });
});
