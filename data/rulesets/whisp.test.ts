import { openEngine } from "@groundrule/engine";
import { type AreaFeature, snapshotOf } from "@groundrule/engine/build";
import { lintRuleset } from "@groundrule/engine/rulesets";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { presets } from "./index.ts";

/** Answers for a plot to Whisp's indicators: whether each applies to more than a tenth of it. */
type Answers = Readonly<Record<string, boolean>>;

const BEFORE = { from: "2019-01-01", to: "2019-12-31" };
const AFTER = { from: "2022-01-01", to: "2022-12-31" };
/** The source of each indicator, and what its areas have. */
const INDICATORS = {
  tree: ["preset:tree_cover_2020", {}],
  commodity: ["preset:commodities_2020", {}],
  before: ["preset:disturbances", BEFORE],
  after: ["preset:disturbances", AFTER],
  primary: ["preset:forest_types_2020", { forest_type: "primary" }],
  regenerating: ["preset:forest_types_2020", { forest_type: "naturally_regenerating" }],
  planted: ["preset:forest_types_2020", { forest_type: "planted" }],
  plantation: ["preset:forest_types_2020", { forest_type: "plantation" }],
  treeAfter: ["preset:tree_cover_after_2020", {}],
  agriculture: ["preset:agriculture_after_2020", {}],
  concession: ["preset:logging_concessions", {}],
} as const;
const SIZE = 0.001;

/** Whisp's decisions, in the order of its rules: `risk.py` of openforis-whisp at commit 0534f68b. */
const DECISIONS: Readonly<
  Record<
    string,
    {
      readonly asks: readonly (keyof typeof INDICATORS)[];
      readonly decide: (is: Answers) => "low" | "high" | "more";
    }
  >
> = {
  perennial: {
    asks: ["tree", "commodity", "before", "after"],
    decide: ({ tree, commodity, before, after }) =>
      !tree || commodity || before ? "low" : after ? "high" : "more",
  },
  annual: {
    asks: ["tree", "commodity", "after"],
    decide: ({ tree, commodity, after }) => (!tree || commodity ? "low" : after ? "high" : "more"),
  },
  timber: {
    asks: [
      ...(["commodity", "after", "primary", "regenerating", "planted"] as const),
      ...(["plantation", "treeAfter", "agriculture", "concession"] as const),
    ],
    decide: (is) => {
      const growing = is.primary || is.regenerating || is.planted;
      const persists = (is.primary && !is.after) || is.treeAfter || is.concession;
      if (is.commodity || (is.plantation && !is.agriculture)) return "low";
      if ((growing || is.plantation) && is.agriculture) return "high";
      if (growing && is.after && !persists) return "high";
      if (growing && persists) return "low";
      return growing ? "more" : "low";
    },
  },
};
const VERDICTS = { low: "COMPLIANT", more: "WARNING", high: "NON_COMPLIANT" };

describe.each(Object.entries(DECISIONS))("preset.whisp-%s", (name, { asks, decide }) => {
  // A row of plots, one for each way to answer; an indicator that holds covers the plot.
  const plots = Array.from({ length: 2 ** asks.length }, (_, i) => ({
    geometry: createSquarePolygon(2 * SIZE * i, 0, SIZE),
    answers: Object.fromEntries(asks.map((ask, k) => [ask, (i & (1 << k)) > 0])),
  }));
  const engine = openEngine(
    [...new Set(asks.map((ask) => INDICATORS[ask][0]))].map((source) => {
      const areas: AreaFeature[] = asks.flatMap((ask) => {
        const [own, properties] = INDICATORS[ask];
        if (own !== source) return [];
        return plots.flatMap(({ geometry, answers }, i) =>
          answers[ask]
            ? [{ type: "Feature", geometry, properties: { id: `${ask} ${i}`, ...properties } }]
            : [],
        );
      });
      // An area that no plot meets, so that no filter selects everything.
      const elsewhere = { id: "elsewhere", ...BEFORE, forest_type: "other_land" };
      areas.push({ type: "Feature", geometry: createSquarePolygon(0, 50), properties: elsewhere });
      return snapshotOf(source, areas, {
        id: "id",
        columns: { from: "date", to: "date" },
        coverage: "global",
        collectedAt: "2026-11-01T00:00:00Z",
      });
    }),
  );
  const ruleset = presets().get(`preset.whisp-${name}`)!;

  it("answers every combination of answers as Whisp does, and each low risk with its reason", () => {
    const policy = engine.compile(ruleset);
    for (const { geometry, answers } of plots) {
      const { verdict, checks } = policy.evaluate({ geometry }, { now: "2026-11-27T00:00:00Z" });
      expect({ answers, verdict }).toEqual({ answers, verdict: VERDICTS[decide(answers)] });
      const reasons = checks.filter(({ triggered, outcome }) => triggered && outcome === "NOTICE");
      expect([answers, reasons.length > 0]).toEqual([answers, verdict === "COMPLIANT"]);
    }
  });

  it("gives the linter nothing to find", () => {
    expect(lintRuleset(engine, ruleset)).toEqual([]);
  });
});
