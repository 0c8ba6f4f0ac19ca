import { beforeEach, describe, expect, it } from "vitest";
import {
  earlier,
  endComparison,
  faded,
  isCompared,
  isEarlierShown,
  pairs,
  seenPlots,
  storeEarlierAnswers,
} from "./comparison.ts";
import type { PagePlot } from "./plot.ts";
import { addPlots, changePlots, plots, removePlots } from "./store.ts";

const answered = (verdict: string): PagePlot["state"] => ({
  kind: "answered",
  answer: { verdict: { verdict } } as never,
});

function addTestPlots(...verdicts: readonly string[]): readonly PagePlot[] {
  const plot = { geometry: undefined, properties: {}, origin: "test" };
  return addPlots(
    verdicts.map((verdict, n) => ({ ...plot, id: `p${n}`, input: { n }, state: answered(verdict) })),
  );
}

const seen = (): readonly unknown[] =>
  seenPlots.value.map(({ state }) => (state.kind === "answered" ? state.answer.verdict.verdict : state.kind));

beforeEach(() => {
  removePlots(new Set(plots.peek().map(({ key }) => key)));
  earlier.value = new Map();
  endComparison();
});

describe("a comparison", () => {
  it("gives colour to the plots that moved alone, and shows either answer of each", () => {
    const before = addTestPlots("COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED");
    storeEarlierAnswers(before);
    const now = ["NON_COMPLIANT", "WARNING", "COMPLIANT", "COMPLIANT"];
    changePlots(new Map(before.map(({ key }, i) => [key, { state: answered(now[i]!) }])));
    expect(pairs.value).toHaveLength(4);
    expect(faded.value).toBeUndefined();
    isCompared.value = true;
    // A verdict that was not final counts as unmoved.
    expect(faded.value).toEqual(new Set([before[1]!.key, before[3]!.key]));
    expect(seen()).toEqual(now);
    isEarlierShown.value = true;
    expect(seen()).toEqual(["COMPLIANT", "WARNING", "NON_COMPLIANT", "DEGRADED"]);
    endComparison();
    expect(seen()).toEqual(now);
  });

  it("shows nothing that was not evaluated: of a plot that came or was reshaped since, nothing before", () => {
    const [kept, reshaped] = addTestPlots("COMPLIANT", "COMPLIANT");
    storeEarlierAnswers([kept!, reshaped!]);
    addTestPlots("WARNING");
    changePlots(new Map([[reshaped!.key, { input: { n: 7 }, state: answered("WARNING") }]]));
    expect(pairs.value.map(({ plot }) => plot.key)).toEqual([kept!.key]);
    isCompared.value = true;
    isEarlierShown.value = true;
    expect(seen()).toEqual(["COMPLIANT", "new", "new"]);
  });

  it("waits until all is answered", () => {
    const [one, other] = addTestPlots("COMPLIANT", "COMPLIANT");
    storeEarlierAnswers([one!, other!]);
    changePlots(new Map([[one!.key, { state: { kind: "asking" } }]]));
    isCompared.value = true;
    expect([pairs.value, faded.value]).toEqual([[], undefined]);
  });
});
