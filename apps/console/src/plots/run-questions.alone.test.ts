import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, type Answerer, AnswerProblem, type Question } from "../answering/answerer.ts";
import { switchAnswerer } from "../connection/connect.ts";
import { earlier } from "../state/comparison.ts";
import {
  addPlots,
  answerer,
  changePlots,
  plots,
  removePlots,
  ruleset,
  sources,
  trouble,
  usage,
} from "../state/store.ts";
import {
  cancelQuestions,
  isUnanswered,
  pauseQuestions,
  progress,
  resumeQuestions,
  retryStoppedRun,
  runQuestions,
  stoppedRun,
} from "./run-questions.ts";

interface SentQuestion {
  readonly question: Question;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
  answer(of?: string, isCharged?: boolean): void;
  refuse(code: string): void;
}

/** An answerer that answers when the test decides. */
function byHand() {
  const sentQuestions: SentQuestion[] = [];
  const answering = {
    place: "service",
    service: { address: "http://service.test/", apiKey: 0 },
    evaluate: (question, { key, signal } = {}) =>
      new Promise((resolve, reject) => {
        sentQuestions.push({
          question,
          key,
          signal,
          answer: (of = "", isCharged = false) =>
            resolve({ requestId: of, ...(isCharged && { charged: true }) } as Answer),
          refuse: (code) => reject(new AnswerProblem(code, code)),
        });
      }),
    sources: async () => [],
    rulesets: async () => [],
    usage: async () => undefined,
    close: vi.fn(),
  } satisfies Partial<Answerer>;
  return {
    answering: answering as unknown as Answerer & { close: ReturnType<typeof vi.fn> },
    sentQuestions,
  };
}

/** The page's calls to an answerer controlled by the test. */
function startAnswering(): SentQuestion[] {
  const { answering, sentQuestions } = byHand();
  answerer.value = answering;
  return sentQuestions;
}

const input = (n = 0): object => ({ geometry: { type: "Point", coordinates: [n, 0] } });

function addTestPlots(count: number): string[] {
  const plot = { geometry: undefined, properties: {}, origin: "test", state: { kind: "new" } } as const;
  const added = Array.from({ length: count }, (_, n) => ({ ...plot, id: `p${n}`, input: input(n) }));
  return addPlots(added).map(({ key }) => key);
}

const kinds = (): readonly string[] => plots.peek().map(({ state }) => state.kind);
const settled = (): Promise<void> => vi.advanceTimersByTimeAsync(1_000).then(() => {});

beforeEach(async () => {
  vi.useFakeTimers();
  removePlots(new Set(plots.peek().map(({ key }) => key)));
  answerer.value = undefined;
  ruleset.value = { id: "first", name: "first" };
  await settled();
});

describe("runQuestions", () => {
  it("counts charged requests while it runs, and knows the time left from its speed since it was resumed", async () => {
    const sentQuestions = startAnswering();
    await settled();
    usage.value = { limit: 100, used: 5 };
    runQuestions(addTestPlots(12));
    for (const sent of sentQuestions.slice(0, 6)) sent.answer("", true);
    await settled();
    expect(usage.peek()).toEqual({ limit: 100, used: 11 });
    expect(progress.peek()).toEqual({ total: 12, answered: 6, isPaused: false });
    await vi.advanceTimersByTimeAsync(4_900);
    for (const sent of sentQuestions.slice(6, 9)) sent.answer();
    await settled();
    expect(progress.peek()!.secondsLeft).toBeCloseTo(2, 1);
    pauseQuestions();
    await vi.advanceTimersByTimeAsync(60_000);
    resumeQuestions();
    expect(progress.peek()!.secondsLeft).toBeUndefined();
    for (const sent of sentQuestions.slice(9)) sent.answer();
    await settled();
    expect(progress.peek()).toBeUndefined();
  });

  it("counts a request once whose charge the service states before the page shows its answer", async () => {
    const { answering, sentQuestions } = byHand();
    answerer.value = { ...answering, usage: async () => ({ limit: 100, used: 6 }) };
    await settled();
    usage.value = { limit: 100, used: 5 };
    runQuestions(addTestPlots(1));
    sentQuestions[0]!.answer("", true);
    await settled();
    expect(usage.peek()).toEqual({ limit: 100, used: 6 });
  });

  it("lets no answer by an older ruleset stand as one by the chosen ruleset", async () => {
    const sentQuestions = startAnswering();
    runQuestions(addTestPlots(2));
    sentQuestions[0]!.answer();
    await settled();
    expect(kinds()).toEqual(["answered", "asking"]);
    ruleset.value = { id: "second", name: "second" };
    expect(kinds()).toEqual(["new", "new"]);
    sentQuestions[1]!.answer();
    await settled();
    expect(kinds()).toEqual(["new", "new"]);
    expect(progress.peek()).toBeUndefined();
  });

  it("drops late answers of a former answerer, also about a plot that is sent anew", async () => {
    const [one, other] = [byHand(), byHand()];
    answerer.value = one.answering;
    const keys = addTestPlots(1);
    runQuestions(keys);
    answerer.value = other.answering;
    expect(one.sentQuestions[0]!.signal!.aborted).toBe(true);
    runQuestions(keys);
    one.sentQuestions[0]!.answer("old");
    await settled();
    expect(kinds()).toEqual(["asking"]);
    other.sentQuestions[0]!.answer("new");
    await settled();
    expect(plots.peek()[0]!.state).toEqual({ kind: "answered", answer: { requestId: "new" } });
  });

  it("keeps earlier answers: by another ruleset, and when the plot is sent again", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(2);
    const kept = (): unknown[] => keys.map((key) => earlier.peek().get(key)?.answer.requestId);
    runQuestions(keys);
    for (const each of sentQuestions) each.answer("first");
    await settled();
    ruleset.value = { id: "second", name: "second" };
    expect(kept()).toEqual(["first", "first"]);
    // A ruleset without answers leaves nothing to compare with.
    ruleset.value = { id: "third", name: "third" };
    expect(kept()).toEqual(["first", "first"]);
    runQuestions(keys.slice(0, 1));
    sentQuestions[2]!.answer("third");
    await settled();
    runQuestions(keys.slice(0, 1));
    expect(kept()).toEqual(["third", "first"]);
    sentQuestions[3]!.answer("again");
    await settled();
    ruleset.value = { id: "fourth", name: "fourth" };
    expect(kept()).toEqual(["again", undefined]);
    await settled();
  });

  it("sends the same request once, however often it is started at once", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(1);
    for (let i = 0; i < 3; i++) runQuestions(keys);
    await settled();
    runQuestions(keys);
    expect(sentQuestions).toHaveLength(1);
    sentQuestions[0]!.answer();
    await settled();
  });

  it("keeps a call's name until it is answered, and then gives another, so that no old answer is replayed", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(1);
    const askAgain = async (end: (last: SentQuestion) => void): Promise<void> => {
      runQuestions(keys);
      end(sentQuestions.at(-1)!);
      await settled();
    };
    await askAgain((last) => last.refuse("NETWORK_FAILED"));
    await askAgain(cancelQuestions);
    await askAgain((last) => last.refuse("RATE_LIMIT_EXCEEDED"));
    await askAgain((last) => last.answer());
    expect(new Set(sentQuestions.map(({ key }) => key)).size).toBe(1);
    await askAgain((last) => last.refuse("IDEMPOTENCY_KEY_EXHAUSTED"));
    await askAgain((last) => last.answer());
    expect(new Set(sentQuestions.map(({ key }) => key)).size).toBe(3);
  });

  it("names calls in pages without a secure context, where there is no randomUUID", async () => {
    const sentQuestions = startAnswering();
    const { getRandomValues } = crypto;
    vi.stubGlobal("crypto", { getRandomValues: getRandomValues.bind(crypto) });
    try {
      runQuestions(addTestPlots(1));
      expect(sentQuestions[0]?.key).toMatch(/^console-[0-9a-f]{32}$/);
      sentQuestions[0]!.answer();
      await settled();
      expect(kinds()).toEqual(["answered"]);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("gives equal plots that are sent at once a call each", async () => {
    const sentQuestions = startAnswering();
    const keys = [...addTestPlots(1), ...addTestPlots(1)];
    runQuestions(keys);
    const first = sentQuestions.map(({ key }) => key);
    expect(new Set(first).size).toBe(2);
    for (const each of sentQuestions) each.refuse("NETWORK_FAILED");
    await settled();
    runQuestions(keys);
    expect(new Set(sentQuestions.slice(2).map(({ key }) => key))).toEqual(new Set(first));
    cancelQuestions();
    await settled();
  });

  it.each(["QUOTA_EXCEEDED", "NETWORK_FAILED", "RULESET_NOT_FOUND"])(
    "asks nothing more of a thousand plots after %s, and goes on when it is told to",
    async (code) => {
      const sentQuestions = startAnswering();
      const keys = addTestPlots(1_000);
      runQuestions(keys);
      expect(sentQuestions).toHaveLength(6);
      sentQuestions[0]!.answer();
      await settled();
      pauseQuestions();
      for (const each of sentQuestions.slice(1)) each.refuse(code);
      await settled();
      expect(sentQuestions).toHaveLength(7);
      expect(kinds().filter((kind) => kind === "new")).toHaveLength(1_000 - sentQuestions.length);
      expect(progress.peek()).toBeUndefined();
      runQuestions(keys.slice(500, 501));
      expect(sentQuestions).toHaveLength(8);
      resumeQuestions();
      sentQuestions[7]!.answer();
      await settled();
    },
  );

  it("goes on after two failures of the network, and stops after three in a row", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(1_000);
    runQuestions(keys);
    const end = async (ends: readonly ("answer" | "refuse")[]): Promise<void> => {
      for (const each of ends) {
        const question = sentQuestions[ended++]!;
        if (each === "answer") question.answer();
        else question.refuse("NETWORK_FAILED");
        await settled();
      }
    };
    let ended = 0;
    await end(["refuse", "refuse", "answer", "refuse", "refuse", "answer"]);
    expect([stoppedRun.peek(), trouble.peek()]).toEqual([undefined, undefined]);
    await end(["refuse", "refuse", "refuse"]);
    // Questions under way may still be answered; nothing else is sent.
    expect(sentQuestions).toHaveLength(6 + 8);
    expect(trouble.peek()?.code).toBe("NETWORK_FAILED");
    await end(["answer", "answer", "answer", "answer", "answer"]);
    expect(sentQuestions).toHaveLength(14);
    expect(progress.peek()).toBeUndefined();
    expect(stoppedRun.peek()).toMatchObject({ problem: { code: "NETWORK_FAILED" } });
    const count = (kind: string): number => kinds().filter((each) => each === kind).length;
    expect([count("answered"), count("unanswered"), count("new")]).toEqual([7, 7, 1_000 - 14]);
    // The network is back.
    retryStoppedRun();
    expect([stoppedRun.peek(), sentQuestions.length]).toEqual([undefined, 20]);
    cancelQuestions();
    await settled();
  });

  it("keeps what lies at a plot apart from what does not, and stops at once for a key", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(30);
    runQuestions(keys);
    for (let i = 0; i < 10; i++) {
      sentQuestions[i]!.refuse("GEOMETRY_INVALID");
      await settled();
    }
    expect(stoppedRun.peek()).toBeUndefined();
    sentQuestions[10]!.refuse("API_KEY_REVOKED");
    await settled();
    expect(sentQuestions).toHaveLength(16);
    expect(kinds().slice(9, 11)).toEqual(["refused", "unanswered"]);
    expect(stoppedRun.peek()?.problem.code).toBe("API_KEY_REVOKED");
    // Another key alone helps.
    retryStoppedRun();
    expect(sentQuestions).toHaveLength(16);
    answerer.value = byHand().answering;
    expect([stoppedRun.peek(), trouble.peek()]).toEqual([undefined, undefined]);
    await settled();
  });

  it("counts plots that were removed while they waited", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(8);
    runQuestions(keys);
    await settled();
    removePlots(new Set(keys.slice(6, 7)));
    sentQuestions[0]!.answer();
    await settled();
    expect(progress.peek()).toMatchObject({ total: 8, answered: 2 });
    cancelQuestions();
    await settled();
  });

  it("shows for a plot that was changed meanwhile the answer to its new shape", async () => {
    const sentQuestions = startAnswering();
    const keys = addTestPlots(1);
    runQuestions(keys);
    changePlots(new Map([[keys[0]!, { input: input(7), state: { kind: "new" } }]]));
    runQuestions(keys);
    sentQuestions[1]!.answer("new");
    sentQuestions[0]!.answer("old");
    await settled();
    expect(plots.peek()[0]!.state).toEqual({ kind: "answered", answer: { requestId: "new" } });
    expect(sentQuestions[0]!.key).not.toBe(sentQuestions[1]!.key);
  });
});

describe("a plot", () => {
  const problem = new AnswerProblem("CODE", "message");

  it("is sent again with all others where it has no answer and nothing is wrong with it", () => {
    expect(isUnanswered({ state: { kind: "new" } })).toBe(true);
    expect(isUnanswered({ state: { kind: "unanswered", problem } })).toBe(true);
  });

  it("is not sent again where it was refused itself, is under way or has its answer", () => {
    expect(isUnanswered({ state: { kind: "refused", problem } })).toBe(false);
    expect(isUnanswered({ state: { kind: "asking" } })).toBe(false);
    expect(isUnanswered({ state: { kind: "answered", answer: {} as Answer } })).toBe(false);
  });
});

describe("connect", () => {
  it("keeps the answerer where the next cannot list its rulesets", async () => {
    const [one, other] = [byHand(), byHand()];
    await switchAnswerer(one.answering);
    other.answering.rulesets = () => Promise.reject(new AnswerProblem("NETWORK_FAILED", "gone"));
    other.answering.sources = async () => [{ source_name: "other:areas" }] as never;
    expect(await switchAnswerer(other.answering)).toBe(false);
    expect(answerer.peek()).toBe(one.answering);
    expect(one.answering.close).not.toHaveBeenCalled();
    expect(other.answering.close).toHaveBeenCalled();
    expect([sources.peek(), usage.peek()]).toEqual([[], undefined]);
  });

  it("lets the later of two answer, whichever is ready first", async () => {
    const [slow, fast] = [byHand(), byHand()];
    const ready = Promise.withResolvers<[]>();
    slow.answering.sources = () => ready.promise;
    const first = switchAnswerer(slow.answering);
    expect(await switchAnswerer(fast.answering)).toBe(true);
    ready.resolve([]);
    expect(await first).toBe(false);
    expect(answerer.peek()).toBe(fast.answering);
    expect(slow.answering.close).toHaveBeenCalled();
  });
});
