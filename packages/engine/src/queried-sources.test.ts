import { createBoxPositions } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { buildBordersSnapshot } from "../test/small-borders.ts";
import { type SnapshotOfOptions, snapshotOf } from "./areas/snapshot-of.ts";
import { openEngine } from "./engine.ts";
import { lintRuleset } from "./lint-ruleset.ts";
import { type VerdictRecord, verdictRecord } from "./records/record.ts";
import { replayRecord } from "./records/replay.ts";

const square = (west: number, south: number, side: number) => ({
  type: "Polygon",
  coordinates: [createBoxPositions(west, south, west + side, south + side)],
});
const PLOT = { geometry: square(1, 1, 1) };
const NOW = { now: "2026-06-30T12:00:00Z" };
const borders = buildBordersSnapshot([
  { countries: ["BRA"], polygons: [[new Float64Array([0, 0, 10, 0, 10, 10, 0, 10, 0, 0])]] },
]);

function makeAreaSource(name: string, options: Partial<SnapshotOfOptions> = {}) {
  const feature = {
    type: "Feature",
    properties: { id: "a", iso3: "BRA" },
    geometry: square(5, 5, 1),
  };
  return snapshotOf(name, [feature] as never, { id: "id", coverage: "global", ...options });
}
const ruleset = (...sources: string[]) => ({
  sets: { s: { sources } },
  checks: [{ id: "c", set: "s", outcome: "NON_COMPLIANT" }],
});
const codes = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);

describe("a verdict through a group", () => {
  const groups = { "g:all": ["t:a", "t:b"], "g:other": ["t:a"] };
  const sources = [makeAreaSource("t:a"), makeAreaSource("t:b", { scope: "federal units" })];

  it("names the queried sources, and what each of them contains", () => {
    const verdict = openEngine(sources, { groups }).compile(ruleset("g:all")).evaluate(PLOT, NOW);
    expect(verdict).toMatchObject({ verdict: "COMPLIANT", groups: { "g:all": ["t:a", "t:b"] } });
    expect(verdict.sources.map(({ scope }) => scope)).toEqual([undefined, "federal units"]);
    expect(openEngine(sources, { groups }).compile(ruleset("t:a")).evaluate(PLOT, NOW)).not.toHaveProperty(
      "groups",
    );
  });

  it("is degraded by a member that is no source any more, which nothing else can name", () => {
    const manifest = { source_name: "t:b", kind: "leaf", columns: { id: "string" } } as const;
    const engine = openEngine([sources[0]!, { manifest, failed: "it was removed", removed: true }], {
      groups,
    });
    const { verdict, sources: queried } = engine.compile(ruleset("g:all")).evaluate(PLOT, NOW);
    expect([verdict, queried.map(({ status }) => status)]).toEqual(["DEGRADED", ["ok", "failed"]]);
    expect(engine.compile(ruleset("g:other")).evaluate(PLOT, NOW).verdict).toBe("COMPLIANT");
    expect(() => engine.compile(ruleset("t:b"))).toThrow(expect.objectContaining({ code: "SOURCE_UNKNOWN" }));
    expect(engine.intersections(PLOT.geometry).sources.map(({ source_name }) => source_name)).toEqual([
      "t:a",
    ]);
    const part = engine.within(["g:all"]);
    expect(part.compile(ruleset("g:all")).evaluate(PLOT, NOW).verdict).toBe("DEGRADED");
    expect(part.sources().map(({ source_name, members }) => [source_name, members])).toEqual([
      ["g:all", ["t:a", "t:b"]],
      ["g:other", ["t:a"]],
      ["t:a", undefined],
    ]);
  });
});

describe("a coverage that nobody declared", () => {
  const engine = openEngine([
    makeAreaSource("t:a", { country: "iso3", borders, coverage: undefined }),
    makeAreaSource("t:b"),
  ]);

  it("is reported by verdict, warning and lint, and changes no digest", () => {
    const evaluation = engine.compile(ruleset("t:a")).evaluate(PLOT, NOW);
    expect(evaluation.sources).toMatchObject([{ coverage: "full", coverage_known: "derived" }]);
    expect([evaluation.verdict, codes(evaluation.warnings)]).toEqual(["COMPLIANT", ["COVERAGE_ASSUMED"]]);
    expect(codes(lintRuleset(engine, ruleset("t:a")))).toContain("COVERAGE_ASSUMED");
    const declared = engine.compile(ruleset("t:b")).evaluate(PLOT, NOW);
    expect([declared.sources[0]?.coverage_known, codes(declared.warnings)]).toEqual([undefined, []]);
  });

  it("leaves the checks open of a set that takes only declared ones", () => {
    const strict = (...sources: string[]) => ({
      ...ruleset(),
      sets: { s: { sources, coverage: "declared" } },
    });
    const words = (sent: object) => engine.compile(sent).evaluate(PLOT, NOW);
    expect(words(strict("t:a"))).toMatchObject({ verdict: "WARNING", checks: [{ status: "not_covered" }] });
    expect(words(strict("t:b")).verdict).toBe("COMPLIANT");
    const assumed = { ...ruleset(), sets: { s: { sources: ["t:a"], coverage: "assumed" } } };
    expect(words(assumed).verdict).toBe("COMPLIANT");
  });
});

describe("fictional sources", () => {
  const fictional = makeAreaSource("t:made_up", { fictional: true });
  const borderland = makeAreaSource("t:borders", { category: "administrative border" });
  const engine = openEngine([fictional, makeAreaSource("t:real"), borderland]);
  const findWarnings = (...sources: string[]) =>
    codes(engine.compile(ruleset(...sources)).evaluate(PLOT, NOW).warnings);

  it("are named by every answer that reads real ones too, borders apart", () => {
    expect(findWarnings("t:made_up", "t:real")).toEqual(["FICTIONAL_DATA"]);
    expect(findWarnings("t:made_up", "t:borders")).toEqual([]);
    expect(findWarnings("t:real", "t:borders")).toEqual([]);
    expect(codes(engine.intersections(PLOT.geometry).warnings)).toEqual(["FICTIONAL_DATA"]);
    expect(codes(engine.distance(PLOT.geometry, { maxDistanceMeters: 1 }).warnings)).toEqual([
      "FICTIONAL_DATA",
    ]);
    const [outcome] = engine.intersections(PLOT.geometry, { sources: ["t:made_up"] }).sources;
    expect(outcome).toMatchObject({ source_name: "t:made_up", fictional: true });
  });

  it("are so by the catalog, whatever their older bytes state", () => {
    const { bytes } = makeAreaSource("t:old");
    const manifest = {
      source_name: "t:old",
      kind: "leaf",
      fictional: true,
      scope: "all",
      columns: {},
    } as const;
    const [entry] = openEngine([{ bytes, manifest }]).sources();
    expect(entry).toMatchObject({ fictional: true, scope: "all" });
  });
});

describe("a source that may end before the cut-off of its group", () => {
  it("is stated by every verdict", () => {
    const engine = openEngine([
      makeAreaSource("t:early", { allow: ["before_cutoff"] }),
      makeAreaSource("t:other", { allow: ["left_out"] }),
    ]);
    const { verdict, sources } = engine.compile(ruleset("t:early", "t:other")).evaluate(PLOT, NOW);
    expect(verdict).toBe("COMPLIANT");
    expect(sources.map(({ before_cutoff }) => before_cutoff)).toEqual([true, undefined]);
  });
});

describe("a replay", () => {
  const groups = { "g:all": ["t:a"] };
  const engine = openEngine(
    [makeAreaSource("t:a", { country: "iso3", borders, coverage: undefined, scope: "parks" })],
    {
      groups,
    },
  );
  const sent = ruleset("g:all");
  const policy = engine.compile(sent);
  const recorded = { input: PLOT, ruleset: sent, policy, groups, engineVersion: "1" };
  const record: VerdictRecord = JSON.parse(
    JSON.stringify(verdictRecord(recorded, policy.evaluate(PLOT, NOW))),
  );

  it("of a record from before groups, scopes and assumed coverage were reported is identical", () => {
    expect(replayRecord(engine, record).result).toBe("identical");
    const { groups: _, ...data } = record.response.data;
    const sources = data.sources.map(({ scope: __, coverage_known: ___, ...source }) => source);
    const old = { ...record, response: { ...record.response, data: { ...data, sources } } };
    expect(replayRecord(engine, old).result).toBe("identical");
    const altered = { ...data, groups: { "g:all": ["t:b"] } };
    expect(replayRecord(engine, { ...record, response: { ...record.response, data: altered } }).result).toBe(
      "differs",
    );
  });
});
