import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { verdictRecord } from "@groundrule/engine/records";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { getTongue } from "@groundrule/words/languages";
import { describe, expect, it } from "vitest";
import { gatherMaterial } from "./gather-material.ts";
import { createContextMeter, formatLandContext, measureContext } from "./land-context.ts";
import { renderReport } from "./render-report.ts";

const NOW = { now: "2026-11-01T00:00:00Z" };
const area = (geometry: object) => ({
  type: "FeatureCollection",
  features: [{ type: "Feature", properties: { code: "f" }, geometry }],
});
const snapshot = (name: string, geometry: object, manifest = {}) =>
  snapshotOf(name, area(geometry) as Parameters<typeof snapshotOf>[1], { id: "code", ...manifest });
const forest = createSquarePolygon(10, 50, 0.04);
const engine = openEngine(
  [snapshot("my:forest", forest), snapshot("my:lost", createSquarePolygon(11, 51, 0.1))],
  {
    groups: { "preset:forest_2020": ["my:forest"] },
  },
);
const SETS = {
  forest: { sources: ["preset:forest_2020"] },
  lost: { sources: ["my:lost"] },
  near: { sources: ["preset:forest_2020"], within_m: 100 },
  deforested: { intersection: ["forest", "lost"] },
};
const CHECKS = [{ id: "d", set: "deforested", measure: "overlap_area_m2", value: 0, outcome: "WARNING" }];
const half = createSquarePolygon(10.03, 50, 0.02);

describe("the maps of one year beside a verdict", () => {
  it("are measured where nothing triggers, and change neither the verdict nor its digest", () => {
    const policy = engine.compile({ sets: SETS, checks: CHECKS });
    const before = policy.evaluate({ geometry: half }, NOW);
    expect(before.verdict).toBe("COMPLIANT");
    const maps = createContextMeter(engine, policy.ruleset)!.measure({ geometry: half }, NOW);
    const { matches } = engine.intersections(half, { sources: ["my:forest"] });
    expect(maps).toEqual([
      {
        source_name: "preset:forest_2020",
        squareMeters: matches[0]!.overlap_area_m2,
        share: matches[0]!.overlap_ratio,
        isOpen: false,
      },
    ]);
    expect(formatLandContext(maps, getTongue("en"))).toMatch(
      /^Forest of 2020 on the plot: \d+\.\d\d ha, 5\d?(\.\d+)? %$/,
    );
    expect(policy.evaluate({ geometry: half }, NOW)).toEqual(before);
    const ruleset = { sets: SETS, checks: CHECKS };
    const groups = { "preset:forest_2020": ["my:forest"] };
    const of = { id: 1, input: { geometry: half }, ruleset, policy, groups, engineVersion: "0.0.0" };
    const record = verdictRecord(of, before);
    const context = formatLandContext(measureContext(record, engine), getTongue("pt"));
    expect(renderReport(record, { ...gatherMaterial(record), context }, { language: "pt" })).toContain(
      `<p>${formatLandContext(maps, getTongue("pt"))}</p>`,
    );
  });

  it("are none without such a source", () => {
    const { lost } = SETS;
    expect(createContextMeter(engine, { sets: { lost } })).toBeUndefined();
    expect(formatLandContext([], getTongue("en"))).toBeUndefined();
  });

  it("say nothing of a plot that cannot be measured", () => {
    const meter = createContextMeter(engine, { sets: SETS })!;
    expect(meter.measure({ geometry: { type: "Point", coordinates: [10, 50] } }, NOW)).toEqual([]);
  });

  const map = { source_name: "preset:forest_2020", squareMeters: 240_000, share: 0.94, isOpen: false };
  it.each([
    ["en", map, "Forest of 2020 on the plot: 24.00 ha, 94.00 %"],
    ["pt", map, "Floresta de 2020 na parcela: 24,00 ha, 94,00 %"],
    ["es", map, "Bosque de 2020 en la parcela: 24,00 ha, 94,00 %"],
    ["en", { ...map, isOpen: true }, "Forest of 2020 on the plot: at least 24.00 ha, 94.00 %"],
    ["en", { ...map, squareMeters: 0, share: 0 }, "Forest of 2020 on the plot: 0 m², 0 %"],
    ["en", { ...map, squareMeters: 0, share: 0, isOpen: true }, "Forest of 2020 on the plot: not known"],
    ["en", { ...map, squareMeters: null, share: null }, "Forest of 2020 on the plot: not known"],
    ["en", { ...map, source_name: "my:map_2020" }, "my:map_2020 on the plot: 24.00 ha, 94.00 %"],
  ] as const)("read in %s as %j", (language, shown, text) => {
    expect(formatLandContext([shown], getTongue(language))).toBe(text);
  });
});
