import { type CrsTable, EngineError, type Fault, type SourceManifest } from "@groundrule/engine";
import { type CoverageInput, type PreparedArea, prepareArea } from "@groundrule/engine/build";
import { AreaGeometry, type Feature, FormatError, openStream } from "@groundrule/formats";
import { IngestError } from "./ingest-error.ts";
import { toTallies } from "./manifest/mapping.ts";
import type { CoverageReport, RepairedArea } from "./report.ts";
import { buildRepairedArea } from "./report-repair.ts";

/** Opens the file that a manifest names, by its path as the manifest has it. */
export type OpenPolygons = (path: string) => AsyncIterable<Uint8Array>;

/** The coverage that a manifest declares, ready to be written, and what was done to its polygons. */
export interface DeclaredCoverage {
  readonly coverage: CoverageInput;
  readonly repaired: readonly RepairedArea[];
}

/**
 * The coverage that a manifest declares; undefined where it declares none.
 *
 * Fails: `MANIFEST_INVALID` for a country whose borders are not known; `COVERAGE_INVALID` for a polygon file
 * that is none; as `openTable`, and what `openPolygons` throws.
 */
export async function resolveDeclaredCoverage(
  { coverage }: SourceManifest,
  openPolygons: OpenPolygons | undefined,
  crs: CrsTable | undefined,
): Promise<DeclaredCoverage | undefined> {
  if (coverage === undefined) return undefined;
  if (coverage === "global") return { coverage: { extent: "global", known: "declared" }, repaired: [] };
  if ("polygons" in coverage) return readCoveragePolygons(coverage.polygons, openPolygons, crs);
  const { hasBorders, piecesFor } = await import("@groundrule/borders");
  const faults = coverage.flatMap((code, i): Fault[] => {
    if (hasBorders(code)) return [];
    const message = `found "${code}", whose borders are not known, expected another code, or polygons in its place: "coverage": {"polygons": "FILE.geojson"}`;
    return [{ pointer: `/coverage/${i}`, code: "BORDERS_MISSING", message }];
  });
  if (faults[0] !== undefined) {
    const { pointer, message } = faults[0];
    throw new IngestError("MANIFEST_INVALID", `manifest, ${pointer}: ${message}`, { faults });
  }
  const countries = [...new Set(coverage)].sort();
  const pieces = piecesFor(countries);
  return { coverage: { extent: "countries", known: "declared", countries, pieces }, repaired: [] };
}

/** Countries that the areas of a source name. */
export interface CountryCounts {
  /** For each country, the number of areas that name it. */
  readonly counts: ReadonlyMap<string, number>;
  /** Areas that name none. */
  readonly withoutCountry: number;
}

/**
 * The coverage of a source that declares none: the countries that its areas name, as far as their borders are known.
 * Never wider: an area without a country adds nothing. Undefined if that leaves no country.
 */
export async function deriveCoverage({ counts }: CountryCounts): Promise<CoverageInput | undefined> {
  if (counts.size === 0) return undefined;
  const { hasBorders, piecesFor } = await import("@groundrule/borders");
  const countries = [...counts.keys()].filter(hasBorders).sort();
  if (countries.length === 0) return undefined;
  return { extent: "countries", known: "derived", countries, pieces: piecesFor(countries) };
}

/** Coverage in the report of a build. */
export function buildCoverageReport(
  coverage: CoverageInput | undefined,
  repaired: readonly RepairedArea[],
  { counts, withoutCountry }: CountryCounts,
): CoverageReport {
  if (coverage?.known === "declared") {
    const { extent } = coverage;
    return {
      extent,
      known: "declared",
      ...(extent === "countries" && { countries: coverage.countries }),
      ...(extent === "polygons" && { repaired }),
    };
  }
  const countries = coverage?.extent === "countries" ? coverage.countries : [];
  const without = new Map([...counts].filter(([code]) => !countries.includes(code)));
  const missing = { without_borders: toTallies(without), without_country: withoutCountry };
  if (coverage === undefined) return { extent: "undeclared", ...missing };
  return { extent: "countries", known: "derived", countries, ...missing };
}

/** All polygons of a file as one region, so that no edge between two of them passes for the end of the coverage. */
async function readCoveragePolygons(
  path: string,
  openPolygons: OpenPolygons | undefined,
  crsTable: CrsTable | undefined,
): Promise<DeclaredCoverage> {
  if (openPolygons === undefined) {
    const message = `the manifest names the polygons in "${path}", and the build was given no openPolygons to read them with`;
    throw new IngestError("COVERAGE_INVALID", message, { found: path });
  }
  const repaired: RepairedArea[] = [];
  const polygons: number[][][][] = [];
  try {
    const table = await openStream(openPolygons(path), { name: path });
    try {
      for await (const feature of table.features()) {
        const area = prepareCoverageArea(feature, crsTable);
        const { place, id = null } = feature;
        const where = { number: place.feature, ...(place.line !== undefined && { line: place.line }) };
        if (area.repaired) repaired.push(buildRepairedArea(area, where, String(id ?? where.number), null));
        const { coordinates } = new AreaGeometry(area.polygons, true).toGeoJson();
        for (const rings of coordinates as number[][][][]) polygons.push(rings);
      }
    } finally {
      await table.close();
    }
  } catch (error) {
    const message = error instanceof Error ? `coverage file "${path}", ${error.message}` : "";
    if (error instanceof FormatError) throw new FormatError(error.code, message, withoutPlace(error.details));
    if (error instanceof IngestError) throw new IngestError(error.code, message, withoutPlace(error.details));
    throw error;
  }
  if (polygons.length === 0) {
    const message = `coverage file "${path}": found no polygon, expected at least one`;
    throw new IngestError("COVERAGE_INVALID", message, { found: "no polygon", expected: "at least one" });
  }
  const whole = prepareArea({ type: "MultiPolygon", coordinates: polygons }).polygons;
  return {
    coverage: { extent: "polygons", known: "declared", pieces: [{ polygons: whole, countries: [] }] },
    repaired,
  };
}

/** The details of an error whose message already contains its place. */
function withoutPlace<Details extends object>(details: Details): Details & { readonly place: undefined } {
  return { ...details, place: undefined };
}

function prepareCoverageArea(
  { geometry, fault, crs, place }: Feature,
  crsTable: CrsTable | undefined,
): PreparedArea {
  if (fault !== undefined) throw new IngestError("COVERAGE_INVALID", fault.message, { place });
  try {
    const plain = geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry;
    return prepareArea(plain, { crs, crsTable });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const code = error.code === "CRS_UNKNOWN" ? "CRS_UNSUPPORTED" : "COVERAGE_INVALID";
    throw new IngestError(code, error.message, { place, found: error.message });
  }
}
