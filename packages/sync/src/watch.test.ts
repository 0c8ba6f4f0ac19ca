import { describe, expect, it } from "vitest";
import type { SourceFile } from "./download/source-files.ts";
import type { OutcomeKind } from "./outcome.ts";
import { watchSources } from "./watch.ts";

const HOUR = 3_600_000;

/** Runs a watch on a clock of its own until `endMs`. @returns when each source was looked at, in hours */
async function recordLooks(
  intervals: Readonly<Record<string, number | undefined>>,
  endMs: number,
  outcomeOf: (name: string, look: number) => OutcomeKind,
): Promise<Record<string, number[]>> {
  let nowMs = 0;
  const stop = new AbortController();
  const seen: Record<string, number[]> = {};
  const files = Object.entries(intervals).map(([path, days]): SourceFile => {
    const manifest = { source_name: path, kind: "leaf", refresh_interval_days: days } as const;
    return { path, folder: ".", source: { manifest } };
  });
  await watchSources({
    signal: stop.signal,
    read: () => files,
    now: () => nowMs,
    async sleep(ms) {
      nowMs += ms;
      if (nowMs < endMs) return;
      stop.abort(143);
      throw new Error("stopped");
    },
    async sync(due) {
      return due.map(({ path }) => {
        seen[path] = [...(seen[path] ?? []), Math.round((nowMs / HOUR) * 100) / 100];
        return { source_name: path, outcome: outcomeOf(path, seen[path].length), seconds: 0 };
      });
    },
  });
  return seen;
}

describe("watchSources", () => {
  it("looks at each source as often as its manifest declares, every day without that, and at most every hour", async () => {
    const days = { weekly: 7, unknown: undefined, hasty: 0.001 };
    const seen = await recordLooks(days, 49 * HOUR, () => "unchanged");
    expect(seen.weekly).toEqual([0]);
    expect(seen.unknown).toEqual([0, 24, 48]);
    expect(seen.hasty).toEqual(Array.from({ length: 49 }, (_, hour) => hour));
  });

  it("tries a source that failed again after five minutes, ten, and so on, and the others by their time", async () => {
    const seen = await recordLooks({ broken: 1, sound: 1 }, 3 * HOUR, (name) =>
      name === "broken" ? "failed" : "unchanged",
    );
    expect(seen).toEqual({ broken: [0, 0.08, 0.25, 0.58, 1.25, 2.58], sound: [0] });
  });

  it("comes back to its interval after a success", async () => {
    const seen = await recordLooks({ parks: 1 }, 30 * HOUR, (_, look) =>
      look === 1 ? "failed" : "installed",
    );
    expect(seen.parks).toEqual([0, 0.08, 24.08]);
  });

  it("fails where the first round does, and outlives what fails later", async () => {
    const failing = (fails: number) => {
      let round = 0;
      const stop = new AbortController();
      const reported: unknown[] = [];
      const done = watchSources({
        signal: stop.signal,
        read: () => (round === fails ? raise() : []),
        sync: async () => [],
        now: () => round * HOUR,
        async sleep() {
          if (++round > 3) stop.abort();
        },
        onFault: (error) => reported.push(error),
      });
      return done.then(() => reported);
    };
    const raise = () => {
      throw new Error("no folder");
    };
    await expect(failing(0)).rejects.toThrow("no folder");
    expect(await failing(2)).toHaveLength(1);
  });
});
