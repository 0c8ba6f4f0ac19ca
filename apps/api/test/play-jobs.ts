import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import type { Scope } from "../src/ledger/scope.ts";
import type { NewJobPlot } from "../src/store/port/jobs.ts";
import type { Store } from "../src/store/port/port.ts";
import { JobModel, type ModelJob } from "./job-model.ts";
import { chargeJobPlot, makeJob } from "./jobs.ts";
import { createLiveScope } from "./settlement.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A job among those that were created, and somebody who works on it. */
const job = fc.nat({ max: 5 });
const owner = fc.constantFrom("one", "two");
const number = fc.nat({ max: 3 });

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      scope: fc.nat({ max: 2 }),
      key: fc.nat({ max: 4 }),
      fingerprint: fc.constantFrom("a", "a", "a", "b"),
      isInvalid: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("charge" as const), job, number, isForeign: fc.nat({ max: 9 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("note" as const),
      job,
      number,
      attempts: fc.nat({ max: 3 }),
      status: fc.constantFrom("invalid" as const, "degraded" as const, undefined),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("claim" as const), owner }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("renew" as const), job, owner }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("release" as const),
      job,
      owner,
      state: fc.constantFrom("done" as const, "queued" as const, "paused" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume" as const), job }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), job }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1, LEASE_MS - 1, LEASE_MS, DAY_MS + 1, 7 * DAY_MS, 35 * DAY_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expire" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("shed" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("erase" as const),
      scope: fc.nat({ max: 2 }),
      ago: fc.constantFrom(0, LEASE_MS),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** Plays random steps on a store and on the model; whatever can be seen must be the same after each. */
export async function playRandomJobSteps(
  store: Store,
  clock: VirtualClock,
  { runs, seed, steps = 50 }: { readonly runs: number; readonly seed: number; readonly steps?: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: steps }), async (played) => {
      const first = await createLiveScope(store, 1_000_000);
      const scopes = [first, { ...first, mode: "test" as const }, await createLiveScope(store, 1_000_000)];
      const beganMs = clock.ms;
      const model = new JobModel(beganMs);
      try {
        for (const each of played) {
          await playJobStep(each, store, clock, model, scopes);
          await assertStoreMatchesModel(store, model, scopes);
        }
        for (const { organization } of scopes) {
          expect(await store.findViolations({ extent: "all", organization })).toEqual([]);
        }
        if (clock.ms - beganMs < FORGOTTEN_MS) await assertStoredAmounts(store, scopes);
      } finally {
        // The next run finds nothing to claim.
        for (const { sent } of model.jobs) await store.cancelJob({ scope: sent.scope, jobId: sent.id });
      }
    }),
    { numRuns: runs, seed },
  );
}

/** Jobs that expired so long ago are forgotten, and count no longer. */
const FORGOTTEN_MS = 400 * DAY_MS;

/** Asserts that the stored amounts of each scope, counted step by step, are those counted from its rows. */
async function assertStoredAmounts(store: Store, scopes: readonly Scope[]): Promise<void> {
  const countByRefusal = () =>
    Promise.all(
      scopes.map((scope) => store.createJob(makeJob(scope, { bytesLimit: 0, unfinishedLimit: 1_000 }))),
    );
  const counted = await countByRefusal();
  expect(counted.map(({ kind }) => kind)).toEqual(scopes.map(() => "held"));
  await store.sweep({});
  expect(await countByRefusal()).toEqual(counted);
}

async function playJobStep(
  each: Step,
  store: Store,
  clock: VirtualClock,
  model: JobModel,
  scopes: readonly Scope[],
): Promise<void> {
  switch (each.do) {
    case "create": {
      const plots = each.isInvalid.map(
        (isInvalid, i): NewJobPlot =>
          isInvalid ? { id: i, error: '{"code":"X"}' } : { id: `p${i}`, input: `[${i}]` },
      );
      const { fingerprint } = each;
      const sent = makeJob(scopes[each.scope]!, { idempotencyKey: `key-${each.key}`, fingerprint, plots });
      expect((await store.createJob(sent)).kind).toBe(model.create(sent));
      return;
    }
    case "claim": {
      const claimed = await store.claimJob({ owner: each.owner, leaseMs: LEASE_MS });
      expect(claimed?.id).toBe(model.claim(each.owner, LEASE_MS)?.sent.id);
      return;
    }
    case "wait":
      clock.advance(each.ms);
      model.nowMs = clock.ms;
      return;
    case "expire":
      while ((await store.expireJobs({})).remains);
      return;
    case "shed":
      while ((await store.shedUploads({})).remains);
      model.shed();
      return;
    case "erase": {
      const { organization } = scopes[each.scope]!;
      const beforeMs = clock.ms - each.ago;
      await store.eraseDecisions({ organization, beforeMs });
      model.erase(organization, beforeMs);
      return;
    }
    default: {
      const target = model.jobs[each.job % Math.max(model.jobs.length, 1)];
      if (target !== undefined) await playStepOnJob(target, each, store, model, scopes);
    }
  }
}

type StepOnJob = Extract<Step, { readonly job: number }>;

async function playStepOnJob(
  target: ModelJob,
  each: StepOnJob,
  store: Store,
  model: JobModel,
  scopes: readonly Scope[],
): Promise<void> {
  const { id: jobId, scope } = target.sent;
  switch (each.do) {
    case "charge": {
      const decisionId = `dec_${randomUUID()}`;
      const from = each.isForeign < scopes.length ? scopes[each.isForeign]! : scope;
      const outcome = await chargeJobPlot(store, { id: jobId, scope: from }, each.number, { decisionId });
      expect(outcome.kind).toBe(model.charge(target, each.number, from, decisionId));
      return;
    }
    case "note": {
      const { number: noted, attempts, status } = each;
      const failure = status && { status, error: '{"code":"Y"}' };
      const line = { number: noted, attempts, ...(failure !== undefined && { failure }) };
      await store.noteJobLines({ jobId, lines: [line] });
      model.note(target, line);
      return;
    }
    case "renew": {
      const renewed = await store.renewJob({ jobId, owner: each.owner, leaseMs: LEASE_MS });
      expect(renewed).toBe(model.renew(target, each.owner, LEASE_MS));
      return;
    }
    case "release": {
      const { owner: by, state } = each;
      const release = state === "paused" ? { state, reason: "quota_exceeded" as const } : { state };
      const released = await store.releaseJob({ jobId, owner: by, ...release }).catch(() => "refused");
      expect(released).toBe(model.release(target, by, state));
      return;
    }
    case "resume":
      expect(await store.resumeJob({ jobId })).toBe(model.resume(target));
      return;
    case "cancel":
      await store.cancelJob({ scope, jobId });
      model.cancel(target);
      return;
  }
}

async function assertStoreMatchesModel(
  store: Store,
  model: JobModel,
  scopes: readonly Scope[],
): Promise<void> {
  for (const scope of scopes) {
    const listed = await store.listJobs({ scope, page: 1, pageSize: 100 });
    const seen = model.of(scope).filter((each) => !model.isExpired(each));
    expect(listed.totalCount).toBe(seen.length);
    expect(new Set(listed.items.map(({ id }) => id))).toEqual(new Set(seen.map(({ sent }) => sent.id)));
  }
  for (const each of model.jobs) {
    const { id: jobId, scope } = each.sent;
    const stored = await store.findJob({ scope, jobId });
    const count = (is: (plot: ModelJob["plots"][number]) => boolean): number => each.plots.filter(is).length;
    expect(stored).toMatchObject({
      plots: each.plots.length,
      answered: count(({ decision }) => decision !== undefined),
      invalid: count(({ status }) => status === "invalid"),
      degraded: count(({ status }) => status === "degraded"),
      expiresAtMs: each.expiresAtMs,
    });
    if (model.isExpired(each)) continue;
    expect(stored).toMatchObject({ state: each.state, finishedAtMs: each.finishedAtMs });
    const pending = await store.pendingJobPlots({ jobId, after: -1, limit: 100 });
    expect(pending).toEqual(
      model.pending(each).map((at) => {
        const { id, input, attempts } = each.plots[at]!;
        return { number: at, id, input, attempts };
      }),
    );
    const results = await store.listJobResults({ scope, jobId, from: 0, limit: 100 });
    const lines = results?.lines.map((line) => {
      const { response: _, ...rest } = { response: undefined, ...line };
      return rest;
    });
    expect(lines).toEqual(model.lines(each));
  }
}
