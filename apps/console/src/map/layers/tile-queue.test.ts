import { describe, expect, it } from "vitest";
import { AnswerProblem } from "../../answering/answerer.ts";
import { TileQueue, type TileQueueOptions } from "./tile-queue.ts";

/** A clock that advances only by sleeps. */
function createFakeClock(): Required<Pick<TileQueueOptions, "now" | "sleep">> {
  let now = 0;
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      await turn();
      now += milliseconds;
    },
  };
}

/** Lets all pending callbacks run. */
async function turn(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

type AskTile = ConstructorParameters<typeof TileQueue>[0]["tile"];
const queueOf = (tile: AskTile, options: TileQueueOptions = createFakeClock()) =>
  new TileQueue({ tile }, options);
const never = new AbortController().signal;
const bytes = (text: string) => new TextEncoder().encode(text);

describe("TileQueue", () => {
  it("requests no more tiles at a time than it may", async () => {
    let running = 0;
    let most = 0;
    const queue = queueOf(
      async (_, z) => {
        most = Math.max(most, ++running);
        await turn();
        running--;
        return bytes(String(z));
      },
      { ...createFakeClock(), concurrency: 3 },
    );
    const tiles = await Promise.all(Array.from({ length: 20 }, (_, z) => queue.get("s", z, 0, 0, never)));
    expect(tiles.map((tile) => new TextDecoder().decode(tile))).toEqual(tiles.map((_, z) => String(z)));
    expect(most).toBe(3);
  });

  it("keeps below the service's 50 requests a second and burst of 100", async () => {
    const time = createFakeClock();
    const requests: number[] = [];
    const queue = queueOf(async () => {
      requests.push(time.now());
      return undefined;
    }, time);
    await Promise.all(Array.from({ length: 300 }, (_, x) => queue.get("s", 9, x, 0, never)));
    expect(requests).toHaveLength(300);
    for (const [index, at] of requests.entries()) {
      const within = requests.filter((other) => other >= at && other < at + 1000).length;
      expect(within, `from request ${index}`).toBeLessThanOrEqual(66);
    }
  });

  it("serves the newest request first, and one request serves all that wait for the same tile", async () => {
    const requests: number[] = [];
    const queue = queueOf(
      async (_, __, x) => {
        requests.push(x);
        await turn();
        return bytes("t");
      },
      { ...createFakeClock(), concurrency: 1 },
    );
    await Promise.all([0, 1, 2, 2, 0].map((x) => queue.get("s", 3, x, 0, never)));
    expect(requests).toEqual([0, 2, 1]);
    await queue.get("s", 3, 1, 0, never);
    expect(requests).toHaveLength(3);
  });

  it("pauses as long as the service requires, then sends again", async () => {
    const time = createFakeClock();
    const requests: number[] = [];
    const queue = queueOf(async () => {
      requests.push(time.now());
      if (requests.length === 1) {
        throw new AnswerProblem("RATE_LIMIT_EXCEEDED", "too many", { status: 429, retryAfterSeconds: 2 });
      }
      return bytes("t");
    }, time);
    await expect(queue.get("s", 1, 0, 0, never)).resolves.toEqual(bytes("t"));
    expect(requests).toEqual([0, 2000]);
  });

  it("gives up on what no pause mends, and on a service that stays busy", async () => {
    let requests = 0;
    const refusing = (code: string, status: number) =>
      queueOf(async () => {
        requests++;
        throw new AnswerProblem(code, code, { status });
      });
    const unknown = refusing("SOURCE_UNKNOWN", 404);
    await expect(unknown.get("s", 1, 0, 0, never)).rejects.toThrow("SOURCE_UNKNOWN");
    await expect(unknown.get("s", 2, 0, 0, never)).rejects.toThrow("SOURCE_UNKNOWN");
    expect(requests).toBe(1);
    await expect(refusing("RATE_LIMIT_EXCEEDED", 429).get("s", 1, 0, 0, never)).rejects.toThrow("RATE_LIMIT");
    expect(requests).toBe(6);
  });

  it("ends a request that nobody waits for any more, not one that somebody does", async () => {
    const signals: AbortSignal[] = [];
    const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const queue = queueOf((_, __, ___, ____, signal) => {
      signals.push(signal);
      return promise;
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const one = queue.get("s", 1, 0, 0, first.signal);
    const two = queue.get("s", 1, 0, 0, second.signal);
    const left = queue.get("s", 1, 1, 0, first.signal);
    first.abort();
    await expect(one).rejects.toThrow("no longer wanted");
    await expect(left).rejects.toThrow("no longer wanted");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    resolve(bytes("t"));
    await expect(two).resolves.toEqual(bytes("t"));
  });

  it("keeps tiles within its bytes, those used last", async () => {
    const requests: number[] = [];
    const queue = queueOf(
      async (_, __, x) => {
        requests.push(x);
        return new Uint8Array(100);
      },
      { ...createFakeClock(), keptBytes: 250 },
    );
    for (const x of [0, 1, 0, 2, 0, 1]) await queue.get("s", 5, x, 0, never);
    expect(requests).toEqual([0, 1, 2, 1]);
  });
});
