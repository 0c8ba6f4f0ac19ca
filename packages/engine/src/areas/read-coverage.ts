import { isCountryIso3 } from "../base/country-codes.ts";
import { EngineError, FAULT_LIMIT, type Fault, formatFaultsMessage } from "../base/errors.ts";
import type { CrsTable } from "../geometry/plot/crs.ts";
import { prepareArea } from "../geometry/plot/mend/prepare-area.ts";
import { describeValue } from "../shape/describe-value.ts";
import type { CoverageInput, CoveragePieces } from "../snapshot/coverage.ts";
import { buildCountryCoverage, listCountries } from "./country-coverage.ts";

interface CoverageOptions {
  readonly coverage?: "global" | readonly string[] | object | undefined;
  readonly crsTable?: CrsTable | undefined;
}

/** The coverage that is declared. Fails: `VALIDATION_FAILED`, its pointers into the options. */
export function readCoverage(
  { coverage, crsTable }: CoverageOptions,
  borders: CoveragePieces | undefined,
): CoverageInput | undefined {
  if (coverage === undefined) return undefined;
  if (coverage === "global") return { extent: "global", known: "declared" };
  if (Array.isArray(coverage)) return readCountryCoverage(coverage, borders);
  try {
    const { polygons } = prepareArea(coverage, { crsTable });
    return { extent: "polygons", known: "declared", pieces: [{ polygons, countries: [] }] };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "GEOMETRY_INVALID") throw error;
    const { faults = [] } = error.details;
    const mend = 'expected "global", country codes, or a GeoJSON Polygon or MultiPolygon';
    const first = { pointer: "", code: error.code, message: `${error.message}; ${mend}` };
    throw snapshotInvalidError(
      [first, ...faults.slice(1)].map((fault) => ({ ...fault, pointer: `/coverage${fault.pointer}` })),
    );
  }
}

function readCountryCoverage(codes: readonly unknown[], borders: CoveragePieces | undefined): CoverageInput {
  if (borders === undefined) {
    const message =
      "found country codes but no borders, expected the option borders: bordersSnapshot of @groundrule/borders";
    throw snapshotInvalidError([{ pointer: "/coverage", code: "BORDERS_MISSING", message }]);
  }
  const known = new Set(listCountries(borders));
  const faults = codes.flatMap((code, i): Fault[] => {
    if (known.has(code as string)) return [];
    const isCode = typeof code === "string" && isCountryIso3(code);
    const expected = isCode
      ? "a country whose borders are known; declare a Polygon or MultiPolygon instead"
      : "an ISO 3166-1 alpha-3 code";
    const message = `found ${describeValue(code)}, expected ${expected}`;
    return [{ pointer: `/coverage/${i}`, code: isCode ? "BORDERS_MISSING" : "COUNTRY_UNKNOWN", message }];
  });
  if (codes.length === 0) {
    faults.push({
      pointer: "/coverage",
      code: "VALUE_INVALID",
      message: "found no country, expected at least one",
    });
  }
  if (faults.length > 0) throw snapshotInvalidError(faults.slice(0, FAULT_LIMIT), faults.length);
  return buildCountryCoverage(borders, codes as readonly string[], "declared");
}

/** The countries that the areas name, as far as their borders are known; undefined if there are none. */
export function deriveCoverage(
  countries: ReadonlyMap<string, number>,
  borders: CoveragePieces | undefined,
): CoverageInput | undefined {
  if (borders === undefined) return undefined;
  const known = listCountries(borders).filter((code) => countries.has(code));
  return known.length === 0 ? undefined : buildCountryCoverage(borders, known, "derived");
}

/** The refusal of a snapshot. @param count of all faults, where those that are listed are the first */
export function snapshotInvalidError(faults: readonly Fault[], count: number = faults.length): EngineError {
  return new EngineError("VALIDATION_FAILED", formatFaultsMessage(faults, count), {
    faults,
    fault_count: count,
  });
}
