import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answerer } from "../../answering/answerer.ts";
import { AnswerProblem } from "../../answering/answerer.ts";
import { packList, unpackList } from "./kept-list.ts";
import { type KeptEntry, MOST_BYTES, makeRoom } from "./room.ts";

const entry = fc.record({
  key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  plots: fc.nat(),
  savedAt: fc.nat(100),
  bytes: fc.nat(60),
});

describe("the room for kept lists", () => {
  it("is never exceeded; only the oldest go, and no more of them than must", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: ({ key }) => key }),
        entry,
        (entries: readonly KeptEntry[], added: KeptEntry) => {
          const removed = makeRoom(entries, added, 50);
          expect(removed === undefined).toBe(added.bytes > 50);
          if (removed === undefined) return;
          const others = entries.filter(({ key }) => key !== added.key);
          const kept = others.filter((each) => !removed.includes(each));
          const sum = (list: readonly KeptEntry[]): number =>
            list.reduce((all, { bytes }) => all + bytes, added.bytes);
          expect(sum(kept)).toBeLessThanOrEqual(50);
          for (const gone of removed)
            for (const left of kept) expect(gone.savedAt).toBeLessThanOrEqual(left.savedAt);
          if (removed.length > 0) expect(sum([...kept, removed.at(-1)!])).toBeGreaterThan(50);
        },
      ),
      { seed: 3 },
    );
    expect(MOST_BYTES).toBe(52_428_800);
  });
});

describe("a kept list", () => {
  const by = { place: "service" } as Answerer;
  const data = { verdict: "COMPLIANT", digest: "d" };
  const record = { request: { input: {} }, response: { data, meta: {} } };
  const answer = {
    verdict: data,
    warnings: [],
    charged: true,
    requestId: "r",
    record,
    by: { secret: "key" },
  } as never;
  const of = {
    geometry: undefined,
    properties: { Farm: "F-1" },
    origin: "a.csv",
    input: { facts: { commodity: "cocoa" } },
  };
  const list = {
    plots: [
      { ...of, id: "answered", state: { kind: "answered", answer } },
      {
        ...of,
        id: "refused",
        state: { kind: "refused", problem: new AnswerProblem("GEOMETRY_INVALID", "no") },
      },
      { ...of, id: "asking", state: { kind: "asking" }, fileFacts: { facts: { a: 1 } } },
      {
        ...of,
        id: "unread",
        input: undefined,
        state: { kind: "unread", error: { code: "X", message: "y" } },
      },
    ],
    sharedFacts: { operator: true },
  } as const;

  it("comes back with plots, answers and verdicts, and nothing of who answered", async () => {
    const packed = await packList(list, true);
    const back = await unpackList(packed, by);
    expect(back.sharedFacts).toEqual(list.sharedFacts);
    const kinds = back.plots.map(({ id, state }) => [id, state.kind]);
    expect(kinds).toEqual([["answered", "answered"], ["refused", "new"], ["asking", "new"], ["unread", "unread"]]); // biome-ignore format: a table
    expect(back.plots.map(({ state: _, ...plot }) => plot)).toEqual(
      list.plots.map(({ state: _, ...plot }) => plot),
    );
    expect(back.plots[0]!.state).toEqual({ kind: "answered", answer: { ...(answer as object), by } });
    const text = await new Response(
      new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")),
    ).text();
    expect(text).not.toContain("secret");
  });

  it("comes back without verdicts where the name of the ruleset would not tell by what they are", async () => {
    const back = await unpackList(await packList(list, false), by);
    expect(back.plots[0]!.state).toEqual({ kind: "new" });
  });
});
