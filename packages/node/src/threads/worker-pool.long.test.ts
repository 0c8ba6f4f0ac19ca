import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import type { MoodyResult, MoodyTask } from "../../test/moody-worker.ts";
import { WorkerPool } from "./worker-pool.ts";

const script = new URL("../../test/moody-worker.ts", import.meta.url);
const limits = { size: 2, maxQueue: 100, deadlineMs: 200, patience: 1_000, lot: 16 };
let pool: WorkerPool<string, MoodyTask, MoodyResult>;
afterEach(() => pool.close());

describe("WorkerPool", () => {
  it("loses no worker on a machine that has no CPU to spare, and ends what spins there", async () => {
    pool = new WorkerPool(script, "first", limits);
    const warm = () => Promise.all([0, 1, 2, 3].map(() => pool.run({ do: "work", ms: 20 })));
    const threads = async () => new Set((await warm()).map(({ threadId }) => threadId));
    const before = await threads();
    const hogs = Array.from({ length: 6 * availableParallelism() }, () => {
      return spawn(process.execPath, ["-e", "for (;;);"]);
    });
    try {
      await Promise.all(hogs.map((hog) => once(hog, "spawn")));
      await Promise.all(Array.from({ length: 12 }, () => pool.run({ do: "work", ms: 100 })));
      for (const thread of await threads()) expect(before).toContain(thread);
      await expect(pool.run({ do: "spin", ms: 600_000 })).rejects.toMatchObject({
        message: "the evaluation used more than 200 ms of CPU and was stopped",
      });
    } finally {
      for (const hog of hogs) hog.kill("SIGKILL");
    }
  });
});
