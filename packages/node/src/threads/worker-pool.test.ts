import { afterEach, describe, expect, it } from "vitest";
import type { MoodyResult, MoodyTask } from "../../test/moody-worker.ts";
import { LaneWork } from "./lane-work.ts";
import { type PoolLimits, WorkerPool } from "./worker-pool.ts";

const script = new URL("../../test/moody-worker.ts", import.meta.url);
let pool: WorkerPool<string, MoodyTask, MoodyResult>;
const open = (limits: Partial<PoolLimits> = {}, settings = "first", work?: LaneWork) => {
  pool = new WorkerPool(script, settings, { size: 2, maxQueue: 100, deadlineMs: 5_000, ...limits }, work);
  return pool;
};
/** Ten units make a task heavy; a hundred at once exceed the burst. The clock stands still. */
const newWork = () => new LaneWork({ heavyTask: 10, burst: 100, perSecond: 10, perMillisecond: 1 }, () => 0);
afterEach(() => pool.close());

/** A gate that stops a task until it is opened. */
const newGate = () => new Int32Array(new SharedArrayBuffer(4));

function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

describe("WorkerPool", () => {
  it("gives every task its own answer", async () => {
    open();
    const values = Array.from({ length: 60 }, (_, i) => i);
    const results = await Promise.all(values.map((value) => pool.run({ do: "echo", value })));
    expect(results.map((result) => result.value)).toEqual(values);
  });

  it("runs as many tasks at once as it has workers", async () => {
    open();
    const gate = newGate();
    const blocked = pool.run({ do: "hold", gate });
    const unblocked = await pool.run({ do: "echo", value: 1 });
    expect(pool.running).toBe(1);
    openGate(gate);
    expect((await blocked).threadId).not.toBe(unblocked.threadId);
  });

  it("starts as many workers as there are tasks that wait, where they start as needed", async () => {
    open({ size: 3, asNeeded: true });
    const gates = [newGate(), newGate()];
    const first = await pool.run({ do: "echo", value: 1 });
    const again = await pool.run({ do: "echo", value: 2 });
    expect(again.threadId).toBe(first.threadId);
    const blocked = gates.map((gate) => pool.run({ do: "hold", gate }));
    const unblocked = await pool.run({ do: "echo", value: 3 });
    for (const gate of gates) openGate(gate);
    const threads = [...(await Promise.all(blocked)), unblocked].map(({ threadId }) => threadId);
    expect(new Set(threads).size).toBe(3);
    expect(threads).toContain(first.threadId);
  });

  it("ends at once where no worker was needed", async () => {
    await open({ asNeeded: true }).close();
  });

  it("ends a task that runs past the deadline, and goes on with a new worker", async () => {
    open({ size: 1, deadlineMs: 150 });
    const before = await pool.run({ do: "echo", value: 1 });
    const stuck = pool.run({ do: "spin", ms: 60_000 });
    const next = pool.run({ do: "echo", value: 2 });
    await expect(stuck).rejects.toMatchObject({ code: "EVALUATION_ABORTED", details: { deadlineMs: 150 } });
    const after = await next;
    expect(after.value).toBe(2);
    expect(after.threadId).not.toBe(before.threadId);
  });

  it("ends a task by the CPU it takes, not by the time that passes", async () => {
    open({ size: 1, deadlineMs: 150, patience: 10_000 });
    const before = await pool.run({ do: "echo", value: 1 });
    expect(await pool.run({ do: "wait", ms: 700 })).toMatchObject({ value: null });
    // The CPU time of the worker's earlier tasks does not count for this one.
    for (let i = 0; i < 5; i++) await pool.run({ do: "work", ms: 60 });
    expect((await pool.run({ do: "echo", value: 2 })).threadId).toBe(before.threadId);
  });

  it("ends a task that takes neither CPU nor an end", async () => {
    open({ size: 1, deadlineMs: 50, patience: 4 });
    const before = await pool.run({ do: "echo", value: 1 });
    await expect(pool.run({ do: "wait", ms: 60_000 })).rejects.toMatchObject({
      code: "EVALUATION_ABORTED",
      message: "the evaluation was not finished after 200 ms and was stopped",
    });
    expect((await pool.run({ do: "echo", value: 2 })).threadId).not.toBe(before.threadId);
  });

  it("gives a task of several parts as many deadlines", async () => {
    open({ size: 1, deadlineMs: 150 });
    await expect(pool.run({ do: "spin", ms: 300 }, { weight: 10 })).resolves.toMatchObject({ value: null });
  });

  it.each(["exit", "throw"] as const)("loses only the task whose worker dies by %s", async (end) => {
    open({ size: 1 });
    const dead = pool.run({ do: end });
    const alive = pool.run({ do: "echo", value: "alive" });
    await expect(dead).rejects.toMatchObject({ code: "EVALUATION_ABORTED" });
    expect((await alive).value).toBe("alive");
  });

  it("refuses the task that finds the queue full, and none before it", async () => {
    open({ size: 1, maxQueue: 2 });
    await pool.run({ do: "echo", value: 0 });
    const accepted = [1, 2, 3].map((value) => pool.run({ do: "echo", value }));
    expect([pool.running, pool.queued]).toEqual([1, 2]);
    await expect(pool.run({ do: "echo", value: 4 })).rejects.toMatchObject({ code: "OVERLOADED" });
    expect((await Promise.all(accepted)).map((result) => result.value)).toEqual([1, 2, 3]);
  });

  it("finishes a running task on the old settings and starts later ones on the new", async () => {
    open({ size: 1 });
    await pool.run({ do: "echo", value: 0 });
    const gate = newGate();
    const running = pool.run({ do: "hold", gate });
    const waiting = pool.run({ do: "echo", value: 1 });
    pool.configure("second");
    openGate(gate);
    expect((await running).settings).toBe("first");
    expect((await waiting).settings).toBe("second");
  });

  it("starts a replacement on the settings of the moment", async () => {
    open({ size: 1 });
    const dead = pool.run({ do: "exit" });
    pool.configure("second");
    await expect(dead).rejects.toThrow("the worker ended");
    expect((await pool.run({ do: "echo", value: 1 })).settings).toBe("second");
  });

  it("fails every task with the cause when its workers cannot start", async () => {
    open({ size: 2 }, "refuse to start");
    await expect(pool.run({ do: "echo", value: 1 })).rejects.toThrow("no engine here");
    await expect(pool.run({ do: "echo", value: 1 })).rejects.toThrow("no engine here");
  });

  it("sends batches: every task gets its own answer, and a long one delays no other", async () => {
    open({ size: 2, lot: 16 });
    await Promise.all([1, 2].map(() => pool.run({ do: "spin", ms: 1 })));
    const gate = newGate();
    const long = pool.run({ do: "hold", gate });
    const values = Array.from({ length: 100 }, (_, i) => i);
    let isLongOver = false;
    void long.then(() => {
      isLongOver = true;
    });
    const results = await Promise.all(values.map((value) => pool.run({ do: "echo", value })));
    expect(results.map((result) => result.value)).toEqual(values);
    expect(isLongOver).toBe(false);
    openGate(gate);
    expect((await long).value).toBeNull();
    expect([pool.running, pool.queued]).toEqual([0, 0]);
  });

  it.each([{ do: "exit" }, { do: "throw" }, { do: "spin", ms: 60_000 }] as const)(
    "loses only $do of its batch",
    async (bad) => {
      open({ size: 1, lot: 16, deadlineMs: 150 });
      await pool.run({ do: "echo", value: 0 });
      const tasks = Array.from(
        { length: 16 },
        (_, i): MoodyTask => (i === 7 ? bad : { do: "echo", value: i }),
      );
      const ends = await Promise.allSettled(tasks.map((task) => pool.run(task)));
      ends.forEach((end, i) => {
        if (i === 7) expect(end).toMatchObject({ reason: { code: "EVALUATION_ABORTED" } });
        else expect(end).toMatchObject({ value: { value: i } });
      });
    },
  );

  it("lets the background wait behind every other task, and leaves a worker to the others", async () => {
    open({ lot: 16 });
    const gates = [newGate(), newGate()];
    const done: string[] = [];
    const behind = gates.map((gate, i) =>
      pool.run({ do: "hold", gate }, { inBackground: true }).then(() => done.push(`background ${i}`)),
    );
    const others = Array.from({ length: 20 }, (_, value) => pool.run({ do: "echo", value }));
    await Promise.all(others);
    expect(done).toEqual([]);
    for (const gate of gates) openGate(gate);
    await Promise.all(behind);
    expect(done).toHaveLength(2);
  });

  it("runs the background on its only worker when nobody else waits", async () => {
    open({ size: 1, lot: 16 });
    const gate = newGate();
    const order: number[] = [];
    const blocked = pool.run({ do: "hold", gate });
    const results = [1, 2, 3].map((value) =>
      pool.run({ do: "echo", value }, { inBackground: value < 3 }).then(() => order.push(value)),
    );
    openGate(gate);
    await Promise.all([blocked, ...results]);
    expect(order).toEqual([3, 1, 2]);
  });

  it.each([1, 16])(
    "leaves a worker to others by what a lane's answers counted, in batches of %i",
    async (lot) => {
      open({ lot }, "first", newWork());
      // First within the burst, then beyond it.
      for (const units of [50, 60]) await pool.run({ do: "echo", value: 0, units }, { lane: "a" });
      const gates = [newGate(), newGate(), newGate()];
      const done: string[] = [];
      const heavy = gates.map((gate, i) =>
        pool.run({ do: "hold", gate }, { lane: "a" }).then(() => done.push(`a${i}`)),
      );
      const light = Array.from({ length: 40 }, (_, i) =>
        pool.run({ do: "echo", value: i }, { lane: i % 2 === 0 ? "b" : "c" }),
      );
      await Promise.all(light);
      expect([done, pool.running, pool.queued]).toEqual([[], 1, 2]);
      for (const gate of gates) openGate(gate);
      await Promise.all(heavy);
      expect(done).toEqual(["a0", "a1", "a2"]);
    },
  );

  it("takes a task for heavy that is known to be, whatever its lane, and runs it where there is one worker", async () => {
    open({}, "first", newWork());
    const gates = [newGate(), newGate()];
    const blocked = gates.map((gate, i) => pool.run({ do: "hold", gate }, { lane: `${i}`, work: 11 }));
    expect(await pool.run({ do: "echo", value: 1 }, { lane: "2", work: 10 })).toMatchObject({ value: 1 });
    expect([pool.running, pool.queued]).toEqual([1, 1]);
    for (const gate of gates) openGate(gate);
    await Promise.all(blocked);
    await pool.close();
    open({ size: 1 }, "first", newWork());
    expect(await pool.run({ do: "echo", value: 2 }, { work: 11 })).toMatchObject({ value: 2 });
  });

  it("counts a task that it stopped, and none of the background", async () => {
    const work = newWork();
    open({ size: 1, deadlineMs: 150 }, "first", work);
    await pool.run({ do: "echo", value: 0, units: 1_000 }, { lane: "a", inBackground: true });
    await expect(pool.run({ do: "spin", ms: 60_000 }, { lane: "b" })).rejects.toThrow();
    await expect(pool.run({ do: "exit" }, { lane: "c" })).rejects.toThrow();
    expect(["a", "b", "c"].map((lane) => work.isHeavy(lane, 0))).toEqual([false, true, true]);
  });

  it("gives a task that was put back behind a long one the next turn", async () => {
    open({ size: 1, lot: 16 });
    await pool.run({ do: "echo", value: 0 });
    const gate = newGate();
    const order: string[] = [];
    const ask = (task: MoodyTask, name: string) =>
      pool.run(task, { lane: name[0]! }).then(() => order.push(name));
    const results = [ask({ do: "hold", gate }, "a0"), ask({ do: "echo", value: 1 }, "a1")];
    results.push(ask({ do: "echo", value: 2 }, "b0"), ask({ do: "echo", value: 3 }, "a2"));
    await expect.poll(() => pool.queued).toBe(3);
    openGate(gate);
    await Promise.all(results);
    expect(order).toEqual(["a0", "b0", "a1", "a2"]);
  });

  it("closes after the tasks it accepted, and takes none after", async () => {
    open({ size: 1 });
    const accepted = [1, 2, 3].map((value) => pool.run({ do: "echo", value }));
    const closed = pool.close();
    await expect(pool.run({ do: "echo", value: 4 })).rejects.toMatchObject({ code: "POOL_CLOSED" });
    expect((await Promise.all(accepted)).map((result) => result.value)).toEqual([1, 2, 3]);
    await closed;
    expect(await pool.close()).toBeUndefined();
  });
});
