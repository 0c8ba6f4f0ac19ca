import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GroupCommit } from "./group-commit.ts";

/** Commits at once, and records the groups. */
function makeRecordedCommits(): { commits: GroupCommit<number, number>; groups: number[][] } {
  const groups: number[][] = [];
  const commits = new GroupCommit<number, number>(async (items) => {
    groups.push([...items]);
    return items.map(
      (item) =>
        ({ resolve }) =>
          resolve(item),
    );
  });
  return { commits, groups };
}

/** Adds items in quick succession. */
async function addManyItems(commits: GroupCommit<number, number>): Promise<void> {
  await Promise.all(Array.from({ length: 128 }, (_, i) => commits.add(-i)));
}

describe("a group of charges", () => {
  // Time passes only when a test advances it.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("holds no more than 64, in the order in which they came", async () => {
    const { commits, groups } = makeRecordedCommits();
    const results = await Promise.all(Array.from({ length: 150 }, (_, i) => commits.add(i)));
    expect(results).toEqual(Array.from({ length: 150 }, (_, i) => i));
    expect(groups.map(({ length }) => length)).toEqual([64, 64, 22]);
  });

  it("goes at once where nobody else is on the way", async () => {
    const { commits, groups } = makeRecordedCommits();
    await addManyItems(commits);
    groups.length = 0;
    void commits.add(1, () => 0);
    await setImmediate();
    await setImmediate();
    expect(groups).toEqual([[1]]);
  });

  it("goes at once where items are rare, however many are on the way", async () => {
    const { commits, groups } = makeRecordedCommits();
    void commits.add(1, () => 50);
    await setImmediate();
    await setImmediate();
    expect(groups).toEqual([[1]]);
  });

  it("waits for company until as many have come as are still on the way", async () => {
    const { commits, groups } = makeRecordedCommits();
    await addManyItems(commits);
    groups.length = 0;
    let onTheWay = 10;
    const ended: Promise<number>[] = [];
    while (onTheWay > 4) {
      onTheWay--;
      ended.push(commits.add(onTheWay, () => onTheWay));
      await setImmediate();
    }
    await setImmediate();
    vi.advanceTimersByTime(5);
    await Promise.all(ended);
    expect(groups).toEqual([[9, 8, 7, 6, 5], [4]]);
  });

  it("waits a few milliseconds for company that never comes", async () => {
    const { commits, groups } = makeRecordedCommits();
    await addManyItems(commits);
    groups.length = 0;
    const ended = commits.add(1, () => 50);
    await setImmediate();
    await setImmediate();
    vi.advanceTimersByTime(4);
    await setImmediate();
    expect(groups).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await ended).toBe(1);
    expect(groups).toEqual([[1]]);
  });

  it("goes on where company ends and a commit fails", async () => {
    let calls = 0;
    const commits = new GroupCommit<number, number>(async (items) => {
      if (++calls === 1) throw new Error("refused");
      return items.map(
        (item) =>
          ({ resolve }) =>
            resolve(item),
      );
    });
    await expect(commits.add(1, () => 50)).rejects.toThrow("refused");
    expect(await commits.add(2)).toBe(2);
    expect(commits.isIdle).toBe(true);
  });
});
