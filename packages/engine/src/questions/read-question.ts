import { isCountryIso3 } from "../base/country-codes.ts";
import { EngineError } from "../base/errors.ts";
import { formatSuggestion } from "../base/nearest-name.ts";
import { mismatchError, readUntrusted } from "../base/read-untrusted.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import { parsePlot } from "../geometry/plot/parse-plot.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import type { EvaluationInput } from "../ruleset/compile/evaluation-input.ts";
import type { DeclaredFacts } from "../ruleset/facts/require-facts.ts";
import type { CheckedInput } from "../ruleset/select/checked-input.ts";
import { runAtProperty } from "../ruleset/select/require-property.ts";
import { readShape } from "../shape/read-shape.ts";
import type { EngineSource, SourceTable } from "../sources/source-table.ts";
import { parseSchemes } from "../subjects/schemes.ts";
import type { MemberOrders, WrittenJson } from "../verdict/canonical-json.ts";
import { computeInputDigest } from "../verdict/digest.ts";
import { factsShape } from "../verdict/fact-shape.ts";
import { roundSquareMeters } from "../verdict/rounding.ts";
import { TABLE_OPTION } from "./options.ts";
import type { EngineOptions } from "./questions.ts";

/** An input, and what looks doubtful about it. */
export interface ReadInput {
  readonly input: CheckedInput;
  readonly warnings: readonly Warning[];
}

/**
 * An evaluation's input, its values checked.
 *
 * @param raw plain data of its type
 * @param written canonical JSON of parts of it
 * @param orders of members in inputs like it
 */
export function readPlainInput(
  raw: EvaluationInput,
  meter: WorkMeter,
  { crs: crsTable, textDigest }: EngineOptions,
  written?: WrittenJson,
  orders?: MemberOrders,
): ReadInput {
  const { geometry, crs: named, scheme, area_ha, country_iso3 } = raw;
  const facts = readDeclaredFacts(raw.facts);
  const property = raw.property ?? undefined;
  const crs = named ?? undefined;
  const areaHa = area_ha ?? undefined;
  const isPlaced = geometry !== undefined && geometry !== null;
  if (property !== undefined && !isPlaced) {
    const message = "found a property without a geometry, expected the plot beside it, which it covers";
    throw mismatchError("/property", message, "PROPERTY_WITHOUT_PLOT");
  }
  if (areaHa !== undefined && !isPlaced) {
    const message =
      "found an area without a geometry, expected a Point or MultiPoint beside it; leave it out";
    throw mismatchError("/area_ha", message, "AREA_NOT_OF_POINTS");
  }
  const { schemes, pointers, warnings } = parseSchemes(scheme, "/scheme");
  const parsed = isPlaced
    ? parsePlot(geometry, {
        crs,
        crsPointer: "/crs",
        crsTable,
        tableOption: TABLE_OPTION,
        dimensions: ["polygon", "point"],
        pointer: "/geometry",
        // The disc has the area as printed, so that the verdict shows the requested area.
        disc:
          areaHa === undefined
            ? undefined
            : { squareMeters: roundSquareMeters(areaHa * M2_PER_HECTARE), pointer: "/area_ha" },
        meter,
      })
    : { plot: undefined, crs, warnings: [] };
  const land =
    property === undefined
      ? undefined
      : runAtProperty(() =>
          parsePlot(property, {
            crs,
            crsPointer: "/crs",
            crsTable,
            tableOption: TABLE_OPTION,
            dimensions: ["polygon"],
            pointer: "/property",
            meter,
          }),
        );
  const digested = {
    geometry,
    crs: parsed.crs,
    area_ha: areaHa,
    schemes,
    facts: Object.keys(facts).length === 0 ? undefined : facts,
    property,
  };
  const digest = (): string =>
    readUntrusted(geometry, "/geometry", () => computeInputDigest(digested, textDigest, written, orders));
  return {
    input: {
      plot: parsed.plot,
      property: land?.plot,
      facts,
      isDisc: areaHa !== undefined,
      schemes,
      schemePointers: pointers,
      countryIso3: requireCountryCode(country_iso3 ?? undefined, "/country_iso3"),
      digest,
    },
    warnings: [...parsed.warnings, ...(land?.warnings ?? []), ...warnings],
  };
}

function readDeclaredFacts(raw: unknown): DeclaredFacts {
  if (raw === undefined || raw === null) return NO_FACTS;
  const facts = readShape(factsShape, raw, { pointer: "/facts" });
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)) as DeclaredFacts;
}

const NO_FACTS: DeclaredFacts = Object.freeze({});

const M2_PER_HECTARE = 10_000;

/**
 * A country's code in upper case. An unknown code is refused: it would match nothing, which looks like an answer.
 *
 * Fails: `VALIDATION_FAILED`.
 */
export function requireCountryCode(code: string | undefined, pointer: string): string | undefined {
  const country = code?.toUpperCase();
  if (country === undefined || isCountryIso3(country)) return country;
  const message = `found country ${JSON.stringify(code)}, expected an ISO 3166-1 alpha-3 code`;
  throw mismatchError(pointer, message, "VALUE_INVALID");
}

/**
 * The area sources for some names, each once, ascending; all of them without names.
 *
 * Fails: `SOURCE_UNKNOWN` for an unknown name and for the name of a register.
 */
export function selectAreaSources(
  table: SourceTable,
  names: readonly string[] | undefined,
): readonly EngineSource[] {
  const areas = table.leaves;
  if (names === undefined) return areas;
  const wanted = new Set<EngineSource>();
  names.forEach((name, i) => {
    const found = table.expand(name);
    const register = found?.find(({ manifest }) => manifest.kind === "subject_register");
    if (found === undefined || register !== undefined) {
      const message =
        register === undefined
          ? `no source is named "${name}"${formatSuggestion(name, table.names())}`
          : `"${name}" ${table.find(name) === undefined ? "contains" : "is"} a subject_register, expected a leaf or a group of leaves`;
      const fault = { pointer: `/sources/${i}`, code: "SOURCE_UNKNOWN", message };
      throw new EngineError("SOURCE_UNKNOWN", message, { name, faults: [fault] });
    }
    for (const source of found) wanted.add(source);
  });
  return areas.filter((source) => wanted.has(source));
}
