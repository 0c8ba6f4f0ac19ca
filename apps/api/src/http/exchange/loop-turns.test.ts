import { describe, expect, it } from "vitest";
import { LoopTurns } from "./loop-turns.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("turns of the event loop", () => {
  it("each get so much work, by lanes in turn, and none is lost or done twice", async () => {
    const turns = new LoopTurns(3);
    const done: string[] = [];
    const take = (name: string): void => turns.take(name[0]!, () => done.push(name));
    for (const name of ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "b1"]) take(name);
    expect(done).toEqual(["a1", "a2", "a3"]);
    await nextTurn();
    expect(done.slice(3)).toEqual(["a4", "b1", "a5"]);
    take("c1");
    expect(done).toHaveLength(6);
    await nextTurn();
    expect(done.slice(6)).toEqual(["a6", "c1", "a7"]);
    await nextTurn();
    await nextTurn();
    take("d1");
    expect(done.at(-1)).toBe("d1");
  });
});
