import { countriesAt, territoryOf } from "@groundrule/borders";
import { FINDING_CODES, FINDINGS } from "@groundrule/plots";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findingsEs } from "../languages/findings-es.ts";
import { findingsPt } from "../languages/findings-pt.ts";
import { MENDED, mendOf } from "../map/mend.ts";
import { findings } from "../state/findings.ts";
import { addPlots, changePlots, plots, removePlots } from "../state/store.ts";
import type { CheckMessage, CheckReply } from "./check-protocol.ts";
import { ListChecker } from "./list-checker.ts";
import { watchFindings } from "./watch-findings.ts";

const square = (x: number, side = 0.01, y = 0): object => ({
  type: "Polygon",
  coordinates: [
    [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y],
    ],
  ],
});
const CLOCKWISE = {
  type: "Polygon",
  coordinates: [
    [
      [5, 0],
      [5, 0.01],
      [5.01, 0.01],
      [5.01, 0],
      [5, 0],
    ],
  ],
};
const BOW_TIE = {
  type: "Polygon",
  coordinates: [
    [
      [7, 0],
      [7.01, 0.01],
      [7.01, 0],
      [7, 0.01],
      [7, 0],
    ],
  ],
};

let told: CheckMessage[] = [];
let stop: () => void;

/** Checks at once what the page tells, as the worker would. */
function inThisThread(onReply: (reply: CheckReply) => void) {
  const checker = new ListChecker();
  return {
    tell: (message: CheckMessage) => {
      told.push(structuredClone(message));
      checker.change(structuredClone(message));
      const steps = checker.run();
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      onReply(structuredClone(step.value));
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  removePlots(new Set(plots.peek().map(({ key }) => key)));
  findings.value = new Map();
  told = [];
  stop = watchFindings(inThisThread);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const settled = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(1_000);
};

function add(...geometries: readonly object[]): string[] {
  return addPlots(
    geometries.map((geometry, n) => ({
      id: `p${n}`,
      geometry: undefined,
      properties: {},
      input: { geometry },
      origin: "test",
      state: { kind: "new" },
    })),
  ).map(({ key }) => key);
}

const codesOf = (key: string): string[] => (findings.peek().get(key) ?? []).map(({ code }) => code);

describe("the findings of the list", () => {
  it("are those of each plot, and of plots that share land, each told of the other", async () => {
    const keys = add(square(0), CLOCKWISE, BOW_TIE, square(0.005), square(2), square(2));
    await settled();
    expect(keys.map(codesOf)).toEqual([
      ["PLOTS_OVERLAP"],
      ["WINDING_REVERSED"],
      ["RING_SELF_CROSSING"],
      ["PLOTS_OVERLAP"],
      ["PLOTS_IDENTICAL"],
      ["PLOTS_IDENTICAL"],
    ]);
    const of = (n: number) => findings.peek().get(keys[n]!)![0]!;
    expect([of(0).other, of(3).other]).toEqual(["p3", "p0"]);
    expect(of(0).squareMeters).toBeGreaterThan(500_000);
    expect(of(2).position?.map((degrees) => degrees.toFixed(3))).toEqual(["7.005", "0.005"]);
  });

  it("follow plots that are changed, taken away and added, and tell the checker no more than that", async () => {
    const [first, second, third] = add(square(0), square(0.005), CLOCKWISE);
    await settled();
    changePlots(new Map([[second!, { input: { geometry: square(1) } }]]));
    await settled();
    expect([first, second, third].map((key) => codesOf(key!))).toEqual([[], [], ["WINDING_REVERSED"]]);
    removePlots(new Set([third!]));
    await settled();
    expect(findings.peek().size).toBe(0);
    // What was answered is no change of a plot.
    changePlots(new Map([[first!, { state: { kind: "asking" } }]]));
    await settled();
    expect(told.map(({ put, removed }) => [put.length, removed.length])).toEqual([
      [3, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it("name where a plot lies once the borders are there, and mend swapped axes in one step", async () => {
    const checker = new ListChecker();
    const run = (): CheckReply => {
      const steps = checker.run();
      for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
    };
    const swapped = { key: "a", id: "a", input: { geometry: square(6.35, 0.01, -1.98) }, properties: {} };
    const elsewhere = { ...swapped, key: "b", id: "b", properties: { country: "BR" } };
    const cocoa = { ...swapped, key: "c", id: "c", properties: { country: "GH" } };
    checker.change({ put: [swapped, elsewhere, cocoa], removed: [] });
    const alone = (reply: CheckReply) =>
      reply.map(([key, found]) => [key, found.filter(({ other }) => other === undefined)] as const);
    expect(alone(run()).every(([, found]) => found.length === 0)).toBe(true);
    checker.know({ territoryOf, countriesAt });
    const place = { countries: [], swapped: { position: [-1.98, 6.35], countries: ["GHA"] } };
    const found = alone(run());
    expect(found.map(([key, [finding]]) => [key, finding])).toMatchObject([
      ["a", { code: "IN_SEA", severity: "error", ...place }],
      ["b", { code: "OUTSIDE_COUNTRY", countries: [] }],
      ["c", { code: "AXES_SWAPPED", ...place }],
    ]);
    const plot = { ...cocoa, geometry: undefined, origin: "test", state: { kind: "new" } } as const;
    expect(mendOf(plot, found[2]![1])).toMatchObject({
      type: "Polygon",
      coordinates: [expect.arrayContaining([[-1.98, 6.35]])],
    });
    expect(mendOf({ ...plot, ...elsewhere }, found[1]![1])).toBeUndefined();
  });

  it("stay the same objects where nothing about them has changed, so that what is open stays open", async () => {
    const [key] = add(CLOCKWISE);
    await settled();
    const before = findings.peek().get(key!);
    add(square(20));
    await settled();
    expect(findings.peek().get(key!)).toBe(before);
  });

  it("of many plots are asked for in pieces, and of no plot twice", async () => {
    add(...Array.from({ length: 1_200 }, (_, n) => square(n / 10, 0.001)));
    await settled();
    expect(told.map(({ put }) => put.length)).toEqual([500, 500, 200]);
    expect(findings.peek().size).toBe(0);
  });
});

describe("the words of findings", () => {
  it.each([
    ["Portuguese", findingsPt],
    ["Spanish", findingsEs],
  ])("are there for every code in %s, and none is English", (_, words) => {
    expect(Object.keys(words)).toEqual([...FINDING_CODES]);
    for (const code of FINDING_CODES) {
      expect(words[code]).toMatch(/^[`A-ZÁÉÍÓÚ].+\.$/);
      expect(words[code]).not.toBe(FINDINGS[code].meaning);
    }
  });

  it("promise a mend only where the fixing of plots has one", () => {
    for (const code of MENDED) expect(FINDINGS[code].mend, code).toContain("`groundrule plots fix`");
  });
});
