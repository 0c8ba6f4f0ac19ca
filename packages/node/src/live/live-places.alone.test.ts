import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LivePlaces } from "./live-places.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Requests places, and records the order in which they were granted. */
function recordPlaces(size: number, limits = { waitingOfLane: 4, waitMs: 1_000 }) {
  const places = new LivePlaces("live:parks", size, limits);
  const granted: string[] = [];
  const take = (name: string, inBackground = false) =>
    places.take({ lane: name[0], inBackground }).then((isIn) => granted.push(isIn ? name : `not ${name}`));
  return { places, granted, take };
}

const turn = () => vi.advanceTimersByTimeAsync(0);

describe("LivePlaces", () => {
  it("lets lanes take turns, leaves a place to the others, and has the background wait behind all", async () => {
    const { places, granted, take } = recordPlaces(3);
    for (const name of ["a1", "a2", "a3", "a4"]) void take(name);
    void take("j1", true);
    await turn();
    // The third place is for others, and only the background waits.
    expect(granted).toEqual(["a1", "a2", "j1"]);
    for (const name of ["b1", "b2", "c1"]) void take(name);
    void take("k1", true);
    places.leave("j");
    await turn();
    expect(granted.slice(3)).toEqual(["b1"]);
    // The background gets a place that no other lane may take.
    for (const lane of ["b", "a", "c", "b", "a", "a"]) {
      places.leave(lane);
      await turn();
    }
    expect(granted.slice(4)).toEqual(["c1", "a3", "b2", "k1", "a4"]);
  });

  it("refuses a lane of which too many wait, or one too long, and nobody else", async () => {
    const { places, granted, take } = recordPlaces(1);
    const first = take("a0");
    const waiting = ["a1", "a2", "a3", "a4"].map((name) => take(name));
    await expect(take("a5")).rejects.toMatchObject({
      code: "OVERLOADED",
      details: { source_name: "live:parks", waiting: 4 },
    });
    const job = take("a6", true);
    const ends = Promise.allSettled([...waiting, take("b1")]);
    await first;
    places.leave("a");
    await vi.advanceTimersByTimeAsync(999);
    expect(granted).toEqual(["a0", "a1"]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await ends).map(({ status }) => status)).toEqual(["fulfilled", ...Array(4).fill("rejected")]);
    places.leave("a");
    await job;
    expect(granted).toEqual(["a0", "a1", "a6"]);
  });

  it("gives no place to a caller that is gone, and keeps none for it", async () => {
    const { places, granted, take } = recordPlaces(1);
    await take("a0");
    const gone = new AbortController();
    const left = places.take({ lane: "b", signal: gone.signal });
    void take("c0");
    gone.abort();
    expect(await left).toBe(false);
    expect(await places.take({ lane: "b", signal: gone.signal })).toBe(false);
    places.leave("a");
    await turn();
    expect(granted).toEqual(["a0", "c0"]);
  });

  it("gives every place to a caller with a limit of its own", async () => {
    const { places } = recordPlaces(2, { waitingOfLane: 0, waitMs: 1 });
    expect(await Promise.all([places.take({}), places.take({})])).toEqual([true, true]);
    const third = places.take({});
    await vi.advanceTimersByTimeAsync(10_000);
    places.leave();
    expect(await third).toBe(true);
  });
});
