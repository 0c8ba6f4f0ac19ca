import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { countriesAt, countryName, iso2Of, iso3Of, territoryOf } from "@groundrule/borders";
import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { describe, expect, it } from "vitest";
import { comparePlots } from "../compare/plot-comparer.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import { eudr } from "../profiles/eudr.ts";
import { qualityChecks } from "../quality/quality-checks.ts";
import { checkPlots } from "./plot-checker.ts";

const folder = process.env.GROUNDRULE_REAL_DATA;

interface Feature {
  readonly id?: string;
  readonly geometry: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

function readFeatures(name: string): Feature[] {
  return JSON.parse(gunzipSync(readFileSync(`${folder}/${name}.geojson.gz`)).toString("utf8")).features;
}

function readPlots(name: string): PlotFeature[] {
  return readFeatures(name).map(({ id, geometry, properties }, i) => ({
    number: i + 1,
    id: id ?? String(properties.id ?? i + 1),
    geometry,
    properties,
  }));
}

function countCodes(findings: readonly PlotFinding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of findings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const COUNTRIES = { countriesAt, countryName, iso2Of, iso3Of, territoryOf };
/** Codes that GEOS counts as validity; the rest concern positions, countries and properties. */
const VALIDITY = /^RING|^HOLE|^INTERIOR|^PARTS/;

describe.runIf(folder !== undefined)("on real plots", () => {
  it.each([
    ["plots_whisp_examples", []],
    ["plots_fields_world", ["sk-32"]],
  ] as const)("finds in %s what GEOS 3.11.1 holds invalid", (name, invalid) => {
    const errors = [...checkPlots(readPlots(name))].filter(({ code }) => VALIDITY.test(code));
    expect([...new Set(errors.map(({ id }) => id))]).toEqual(invalid);
  });

  it("finds Whisp's examples in their declared places, apart from the names that the EU reads", () => {
    const findings = [
      ...checkPlots(readPlots("plots_whisp_examples"), { profile: eudr, countries: COUNTRIES }),
    ];
    expect(countCodes(findings)).toEqual({
      COUNTRY_CODE_INVALID: 50,
      HOLE_UNSUPPORTED: 1,
      MEMBER_MISSING: 50,
      MEMBER_MISSPELT: 100, // each states its area and its country under names of its own
      WINDING_REVERSED: 9,
    });
  });

  it("finds in fields of the world what the cut breaks, as GEOS 3.14 holds them invalid after it", () => {
    const plots = readPlots("plots_fields_world");
    const findings = [...checkPlots(plots, { profile: eudr, countries: COUNTRIES })];
    const broken = findings.filter(({ code }) => code === "CUT_BREAKS_RING").map(({ id }) => id);
    // sk-32 is invalid before the cut.
    const valid = ["dk-63", "nl-9", "pt-4", "pt-7", "pt-93", "pt_osa-10", "pt_osa-11", "pt_osa-74", "sk-84"];
    expect([...new Set(broken)]).toEqual(valid);
    expect(countCodes(findings)).toEqual({
      COUNTRY_CODE_INVALID: plots.length,
      CUT_BREAKS_RING: 11,
      CUT_REPEATS_POSITION: 1474, // as many as Python's decimals make equal
      HOLE_UNSUPPORTED: 1009,
      MEMBER_MISSING: plots.length,
      MEMBER_MISSPELT: 2 * plots.length,
      PARTLY_OUTSIDE_COUNTRY: 6,
      REPEATED_POSITION: 1,
      RING_SELF_TOUCH: 1,
      WINDING_REVERSED: 2877,
    });
  });

  it("has the doubts that the page of the profile quality states", () => {
    const doubts = (name: string): Record<string, number> => {
      const findings = [...checkPlots(readPlots(name), { quality: qualityChecks, countries: COUNTRIES })];
      const plots = new Map(
        findings.flatMap(({ code, plot, profile }) =>
          profile === undefined ? [] : [[`${code} ${plot}`, code]],
        ),
      );
      return Object.fromEntries(
        Object.entries(Object.groupBy([...plots.values()], (code) => code!)).map(([code, all]) => [
          code,
          all!.length,
        ]),
      );
    };
    expect(doubts("plots_fields_world")).toEqual({ SEGMENT_SHORT: 185, SPIKE: 24 });
    expect(doubts("plots_whisp_examples")).toEqual({ FEW_VERTICES: 1 });
  });

  it("finds the fields that were collected twice, as the engine measures them one by one", () => {
    const plots = readPlots("plots_fields_world");
    const overlaps = comparePlots(plots);
    for (const { plot, other, squareMeters } of overlaps) {
      const [one, two] = [plots[plot.number - 1]!, plots[other.number - 1]!];
      const feature = { type: "Feature", geometry: one.geometry as object, properties: { id: "1" } };
      const engine = openEngine([snapshotOf("one", [feature], { id: "id" })]);
      const [match] = engine.intersections(two.geometry as object).matches;
      expect(squareMeters).toBeCloseTo(match!.overlap_area_m2, 0);
    }
    expect(overlaps.filter(({ isDuplicate }) => isDuplicate)).toHaveLength(10);
  });
});
