import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JOB_UNFINISHED_MS } from "@groundrule/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newJob } from "../../test/jobs.ts";
import { type PostgresCluster, startPostgres } from "../../test/postgres-cluster.ts";
import { newScope } from "../../test/settlement.ts";
import { newPostgresPlace, newSqlitePlace, type StorePlace } from "../../test/store-places.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import type { Scope } from "../ledger/scope.ts";
import type { NewJob, StoredJob } from "./port/jobs.ts";
import type { Store } from "./port/port.ts";

let cluster: PostgresCluster;
let folder: string;

beforeAll(async () => {
  cluster = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), "groundrule-jobs-"));
});

afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each([
  ["SQLite", () => newSqlitePlace(folder)],
  ["PostgreSQL", () => newPostgresPlace(cluster)],
] as const)("jobs on %s", (_, newPlace) => {
  let place: StorePlace;
  let store: Store;
  const clock = new VirtualClock("2026-01-31T12:00:00Z");

  beforeAll(async () => {
    place = await newPlace();
    store = await place.open(clock);
  });

  afterAll(async () => {
    expect(await store.findViolations({ extent: "all" })).toEqual([]);
    await store.close();
  });

  async function created(scope: Scope, more: Partial<NewJob> = {}): Promise<StoredJob> {
    const outcome = await store.createJob(newJob(scope, more));
    if (outcome.kind !== "created") throw new Error(`found ${outcome.kind}, expected a new job`);
    return outcome.job;
  }

  const find = async ({ scope, id }: Pick<StoredJob, "scope" | "id">): Promise<StoredJob> => {
    const job = await store.findJob({ scope, jobId: id });
    if (job === undefined) throw new Error("the job is gone");
    return job;
  };

  it("keeps a job and its plots as they were sent, in their order", async () => {
    const scope = await newScope(store, 10);
    const plots = [
      { id: "first", input: '{"a":1}' },
      { id: 7, error: '{"code":"VALIDATION_FAILED"}' },
      { id: "third", input: '{"a":3}' },
    ];
    const sent = newJob(scope, { plots, referenceId: "spring", rulesetName: "plots", rulesetVersion: 3 });
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
});
