import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { FINDING_CODES, FINDINGS } from "@groundrule/plots";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findings as findingsEs } from "../../../../packages/words/src/es/findings.ts";
import { findings as findingsPt } from "../../../../packages/words/src/pt/findings.ts";
import { AnswerProblem } from "../answering/answerer.ts";
import { findFixedPlots, fixPlotsUndoably } from "../map/drawing/mend.ts";
import { findings, profile, quality } from "../state/findings.ts";
import { addPlots, changePlots, plots, removePlots, ruleset, selectedKey } from "../state/store.ts";
import { actions, changePlotsUndoably, undoLastAction } from "../state/undo.ts";
import type { CheckMessage, CheckReply } from "./reading/check-protocol.ts";
import { ListChecker } from "./reading/list-checker.ts";
import { watchPlotFindings } from "./watch-findings.ts";

const polygon = (...coordinates: readonly (readonly number[])[][]): object => ({
  type: "Polygon",
  coordinates,
});
const square = (x: number, side = 0.01, y = 0): object =>
  polygon(createBoxPositions(x, y, x + side, y + side));
const CLOCKWISE = polygon([[5, 0], [5, 0.01], [5.01, 0.01], [5.01, 0], [5, 0]]); // biome-ignore format: a ring
const BOW_TIE = polygon([[7, 0], [7.01, 0.01], [7.01, 0], [7, 0.01], [7, 0]]); // biome-ignore format: a ring

/** Brazil is a square of ten degrees with a corner at 0°, 0°. */
const COUNTRIES = {
  countryName,
  iso2Of,
  iso3Of,
  countriesAt: () => [],
  territoryOf: (iso3: string) =>
    iso3 === "BRA" ? [[[Float64Array.of(0, 0, 10, 0, 10, 10, 0, 10, 0, 0)]]] : undefined,
};

let messages: CheckMessage[] = [];
let stop: () => void;

/** Checks the page's messages at once, in this thread instead of a worker. */
function inThisThread(onReply: (reply: CheckReply) => void) {
  const checker = new ListChecker(COUNTRIES);
  return {
    tell: (message: CheckMessage) => {
      messages.push(structuredClone(message));
      checker.change(structuredClone(message));
      onReply(structuredClone(runChecker(checker)));
    },
  };
}

function runChecker(checker: ListChecker): CheckReply {
  const steps = checker.run();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  removePlots(new Set(plots.peek().map(({ key }) => key)));
  findings.value = new Map();
  profile.value = undefined;
  quality.value = false;
  actions.value = [];
  ruleset.value = undefined;
  messages = [];
  stop = watchPlotFindings(inThisThread);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const settled = async (): Promise<void> => {
  await vi.advanceTimersByTimeAsync(1_000);
};

const add = (...geometries: readonly object[]): string[] => addTelling({}, ...geometries);

function addTelling(properties: object, ...geometries: readonly object[]): string[] {
  const plot = { geometry: undefined, origin: "test", state: { kind: "new" } } as const;
  return addPlots(
    geometries.map((geometry, n) => ({
      ...plot,
      id: `p${n}`,
      properties: { ...properties },
      input: { geometry },
    })),
  ).map(({ key }) => key);
}

const codesOf = (key: string): string[] => (findings.peek().get(key) ?? []).map(({ code }) => code);

describe("the findings of the list", () => {
  it("are those of each plot, and of plots that share land, each naming the other", async () => {
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

  it("follow plots that are changed, removed and added, and pass only those to the checker", async () => {
    const [first, second, third] = add(square(0), square(0.005), CLOCKWISE);
    await settled();
    changePlots(new Map([[second!, { input: { geometry: square(1) } }]]));
    await settled();
    expect([first, second, third].map((key) => codesOf(key!))).toEqual([[], [], ["WINDING_REVERSED"]]);
    removePlots(new Set([third!]));
    await settled();
    expect(findings.peek().size).toBe(0);
    // An answer is no change of a plot.
    changePlots(new Map([[first!, { state: { kind: "asking" } }]]));
    await settled();
    expect(messages.map(({ put, removed }) => [put.length, removed.length])).toEqual([
      [3, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it("are those of the profile quality too, once it is chosen: of each plot, and of a producer's together", async () => {
    // A triangle around much land, and a plot 300 km from three others.
    const triangle = polygon([[3, 0], [3.01, 0], [3, 0.01], [3, 0]]); // biome-ignore format: a ring
    const [few] = add(triangle);
    const ana = { ProducerName: "Ana" };
    const keys = addTelling(ana, square(0), square(0.02), square(0.04), square(3, 0.01, 1));
    const spelled = addTelling({ ProducerName: "ANA" }, square(0.06));
    const all = [few!, ...keys, ...spelled];
    await settled();
    expect(all.map(codesOf)).toEqual([[], [], [], [], [], []]);
    quality.value = true;
    await settled();
    expect(all.map(codesOf)).toEqual([
      ["FEW_VERTICES"],
      [],
      [],
      [],
      ["FAR_FROM_GROUP"],
      ["PRODUCER_SPELLINGS"],
    ]);
    expect(findings.peek().get(few!)![0]).toMatchObject({ measure: { bound: 10, unit: "hectares" } });
    quality.value = false;
    await settled();
    expect(findings.peek().size).toBe(0);
  });

  it("name where a plot lies, and mend swapped axes in one step", () => {
    const checker = new ListChecker({ countryName, iso2Of, iso3Of, territoryOf, countriesAt });
    const swapped = { key: "a", id: "a", input: { geometry: square(6.35, 0.01, -1.98) }, properties: {} };
    const elsewhere = { ...swapped, key: "b", id: "b", properties: { country: "BR" } };
    const cocoa = { ...swapped, key: "c", id: "c", properties: { country: "GH" } };
    checker.change({ put: [swapped, elsewhere, cocoa], removed: [] });
    const { found, mends } = runChecker(checker);
    const alone = found.map(([key, all]) => [key, all.find(({ other }) => other === undefined)]);
    const place = { countries: [], swapped: { position: [-1.98, 6.35], countries: ["GH"] } };
    expect(alone).toMatchObject([
      ["a", { code: "IN_SEA", severity: "error", ...place }],
      ["b", { code: "OUTSIDE_COUNTRY", countries: [] }],
      ["c", { code: "AXES_SWAPPED", ...place }],
    ]);
    const inGhana = { coordinates: [expect.arrayContaining([[-1.98, 6.35]])] };
    expect(mends).toMatchObject([
      ["a", [{ geometry: inGhana }]],
      ["c", [{ geometry: inGhana }]],
    ]);
  });

  it("are mended where the mend brings warnings to light, such as an area that differs, but no error", () => {
    const checker = new ListChecker({ countryName, iso2Of, iso3Of, territoryOf, countriesAt });
    // About 123 ha; a country without its swapped place is no mend.
    const put = [1, 60, 123, 130, 5_000].flatMap((Area) =>
      ["GH", "BR"].map((country) => ({
        key: `${Area} ${country}`,
        id: "a",
        input: { geometry: square(6.35, 0.01, -1.98) },
        properties: { country, Area },
      })),
    );
    checker.change({ put, removed: [] });
    expect(runChecker(checker).mends.map(([key]) => key)).toEqual(
      put.filter(({ properties }) => properties.country === "GH").map(({ key }) => key),
    );
  });

  it("stay the same objects where nothing about them has changed, so that what is open stays open", async () => {
    const [key] = add(CLOCKWISE);
    await settled();
    const before = findings.peek().get(key!);
    add(square(20));
    await settled();
    expect(findings.peek().get(key!)).toBe(before);
  });

  it("of many plots are computed in pieces, and of no plot twice", async () => {
    add(...Array.from({ length: 1_200 }, (_, n) => square(n / 10, 0.001)));
    await settled();
    expect(messages.map(({ put }) => put.length)).toEqual([500, 500, 200]);
    expect(findings.peek().size).toBe(0);
  });
});

const shapes = () => plots.peek().map(({ id, input }) => [id, (input as { geometry: unknown }).geometry]);

describe("the mends of the list", () => {
  it("are whatever the fixing of plots mends, and none where it mends nothing", async () => {
    add(square(0), CLOCKWISE, BOW_TIE, { type: "LineString", coordinates: [[1, 1], [2, 2]] }); // biome-ignore format: a line
    await settled();
    expect(plots.peek().map((plot) => findFixedPlots(plot) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("are done together, undone as one deed in the same order, and leave what came since", async () => {
    const keys = add(square(0), CLOCKWISE, BOW_TIE);
    selectedKey.value = keys[2];
    await settled();
    const before = shapes();
    fixPlotsUndoably(plots.peek());
    const [, turned, split] = plots.peek();
    expect([turned!.key, split!.key]).toEqual(keys.slice(1));
    expect(split!.geometry).toMatchObject({ type: "MultiPolygon" });
    await settled();
    expect(findings.peek().size).toBe(0);
    add(square(40));
    expect(undoLastAction()).toBe("2 plots fixed.");
    expect(shapes().slice(0, 3)).toEqual(before);
    expect(plots.peek()).toHaveLength(4);
    await settled();
    expect(codesOf(keys[2]!)).toEqual(["RING_SELF_CROSSING"]);
  });

  it("follow the system that plots are for: a hole is taken away, and a plot that becomes two is undone to one", async () => {
    const [outer] = (square(0, 0.03) as { coordinates: number[][][] }).coordinates;
    const [hole] = (square(0.01, 0.01, 0.01) as { coordinates: number[][][] }).coordinates;
    add({ type: "Polygon", coordinates: [outer, hole!.toReversed()] });
    await settled();
    expect(findings.peek().size).toBe(0);
    profile.value = "eudr";
    await settled();
    const [plot] = plots.peek();
    expect(codesOf(plot!.key)).toContain("HOLE_UNSUPPORTED");
    const parts = findFixedPlots(plot!)!;
    fixPlotsUndoably([plot!]);
    expect(plots.peek()).toHaveLength(parts.length);
    await settled();
    expect(plots.peek().flatMap(({ key }) => codesOf(key))).not.toContain("HOLE_UNSUPPORTED");
    undoLastAction();
    expect(plots.peek()).toEqual([plot]);
  });
});

describe("the country of a plot", () => {
  it("is compared with where it lies", async () => {
    const keys = addTelling({ country: "BR" }, square(5), square(50));
    await settled();
    expect(keys.map(codesOf)).toEqual([[], ["OUTSIDE_COUNTRY"]]);
  });
});

describe("a deed on the list", () => {
  it("is undone without what another ruleset answered", async () => {
    const [key] = add(square(0));
    const refused = { kind: "refused", problem: new AnswerProblem("GEOMETRY_INVALID", "no") } as const;
    changePlots(new Map([[key!, { state: refused }]]));
    changePlotsUndoably("gone", () => removePlots(new Set([key!])));
    undoLastAction();
    expect(plots.peek()[0]!.state).toBe(refused);
    changePlotsUndoably("gone", () => removePlots(new Set([key!])));
    ruleset.value = { id: "other", name: "other" };
    expect(undoLastAction()).toBe("gone");
    expect(plots.peek()[0]!.state).toEqual({ kind: "new" });
    expect([undoLastAction(), actions.peek()]).toEqual([undefined, []]);
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
});
