import { hostInProcess } from "@groundrule/service";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectProblem } from "../../test/http.ts";
import {
  isFinal,
  JobCaller,
  makePlotFeatures,
  PARKS_RULESET,
  readJobResponse,
} from "../../test/jobs-over-http.ts";
import { createTestOrganization, PEPPER, startService, type TestService } from "../../test/service.ts";
import { createKey } from "../admin/api-keys.ts";
import type { JobSettings } from "../jobs/job-runner.ts";
import { formatJobKey } from "../ledger/job-key.ts";

const FAST: Partial<JobSettings> = { lookMs: 20, examineMs: 20, retryAfterMs: [5, 5], leaseMs: 1_000 };

let service: TestService;
const engine = createSmallWorld();
beforeAll(async () => {
  service = await startService(engine, { jobs: FAST });
});
afterAll(() => service.stop());

/** A caller of a new organization. */
async function createOtherCaller(
  quota = 1_000_000,
): Promise<JobCaller & { readonly organization: string; readonly keyId: string }> {
  const made = await createTestOrganization(service.store, { quota });
  return Object.assign(new JobCaller({ url: service.url, key: made.key }), made);
}

const usedBy = async (organization: string): Promise<number> =>
  (await service.store.usage({ scope: { organization, mode: "test" } }))!.period.used;

describe("a job over HTTP", () => {
  it("answers every plot once in order, as single requests would, and charges those it answers", async () => {
    const one = await createOtherCaller();
    const features = [
      ...makePlotFeatures(30),
      { type: "Feature", geometry: { type: "Point", coordinates: [0.05, 0.05] } },
      7,
    ];
    const response = await one.send(features, "job-of-thirty");
    expect(response.status).toBe(202);
    const sent = await readJobResponse(response);
    expect(response.headers.get("Location")).toBe(`/v1/jobs/${sent.id}`);
    const job = await one.until(sent.id, isFinal);
    expect(job).toMatchObject({
      status: "done",
      plots: 32,
      answered: 30,
      invalid: 2,
      degraded: 0,
      charged: 30,
    });
    const results = await one.results(job.id, 7);
    expect(results.map(({ number }) => number)).toEqual(features.map((_, i) => i));
    expect(
      results
        .slice(30)
        .map((line) => [
          line.id,
          line.status,
          "error" in line && line.error.code,
          "error" in line && line.error.errors[0]?.pointer,
        ]),
    ).toEqual([
      [31, "invalid", "INPUT_INCOMPLETE", "/properties/Area"],
      [32, "invalid", "VALIDATION_FAILED", ""],
    ]);
    const [first] = results;
    const body = {
      input: { geometry: (features[0] as { geometry: object }).geometry },
      ruleset: PARKS_RULESET,
    };
    const single = (await (await one.post("/v1/evaluate", body)).json()) as { data: { digest: string } };
    expect(first).toMatchObject({
      id: "plot 0",
      status: "answered",
      response: { data: { verdict: "WARNING" } },
    });
    expect("response" in first! && first.response.data.digest).toBe(single.data.digest);
    expect(await usedBy(one.organization)).toBe(31);
    const decisions = (await (await one.get(`/v1/decisions?request_id=${job.id}`)).json()) as {
      data: { pagination: { total_count: number } };
    };
    expect(decisions.data.pagination.total_count).toBe(30);
    expect(await service.store.findViolations({ extent: "all" })).toEqual([]);
  });

  it("takes an upload that is sent again for the same job, and another under its key for a mistake", async () => {
    const one = await createOtherCaller();
    const first = await readJobResponse(await one.send(makePlotFeatures(3), "sent-twice"));
    const again = await one.send(makePlotFeatures(3), "sent-twice");
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
    expect((await readJobResponse(again)).id).toBe(first.id);
    expect(await expectProblem(one.send(makePlotFeatures(4), "sent-twice"))).toMatchObject({
      code: "IDEMPOTENCY_KEY_CONFLICT",
    });
    const slash = one.send(makePlotFeatures(1), `job/${first.id}/0`);
    expect(await expectProblem(slash)).toMatchObject({ code: "IDEMPOTENCY_KEY_INVALID" });
    expect(await expectProblem(one.post("/v1/jobs", "{", { "Idempotency-Key": "job/1" }))).toMatchObject({
      code: "MALFORMED_JSON",
    });
    await one.until(first.id, isFinal);
    expect(await usedBy(one.organization)).toBe(3);
  });

  it("pauses where the quota ends, and goes on once it is raised", async () => {
    const one = await createOtherCaller(10);
    const job = await readJobResponse(await one.send(makePlotFeatures(25), "more-than-quota"));
    const paused = await one.until(job.id, ({ status }) => status === "paused");
    expect(paused).toMatchObject({ paused_reason: "quota_exceeded", answered: 10, charged: 10 });
    await service.store.setQuota({ scope: { organization: one.organization, mode: "test" }, quota: 25 });
    expect(await one.until(job.id, isFinal)).toMatchObject({ status: "done", answered: 25, charged: 25 });
    expect((await one.results(job.id)).map(({ status }) => status)).toEqual(Array(25).fill("answered"));
    expect(await usedBy(one.organization)).toBe(25);
  });

  it("pauses where its key is revoked or the subscription ends", async () => {
    const one = await createOtherCaller(3);
    const job = await readJobResponse(await one.send(makePlotFeatures(6), "key-is-revoked"));
    await one.until(job.id, ({ status }) => status === "paused");
    const { store } = service;
    const second = await createKey(
      { store, pepper: PEPPER },
      { organization: one.organization, mode: "test", name: "second" },
    );
    const watcher = new JobCaller({ url: service.url, key: second.key });
    await store.setSubscription({ organization: one.organization, status: "suspended" });
    await store.setQuota({ scope: { organization: one.organization, mode: "test" }, quota: 100 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await watcher.find(job.id)).toMatchObject({ status: "paused", answered: 3 });
    await store.revokeApiKey({ id: one.keyId });
    await store.setSubscription({ organization: one.organization, status: "active" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await watcher.find(job.id)).toMatchObject({ status: "paused", answered: 3 });
    const cancelled = await readJobResponse(await watcher.post(`/v1/jobs/${job.id}/cancel`, ""));
    expect(cancelled).toMatchObject({ status: "cancelled", charged: 3 });
    expect((await watcher.results(job.id)).map(({ status }) => status)).toEqual([
      ...Array(3).fill("answered"),
      ...Array(3).fill("cancelled"),
    ]);
  });

  it("keeps an erased answer out of its results, and never charges the plot again", async () => {
    const one = await createOtherCaller();
    const job = await readJobResponse(await one.send(makePlotFeatures(4), "is-erased-later"));
    await one.until(job.id, isFinal);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await service.store.eraseDecisions({ organization: one.organization, beforeMs: Date.now() });
    expect((await one.results(job.id)).map(({ status, id }) => [status, id])).toEqual(
      Array(4).fill(["erased", null]),
    );
    expect(await usedBy(one.organization)).toBe(4);
  });
});

describe.each(["OVERLOADED", "DATA_UNAVAILABLE"] as const)("a job in a service that is %s", (code) => {
  it("is kept, and goes on afterwards", async () => {
    let refusals = 20;
    const host = hostInProcess(() => engine);
    const full: typeof host = {
      ...host,
      answer: async (task, options) => {
        if (task.route !== "/v1/evaluate" || refusals-- <= 0) return host.answer(task, options);
        return { kind: "refused", refusal: { code, message: "full" } };
      },
    };
    const events: string[] = [];
    const other = await startService(full, {
      jobs: { ...FAST, storageRetryMs: [5] },
      onJob: ({ event }) => events.push(event),
    });
    const one = new JobCaller(other);
    const job = await readJobResponse(await one.send(makePlotFeatures(3), "no-room-for-it"));
    expect(await one.until(job.id, isFinal)).toMatchObject({ status: "done", answered: 3, charged: 3 });
    await other.stop();
    expect(events).toEqual(["started", "done"]);
  });
});

describe("a job in a service that was halted for longer than its lease", () => {
  it("is not begun beside itself", async () => {
    const host = hostInProcess(() => engine);
    const slow: typeof host = {
      ...host,
      answer: async (task, options) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return host.answer(task, options);
      },
    };
    const events: string[] = [];
    // The lease ends long before it is renewed.
    const jobs = { ...FAST, leaseMs: 10, examineMs: 1_000 };
    const other = await startService(slow, { jobs, onJob: ({ event }) => events.push(event) });
    const one = new JobCaller(other);
    const job = await readJobResponse(await one.send(makePlotFeatures(60), "lease-is-over"));
    expect(await one.until(job.id, isFinal)).toMatchObject({ status: "done", answered: 60, charged: 60 });
    await other.stop();
    expect(events).toEqual(["started", "done"]);
  });
});

describe("a plot that was tried too often this hour", () => {
  it("is left for later, and its job is not done", async () => {
    const errors: unknown[] = [];
    const other = await startService(
      hostInProcess(() => engine),
      // The second plot finds no quota left, and the third has not been started.
      { quota: 1, jobs: { ...FAST, underWay: 1 }, report: (error) => errors.push(error) },
    );
    const { store, organization } = other;
    const scope = { organization, mode: "test" as const };
    const one = new JobCaller(other);
    const { id } = await readJobResponse(await one.send(makePlotFeatures(3), "tried-too-often"));
    await one.until(id, ({ status }) => status === "paused");
    const attempts = [{ scope, key: formatJobKey(id, 1), windowStartMs: Date.now(), count: 20 }];
    await store.addCounts({ replays: [], attempts, keyUses: [] });
    await store.setQuota({ scope, quota: 100 });
    await one.until(id, ({ answered }) => answered === 2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await one.find(id)).finished_at).toBeNull();
    await other.stop();
    expect(errors).toEqual([]);
  });
});

describe("a job whose source fails", () => {
  it("tries a plot three times, and then reports that it was degraded and not charged", async () => {
    let queries = 0;
    const broken = createSmallWorld(["demo:parks"]);
    const host = hostInProcess(() => broken);
    const counting = {
      ...host,
      answer: (...args: Parameters<typeof host.answer>) => {
        if (args[0].route === "/v1/evaluate" && args[0].step === "answer") queries++;
        return host.answer(...args);
      },
    };
    const other = await startService(counting, { jobs: FAST });
    const one = new JobCaller(other);
    const job = await readJobResponse(await one.send(makePlotFeatures(2), "source-has-failed"));
    expect(await one.until(job.id, isFinal)).toMatchObject({
      status: "done",
      answered: 0,
      degraded: 2,
      charged: 0,
    });
    expect(queries).toBe(6);
    expect((await one.results(job.id))[0]).toMatchObject({ status: "degraded", error: { code: "DEGRADED" } });
    await other.stop();
  });
});
