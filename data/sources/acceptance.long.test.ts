import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Engine, Evaluation, EvaluationInput, SourceManifest } from "@groundrule/engine";
import { prepareArea } from "@groundrule/engine/build";
import { buildSnapshot, parseManifest, parseSource } from "@groundrule/ingest";
import { installEdition, openData } from "@groundrule/node";
import { GUARDS } from "@groundrule/node/internal";
import { toPositions } from "@groundrule/testing/shapes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/*
 * Promises about coverage, tested on real plots along the path of a user: manifests of this folder, builds, a data
 * folder, its engine, a policy.
 */

const folder = process.env.GROUNDRULE_REAL_DATA;
const NOW = "2026-11-22T00:00:00Z";

type Position = readonly [lon: number, lat: number];

interface Feature {
  readonly geometry: { readonly type: "Polygon" | "MultiPolygon"; readonly coordinates: unknown };
  readonly properties: { readonly id: string; readonly iso3: string; readonly dataset: string };
}

describe.runIf(folder !== undefined)("sources that declare Brazil, and real plots of 19 countries", () => {
  const NAMES = readdirSync(import.meta.dirname)
    .filter((file) => file.startsWith("br_") && file.endsWith(".json") && declaresBrazil(file))
    .map((file) => file.replace(".json", ""));
  const plots = () => readFeatures("plots_whisp_examples");
  const inside = () => plots().filter(({ properties }) => properties.iso3 === "BRA");
  const outside = () => plots().filter(({ properties }) => properties.iso3 !== "BRA");
  const { open, close } = createDataFolders();
  let declared: Engine;
  let undeclared: Engine;

  beforeAll(async () => {
    declared = await open(NAMES.map((name) => () => build(name, readManifest(name))));
    undeclared = await open(NAMES.map((name) => () => build(name, withoutCoverage(readManifest(name)))));
  }, 120_000);
  afterAll(close);

  it("are the five whose manifests declare it", () => {
    expect(listSources(declared).map(({ source_name, coverage }) => [source_name, coverage])).toEqual(
      ["br:biomes", "br:cnuc", "br:funai", "br:municipalities", "br:quilombola"].map((name) => [
        name,
        { extent: "countries", known: "declared" },
      ]),
    );
    expect(new Set(listSources(undeclared).map(({ coverage }) => coverage?.extent))).toEqual(
      new Set(["undeclared"]),
    );
    expect([inside().length, outside().length]).toEqual([9, 41]);
  });

  it("call none of the 41 plots outside of Brazil COMPLIANT, by any measure", () => {
    for (const { geometry, properties } of outside()) {
      const { verdict, status, checks, sources } = judge(declared, { geometry });
      expect([properties.id, verdict, status]).toEqual([properties.id, "WARNING", "ok"]);
      expect(sources.map(({ coverage }) => coverage)).toEqual(sources.map(() => "none"));
      for (const { status, triggered, open } of checks) {
        const reasons = new Set(open!.map(({ because, covered_ratio }) => `${because} ${covered_ratio}`));
        expect({ status, triggered, reasons: [...reasons] }).toEqual({
          status: "not_covered",
          triggered: false,
          reasons: ["coverage 0"],
        });
      }
      expect(judge(undeclared, { geometry }).verdict).toBe("COMPLIANT");
    }
  });

  it("answer for the nine inside as when nothing was known of coverage", () => {
    for (const { geometry } of inside()) {
      const [now, before] = [judge(declared, { geometry }), judge(undeclared, { geometry })];
      expect(pickDecisiveParts(now)).toEqual(pickDecisiveParts(before));
      expect(now.sources.map(({ coverage }) => coverage)).toEqual(now.sources.map(() => "full"));
      expect(listDoubts(now)).toEqual([]);
      expect(listDoubts(before)).toEqual(["COVERAGE_UNDECLARED"]);
      const strict = judge(undeclared, { geometry }, true);
      expect(strict.checks.map(({ triggered }) => (triggered ? "ok" : "not_covered"))).toEqual(
        strict.checks.map(({ status }) => status),
      );
    }
  });

  it("report for the nine sent latitude first that their axes are swapped, and call none COMPLIANT", () => {
    for (const { geometry } of inside()) {
      const swapped = judge(declared, { geometry: withAxesSwapped(geometry) });
      expect([swapped.verdict, listDoubts(swapped)]).toEqual(["WARNING", ["AXES_SWAPPED"]]);
    }
    for (const { geometry } of outside()) expect(listDoubts(judge(declared, { geometry }))).toEqual([]);
  });

  it("judge points with an area as they judge the land", () => {
    for (const { geometry, properties } of plots()) {
      const point = { type: "Point", coordinates: getFirstCorner(geometry) };
      const { verdict, checks, input, sources } = judge(declared, { geometry: point, area_ha: 4 });
      const isInside = properties.iso3 === "BRA";
      expect(input.area_m2).toBe(40_000);
      expect(new Set(sources.map(({ coverage }) => coverage))).toEqual(new Set([isInside ? "full" : "none"]));
      expect(new Set(checks.map(({ status }) => status))).toEqual(new Set([isInside ? "ok" : "not_covered"]));
      if (!isInside) expect(verdict).toBe("WARNING");
    }
    const [home, abroad] = [inside()[0]!, outside()[0]!].map(({ geometry }) => getFirstCorner(geometry));
    const both = { type: "MultiPoint", coordinates: [home, abroad] };
    const { verdict, sources } = judge(declared, { geometry: both, area_ha: 4 });
    expect(verdict).not.toBe("COMPLIANT");
    expect(new Set(sources.map(({ coverage }) => coverage))).toEqual(new Set(["partial"]));
    expect(() => judge(declared, { geometry: both })).toThrow("area_ha");
  });
});

describe.runIf(folder !== undefined)("the 2,610 real fields of 23 countries", () => {
  /** For each country of the fields, a country that does not adjoin it. */
  const FAR: Readonly<Record<string, string>> = {
    ...{ AUT: "FRA", BEL: "AUT", BFA: "BRA", BGR: "AUT", BRA: "BFA", CHE: "CZE", CZE: "CHE", DEU: "ROU" },
    ...{ DNK: "NLD", ESP: "CHE", FIN: "DNK", FRA: "AUT", IND: "KHM", IRL: "FRA", KHM: "IND", NLD: "DNK" },
    ...{ NZL: "USA", PRT: "FRA", ROU: "AUT", SVK: "DEU", SWE: "DEU", USA: "NZL", VNM: "IND" },
  };
  /** Parcels of the Danube, where the generalised border is up to 8.8 km beside the river (docs/semantics/borders.md). */
  const RIVERS = ["ec_ro-43", "ec_ro-44", "ec_ro-52", "ec_ro-59", "ec_ro-60", "ec_ro-61"];
  const { open, close } = createDataFolders();
  afterAll(close);

  it("are covered by a source that declares their country, and not by one of a country that does not adjoin", async () => {
    const fields = readFeatures("plots_fields_world");
    const countries = [...new Set(fields.map(({ properties }) => properties.iso3))].sort();
    expect([fields.length, countries]).toEqual([2610, Object.keys(FAR).sort()]);
    const engine = await open(countries.map((code) => () => buildEmpty(code)));
    const wrong: string[] = [];
    const every = process.env.GROUNDRULE_FULL === undefined ? 8 : 1;
    const evaluated = fields.filter((_, i) => i % every === 0);
    for (const { geometry, properties } of evaluated) {
      const [near, far] = [properties.iso3, FAR[properties.iso3]!];
      const check = (code: string) => ({ id: code.toLowerCase(), set: code.toLowerCase() });
      const set = (code: string) => [code.toLowerCase(), { sources: [toSourceName(code)] }];
      const policy = engine.compile({
        sets: Object.fromEntries([near, far].map(set)),
        checks: [near, far].map((code) => ({ ...check(code), outcome: "NON_COMPLIANT" })),
      });
      const { checks, sources } = policy.evaluate({ geometry: repairGeometry(geometry) }, { now: NOW });
      const declareCoverage = (code: string) =>
        sources.find(({ source_name }) => source_name === toSourceName(code))?.coverage;
      const found = [
        declareCoverage(near),
        declareCoverage(far),
        ...checks.map(({ status }) => status),
      ].join();
      if (found !== "full,none,ok,not_covered") wrong.push(properties.id);
    }
    const ids = new Set(evaluated.map(({ properties }) => properties.id));
    expect(wrong).toEqual(RIVERS.filter((id) => ids.has(id)));
  });

  function toSourceName(code: string): string {
    return `one:${code.toLowerCase()}`;
  }

  async function buildEmpty(code: string) {
    async function* bytes() {
      yield new TextEncoder().encode('{"type": "FeatureCollection", "features": []}');
    }
    const manifest = { source_name: toSourceName(code), kind: "leaf", id: "id", coverage: [code] } as const;
    return buildSnapshot(bytes(), parseManifest(manifest));
  }
});

/** Checks of every kind on each source, and one over all of them. */
function writeRuleset(names: readonly string[]) {
  const measures = ["count", "overlap_area_m2", "overlap_ratio", "max_overlap_area_m2"];
  const toCheckId = (name: string) => name.replace(":", "_");
  const sets = names.flatMap((name) => [
    [toCheckId(name), { sources: [name] }],
    [`near_${toCheckId(name)}`, { sources: [name], within_m: 1000 }],
  ]);
  const ofOne = names.flatMap((name) => [
    ...measures.map((measure) => ({ id: `${toCheckId(name)}-${measure}`, set: toCheckId(name), measure })),
    { id: `near-${toCheckId(name)}`, set: `near_${toCheckId(name)}` },
  ]);
  // A source that covers all of Brazil would be found on each plot inside.
  const checks = [...ofOne, { id: "all", set: "all" }].map((check) => ({
    ...check,
    outcome: /biomes|municipalities/.test(check.id) || check.id === "all" ? "WARNING" : "NON_COMPLIANT",
  }));
  return { sets: { ...Object.fromEntries(sets), all: { sources: names } }, checks };
}

function judge(engine: Engine, input: EvaluationInput, strictCoverage?: boolean): Evaluation {
  return engine
    .compile(writeRuleset(listSources(engine).map(({ source_name }) => source_name)))
    .evaluate(input, { now: NOW, strictCoverage });
}

/** Codes of the warnings, but for that of rings that wind the other way round. */
function listDoubts({ warnings }: Evaluation): string[] {
  return warnings.map(({ code }) => code).filter((code) => code !== "WINDING_REVERSED");
}

function listSources(engine: Engine) {
  return engine.sources().filter(({ kind }) => kind !== "group");
}

/**
 * The parts of a verdict that do not depend on how coverage is known. An undeclared source is another edition, without
 * countries.
 */
function pickDecisiveParts({ verdict, status, at_least, checks, sources }: Evaluation) {
  return {
    ...{ verdict, status, at_least },
    checks: checks.map((check) => ({
      ...check,
      evidence: check.evidence.map((item) => ({ ...item, country_iso3: null, edition: null })),
    })),
    matched: sources.map(({ matched }) => matched),
  };
}

/** Data folders of one suite. */
function createDataFolders() {
  const dirs: string[] = [];
  return {
    async open(builds: readonly (() => ReturnType<typeof buildSnapshot>)[]): Promise<Engine> {
      const dir = mkdtempSync(join(tmpdir(), "groundrule-acceptance-"));
      dirs.push(dir);
      for (const start of builds)
        await installEdition(dir, (await start()).file, undefined, { allow: GUARDS });
      return openData(dir).engine;
    },
    close() {
      for (const dir of dirs) rmSync(dir, { recursive: true });
    },
  };
}

function build(name: string, manifest: SourceManifest) {
  return buildSnapshot(createReadStream(`${folder}/${name}.geojson.gz`), manifest);
}

function readManifest(name: string): SourceManifest {
  return parseSource(JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), "utf8"))).manifest;
}

function declaresBrazil(file: string): boolean {
  return JSON.stringify(readManifest(file.replace(".json", "")).coverage) === '["BRA"]';
}

/** Without its countries either, from which the coverage would be derived. */
function withoutCoverage(manifest: SourceManifest): SourceManifest {
  const { coverage: _coverage, country: _country, ...rest } = manifest;
  return rest;
}

function readFeatures(name: string): readonly Feature[] {
  return JSON.parse(gunzipSync(readFileSync(`${folder}/${name}.geojson.gz`)).toString()).features;
}

/** With whatever a check of input would refuse repaired, as the one field whose ring touches itself. */
function repairGeometry(geometry: object): object {
  const { polygons } = prepareArea(geometry);
  return { type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map(toPositions)) };
}

function toPolygons({ type, coordinates }: Feature["geometry"]): readonly Position[][][] {
  return (type === "Polygon" ? [coordinates] : coordinates) as Position[][][];
}

function getFirstCorner(geometry: Feature["geometry"]): Position {
  return toPolygons(geometry)[0]![0]![0]!;
}

function withAxesSwapped(geometry: Feature["geometry"]): object {
  const swapped = toPolygons(geometry).map((rings) =>
    rings.map((ring) => ring.map(([lon, lat]) => [lat, lon])),
  );
  return { type: "MultiPolygon", coordinates: swapped };
}
