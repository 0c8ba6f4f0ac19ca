import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPageExamples } from "../../../test/page-examples.ts";
import { buildSourceTable, type CaseFile, readCaseFiles } from "../../../test/ruleset-cases.ts";
import type { LintFinding } from "../certain/findings.ts";
import { lintOnSources } from "./lint.ts";

const WORLD: Pick<CaseFile, "sources" | "groups"> = {
  sources: {
    "demo:clearing": {
      coverage: "global",
      columns: { detected: "date", seen: "string", phase: "string", hectares: "number" },
      areas: [
        makeArea("1", "BRA", { detected: "2019-05-01", seen: "01/05/2019", phase: "Declared", hectares: 4 }),
        makeArea("2", "BRA", { detected: "2023-05-01", seen: "01/05/2023", phase: "Studied", hectares: 9 }),
        makeArea("3", undefined, { seen: "01/05/2023", phase: "Declared", hectares: 9 }),
      ],
    },
    "demo:parks": { coverage: "global", category: "park", areas: [makeArea("p", "PER", {})] },
    "demo:void": { coverage: "global", areas: [] },
    "demo:listed": { schemes: ["us:ein"], records: [] },
  },
  groups: { "demo:all": ["demo:clearing", "demo:parks"] },
};

function makeArea(id: string, country: string | undefined, properties: Record<string, string | number>) {
  return { id, boxes: [[0, 0, 5, 5]] as const, ...(country !== undefined && { country }), properties };
}

const lint = (ruleset: unknown, failed: readonly string[] = []): readonly LintFinding[] =>
  lintOnSources(buildSourceTable(WORLD, failed), ruleset);

const PARKS = { sources: ["demo:parks"] };
const OVERLAP = { id: "c", set: "s", measure: "overlap_area_m2", outcome: "WARNING" };
const shown = (findings: readonly LintFinding[]) => findings.map(({ code, pointer }) => `${code} ${pointer}`);

/** Findings in a check of a set of parks. */
const inCheck = (check: object, set: object = PARKS) =>
  shown(lint({ sets: { s: set }, checks: [{ id: "c", set: "s", outcome: "WARNING", ...check }] }));
/** Findings in a set whose overlap a check measures. */
const inSet = (set: object, failed: readonly string[] = []) =>
  shown(lint({ sets: { s: set }, checks: [OVERLAP] }, failed));
const inFilter = (where: object, more: object = {}) => inSet({ sources: ["demo:clearing"], where, ...more });
const asks = (op: string, property: string, value: unknown) => ({ op, args: [{ property }, value] });

describe("lint", () => {
  it("reports nothing for a sound ruleset", () => {
    expect(lint({ sets: { s: PARKS }, checks: [OVERLAP] })).toEqual([]);
  });

  it("finds nothing in the policies of the page but what their sources lack", () => {
    const world = readCaseFiles().find(({ about }) => about.startsWith("Policies"));
    for (const ruleset of readPageExamples().values()) {
      const codes = lintOnSources(buildSourceTable(world!), ruleset).map(({ code }) => code);
      const lacks = ["NULLS_IN_COLUMN", "COVERAGE_UNDECLARED", "VALUE_ABSENT"];
      expect(codes.filter((code) => !lacks.includes(code))).toEqual([]);
    }
  });

  it("reports what it finds in a filter in text by its place in the text", () => {
    const where = "phase = 'Declard' AND detected > DATE('2030-01-01')";
    const findings = lint({ sets: { s: { sources: ["demo:clearing"], where } }, checks: [OVERLAP] });
    expect(findings.map(({ code, pointer, message }) => [code, pointer, message.split(":")[0]])).toEqual([
      ["VALUE_ABSENT", "/sets/s/where", `at character 9 ("'Declard'")`],
      ["FILTER_NEVER", "/sets/s/where", `at character 23 ("detected > DATE('2030-01-01')")`],
      ["NULLS_IN_COLUMN", "/sets/s/where", 'at character 23 ("detected")'],
      ["CHECK_NEVER", "/checks/0", `overlap_area_m2 of "s" > 0 never holds`],
    ]);
  });

  it("finds two sets the same whose filters are, in text and in JSON", () => {
    const sources = ["demo:clearing"];
    const sets = {
      s: { sources, where: "hectares > 1" },
      t: { sources, where: asks(">", "hectares", 1) },
    };
    expect(shown(lint({ sets, checks: [OVERLAP] }))).toContain("SET_DUPLICATE /sets/t");
  });

  it("reports what keeps a ruleset from compiling, and goes on", () => {
    const findings = lint({
      sets: {
        s: { sources: ["demo:park"] },
        t: { sources: ["demo:clearing"], where: asks(">", "detcted", 1) },
      },
      checks: [OVERLAP],
    });
    expect(shown(findings)).toEqual([
      "SOURCE_UNKNOWN /sets/s/sources/0",
      "COLUMN_UNKNOWN /sets/t/where/args/0/property",
      "SET_UNUSED /sets/t",
    ]);
    expect(findings[0]).toMatchObject({
      severity: "error",
      message: expect.stringContaining('"demo:parks"'),
    });
    expect(findings[1]!.message).toContain('did you mean "detected"?');
    expect(shown(lint("{"))).toEqual(["JSON_INVALID "]);
    expect(shown(lint({ sets: {}, checks: [] }))).toEqual(["LIMIT_EXCEEDED /checks"]);
  });

  it("reads anything, and throws at nothing (seed 5)", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const part = fc.oneof(
      json,
      fc.constantFrom<unknown>(PARKS, OVERLAP, [OVERLAP], { s: PARKS }, "s", "count"),
    );
    const ruleset = fc.record({
      sets: fc.oneof(part, fc.dictionary(fc.constantFrom("s", "t"), part)),
      checks: part,
    });
    fc.assert(
      fc.property(fc.oneof(json, ruleset, fc.string()), (sent) => {
        for (const { code, pointer, message } of lint(sent)) {
          expect([code, pointer, message].every((text) => typeof text === "string")).toBe(true);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it("is quick with sets made of each other in a million ways", () => {
    const level = (i: number) => Array.from({ length: 12 }, (_, k) => `l${i}_${k}`);
    const sets: Record<string, object> = Object.fromEntries(level(0).map((name) => [name, PARKS]));
    for (let i = 1; i <= 4; i++) {
      for (const [k, name] of level(i).entries())
        sets[name] = { [k % 2 === 0 ? "union" : "intersection"]: level(i - 1) };
    }
    const all = level(4).flatMap((set) =>
      level(3).map((of) => ({ set, of, measure: "overlap_ratio", value: 0.5 })),
    );
    const checks = Array.from({ length: 64 }, (_, i) => ({
      id: `c${i}`,
      outcome: "WARNING",
      all: all.slice(0, 32),
    }));
    const before = process.cpuUsage();
    const findings = lint({ sets, checks });
    expect(findings.length).toBe(100);
    expect(findings.some(({ severity }) => severity === "error")).toBe(false);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000, "milliseconds of CPU").toBeLessThan(2000);
  });

  it("reports at most 100 findings", () => {
    const sets = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`s${i}`, PARKS]));
    expect(lint({ sets, checks: [{ ...OVERLAP, set: "s0" }] })).toHaveLength(100);
  });
});

describe("lint of checks", () => {
  it.each([
    ["a ratio over 1", { measure: "overlap_ratio", value: 1 }],
    ["a number of areas between two", { op: "=", value: 1.5 }],
    ["fewer than none", { op: "<" }],
    [
      "a distance beyond what the set selects",
      { measure: "min_distance_m", value: 5000 },
      { ...PARKS, within_m: 5000 },
    ],
    ["a shared area of what only touches", { measure: "overlap_area_m2" }, { ...PARKS, relation: "touches" }],
    ["a shared area of what is farther", { measure: "overlap_ratio" }, { ...PARKS, within_m: 900, min_m: 1 }],
    [
      "a ratio of two values",
      { set: undefined, all: [makeShareComparison("=", 0.1), makeShareComparison("=", 0.2)] },
    ],
    [
      "a ratio above and below",
      { set: undefined, all: [makeShareComparison(">", 0.3), makeShareComparison("<", 0.2)] },
    ],
    [
      "a ratio above and not above",
      { set: undefined, all: [makeShareComparison(">", 0.2), makeShareComparison("<=", 0.2)] },
    ],
    [
      "an empty set that overlaps",
      { set: undefined, all: [{ set: "s", op: "=" }, makeShareComparison(">", 0)] },
    ],
    [
      "an empty set with a nearest area",
      {
        set: undefined,
        all: [
          { set: "s", op: "<=" },
          { set: "s", measure: "min_distance_m", op: ">=", value: 0 },
        ],
      },
      { ...PARKS, within_m: 900 },
    ],
  ] as const)("finds that %s never triggers", (_, check, set: object = PARKS) => {
    const { set: _set, ...listed } = { set: "s", ...check };
    const findings = inCheck("all" in check ? { ...listed, set: null } : check, set);
    expect(findings.some((found) => found.startsWith("CHECK_NEVER"))).toBe(true);
  });

  it.each([
    ["at least no area", { op: ">=" }],
    ["a ratio of at most 1", { measure: "overlap_ratio", op: "<=", value: 1 }],
    ["any area or none", { set: null, any: [{ set: "s" }, { set: "s", op: "=" }] }],
    [
      "a ratio around a number",
      { set: null, any: [makeShareComparison("<", 0.2), makeShareComparison(">=", 0.2)] },
    ],
  ])("finds that %s always triggers", (_, check) => {
    expect(inCheck(check).some((found) => found.startsWith("CHECK_ALWAYS"))).toBe(true);
  });

  it.each([
    [
      "a nearest distance of at most the set's",
      { measure: "min_distance_m", op: "<=", value: 900 },
      { ...PARKS, within_m: 900 },
    ],
    ["a share of another set", { measure: "overlap_ratio", op: "<=", value: 2, of: "s" }],
    [
      "values next to each other",
      { set: null, all: [makeShareComparison(">=", 0.2), makeShareComparison("<=", 0.2)] },
    ],
    ["a number of areas of a property that may not be declared", { op: ">=", on: "property" }],
    [
      "the plot and the property, one or the other",
      { set: null, any: [{ set: "s", op: "<=", value: 1, on: "property" }, { set: "s" }] },
    ],
    [
      "areas on the property and none on the plot",
      {
        set: null,
        all: [
          { set: "s", on: "property" },
          { set: "s", op: "=" },
        ],
      },
    ],
  ])("does not take %s for certain", (_, check, set: object = PARKS) => {
    expect(inCheck(check, set).filter((found) => /CHECK_(NEVER|ALWAYS)/.test(found))).toEqual([]);
  });

  it("finds comparisons that change nothing, and repeated ones", () => {
    expect(
      inCheck({
        set: null,
        all: [makeShareComparison(">", 0.2), makeShareComparison(">=", 0), makeShareComparison(">", 0.2)],
      }),
    ).toEqual(["COMPARISON_DUPLICATE /checks/0/all/2", "COMPARISON_ALWAYS /checks/0/all/1"]);
    expect(inCheck({ set: null, any: [makeShareComparison(">", 0.2), makeShareComparison("<", 0)] })).toEqual(
      ["COMPARISON_NEVER /checks/0/any/1"],
    );
  });

  it("finds percent, hectares and kilometres", () => {
    expect(inCheck({ measure: "overlap_ratio", value: 5 })[0]).toBe("UNIT_SUSPICIOUS /checks/0/value");
    expect(inCheck({ measure: "overlap_area_m2", value: 5 })).toEqual(["UNIT_SUSPICIOUS /checks/0/value"]);
    expect(inCheck({ measure: "overlap_area_m2", value: 500 })).toEqual([]);
    const [finding] = lint({ sets: { s: PARKS }, checks: [{ ...OVERLAP, value: 1.1 }] });
    expect(finding!.hint).toBe("for 1.1 ha write 11000");
    expect(inSet({ ...PARKS, within_m: 10 })).toEqual(["UNIT_SUSPICIOUS /sets/s/within_m"]);
    const near = { ...PARKS, within_m: 10_000 };
    expect(inCheck({ measure: "min_distance_m", op: "<", value: 10 }, near)).toEqual([
      "UNIT_SUSPICIOUS /checks/0/value",
    ]);
    expect(inCheck({ measure: "min_distance_m", op: "<", value: 20_000 }, near)).toEqual([
      "DISTANCE_BEYOND_SET /checks/0/value",
    ]);
  });

  it("finds counts that a shared border adds to, unless a check needs more", () => {
    expect(inCheck({})).toEqual(["BORDER_COUNTS /checks/0"]);
    expect(inCheck({ outcome: "NOTICE" })).toEqual([]);
    expect(inCheck({ op: "=" })).toEqual([]);
    expect(inCheck({}, { ...PARKS, within_m: 900 })).toEqual([]);
    expect(inCheck({ set: null, all: [{ set: "s" }, makeShareComparison(">", 0.1)] })).toEqual([]);
  });

  it("finds ratios that are no share of the whole", () => {
    const sets = {
      s: PARKS,
      t: { sources: ["demo:clearing"] },
      both: { intersection: ["s", "t"] },
      rest: { difference: ["both", "t"] },
    };
    const found = (set: string, of: string) =>
      shown(lint({ sets, checks: [{ ...OVERLAP, set, of, measure: "overlap_ratio", value: 0.1 }] })).filter(
        (text) => text.startsWith("RATIO_OF_OTHERS"),
      );
    expect(found("t", "s")).toEqual(["RATIO_OF_OTHERS /checks/0/of"]);
    expect(found("s", "s")).toEqual(["RATIO_OF_OTHERS /checks/0/of"]);
    expect(found("both", "s")).toEqual([]);
    expect(found("rest", "s")).toEqual([]);
  });

  it("finds checks with the same condition", () => {
    const twice = [OVERLAP, { ...OVERLAP, id: "d", op: ">", outcome: "NOTICE" }];
    expect(shown(lint({ sets: { s: PARKS }, checks: twice }))).toEqual(["CHECK_DUPLICATE /checks/1"]);
  });

  it("finds colours that cannot be seen, and ones given twice", () => {
    const colors = ["#FFFF00", "#000000", "#ffff00", "#3e47f9"];
    const checks = colors.map((color, i) => ({ ...OVERLAP, id: `c${i}`, value: 1000 + i, color }));
    expect(shown(lint({ sets: { s: PARKS }, checks }))).toEqual([
      "COLOR_CONTRAST /checks/0/color",
      "COLOR_CONTRAST /checks/1/color",
      "COLOR_REPEATED /checks/2/color",
      "COLOR_CONTRAST /checks/2/color",
    ]);
  });
});

function makeShareComparison(op: string, value: number) {
  return { set: "s", measure: "overlap_ratio", op, value };
}

describe("lint of sets", () => {
  it("counts the areas whose filter has no answer", () => {
    const after = asks(">", "detected", { date: "2020-12-31" });
    const [finding] = lint({ sets: { s: { sources: ["demo:clearing"], where: after } }, checks: [OVERLAP] });
    expect(finding).toMatchObject({
      code: "NULLS_IN_COLUMN",
      severity: "warning",
      pointer: "/sets/s/where/args/0/property",
      message: expect.stringContaining('null in 1 of 3 areas of "demo:clearing"'),
    });
    expect(inFilter(after, { unknown: "include" })).toEqual([]);
    expect(inFilter({ op: "or", args: [after, { op: "isNull", args: [{ property: "detected" }] }] })).toEqual(
      [],
    );
  });

  it("finds conditions that no area, or every area, meets", () => {
    const NEVER = ["FILTER_NEVER /sets/s/where", "CHECK_NEVER /checks/0"];
    expect(inFilter(asks(">", "hectares", 9))).toEqual(NEVER);
    expect(inFilter(asks("<=", "hectares", 9))).toEqual(["FILTER_ALWAYS /sets/s/where"]);
    expect(inFilter({ op: "<", args: [9, { property: "hectares" }] })).toEqual(NEVER);
    expect(inFilter({ op: "between", args: [{ property: "hectares" }, 5, 9] })).toEqual([]);
    expect(inFilter({ op: "between", args: [{ property: "hectares" }, 10, 99] })).toEqual(NEVER);
    const before = asks("<", "detected", { date: "2019-01-01" });
    expect(inFilter(before, { unknown: "include" })).toEqual(["FILTER_NEVER /sets/s/where"]);
    expect(inFilter({ op: "and", args: [asks(">", "hectares", 5), asks("<", "hectares", 5)] })).toEqual(
      NEVER,
    );
  });

  it("finds texts that no area has, with the nearest that one has", () => {
    const [finding] = lint({
      sets: { s: { sources: ["demo:clearing"], where: asks("=", "phase", "declared") } },
      checks: [OVERLAP],
    });
    expect(finding).toMatchObject({ code: "VALUE_ABSENT", pointer: "/sets/s/where/args/1" });
    expect(finding!.message).toContain('did you mean "Declared"?');
    expect(inFilter(asks("in", "phase", ["Studied", "Closed"]))).toEqual([
      "VALUE_ABSENT /sets/s/where/args/1/1",
    ]);
    expect(inFilter(asks("=", "source_id", "9"))).toEqual([]);
    expect(inSet({ ...PARKS, where: asks("=", "category", "parc") })).toEqual([
      "VALUE_ABSENT /sets/s/where/args/1",
    ]);
  });

  it("finds days compared as text", () => {
    expect(inFilter(asks(">", "seen", "2020-12-31"))).toEqual(["DATE_AS_TEXT /sets/s/where/args/1"]);
    expect(inFilter(asks(">", "detected", "2020-12-31"))[0]).toBe("TYPE_MISMATCH /sets/s/where");
  });

  it("finds countries that no source covers, and areas without one", () => {
    expect(inSet({ ...PARKS, country_iso3: ["per", "BRA"] })).toEqual([
      "COUNTRY_EMPTY /sets/s/country_iso3/1",
    ]);
    expect(inSet({ sources: ["demo:clearing"], country_iso3: "BRA" })).toEqual([
      "NULLS_IN_COLUMN /sets/s/country_iso3",
    ]);
  });

  it("finds sources that are empty, failed or named twice", () => {
    expect(inSet({ sources: ["demo:void"] })).toEqual(["SOURCE_EMPTY /sets/s/sources"]);
    expect(inSet(PARKS, ["demo:parks"])).toEqual(["SOURCE_FAILED /sets/s/sources"]);
    expect(inSet({ sources: ["demo:all", "demo:parks"] })).toEqual(["SOURCE_REPEATED /sets/s/sources/1"]);
  });

  it("finds sets that are unused, repeated, or made of one set twice", () => {
    const sets = { s: PARKS, t: PARKS, d: { difference: ["s", "s"] } };
    expect(shown(lint({ sets, checks: [OVERLAP] }))).toEqual([
      "SET_UNUSED /sets/t",
      "SET_DUPLICATE /sets/t",
      "SET_UNUSED /sets/d",
      "OPERAND_REPEATED /sets/d/difference/1",
    ]);
  });

  it("finds members that change nothing", () => {
    expect(inSet({ ...PARKS, unknown: "include" })).toEqual(["UNKNOWN_UNUSED /sets/s/unknown"]);
    expect(inCheck({}, { registers: ["demo:listed"], match: "root" })).toEqual(["ROOT_UNUSED /sets/s/match"]);
  });
});

describe("lint of coverages", () => {
  const PLACES: Pick<CaseFile, "sources" | "groups" | "borders"> = {
    borders: [
      { countries: ["BRA"], boxes: [[0, 0, 90, 100]] },
      { countries: ["BRA", "PER"], boxes: [[90, 0, 100, 100]] },
      { countries: ["PER"], boxes: [[100, 0, 200, 100]] },
      { countries: ["COL"], boxes: [[0, 200, 200, 300]] },
    ],
    sources: {
      "demo:bra": { coverage: { countries: ["BRA"] }, areas: [makeArea("1", "BRA", {})] },
      "demo:per": { coverage: { countries: ["PER"] }, areas: [makeArea("1", "PER", {})] },
      "demo:col": { coverage: { countries: ["COL"] }, areas: [makeArea("1", "COL", {})] },
      "demo:west": { coverage: { boxes: [[0, 0, 50, 100]] }, areas: [makeArea("1", undefined, {})] },
      "demo:turned": {
        coverage: { boxes: [[360_000, 0, 360_050, 100]] },
        areas: [makeArea("1", undefined, {})],
      },
      "demo:east": { coverage: { boxes: [[150, 0, 160, 50]] }, areas: [makeArea("1", undefined, {})] },
      "demo:world": { coverage: "global", areas: [makeArea("1", undefined, {})] },
      "demo:silent": { areas: [makeArea("1", undefined, {})] },
    },
    groups: { "demo:both": ["demo:bra", "demo:per"], "demo:some": ["demo:col", "demo:silent"] },
  };
  const inPlaces = (sources: readonly string[], failed: readonly string[] = []) =>
    shown(lintOnSources(buildSourceTable(PLACES, failed), { sets: { s: { sources } }, checks: [OVERLAP] }));

  it("finds sources without declared coverage", () => {
    expect(inPlaces(["demo:world", "demo:some"])).toEqual(["COVERAGE_UNDECLARED /sets/s/sources/1"]);
  });

  it.each([
    [["demo:bra", "demo:col"], true],
    [["demo:world", "demo:bra", "demo:west", "demo:east"], true],
    [["demo:both", "demo:col"], true],
    [["demo:west", "demo:east"], true],
    [["demo:col", "demo:west"], true],
    // They share the strip along their border.
    [["demo:bra", "demo:per"], false],
    [["demo:both", "demo:bra"], false],
    [["demo:east", "demo:per"], false],
    [["demo:west", "demo:turned"], false],
    [["demo:world", "demo:col"], false],
  ])("decides for %j whether they can never cover a plot together: %s", (sources, areApart) => {
    const found = inPlaces(sources).filter((finding) => finding.startsWith("COVERAGE_APART"));
    expect(found.length > 0).toBe(areApart);
  });

  it("knows nothing of where a failed source speaks", () => {
    expect(inPlaces(["demo:bra", "demo:col"], ["demo:col"])).toEqual(["SOURCE_FAILED /sets/s/sources"]);
  });
});

describe("lint of rasters", () => {
  const grid = { west: 0, north: 1, cell: 1, columns: 2, rows: 1, cells: [0, 1] } as const;
  const years = [2019, 2021].map((year) => ({
    id: `${year}`,
    name: `Loss in ${year}`,
    boxes: [],
    properties: { from: `${year}-01-01`, to: `${year}-12-31` },
  }));
  const loss = { columns: { from: "date", to: "date" }, areas: years, raster: grid } as const;
  const RASTERS: Pick<CaseFile, "sources" | "groups"> = {
    sources: {
      "demo:loss": { ...loss, observed_until: "2021-12-31" },
      "demo:open": loss,
      "demo:drawn": {
        coverage: "global",
        columns: loss.columns,
        areas: years.map((each) => ({ ...each, boxes: [[0, 0, 5, 5]] as const })),
      },
    },
    groups: {},
  };
  const inRasters = (set: object, check: object = OVERLAP) =>
    lintOnSources(buildSourceTable(RASTERS, []), { sets: { s: set }, checks: [{ ...OVERLAP, ...check }] });

  it("names the values of which from and to decide otherwise", () => {
    const [found, ...others] = inRasters({
      sources: ["demo:loss"],
      where: asks(">", "from", { date: "2019-07-31" }),
    });
    expect(found).toMatchObject({ code: "DATES_STRADDLED", severity: "info", pointer: "/sets/s/where" });
    expect(found?.message).toContain('"Loss in 2019" of "demo:loss"');
    expect(others).toEqual([]);
    const text = { sources: ["demo:loss"], where: "from IS NULL OR to <= DATE('2021-06-30')" };
    expect(inRasters(text).map(({ code }) => code)).toContain("DATES_STRADDLED");
  });

  it.each([
    ["at the end of a year", { sources: ["demo:loss"], where: asks(">", "from", { date: "2020-12-31" }) }],
    ["of areas with rings", { sources: ["demo:drawn"], where: asks(">", "from", { date: "2019-07-31" }) }],
  ])("reports nothing for a date %s", (_, set) => {
    expect(shown(inRasters(set))).toEqual([]);
  });

  it("requires the last day of the data where a date is compared", () => {
    const cutOff = { sources: ["demo:open"], where: asks(">", "from", { date: "2020-12-31" }) };
    expect(shown(inRasters(cutOff))).toEqual(["OBSERVED_UNTIL_MISSING /sets/s/where"]);
    expect(inRasters(cutOff)[0]?.hint).toContain("max_age_days");
    expect(inRasters({ ...cutOff, max_age_days: 400 })[0]?.hint).not.toContain("max_age_days");
    expect(shown(inRasters({ sources: ["demo:open"] }))).toEqual([]);
  });

  it("reports that count counts values, where it is compared with more than 0", () => {
    const counted = (op: string, value: number, sources = ["demo:loss"]) =>
      shown(inRasters({ sources }, { measure: "count", op, value, outcome: "NOTICE" }));
    expect(counted(">", 3)).toEqual(["VALUES_COUNTED /checks/0"]);
    for (const [op, value] of [
      [">", 0],
      [">=", 1],
      ["<", 1],
      ["=", 0],
    ] as const) {
      expect(counted(op, value)).toEqual([]);
    }
    expect(counted(">", 3, ["demo:drawn"])).toEqual([]);
  });
});
