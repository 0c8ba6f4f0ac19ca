import { describe, expect, it } from "vitest";
import { mapInOrder } from "./map-in-order.ts";

async function* count(to: number) {
  for (let i = 0; i < to; i++) yield i;
}
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("mapInOrder", () => {
  it("keeps the order, whatever finishes first, and never has more than the window under way", async () => {
    let underWay = 0;
    let most = 0;
    const results: number[] = [];
    const square = async (i: number) => {
      most = Math.max(most, ++underWay);
      await later((i * 7) % 5);
      underWay--;
      return i * i;
    };
    for await (const result of mapInOrder(count(50), 4, square)) results.push(result);
    expect(results).toEqual(Array.from({ length: 50 }, (_, i) => i * i));
    expect(most).toBe(4);
  });

  it("gives a result out while the stream has not brought the next item", async () => {
    const never = new Promise<never>(() => {});
    async function* stalled() {
      yield 1;
      await never;
    }
    const results = mapInOrder(stalled(), 4, async (i) => i + 1);
    expect(await results.next()).toEqual({ value: 2, done: false });
  });

  it("reads no further ahead than the window", async () => {
    let read = 0;
    async function* counted() {
      for (;;) yield read++;
    }
    const results = mapInOrder(counted(), 3, async (i) => i);
    await results.next();
    await later(5);
    expect(read).toBeLessThanOrEqual(5);
    await results.return();
  });

  it("gives out what came before a broken stream, then fails as it did", async () => {
    async function* breaking() {
      yield 1;
      yield 2;
      throw new Error("broken");
    }
    const seen: number[] = [];
    await expect(async () => {
      const slow = async (i: number) => {
        await later(5);
        return i;
      };
      for await (const result of mapInOrder(breaking(), 4, slow)) seen.push(result);
    }).rejects.toThrow("broken");
    expect(seen).toEqual([1, 2]);
  });
});
