/**
 * The whole path on real layers: source files → data folder → engine → verdicts.
 *
 * Reads the folder named by GROUNDRULE_REAL_DATA, of which nothing is in this repository, and
 * compares with the independent counts its README.md gives.
 */
import { createHash } from "node:crypto";
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { presets } from "@groundrule/data/rulesets";
import type { Check, Engine, EvaluationInput, Policy, Ruleset, SourceManifest } from "@groundrule/engine";
import { areaCoordinates, isRaster, openSnapshot } from "@groundrule/engine/build";
import { parseRuleset } from "@groundrule/engine/rulesets";
import { buildSnapshot, type IngestReport, parseSource } from "@groundrule/ingest";
import { installEdition, openData, readShared } from "@groundrule/node";
import { formatEditionPath } from "@groundrule/node/internal";
import { getRealFolder } from "../tools/machine/real-data.ts";
import { formatMarkdownTable, measureCpuMicros } from "./measure.ts";

const folder = getRealFolder();

const BUILT = [
  "br_funai_indigenous_lands_2023",
  "br_icmbio_federal_units_amazon_2019",
  "br_cnuc_conservation_units_2024",
  "br_mma_deforestation_1977_1991",
  "br_amazon_areas_with_mining",
  "amazon_mining_scars_2019_2025",
  "plots_fields_world",
  "ne_10m_admin_0_countries",
  "br_ibge_municipalities",
  "br_ibge_biomes",
  "br_incra_quilombola_2026",
  "reg_ofac_sdn_2023_identifiers",
  "reg_br_lista_suja_2023_companies",
];

interface BuiltSource {
  readonly file: string;
  readonly manifest: SourceManifest;
  readonly report: IngestReport;
  /** Ids of areas whose geometry was valid as it came. */
  readonly repaired: ReadonlySet<string>;
}

const data = mkdtempSync(join(tmpdir(), "groundrule-real-"));
let failures = 0;
try {
  const built = await buildSources(BUILT);
  const { engine } = openData(data);
  compareIntersectingPairs(engine, built);
  const scars = selectBrazilianScars(built);
  screenMiningScars(engine, scars);
  evaluatePresets(engine, scars.slice(0, 1000));
} finally {
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function buildSources(names: readonly string[]): Promise<BuiltSource[]> {
  console.log("Building\n");
  const rows = [["source", "features", "positions", "bytes/position", "left out"]];
  const built: BuiltSource[] = [];
  for (const name of names) {
    const { manifest } = parseSource(
      JSON.parse(readFileSync(join(import.meta.dirname, `../data/sources/${name}.json`), "utf8")),
    );
    const extension = manifest.kind === "leaf" ? "geojson.gz" : "csv.gz";
    const path = join(folder, `${name}.${extension}`);
    const { file, report } = await buildSnapshot(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      manifest,
      {
        sha256: () => createHash("sha256"),
        crc32,
        crs: crsTable,
        openPolygons: (named) => createReadStream(join(import.meta.dirname, "../data/sources", named)),
      },
    );
    await installEdition(data, file, { left_out: report.left_out.length });
    const snapshot = formatEditionPath(data, manifest.source_name, file.meta.edition);
    const repaired = new Set([...report.repaired, ...report.left_out].flatMap(({ id }) => id ?? []));
    built.push({ file: basename(path), manifest, report, repaired });
    rows.push([
      manifest.source_name,
      String(report.stored),
      String(report.positions),
      report.positions === 0 ? "" : (statSync(snapshot).size / report.positions).toFixed(1),
      report.left_out.map(({ id, reason }) => `${id}: ${reason}`).join("; "),
    ]);
  }
  console.log(formatMarkdownTable(rows));
  return built;
}

/**
 * Counts intersecting pairs of areas that were valid on both sides, and sets them beside the
 * independent counts of the folder's README; then what the repaired features add.
 */
function compareIntersectingPairs(engine: Engine, built: readonly BuiltSource[]): void {
  console.log("\nIntersecting pairs, features valid as they came on both sides\n");
  const rows = [["asked", "of", "valid", "pairs", "with a hit", "theirs", "", "repaired add"]];
  for (const expected of readIndependentAnswers(join(folder, "README.md"))) {
    const a = built.find(({ file }) => file.startsWith(expected.a));
    const b = built.find(({ file }) => file.startsWith(expected.b));
    if (a === undefined || b === undefined) continue;
    let pairs = 0;
    let hits = 0;
    let added = 0;
    for (const { id, geometry } of listAreaGeometries(a)) {
      const { matches } = engine.intersections(geometry, { sources: [b.manifest.source_name] });
      const valid = a.repaired.has(id) ? [] : matches.filter((match) => !b.repaired.has(match.source_id));
      pairs += valid.length;
      hits += valid.length > 0 ? 1 : 0;
      added += matches.length - valid.length;
    }
    const validA = a.report.stored - a.report.repaired.length;
    const validB = b.report.stored - b.report.repaired.length;
    const found = [`${validA}/${validB}`, `${pairs}`, `${hits}`];
    const theirs = [`${expected.validA}/${expected.validB}`, `${expected.pairs}`, `${expected.hits}`];
    const same = found.join() === theirs.join();
    if (!same) failures++;
    rows.push([
      a.manifest.source_name,
      b.manifest.source_name,
      ...found,
      theirs.join(" "),
      same ? "equal" : "DIFFERENT",
      String(added),
    ]);
  }
  console.log(formatMarkdownTable(rows));
}

/** The areas of a built source as GeoJSON geometries, as stored. */
function* listAreaGeometries({
  manifest,
}: BuiltSource): Generator<{ id: string; geometry: object; properties: Record<string, unknown> }> {
  const edition = openData(data).editions.get(manifest.source_name);
  if (edition === undefined) throw new Error(`${manifest.source_name} has no edition`);
  const snapshot = openSnapshot(readShared(formatEditionPath(data, manifest.source_name, edition)), {
    crc32,
  });
  if (snapshot.kind !== "leaf" || isRaster(snapshot))
    throw new Error(`${manifest.source_name} has no polygons`);
  for (let area = 0; area < snapshot.layer.areaCount; area++) {
    yield {
      id: snapshot.attributes.id(area),
      geometry: { type: "MultiPolygon", coordinates: areaCoordinates(snapshot.layer, area) },
      properties: { ...snapshot.attributes.properties(area), iso3: snapshot.attributes.countryIso3(area) },
    };
  }
}

interface IndependentAnswer {
  readonly a: string;
  readonly b: string;
  readonly validA: number;
  readonly validB: number;
  readonly pairs: number;
  readonly hits: number;
}

/** The table "Independent answers" of the data folder's README. */
function readIndependentAnswers(path: string): IndependentAnswer[] {
  const [, section = ""] = readFileSync(path, "utf8").split("## Independent answers");
  return section
    .split("\n")
    .filter((line) => /^\| [a-z]/.test(line))
    .map((line) => {
      const [, a = "", b = "", ...cells] = line.split("|").map((cell) => cell.trim());
      const [validA = 0, validB = 0, , pairs = 0, hits = 0] = cells.map((cell) =>
        Number(cell.replaceAll(",", "")),
      );
      return { a, b, validA, validB, pairs, hits };
    });
}

/** Mining scars of 2023 in Brazil as plots. */
function selectBrazilianScars(built: readonly BuiltSource[]): readonly object[] {
  const scars = built.find(({ manifest }) => manifest.source_name === "amw:mining_scars")!;
  return [...listAreaGeometries(scars)]
    .filter(({ properties }) => properties.period === "2023" && properties.iso3 === "BRA")
    .map(({ geometry }) => geometry);
}

/** Is there mining where there must be none? */
function screenMiningScars(engine: Engine, scars: readonly object[]): void {
  console.log('\nBrazilian mining scars of 2023 against "no mining in indigenous land or federal unit"\n');
  const ruleset = engine.compile({
    name: "no-mining",
    sets: {
      indigenous: { sources: ["br:funai"] },
      federal: {
        sources: ["br:cnuc"],
        where: { op: "=", args: [{ property: "sphere" }, "Federal"] },
      },
      federal_detailed: { sources: ["br:icmbio"] },
    },
    checks: [
      { id: "indigenous-land", set: "indigenous", measure: "overlap_area_m2", outcome: "NON_COMPLIANT" },
      {
        id: "federal-unit",
        outcome: "NON_COMPLIANT",
        any: [
          { set: "federal", measure: "overlap_area_m2" },
          { set: "federal_detailed", measure: "overlap_area_m2" },
        ],
      },
    ],
  });
  const inputs = scars.map((geometry) => ({ geometry }) as EvaluationInput);
  console.log(
    formatMarkdownTable([["verdicts", "checks triggered", "s CPU"], evaluateInputs(ruleset, inputs)]),
  );
}

/** How many verdicts there are of each kind, how often each check is triggered, and the CPU time. */
function evaluateInputs(policy: Policy, inputs: readonly EvaluationInput[]): string[] {
  const verdicts: string[] = [];
  const triggered: string[] = [];
  const micros = measureCpuMicros(() => {
    for (const input of inputs) {
      const { verdict, checks } = policy.evaluate(input, { now: "2026-11-20T00:00:00Z" });
      verdicts.push(verdict);
      for (const check of checks) if (check.triggered) triggered.push(check.id);
    }
  });
  const counted = (words: readonly string[]): string =>
    [...Map.groupBy(words, (word) => word)]
      .map(([word, { length }]) => `${length} ${word}`)
      .sort()
      .join(", ");
  return [counted(verdicts), counted(triggered), (micros / 1e6).toFixed(2)];
}

/**
 * Every preset on real plots, owned in turn by a company that is listed and one that is not. A check whose group has no
 * real source is left out, and said to be.
 */
function evaluatePresets(engine: Engine, scars: readonly object[]): void {
  console.log(`\nPresets on ${scars.length} of them, owned in turn by a listed company and another\n`);
  const names = new Set(engine.sources().map(({ source_name }) => source_name));
  const rows = [["preset", "verdicts", "checks triggered", "s CPU", "left out, no real source"]];
  for (const [name, preset] of presets()) {
    const { ruleset, leftOut } = restrictToSources(parseRuleset(preset), names);
    if (ruleset.checks.length === 0) {
      rows.push([name, "not asked", "", "", leftOut.join(", ")]);
      continue;
    }
    const listed = name === "preset.sanctions" ? "35.116.112/0001-97" : "02.387.202/0001-63";
    const inputs = scars.map((geometry, i) => {
      const scheme = { type: "br:cnpj", value: i % 2 === 0 ? listed : "11.222.333/0001-81", role: "owner" };
      return { geometry, scheme } as EvaluationInput;
    });
    rows.push([name, ...evaluateInputs(engine.compile(ruleset), inputs), leftOut.join(", ")]);
  }
  console.log(formatMarkdownTable(rows));
}

/** The checks of a ruleset that these sources and groups can answer, and the ids of the others. */
function restrictToSources(
  ruleset: Ruleset,
  names: ReadonlySet<string>,
): { ruleset: Ruleset; leftOut: readonly string[] } {
  const isKnown = (name: string): boolean => {
    const set = ruleset.sets[name]!;
    if ("sources" in set) return set.sources.every((source) => names.has(source));
    if ("registers" in set) return set.registers.every((source) => names.has(source));
    return Object.values(set)
      .flat()
      .every((operand) => isKnown(operand as string));
  };
  const canAsk = (check: Check): boolean => {
    const comparisons = "all" in check ? check.all : "any" in check ? check.any : [check];
    return comparisons.every((comparison) => {
      const { value } = comparison;
      if (typeof value === "object" && "set" in value && !isKnown(value.set)) return false;
      return "fact" in comparison || isKnown(comparison.set);
    });
  };
  const sets = Object.entries(ruleset.sets).filter(([name]) => isKnown(name));
  return {
    ruleset: { ...ruleset, sets: Object.fromEntries(sets), checks: ruleset.checks.filter(canAsk) },
    leftOut: ruleset.checks.filter((check) => !canAsk(check)).map(({ id }) => id),
  };
}
