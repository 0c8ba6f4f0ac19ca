import { join } from "node:path";
import { JOB_RETENTION_MS, JOB_UNFINISHED_MS } from "@groundrule/contract";
import { createSharedFolder } from "@groundrule/testing/folder";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chargeJobPlot, makeJob, makePlots } from "../../test/jobs.ts";
import { createLiveScope } from "../../test/settlement.ts";
import { sharedPostgres } from "../../test/shared-postgres.ts";
import {
  createFreshStore,
  createPostgresPlace,
  createSqlitePlace,
  type StorePlace,
} from "../../test/store-places.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { formatJobKey } from "../ledger/job-key.ts";
import type { Scope } from "../ledger/scope.ts";
import { openStore } from "./open-store.ts";
import type { NewJob, StoredJob } from "./port/jobs.ts";
import type { Store } from "./port/port.ts";
import { restoreBackup } from "./sqlite/backup.ts";

const folder = createSharedFolder().at();

const DAY_MS = 86_400_000;
const LEASE = { owner: "runner-1", leaseMs: 30_000 };

describe.each([
  ["SQLite", () => createSqlitePlace(folder)],
  ["PostgreSQL", () => createPostgresPlace(sharedPostgres)],
] as const)("jobs on %s", (_, newPlace) => {
  let place: StorePlace;
  let store: Store;
  const clock = new VirtualClock("2026-01-31T12:00:00Z");

  beforeAll(async () => {
    place = await newPlace();
    store = await place.open(clock, "manage");
  });

  afterAll(async () => {
    expect(await store.findViolations({ extent: "all" })).toEqual([]);
    await store.close();
  });

  async function created(scope: Scope, more: Partial<NewJob> = {}): Promise<StoredJob> {
    const outcome = await store.createJob(makeJob(scope, more));
    if (outcome.kind !== "created") throw new Error(`found ${outcome.kind}, expected a new job`);
    return outcome.job;
  }

  /** Claims jobs until the wanted one is claimed. */
  async function claimed(job: StoredJob): Promise<void> {
    for (;;) {
      const taken = await store.claimJob(LEASE);
      if (taken === undefined) throw new Error("the job cannot be claimed");
      if (taken.id === job.id) return;
      await store.cancelJob({ scope: taken.scope, jobId: taken.id });
    }
  }

  const pending = async (jobId: string): Promise<readonly number[]> =>
    (await store.pendingJobPlots({ jobId, after: -1, limit: 100 })).map(({ number }) => number);

  const find = async ({ scope, id }: Pick<StoredJob, "scope" | "id">): Promise<StoredJob> => {
    const job = await store.findJob({ scope, jobId: id });
    if (job === undefined) throw new Error("the job is gone");
    return job;
  };

  const results = async ({ scope, id }: Pick<StoredJob, "scope" | "id">, from = 0, limit = 1_000) =>
    (await store.listJobResults({ scope, jobId: id, from, limit }))?.lines;

  const fresh = (quota: number, clock?: VirtualClock) =>
    createFreshStore(newPlace, quota, { role: "manage", ...(clock && { clock }) });

  it("keeps a job and its plots as they were sent, in their order", async () => {
    const scope = await createLiveScope(store, 10);
    const plots = [
      { id: "first", input: '{"a":1}' },
      { id: 7, error: '{"code":"VALIDATION_FAILED"}' },
      { id: "third", input: '{"a":3}' },
    ];
    const sent = makeJob(scope, { plots, referenceId: "spring", rulesetName: "plots", rulesetVersion: 3 });
    const job = await created(scope, sent);
    const { plots: _, ...rest } = sent;
    expect(job).toEqual({
      ...rest,
      evaluatedAtMs: clock.ms,
      state: "queued",
      pausedReason: null,
      plots: 3,
      answered: 0,
      invalid: 1,
      degraded: 0,
      createdAtMs: clock.ms,
      finishedAtMs: null,
      expiresAtMs: clock.ms + JOB_UNFINISHED_MS,
      nowMs: clock.ms,
    });
    expect(await find(job)).toEqual(job);
    expect(await store.pendingJobPlots({ jobId: job.id, after: -1, limit: 10 })).toEqual([
      { number: 0, id: "first", input: '{"a":1}', attempts: 0 },
      { number: 2, id: "third", input: '{"a":3}', attempts: 0 },
    ]);
    expect(await store.pendingJobPlots({ jobId: job.id, after: 0, limit: 1 })).toMatchObject([{ number: 2 }]);
  });

  it("is one job under a key, however often and wherever it is sent at once, and refuses another body", async () => {
    const scope = await createLiveScope(store, 10);
    const other = await place.open(clock, "manage");
    const sent = { idempotencyKey: "nightly-1", plots: makePlots(300) };
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? store : other).createJob(makeJob(scope, sent))),
    );
    await other.close();
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["created", "met", "met", "met", "met", "met"]);
    const ids = outcomes.map((outcome) => ("job" in outcome ? outcome.job.id : ""));
    expect(new Set(ids).size).toBe(1);
    const changed = makeJob(scope, { ...sent, fingerprint: "another" });
    expect(await store.createJob(changed)).toMatchObject({ kind: "conflict", job: { id: ids[0] } });
    expect((await store.listJobs({ scope, page: 1, pageSize: 10 })).items.map(({ id }) => id)).toEqual([
      ids[0],
    ]);
    // Keys of charges are separate, and so are those of the other mode.
    expect((await store.openGate({ scope, key: "nightly-1" }))?.stored).toBeUndefined();
    const test = { ...scope, mode: "test" as const };
    expect(await store.createJob(makeJob(test, sent))).toMatchObject({ kind: "created" });
  });

  it("takes no job that could not be charged now, and still knows the one that it took", async () => {
    const scope = await createLiveScope(store, 1);
    const first = makeJob(scope, { idempotencyKey: "first" });
    await created(scope, first);
    const { organization } = scope;
    await store.setSubscription({ organization, status: "suspended" });
    const refused = { kind: "inactive", subscription: "suspended" };
    expect(await store.createJob(makeJob(scope))).toEqual(refused);
    await store.setSubscription({ organization, status: "active" });
    await store.setQuota({ scope, quota: 0 });
    const overQuota = { kind: "over-quota", period: { quota: 0, used: 0 }, nowMs: clock.ms };
    expect(await store.createJob(makeJob(scope))).toMatchObject(overQuota);
    expect((await store.createJob({ ...first, id: makeJob(scope).id })).kind).toBe("met");
    expect(await store.createJob(makeJob({ ...scope, mode: "test" }))).toMatchObject({ kind: "created" });
  });

  it("holds so many bytes of jobs and no more, however they are created, cancelled and left", async () => {
    const scope = await createLiveScope(store, 10);
    const other = await place.open(clock, "manage");
    // Each job counts for 1 KiB, its texts, and for each plot 128 bytes and room for an error line.
    const sent = { plots: makePlots(10), bytesLimit: 200_000, unfinishedLimit: 1_000 };
    const create = (i: number) => (i % 2 === 0 ? store : other).createJob(makeJob(scope, sent));
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => create(i)));
    const took = outcomes.flatMap((outcome) => (outcome.kind === "created" ? [outcome.job] : []));
    expect(took).toHaveLength(4);
    const refused = outcomes.flatMap((outcome) => (outcome.kind === "held" ? [outcome.excess] : []));
    expect(refused).toHaveLength(6);
    const { held, requested } = refused.at(-1)!;
    expect(refused.at(-1)).toEqual({ holding: "job_bytes", held, requested, limit: 200_000 });
    expect(held).toBe(4 * requested);
    // A cancelled job counts until its plots are deleted.
    for (const { id: jobId } of took) await store.cancelJob({ scope, jobId });
    expect((await create(0)).kind).toBe("held");
    const linesBefore = await results(took[0]!);
    while ((await store.shedUploads({})).remains);
    expect(await results(took[0]!)).toEqual(linesBefore);
    expect(linesBefore).toHaveLength(10);
    expect(await pending(took[0]!.id)).toEqual([]);
    // The bytes are recounted from the stored rows and equal the running count exactly.
    const next = async () => (await store.createJob(makeJob(scope, { ...sent, bytesLimit: 0 }))) as object;
    const counted = await next();
    expect(counted).toMatchObject({ kind: "held", excess: { requested } });
    await place.meddle("DELETE FROM holding");
    expect(await next()).toEqual(counted);
    const left = (counted as { excess: { held: number } }).excess.held;
    expect(left).toBeLessThan(took.length * 3_000);
    expect((await create(0)).kind).toBe("created");
    await other.close();
  });

  it("makes room once jobs have expired, but for the record that recognizes a retry of an unpaid one", async () => {
    const scope = await createLiveScope(store, 10);
    const own = new VirtualClock("2026-01-31T12:00:00Z");
    const moving = await place.open(own, "manage");
    const paid = (await moving.createJob(makeJob(scope))) as { readonly job: StoredJob };
    expect((await chargeJobPlot(moving, paid.job, 0)).kind).toBe("charged");
    await moving.createJob(makeJob(scope));
    own.advance(36 * DAY_MS);
    while ((await moving.expireJobs({})).remains);
    expect(await moving.createJob(makeJob(scope, { bytesLimit: 0 }))).toMatchObject({
      excess: { held: 1_024 },
    });
    await moving.close();
  });

  it("has two unfinished jobs of a scope, however many are created at once", async () => {
    const scope = await createLiveScope(store, 10);
    const other = await place.open(clock, "manage");
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? store : other).createJob(makeJob(scope))),
    );
    await other.close();
    expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(2);
    expect(outcomes.filter(({ kind }) => kind === "limit")).toEqual(
      Array.from({ length: 6 }, () => ({ kind: "limit", unfinished: 2 })),
    );
    const [first] = (await store.listJobs({ scope, page: 1, pageSize: 10 })).items;
    await store.cancelJob({ scope, jobId: first!.id });
    await created(scope);
    await created({ ...scope, mode: "test" });
    // Staged plots of a job that was not created are gone after a sweep.
    while ((await store.expireJobs({})).remains);
    expect(await store.pendingJobPlots({ jobId: first!.id, after: -1, limit: 10 })).toHaveLength(3);
  });

  it("is unseen until all its plots are there, and what was staged and left is deleted after a day", async () => {
    const { clock: time, store: moving, scope } = await fresh(10);
    const { plots, ...job } = makeJob(scope);
    expect(await moving.beginJob({ ...job, bytes: 1 })).toEqual({ kind: "begun" });
    await moving.addJobPlots({ jobId: job.id, from: 0, batch: plots });
    expect(await moving.findJob({ scope, jobId: job.id })).toBeUndefined();
    expect((await moving.listJobs({ scope, page: 1, pageSize: 10 })).totalCount).toBe(0);
    expect(await moving.claimJob(LEASE)).toBeUndefined();
    expect(await moving.cancelJob({ scope, jobId: job.id })).toBeUndefined();
    expect(await moving.pinnedEditions({})).toEqual([job.editions]);
    // A charge under one of its keys is withdrawn.
    expect((await chargeJobPlot(moving, job, 0)).kind).toBe("withdrawn");
    expect(await moving.expireJobs({})).toEqual({ remains: false });
    await expect(moving.openJob({ ...job, plots: plots.length + 1 })).rejects.toThrow(
      "not staged with 4 plots",
    );
    time.advance(DAY_MS);
    while ((await moving.expireJobs({})).remains);
    expect(await moving.pinnedEditions({})).toEqual([]);
    await expect(moving.openJob({ ...job, plots: plots.length })).rejects.toThrow("not staged");
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
  });

  it("answers each plot once, charges it as a unit, and is done when each has its line", async () => {
    const scope = await createLiveScope(store, 10);
    const job = await created(scope, { plots: makePlots(4) });
    await claimed(job);
    expect((await chargeJobPlot(store, job, 1)).kind).toBe("charged");
    expect((await chargeJobPlot(store, job, 1)).kind).toBe("taken");
    expect(await pending(job.id)).toEqual([0, 2, 3]);
    expect(await results(job)).toEqual([]);
    const failure = { status: "degraded", error: '{"code":"X"}' } as const;
    await store.noteJobLines({
      jobId: job.id,
      lines: [
        { number: 0, attempts: 3, failure },
        // The plot was answered, and stays answered.
        { number: 1, attempts: 3, failure },
        { number: 2, attempts: 2 },
      ],
    });
    expect(await store.pendingJobPlots({ jobId: job.id, after: -1, limit: 10 })).toMatchObject([
      { number: 2, attempts: 2 },
      { number: 3, attempts: 0 },
    ]);
    // The plot was recorded as degraded, and stays so.
    expect((await chargeJobPlot(store, job, 0)).kind).toBe("withdrawn");
    expect(await results(job)).toEqual([
      { number: 0, id: "plot 0", status: "degraded", error: '{"code":"X"}' },
      {
        number: 1,
        id: "plot 1",
        status: "answered",
        decisionId: expect.any(String),
        response: '{"data":{"number":1}}',
      },
    ]);
    expect(await results(job, 1, 1)).toMatchObject([{ number: 1 }]);
    await Promise.all([2, 3].map((number) => chargeJobPlot(store, job, number)));
    const release = { jobId: job.id, owner: LEASE.owner, state: "done" } as const;
    expect(await store.releaseJob(release)).toBe(true);
    expect(await store.releaseJob(release)).toBe(false);
    expect(await find(job)).toMatchObject({
      state: "done",
      plots: 4,
      answered: 3,
      invalid: 0,
      degraded: 1,
      finishedAtMs: clock.ms,
      expiresAtMs: clock.ms + JOB_RETENTION_MS,
    });
    expect(await results(job)).toHaveLength(4);
    expect((await store.usage({ scope }))?.period.used).toBe(3);
    expect(await store.createJob(makeJob(scope, { idempotencyKey: job.idempotencyKey }))).toMatchObject({
      kind: "met",
      job: { id: job.id, state: "done" },
    });
  });

  it("cannot be done while a plot has no line", async () => {
    const scope = await createLiveScope(store, 10);
    const job = await created(scope);
    await claimed(job);
    await expect(store.releaseJob({ jobId: job.id, owner: LEASE.owner, state: "done" })).rejects.toThrow();
    expect(await find(job)).toMatchObject({ state: "running" });
  });

  it("charges nothing after it is cancelled, and keeps what was charged before", async () => {
    const scope = await createLiveScope(store, 100);
    const job = await created(scope, { plots: makePlots(40) });
    const charging = Array.from({ length: 40 }, (_, number) => chargeJobPlot(store, job, number));
    const cancelled = await store.cancelJob({ scope, jobId: job.id });
    const { answered } = await find(job);
    const outcomes = await Promise.all(charging);
    const charged = outcomes.filter(({ kind }) => kind === "charged").length;
    expect(outcomes.filter(({ kind }) => kind === "withdrawn")).toHaveLength(40 - charged);
    expect(cancelled).toMatchObject({ state: "cancelled", finishedAtMs: clock.ms, answered: charged });
    expect(answered).toBe(charged);
    expect((await chargeJobPlot(store, job, 0)).kind).toBe(charged > 0 ? "taken" : "withdrawn");
    expect((await store.usage({ scope }))?.period.used).toBe(charged);
    const lines = await results(job);
    expect(lines).toHaveLength(40);
    expect(lines?.filter(({ status }) => status === "cancelled")).toHaveLength(40 - charged);
    expect(await store.cancelJob({ scope, jobId: job.id })).toMatchObject({ state: "cancelled" });
  });

  it("is seen by its organization and mode alone", async () => {
    const scope = await createLiveScope(store, 10);
    const job = await created(scope, { plots: makePlots(1) });
    await chargeJobPlot(store, job, 0);
    for (const other of [await createLiveScope(store, 10), { ...scope, mode: "test" as const }]) {
      const question = { scope: other, jobId: job.id };
      expect(await store.findJob(question)).toBeUndefined();
      expect(await store.listJobResults({ ...question, from: 0, limit: 10 })).toBeUndefined();
      expect(await store.cancelJob(question)).toBeUndefined();
      expect((await store.listJobs({ scope: other, page: 1, pageSize: 10 })).items).toEqual([]);
      // A plot of another organization cannot be charged.
      expect((await chargeJobPlot(store, { ...job, scope: other }, 0)).kind).toBe("withdrawn");
    }
    expect(await find(job)).toMatchObject({ state: "queued", answered: 1 });
  });

  it("is claimed by one of many, again when its lease is over, and lost by its former owner", async () => {
    const local = await newPlace();
    const time = new VirtualClock("2026-05-01T00:00:00Z");
    const moving = await local.open(time, "manage");
    const manager = await local.open(time, "manage");
    const scope = await createLiveScope(moving, 10);
    await moving.createJob(makeJob(scope));
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? moving : manager).claimJob({ owner: `runner-${i}`, leaseMs: 1_000 }),
      ),
    );
    expect(claims.filter((job) => job !== undefined)).toHaveLength(1);
    const first = `runner-${claims.findIndex((job) => job !== undefined)}`;
    const jobId = claims.find((job) => job !== undefined)!.id;
    time.advance(999);
    expect(await moving.renewJob({ jobId, owner: first, leaseMs: 1_000 })).toBe(true);
    time.advance(999);
    expect(await manager.claimJob({ owner: "late", leaseMs: 1_000 })).toBeUndefined();
    time.advance(1);
    expect(await manager.claimJob({ owner: "late", leaseMs: 1_000 })).toMatchObject({
      id: jobId,
      state: "running",
    });
    expect(await moving.renewJob({ jobId, owner: first, leaseMs: 1_000 })).toBe(false);
    expect(await moving.releaseJob({ jobId, owner: first, state: "queued" })).toBe(false);
    expect(await manager.releaseJob({ jobId, owner: "late", state: "queued" })).toBe(true);
    expect(await moving.claimJob({ owner: first, leaseMs: 1_000 })).toMatchObject({ id: jobId });
    await manager.close();
    await moving.close();
  });

  it("gives organizations their turns, whatever the number of their jobs", async () => {
    const local = await newPlace();
    const moving = await local.open(clock, "manage");
    const [a, b, c] = [
      await createLiveScope(moving, 10),
      await createLiveScope(moving, 10),
      await createLiveScope(moving, 10),
    ];
    const names = new Map([a, b, c].map(({ organization }, i) => [organization, "abc"[i]]));
    for (const scope of [a, a, { ...a, mode: "test" as const }, b, c]) await moving.createJob(makeJob(scope));
    let turns = "";
    for (let i = 0; i < 12; i++) {
      const job = await moving.claimJob(LEASE);
      turns += names.get(job!.scope.organization);
      await moving.releaseJob({ jobId: job!.id, owner: LEASE.owner, state: "queued" });
    }
    for (let i = 0; i < 12; i += 3) expect([...turns.slice(i, i + 3)].sort().join("")).toBe("abc");
    await moving.close();
  });

  it("is left alone while it is paused, and goes on when it is resumed", async () => {
    const scope = await createLiveScope(store, 10);
    const job = await created(scope);
    await claimed(job);
    const { owner } = LEASE;
    await store.releaseJob({ jobId: job.id, owner, state: "paused", reason: "quota_exceeded" });
    expect(await find(job)).toMatchObject({ state: "paused", pausedReason: "quota_exceeded" });
    expect((await store.pausedJobs({})).map(({ id }) => id)).toContain(job.id);
    for (let other = await store.claimJob(LEASE); other !== undefined; other = await store.claimJob(LEASE)) {
      expect(other.id).not.toBe(job.id);
      await store.cancelJob({ scope: other.scope, jobId: other.id });
    }
    // A plot in progress when the job was paused is still charged.
    expect((await chargeJobPlot(store, job, 2)).kind).toBe("charged");
    expect(await store.resumeJob({ jobId: job.id })).toBe(true);
    expect(await store.resumeJob({ jobId: job.id })).toBe(false);
    expect(await store.claimJob(LEASE)).toMatchObject({ id: job.id, pausedReason: null });
    expect(await pending(job.id)).toEqual([0, 1]);
  });

  it("expires 7 days after its end: upload and error lines go, decisions stay, and its key stays taken", async () => {
    const { clock: time, store: moving, scope } = await fresh(5_000);
    const sent = makeJob(scope, { plots: [...makePlots(600), { id: "bad", error: '{"code":"secret"}' }] });
    await moving.createJob(sent);
    const decided = await chargeJobPlot(moving, sent, 7);
    const waits = makeJob(scope);
    await moving.createJob(waits);
    await moving.cancelJob({ scope, jobId: sent.id });

    time.advance(JOB_RETENTION_MS - 1);
    expect(await moving.expireJobs({})).toEqual({ remains: false });
    expect((await moving.listJobResults({ scope, jobId: sent.id, from: 600, limit: 1 }))?.lines).toEqual([
      { number: 600, id: "bad", status: "invalid", error: '{"code":"secret"}' },
    ]);
    time.advance(1);
    expect((await moving.listJobResults({ scope, jobId: sent.id, from: 0, limit: 10 }))?.lines).toEqual([]);
    expect((await moving.listJobs({ scope, page: 1, pageSize: 10 })).items.map(({ id }) => id)).toEqual([
      waits.id,
    ]);
    let steps = 0;
    while ((await moving.expireJobs({})).remains) steps++;
    expect(steps).toBe(3);
    expect(await moving.findJob({ scope, jobId: sent.id })).toMatchObject({
      state: "cancelled",
      plots: 601,
      answered: 1,
      invalid: 1,
      ruleset: "",
    });
    expect(await moving.createJob({ ...sent, id: makeJob(scope).id })).toMatchObject({ kind: "met" });
    expect(decided.kind).toBe("charged");
    expect((await moving.listDecisions({ scope, page: 1, pageSize: 10 })).items).toHaveLength(1);

    // A job that no process continues expires too.
    time.advance(JOB_UNFINISHED_MS);
    expect(await moving.claimJob(LEASE)).toBeUndefined();
    expect((await chargeJobPlot(moving, waits, 0)).kind).toBe("withdrawn");
    while ((await moving.expireJobs({})).remains);
    expect(await moving.findJob({ scope, jobId: waits.id })).toMatchObject({ state: "cancelled" });
    await moving.sweep({});
    expect(await moving.findJob({ scope, jobId: sent.id })).toBeDefined();
    time.advance(400 * DAY_MS + 1);
    await moving.sweep({});
    expect(await moving.findJob({ scope, jobId: sent.id })).toBeUndefined();
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
  });

  it("never charges a plot again, though its key has expired, was acknowledged or is erased", async () => {
    const { clock: time, store: moving, scope } = await fresh(10);
    const job = makeJob(scope);
    await moving.createJob(job);
    await chargeJobPlot(moving, job, 0);
    time.advance(DAY_MS + 1);
    const key = formatJobKey(job.id, 0);
    await moving.acknowledgeExpiry({ scope, key, generation: 1, windowMs: 1 });
    time.advance(DAY_MS);
    expect((await chargeJobPlot(moving, job, 0)).kind).toBe("taken");
    await chargeJobPlot(moving, job, 1);
    expect(await moving.eraseDecisions({ organization: scope.organization, beforeMs: time.ms })).toEqual({
      erased: 1,
    });
    expect((await moving.listJobResults({ scope, jobId: job.id, from: 0, limit: 10 }))?.lines).toEqual([
      { number: 0, id: null, status: "erased", decisionId: expect.any(String) },
      {
        number: 1,
        id: null,
        status: "answered",
        decisionId: expect.any(String),
        response: '{"data":{"number":1}}',
      },
      { number: 2, id: null, status: "cancelled" },
    ]);
    expect((await chargeJobPlot(moving, job, 0)).kind).toBe("taken");
    expect(await moving.findViolations({ extent: "all" })).toEqual([]);
  });

  it("loses uploads and error lines to an erasure, and ends with them", async () => {
    const { place: local, clock: time, store: moving, scope } = await fresh(10);
    const secret = { id: "secret", input: '{"secret":1}' };
    const old = makeJob(scope, {
      plots: [secret, { id: "secret", error: '{"secret":2}' }],
      ruleset: "secret",
    });
    await moving.createJob(old);
    time.advance(1);
    const young = makeJob(scope, { idempotencyKey: "young-job" });
    await moving.createJob(young);
    time.advance(1);
    await moving.eraseDecisions({ organization: scope.organization, beforeMs: time.ms - 1 });
    expect(await moving.findJob({ scope, jobId: old.id })).toMatchObject({ state: "cancelled", invalid: 1 });
    expect((await moving.listJobResults({ scope, jobId: old.id, from: 0, limit: 10 }))?.lines).toEqual([
      { number: 0, id: null, status: "cancelled" },
      { number: 1, id: null, status: "erased", decisionId: null },
    ]);
    const kept = "SELECT 1 FROM job_plot WHERE concat(input, error, plot_id) LIKE '%secret%'";
    expect(await local.meddle(kept)).toEqual([]);
    expect(await moving.findJob({ scope, jobId: young.id })).toMatchObject({ state: "queued" });
    expect(await moving.pendingJobPlots({ jobId: young.id, after: -1, limit: 10 })).toHaveLength(3);
  });

  it("gives as many lines as have room, and refuses an upload that was altered", async () => {
    const scope = await createLiveScope(store, 10);
    const job = await created(scope, { plots: makePlots(5) });
    const response = JSON.stringify("x".repeat(3 * 1024 * 1024));
    for (let number = 0; number < 4; number++) await chargeJobPlot(store, job, number, { response });
    expect((await results(job))?.map(({ number }) => number)).toEqual([0, 1]);
    expect((await results(job, 2))?.map(({ number }) => number)).toEqual([2, 3]);
    await place.meddle(`UPDATE job_plot SET input = '{}' WHERE job_id = '${job.id}' AND number = 4`);
    await expect(pending(job.id)).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
  });

  it.each(["SQLite", "PostgreSQL"])("is carried by a backup to %s, and goes on there", async (to) => {
    const local = await newPlace();
    const source = await local.open(clock, "manage");
    const scope = await createLiveScope(source, 10);
    const job = makeJob(scope, { plots: [...makePlots(3), { id: 3, error: '{"code":"X"}' }] });
    await source.createJob(job);
    await chargeJobPlot(source, job, 1);
    const backup = join(folder, `${job.id}.backup`);
    await source.backup(backup);
    const seen = async (store: Store) => ({
      job: await store.findJob({ scope, jobId: job.id }),
      pending: await store.pendingJobPlots({ jobId: job.id, after: -1, limit: 10 }),
      lines: await store.listJobResults({ scope, jobId: job.id, from: 0, limit: 10 }),
    });
    const before = await seen(source);
    await source.close();
    const path = `${backup}.restored`;
    const place = to === "SQLite" ? undefined : await createPostgresPlace(sharedPostgres);
    const open = () =>
      place?.open(clock) ?? openStore(`sqlite:${path}`, { absent: "make", sqlite: { clock } });
    const restored = await restoreBackup(backup, open, place === undefined ? path : undefined);
    expect(await seen(restored)).toEqual(before);
    expect(await restored.claimJob(LEASE)).toMatchObject({ id: job.id });
    for (const number of [0, 2]) await chargeJobPlot(restored, job, number);
    expect(await restored.releaseJob({ jobId: job.id, owner: LEASE.owner, state: "done" })).toBe(true);
    expect(await restored.findViolations({ extent: "all" })).toEqual([]);
    await restored.close();
  });

  it("gives error lines room as it does answers", async () => {
    const scope = await createLiveScope(store, 10);
    const error = JSON.stringify({ message: "x".repeat(5 * 1024 * 1024) });
    const job = await created(scope, { plots: [1, 2].map((id) => ({ id, error })) });
    const found = await store.listJobResults({ scope, jobId: job.id, from: 0, limit: 2 });
    expect(found?.lines.map(({ id }) => id)).toEqual([1]);
  });

  it("pins editions until it has ended", async () => {
    const { store: own, scope } = await fresh(10, clock);
    const job = makeJob(scope, { editions: '{"source":"edition"}' });
    await own.createJob(job);
    expect(await own.pinnedEditions({})).toEqual(['{"source":"edition"}']);
    await own.cancelJob({ scope, jobId: job.id });
    expect(await own.pinnedEditions({})).toEqual([]);
  });

  it("looks at ten thousand plots in no time, although the database knows nothing of their keys", async () => {
    const { place: local, store: own, scope } = await fresh(10, clock);
    const job = makeJob(scope, { plots: makePlots(1) });
    await own.createJob(job);
    await chargeJobPlot(own, job, 0);
    // One plot and one answer stand in for all, which is quicker than sending and charging each.
    await local.meddle(`
      INSERT INTO job_plot (job_id, number, plot_id, input, input_digest, attempts)
      WITH RECURSIVE plot (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM plot WHERE i < 9999)
      SELECT job_id, i, plot_id, input, input_digest, attempts FROM job_plot JOIN plot ON job_id = '${job.id}';
      INSERT INTO idempotency (organization, mode, key, generation, fingerprint, decision_id, settled_at_ms,
        expires_at_ms, replays)
      SELECT organization, mode, 'job/${job.id}/' || CAST(number AS TEXT), 1, fingerprint, decision_id,
        settled_at_ms, expires_at_ms, 0
      FROM idempotency JOIN job_plot ON job_id = '${job.id}' WHERE number BETWEEN 1 AND 8999`);
    const pending = await own.pendingJobPlots({ jobId: job.id, after: -1, limit: 2 });
    expect(pending.map(({ number }) => number)).toEqual([9_000, 9_001]);
    const found = await own.listJobResults({ scope, jobId: job.id, from: 8_000, limit: 1_000 });
    expect(found?.lines.map(({ number }) => number)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => 8_000 + i),
    );
    const violations = await own.findViolations({ extent: "open", organization: scope.organization });
    const counted = violations.filter(({ invariant }) => invariant === "I17");
    expect(counted.map(({ message }) => message)).toEqual([
      expect.stringContaining("it has 10000, 9000, 0 and 0"),
    ]);
  });

  it("is not opened after an erasure that came while it was written, and its plots go", async () => {
    const { store: own, scope } = await fresh(10, clock);
    const { plots, ...job } = makeJob(scope);
    await own.beginJob({ ...job, bytes: 1 });
    await own.addJobPlots({ jobId: job.id, from: 0, batch: plots });
    clock.advance(1_000);
    await own.eraseDecisions({ organization: scope.organization, beforeMs: clock.ms });
    await expect(own.openJob({ ...job, plots: plots.length })).rejects.toThrow("not staged");
    while ((await own.expireJobs({})).remains);
    expect(await own.createJob({ ...job, plots })).toMatchObject({ kind: "created" });
  });

  it("is examined: every charge belongs to a job, and every job counts what became of its plots", async () => {
    const local = await newPlace();
    const meddled = await local.open(clock, "manage");
    const foreign = await createLiveScope(meddled, 1);
    for (const [invariant, text, extent] of [
      ["I16", `UPDATE job SET organization = '${foreign.organization}'`, "all"],
      ["I17", "UPDATE job SET answered = answered - 1", "open"],
      ["I17", "UPDATE job SET invalid = 0", "open"],
      ["I17", "DELETE FROM job_plot WHERE number = 2", "open"],
      ["I17", "UPDATE job_plot SET status = 'degraded', error = '{}' WHERE number = 1", "open"],
    ] as const) {
      const scope = await createLiveScope(meddled, 10);
      const job = makeJob(scope, { plots: [...makePlots(3), { id: 3, error: "{}" }] });
      await meddled.createJob(job);
      await chargeJobPlot(meddled, job, 1);
      const found = async () => {
        const violations = await meddled.findViolations({ extent, organization: scope.organization });
        return violations.map((violation) => violation.invariant);
      };
      expect(await found()).toEqual([]);
      await local.meddle(text);
      expect(await found(), text).toContain(invariant);
    }
    await meddled.close();
  });
});
