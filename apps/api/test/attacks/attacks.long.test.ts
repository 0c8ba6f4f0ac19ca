import { describe, it } from "vitest";
import { seedOr } from "../seed.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { onSqlite } from "../temporary-folder.ts";
import { type Allowance, sendDeepBodies, sendMillionVertices, sendOversizedBodies } from "./bodies.ts";
import { fillStorage } from "./fill-storage.ts";
import { abuseHeaders } from "./headers.ts";
import { queryAmongHeavySenders } from "./heavy-neighbour.ts";
import { measureEventLoop, sendHostileGeometry } from "./hostile-geometry.ts";
import { leaveUnread } from "./unread.ts";
import { askForNothing } from "./verdicts-for-nothing.ts";

const FULL = process.env.GROUNDRULE_FULL !== undefined;
const MIB = 1024 * 1024;
const ANY_TIME = Number.POSITIVE_INFINITY;
// CPU is counted here, and of memory what is far off.
const GENEROUS: Allowance = {
  refusalMs: ANY_TIME,
  depthMs: ANY_TIME,
  depthCpuMs: 1_000,
  memoryBytes: 200_000_000,
};

describe("a serving process", () => {
  it("T-24: refuses bodies that are too large, however their length is declared, and keeps none", async () => {
    await sendOversizedBodies(1, GENEROUS);
  });

  it("T-25: refuses a body one level too deep, or a million, wherever they are", async () => {
    await sendDeepBodies(1, GENEROUS);
  });

  it("T-26: refuses too many vertices before it looks for crossings", async () => {
    await sendMillionVertices(1, GENEROUS, 150_000);
  });

  it("gives verdicts for nothing so often as is stated, however a source is made to fail", async () => {
    await askForNothing(FULL ? 120 : 60);
  });

  it("T-27: answers or refuses the worst plots, and others meanwhile", async () => {
    await sendHostileGeometry(FULL ? 5 : 2, seedOr(1_027), { answerMs: ANY_TIME, otherP99Ms: ANY_TIME });
  });

  it.each([1, 4])(
    "answers another beside the worst accepted plots of %i organizations",
    async (organizations) => {
      const senders = { senders: 4, organizations, seconds: FULL ? 5 : 1, otherP99Ms: ANY_TIME };
      await queryAmongHeavySenders(100, seedOr(1_027), senders);
    },
  );

  it("T-30: refuses abused headers, and is left as it was", async () => {
    await abuseHeaders(FULL ? 500 : 150, seedOr(1_030));
  });

  it("T-36: is not held up for long by the worst plots and the largest bodies", async () => {
    await measureEventLoop(FULL ? 5 : 2, seedOr(1_036), 200);
  });

  it("holds one answer a connection where many are requested and none is read", async () => {
    // Without a limit 60 of these answers take 600 MB, and as much again on the way.
    await leaveUnread(60, { grownBytes: 560_000_000, otherSlower: 100 });
  });

  // `GROUNDRULE_FULL=1` attempts a gigabyte on each store, as `experiment.ts storage` does.
  it.each(["sqlite", "postgres"] as const)("holds so much for nothing as is stated, on %s", async (kind) => {
    const attempted = FULL ? 1_024 * MIB : 48 * MIB;
    const limits = { job_bytes: 32 * MIB, ruleset_bytes: 4 * MIB };
    const fill = (url: string) => fillStorage(url, attempted, limits);
    await (kind === "sqlite" ? onSqlite(fill) : fill(await sharedPostgres.createDatabase()));
  });
});
