import { describe, expect, it } from "vitest";
import { type Box, makePlanarPlot, planarKernel } from "../../../test/planar-kernel.ts";
import { buildSourceTable, type CaseFile } from "../../../test/ruleset-cases.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { exactKernel } from "../../geometry/kernel/exact-kernel.ts";
import { compileRuleset } from "../compile/compile.ts";
import { evaluateRuleset } from "../evaluate/evaluate.ts";

const WORLD: Pick<CaseFile, "sources" | "borders"> = {
  borders: [
    { countries: ["BRA"], boxes: [[0, 0, 100, 200]] },
    { countries: ["COL", "PER"], boxes: [[100, 0, 200, 200]] },
  ],
  sources: {
    "demo:bra": { coverage: { countries: ["BRA"] }, areas: [] },
    "demo:own": { coverage: { boxes: [[0, 150, 50, 200]] }, areas: [] },
    "demo:a": { areas: [] },
    "demo:b": { areas: [] },
    "demo:world": { coverage: "global", areas: [] },
    "demo:list": { schemes: ["br:cnpj"], records: [] },
  },
};
const table = buildSourceTable(WORLD);
const borders = table.all("leaf").flatMap((source) => {
  const coverage =
    "snapshot" in source && source.snapshot.kind === "leaf" ? source.snapshot.coverage : undefined;
  return coverage?.extent === "countries" ? [coverage.pieces] : [];
})[0]!;

interface Options {
  readonly sources: readonly string[];
  readonly boxes: readonly Box[];
  readonly countryIso3?: string;
  readonly strictCoverage?: boolean;
  readonly kernel?: typeof exactKernel | typeof planarKernel;
  readonly meter?: WorkMeter;
}

function findWarnings({ sources, boxes, countryIso3, strictCoverage, kernel = exactKernel, meter }: Options) {
  const ruleset = {
    sets: { s: { sources }, unused: { sources: ["demo:world"] } },
    checks: [{ id: "c", set: "s", outcome: "WARNING" }],
  };
  const { warnings } = evaluateRuleset(compileRuleset(table, ruleset), {
    kernel,
    input: { plot: makePlanarPlot(boxes), schemes: [], schemePointers: [], countryIso3, digest: () => "" },
    now: "2026-06-30T12:00:00Z",
    strictCoverage,
    borders,
    meter,
  });
  return warnings;
}

const HERE: readonly Box[] = [[10, 10, 20, 20]];

describe("warnings about coverage", () => {
  it("name every source without declared coverage, once, and how it was treated", () => {
    const sources = ["demo:b", "demo:world", "demo:a"];
    expect(findWarnings({ sources, boxes: HERE })).toEqual([
      {
        pointer: "/geometry",
        code: "COVERAGE_UNDECLARED",
        message: expect.stringMatching(/"demo:a", "demo:b".*assumed to cover every plot/),
      },
    ]);
    const [strict] = findWarnings({ sources, boxes: HERE, strictCoverage: true });
    expect(strict?.message).toMatch(/assumed to cover no plot/);
    expect(findWarnings({ sources: ["demo:world", "demo:bra"], boxes: HERE })).toEqual([]);
  });

  it.each([exactKernel, planarKernel])(
    "say where exchanged axes would bring a plot into coverage",
    (kernel) => {
      const sources = ["demo:own", "demo:bra"];
      const swapped: readonly Box[] = [
        [160, 10, 170, 20],
        [180, 10, 190, 20],
      ];
      expect(findWarnings({ sources, boxes: swapped, kernel })).toEqual([
        {
          pointer: "/geometry",
          code: "AXES_SWAPPED",
          message: expect.stringContaining('the coverage of "demo:bra", "demo:own", but'),
        },
      ]);
      // All but a part of it; covered as it is; beyond any latitude.
      expect(findWarnings({ sources, boxes: [[140, 10, 170, 60]], kernel })).toMatchObject([
        { message: expect.stringContaining('the coverage of "demo:bra", but') },
      ]);
      expect(findWarnings({ sources: ["demo:own"], boxes: [[140, 10, 170, 60]], kernel })).toEqual([]);
      expect(findWarnings({ sources: ["demo:bra"], boxes: HERE, kernel })).toEqual([]);
      expect(findWarnings({ sources, boxes: [[100_000, 10, 100_010, 20]], kernel })).toEqual([]);
    },
  );

  it("report where the borders place the plot in other countries than its own", () => {
    const sources = ["demo:world"];
    expect(findWarnings({ sources, boxes: HERE, countryIso3: "BRA" })).toEqual([]);
    expect(findWarnings({ sources, boxes: [[95, 10, 105, 20]], countryIso3: "PER" })).toEqual([]);
    expect(findWarnings({ sources, boxes: [[120, 10, 130, 20]], countryIso3: "BRA" })).toEqual([
      {
        pointer: "/country_iso3",
        code: "COUNTRY_MISMATCH",
        message: "found the country BRA, but the borders place the plot in COL, PER",
      },
    ]);
    expect(findWarnings({ sources, boxes: [[-20, 10, -10, 20]], countryIso3: "BRA" })).toMatchObject([
      { message: expect.stringContaining("in no country") },
    ]);
  });

  it("are left out, and refuse no answer, where they would take more work than is left", () => {
    const options = { sources: ["demo:own"], boxes: [[160, 10, 170, 20]], countryIso3: "FRA" } as const;
    const codes = (meter: WorkMeter) => findWarnings({ ...options, meter }).map(({ code }) => code);
    const meter = new WorkMeter();
    expect(codes(meter)).toEqual(["AXES_SWAPPED", "COUNTRY_MISMATCH"]);
    const enough = meter.counted;
    expect(codes(new WorkMeter(enough))).toEqual(["AXES_SWAPPED", "COUNTRY_MISMATCH"]);
    expect(codes(new WorkMeter(enough - 1))).toEqual(["AXES_SWAPPED"]);
  });
});
