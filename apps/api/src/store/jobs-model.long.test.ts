import { expect, it } from "vitest";
import { playRandomJobSteps } from "../../test/play-jobs.ts";
import { readSeed } from "../../test/seed.ts";
import { sharedPostgres } from "../../test/shared-postgres.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./port/port.ts";

/** Random steps of every kind, compared with a model in memory; the long form runs fifty times as many. */
const TIMES = process.env.GROUNDRULE_FULL === "1" ? 50 : 1;

async function playOnNewStore(open: (clock: VirtualClock) => Promise<Store>, runs: number): Promise<void> {
  const clock = new VirtualClock("2026-05-01T00:00:00Z");
  const store = await open(clock);
  await playRandomJobSteps(store, clock, { runs: runs * TIMES, seed: readSeed(7) });
  expect(await store.findViolations({ extent: "all" })).toEqual([]);
  await store.close();
}

it("jobs on SQLite do what a model of them in memory does", async () => {
  await playOnNewStore((clock) => openStore("sqlite::memory:", { absent: "make", sqlite: { clock } }), 60);
});

it("jobs on PostgreSQL do what a model of them in memory does", async () => {
  const url = await sharedPostgres.createDatabase();
  const open = (clock: VirtualClock): Promise<Store> =>
    openStore(url, { absent: "make", postgres: { clock: { read: () => clock.now() } } });
  await playOnNewStore(open, 8);
});
