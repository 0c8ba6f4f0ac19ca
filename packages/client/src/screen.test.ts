import { describe, expect, it } from "vitest";
import {
  createBrokenStep,
  createProblemStep,
  createScriptedClient,
  createVerdictStep,
  type Step,
} from "../test/scripted.ts";
import type { Screened, ScreenPlot } from "./index.ts";

const TERMS = { ruleset_id: "forest-plots" };

function* generatePlots(count: number): Generator<ScreenPlot> {
  for (let i = 0; i < count; i++) yield { id: `p${i}`, input: { geometry: { type: "Point", i } } };
}

/** A step for each plot, by its number, in any order of requests. */
function byPlot(stepOf: (number: number) => Step, options: Parameters<typeof createScriptedClient>[1] = {}) {
  const requests: number[] = [];
  let fetching = 0;
  let most = 0;
  const made = createScriptedClient([], {
    attempts: 1,
    ...options,
    fetch: async (_, { body }) => {
      const number = JSON.parse(String(body)).input.geometry.i as number;
      requests.push(number);
      most = Math.max(most, ++fetching);
      try {
        return await stepOf(number)();
      } finally {
        fetching--;
      }
    },
  });
  return { client: made.client, requests, mostAtOnce: () => most };
}

async function collectAnswers(answers: AsyncIterable<Screened>): Promise<string[]> {
  const found: string[] = [];
  for await (const { number, id, status } of answers) found.push(`${number} ${id} ${status}`);
  return found;
}

const later =
  (ms: number, step: Step): Step =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return step();
  };

describe("screen", () => {
  it("gives every answer in the order of the plots, however they come, asking a bounded number at once", async () => {
    const { client, mostAtOnce } = byPlot((number) => later((number * 7) % 11, createVerdictStep()));
    const found = await collectAnswers(client.screen(generatePlots(60), { ...TERMS, concurrency: 6 }));
    expect(found).toEqual(Array.from({ length: 60 }, (_, i) => `${i} p${i} answered`));
    expect(mostAtOnce()).toBe(6);
  });

  it("takes plots only as fast as answers are taken", async () => {
    let taken = 0;
    async function* source(): AsyncGenerator<ScreenPlot> {
      for (const plot of generatePlots(10_000)) {
        taken++;
        yield plot;
      }
    }
    const { client } = byPlot(() => createVerdictStep());
    const answers = client.screen(source(), { ...TERMS, concurrency: 2 });
    for (let i = 0; i < 5; i++) await answers.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(taken).toBeLessThanOrEqual(5 + 2 * 8 + 1);
    await answers.return();
  });

  it("keeps other plots going while the first one takes long", async () => {
    const first = Promise.withResolvers<void>();
    const { client, requests } = byPlot((number) => async () => {
      if (number === 0) await first.promise;
      return createVerdictStep()();
    });
    const answers = collectAnswers(client.screen(generatePlots(20), { ...TERMS, concurrency: 4 }));
    await expect.poll(() => requests.length).toBe(20);
    first.resolve();
    expect(await answers).toHaveLength(20);
  });

  it("refuses a bad plot and goes on with the rest", async () => {
    const { client } = byPlot((number) =>
      number % 3 === 1 ? createProblemStep("GEOMETRY_INVALID", 422) : createVerdictStep(),
    );
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const source = [...generatePlots(6), { id: "loop", input: { geometry: loop } }, ...generatePlots(1)];
    expect(await collectAnswers(client.screen(source, TERMS))).toEqual([
      "0 p0 answered",
      "1 p1 refused",
      "2 p2 answered",
      "3 p3 answered",
      "4 p4 refused",
      "5 p5 answered",
      "6 loop refused",
      "7 p0 answered",
    ]);
  });

  it("goes on after one plot that the service dies of, and stops where the service is gone", async () => {
    const one = byPlot((number) => (number === 2 ? createBrokenStep() : createVerdictStep()));
    expect(
      await collectAnswers(one.client.screen(generatePlots(6), { ...TERMS, concurrency: 1 })),
    ).toHaveLength(6);
    const gone = byPlot((number) => (number >= 10 ? createBrokenStep() : createVerdictStep()));
    const found: Screened[] = [];
    const run = async (): Promise<void> => {
      for await (const one of gone.client.screen(generatePlots(1_000), { ...TERMS, concurrency: 2 }))
        found.push(one);
    };
    await expect(run()).rejects.toMatchObject({ name: "NetworkError" });
    expect(gone.requests.length).toBeLessThan(40);
    expect(found).toHaveLength(gone.requests.length);
  });

  it("stops at a spent quota, once it has given every plot that was begun", async () => {
    const { client, requests } = byPlot((number) =>
      number === 12 ? createProblemStep("QUOTA_EXCEEDED", 429) : createVerdictStep(),
    );
    const found: Screened[] = [];
    const run = async (): Promise<void> => {
      for await (const one of client.screen(generatePlots(1_000), { ...TERMS, concurrency: 4 }))
        found.push(one);
    };
    await expect(run()).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(found.map(({ number }) => number)).toEqual(found.map((_, i) => i));
    expect(found).toHaveLength(requests.length);
    expect(found.filter(({ status }) => status === "answered")).toHaveLength(requests.length - 1);
    expect(requests.length).toBeLessThan(60);
  });

  it("names the key of each plot by the run and its number, so that the next run replays", async () => {
    const { client, sent } = createScriptedClient([createVerdictStep()]);
    await collectAnswers(client.screen(generatePlots(3), { ...TERMS, run: "harvest-2026", concurrency: 1 }));
    expect(sent.map(({ key }) => key)).toEqual([
      "screen:harvest-2026:0",
      "screen:harvest-2026:1",
      "screen:harvest-2026:2",
    ]);
    expect(JSON.parse(sent[0]!.body!)).toEqual({
      ruleset_id: "forest-plots",
      input: { geometry: { type: "Point", i: 0 } },
    });
  });

  it("gives what was begun before the source of plots failed, then what it failed with", async () => {
    const failure = new Error("the file ends in the middle");
    async function* source(): AsyncGenerator<ScreenPlot> {
      yield* generatePlots(3);
      throw failure;
    }
    const { client } = byPlot(() => createVerdictStep());
    const found: number[] = [];
    const run = async (): Promise<void> => {
      for await (const { number } of client.screen(source(), TERMS)) found.push(number);
    };
    await expect(run()).rejects.toBe(failure);
    expect(found).toEqual([0, 1, 2]);
  });

  it("ends what is under way, and the source, when the caller stops taking answers", async () => {
    let isEnded = false;
    const signals: AbortSignal[] = [];
    function* source(): Generator<ScreenPlot> {
      try {
        yield* generatePlots(100);
      } finally {
        isEnded = true;
      }
    }
    const { client } = createScriptedClient([], {
      fetch: (_, { signal }) => {
        signals.push(signal!);
        return signals.length === 1
          ? Promise.resolve(createVerdictStep()() as Response)
          : new Promise(() => {});
      },
    });
    for await (const _ of client.screen(source(), TERMS)) break;
    await expect.poll(() => isEnded).toBe(true);
    expect(signals.length).toBeGreaterThan(1);
    expect(signals.slice(1).every(({ aborted }) => aborted)).toBe(true);
  });

  it("ends with the caller's reason on an abort, though source and service hang", async () => {
    const reason = new Error("the page was closed");
    const abort = new AbortController();
    const hanging: AsyncIterable<ScreenPlot> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
    };
    const { client } = createScriptedClient([createVerdictStep()]);
    const found = collectAnswers(client.screen(hanging, { ...TERMS, signal: abort.signal }));
    setTimeout(() => abort.abort(reason), 10);
    await expect(found).rejects.toBe(reason);
    const already = client.screen(generatePlots(1), { ...TERMS, signal: AbortSignal.abort(reason) });
    await expect(collectAnswers(already)).rejects.toBe(reason);
  });

  it("gives nothing for nothing, and refuses options that are none", async () => {
    const { client } = createScriptedClient([createVerdictStep()]);
    expect(await collectAnswers(client.screen([], TERMS))).toEqual([]);
    await expect(collectAnswers(client.screen([], { ...TERMS, concurrency: 0 }))).rejects.toThrow(
      "concurrency: expected",
    );
    await expect(collectAnswers(client.screen([], { ...TERMS, run: "a b" }))).rejects.toThrow(
      "run: expected",
    );
  });
});
