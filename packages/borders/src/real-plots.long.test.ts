import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openEngine } from "@groundrule/engine";
import { snapshotOf } from "@groundrule/engine/build";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { describe, expect, it } from "vitest";
import { bordersSnapshot, piecesFor } from "./index.ts";

const folder = process.env.GROUNDRULE_REAL_DATA;
const borders = bordersSnapshot();
const NOW = "2026-11-22T00:00:00Z";

interface RealPlot {
  readonly properties: { readonly id: string; readonly iso3: string };
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] };
}

function readPlots(name: string): readonly RealPlot[] {
  const bytes = gunzipSync(readFileSync(join(folder ?? "", `${name}.geojson.gz`)));
  return (JSON.parse(bytes.toString("utf8")) as { features: RealPlot[] }).features;
}

/** A source that declares one country, of an area that lies in no plot. */
function buildSource(country: string) {
  const area = { type: "Feature", properties: { id: 1 }, geometry: createSquarePolygon(-160, -70, 0.01) };
  return snapshotOf(`real:${country.toLowerCase()}`, [area], { id: "id", coverage: [country], borders });
}

const policyOn = (country: string) =>
  openEngine([buildSource(country)], { borders }).compile({
    sets: { s: { sources: [`real:${country.toLowerCase()}`] } },
    checks: [{ id: "c", set: "s", outcome: "NON_COMPLIANT" }],
  });

const isOfCoverage = (code: string) => /^(?:AXES|COUNTRY|COVERAGE)_/.test(code);

/**
 * Land along the Danube that the borders place in Bulgaria in part, though Romania publishes it. Five are one
 * polygon.
 */
const ON_THE_DANUBE = [43, 44, 52, 59, 60, 61].map((number) => `ec_ro-${number}`);
/** Touches itself, and is refused. */
const INVALID = "sk-32";

describe.skipIf(folder === undefined)("real plots", () => {
  it("outside of Brazil are never compliant by sources that declare Brazil, and those inside are", () => {
    const plots = readPlots("plots_whisp_examples");
    const policy = policyOn("BRA");
    const verdicts = plots.map(({ geometry, properties }) => {
      const { verdict, sources, warnings } = policy.evaluate(
        { geometry, country_iso3: properties.iso3 },
        { now: NOW },
      );
      expect(warnings.map(({ code }) => code).filter(isOfCoverage)).toEqual([]);
      return { iso3: properties.iso3, verdict, coverage: sources[0]!.coverage };
    });
    const [inside, outside] = [true, false].map((isIn) =>
      verdicts.filter(({ iso3 }) => (iso3 === "BRA") === isIn),
    );
    expect(inside!.map(({ verdict }) => verdict)).toEqual(Array(9).fill("COMPLIANT"));
    expect(outside!.map(({ verdict }) => verdict)).toEqual(Array(41).fill("WARNING"));
    expect(new Set(outside!.map(({ coverage }) => coverage))).toEqual(new Set(["none"]));
  });

  it("with their axes exchanged are named, if they lie where sources speak", () => {
    const policy = policyOn("BRA");
    for (const { geometry, properties } of readPlots("plots_whisp_examples")) {
      // Beyond 90° of longitude an exchanged position is none.
      if (["VNM", "IDN", "MYS", "PNG"].includes(properties.iso3)) continue;
      const exchanged = JSON.parse(JSON.stringify(geometry), (_, value: unknown) =>
        Array.isArray(value) && typeof value[0] === "number" ? [value[1], value[0]] : value,
      ) as object;
      const codes = policy.evaluate({ geometry: exchanged }, { now: NOW }).warnings.map(({ code }) => code);
      expect(codes.filter(isOfCoverage)).toEqual(properties.iso3 === "BRA" ? ["AXES_SWAPPED"] : []);
    }
  });

  it("are covered by a source of their country, and by none of a country that does not adjoin it", () => {
    const plots = readPlots("plots_fields_world").filter(({ properties }) => properties.id !== INVALID);
    const countries = [...new Set(plots.map(({ properties }) => properties.iso3))];
    const engine = openEngine(countries.map(buildSource));
    const pieces = piecesFor(countries).map((piece) => piece.countries);
    const adjoin = (a: string, b: string) => pieces.some((codes) => codes.includes(a) && codes.includes(b));
    let compared = 0;
    for (const { geometry, properties } of plots) {
      const { sources } = engine.intersections(geometry);
      for (const { source_name, coverage } of sources) {
        const country = source_name.slice("real:".length).toUpperCase();
        const where = `${properties.id} in ${properties.iso3}, asked of ${country}`;
        const own = ON_THE_DANUBE.includes(properties.id) ? "partial" : "full";
        if (country === properties.iso3) expect(coverage, where).toBe(own);
        else if (!adjoin(country, properties.iso3)) {
          expect(coverage, where).toBe("none");
          compared++;
        }
      }
    }
    expect(plots.length).toBe(2_609);
    expect(compared).toBeGreaterThan(40_000);
  });
});
