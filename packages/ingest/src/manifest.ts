import {
  type ColumnType,
  type Fault,
  isCountryIso3,
  type SourceKind,
  type SourceManifest,
} from "@groundrule/engine";
import { escapePointer } from "@groundrule/engine/json";
import { checkShape, sourceManifestShape } from "@groundrule/engine/shapes";
import { compileDateFormat } from "./date-format.ts";
import { IngestError } from "./ingest-error.ts";

/**
 * Reads a manifest from its parsed JSON. Checks its shape, and that its members do not contradict each other.
 *
 * @param value the parsed JSON, of any shape
 *
 * Fails: `MANIFEST_INVALID` with every fault and its JSON pointer.
 */
export function parseManifest(value: unknown): SourceManifest {
  const checked = checkShape(sourceManifestShape, value);
  const faults =
    checked.faults === undefined ? contradictions(checked.value) : checked.faults.map(shapeFault);
  if (checked.faults === undefined && faults.length === 0) return checked.value;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const first = faults[0]!;
  throw new IngestError("MANIFEST_INVALID", `manifest, ${first.pointer || "/"}: ${first.message}${more}`, {
    faults,
  });
}

/** What the options of a build can say in place of a manifest; each member has the name of its option. */
export interface ManifestOptions {
  /** `source_name`: the name of the source, e.g. `br:funai`. */
  readonly source?: string | undefined;
  /** `leaf` (areas, from GeoJSON) or `subject_register` (records, from CSV). */
  readonly kind?: string | undefined;
  /** Column that holds the identifier of each area or record. */
  readonly id?: string | undefined;
  /** Column that holds the name of each area or record. */
  readonly name?: string | undefined;
  /** Column that holds the ISO 3166-1 alpha-3 country of each area. */
  readonly country?: string | undefined;
  /** ISO 3166-1 alpha-3 country of all areas. */
  readonly countryIso3?: string | undefined;
  /**
   * `global`, ISO 3166-1 alpha-3 codes joined by commas, or the path of a GeoJSON file with polygons, which has
   * a dot or a slash in it.
   */
  readonly coverage?: string | undefined;
  /** CRS of the positions; absent: the one that the file names, else longitude and latitude. */
  readonly crs?: string | undefined;
  /** `source_dataset`: the title of the data set. */
  readonly dataset?: string | undefined;
  /** `source_url`: where the data was published. */
  readonly url?: string | undefined;
  /** `license_spdx`: the SPDX identifier of the licence. */
  readonly license?: string | undefined;
  /** The category, for people. */
  readonly category?: string | undefined;
  /** `collected_at`: when the data was collected, ISO 8601 UTC. */
  readonly collectedAt?: string | undefined;
  /** Names of the groups that the source belongs to. */
  readonly group?: readonly string[] | undefined;
  /** Column with the identifiers that a register is queried by. */
  readonly value?: string | undefined;
  /** Type of the identifiers in `value`, e.g. `br:cnpj`. */
  readonly scheme?: string | undefined;
  /** Column that names the type of each identifier; `schemes` maps these names. */
  readonly schemeFrom?: string | undefined;
  /** `NAME=SCHEME`, e.g. `Tax ID No.=ofac:tax_id_no`. */
  readonly schemes?: readonly string[] | undefined;
  /** `COLUMN=FORMAT`, e.g. `signed=dd/MM/yyyy`. */
  readonly date?: readonly string[] | undefined;
  /** `COLUMN=TYPE`, e.g. `code=string`. */
  readonly column?: readonly string[] | undefined;
}

/**
 * Makes a manifest from options, alone or on top of one read from a file. Each option given replaces
 * the member it stands for; dates, column types and schemes are added to those of the file. `kind` is `leaf`
 * unless the file or the options set it.
 *
 * @param file the parsed JSON of the file that the options are applied to; absent: an empty manifest
 *
 * Fails: `MANIFEST_INVALID`, as {@link parseManifest}; also for a `date`, `column` or `schemes` without `=`.
 */
export function manifestFromOptions(options: ManifestOptions, file: unknown = {}): SourceManifest {
  const base = isObject(file) ? file : parseManifest(file);
  const given: Partial<Record<keyof SourceManifest, unknown>> = {
    source_name: options.source,
    kind: options.kind ?? ("kind" in base ? undefined : ("leaf" satisfies SourceKind)),
    id: options.id,
    name: options.name,
    country: options.country,
    country_iso3: options.countryIso3,
    coverage: options.coverage === undefined ? undefined : coverageOption(options.coverage),
    crs: options.crs,
    source_dataset: options.dataset,
    source_url: options.url,
    license_spdx: options.license,
    category: options.category,
    collected_at: options.collectedAt,
    groups: options.group,
    value: options.value,
    scheme: options.scheme,
    scheme_from: options.schemeFrom,
    schemes: options.schemes && assignments("schemes", options.schemes, base),
    date_formats: options.date && assignments("date", options.date, base),
    columns: options.column && assignments("column", options.column, base),
  };
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  return parseManifest({ ...base, ...Object.fromEntries(members) });
}

/** A declared type or date format for each column that has one. */
export function declaredTypes(manifest: SourceManifest): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>(Object.entries(manifest.columns ?? {}));
  for (const column of Object.keys(manifest.date_formats ?? {})) types.set(column, "date");
  return types;
}

/** A path has a dot or a slash; codes have neither. */
function coverageOption(given: string): unknown {
  if (given === "global") return given;
  return /[./\\]/.test(given) ? { polygons: given } : given.split(",").map((code) => code.trim());
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member that each option of the form `KEY=VALUE` adds to, and its form. */
const ASSIGNED = {
  date: { member: "date_formats", expected: "COLUMN=FORMAT, e.g. signed=dd/MM/yyyy" },
  column: { member: "columns", expected: "COLUMN=TYPE, e.g. code=string" },
  schemes: { member: "schemes", expected: "NAME=SCHEME, e.g. Tax ID No.=ofac:tax_id_no" },
} as const;

function assignments(option: keyof typeof ASSIGNED, given: readonly string[], base: object): object {
  const { member, expected } = ASSIGNED[option];
  const found: unknown = Object.getOwnPropertyDescriptor(base, member)?.value;
  const entries = new Map<string, unknown>(isObject(found) ? Object.entries(found) : []);
  for (const each of given) {
    const equals = each.lastIndexOf("=");
    if (equals <= 0 || equals === each.length - 1) {
      throw new IngestError("MANIFEST_INVALID", `the ${option} "${each}" is not ${expected}`, {
        found: each,
        expected,
        faults: [
          {
            pointer: `/${member}`,
            code: "OPTION_MALFORMED",
            message: `found "${each}", expected ${expected}`,
          },
        ],
      });
    }
    entries.set(each.slice(0, equals), each.slice(equals + 1));
  }
  return Object.fromEntries(entries);
}

/** Every fault of a known member has one code. */
function shapeFault({ pointer, code, message }: Fault): Fault {
  return { pointer, code: code === "MEMBER_UNKNOWN" ? code : "MEMBER_INVALID", message };
}

const OF_AREAS = ["country", "country_iso3", "coverage", "crs"] as const;
const OF_REGISTERS = ["value", "scheme", "scheme_from", "schemes", "scheme_country"] as const;

/** Faults that no member has on its own. */
function contradictions(manifest: SourceManifest): Fault[] {
  const faults: Fault[] = [];
  const fault = (member: keyof SourceManifest, code: string, message: string, column = ""): void => {
    faults.push({ pointer: `/${member}${column && `/${escapePointer(column)}`}`, code, message });
  };
  const foreign = manifest.kind === "leaf" ? OF_REGISTERS : OF_AREAS;
  for (const member of foreign) {
    if (manifest[member] === undefined) continue;
    const belongs =
      manifest.kind === "leaf" ? "registers, but this is a source of areas" : "areas, but this is a register";
    fault(member, "MEMBER_FOREIGN", `"${member}" is for ${belongs}`);
  }
  if (manifest.kind === "subject_register") registerFaults(manifest, fault);
  if (manifest.groups?.includes(manifest.source_name)) {
    fault(
      "groups",
      "GROUP_IS_SOURCE",
      `a group cannot have the source's own name, "${manifest.source_name}"`,
    );
  }
  if (manifest.country_iso3 !== undefined && !isCountryIso3(manifest.country_iso3)) {
    fault(
      "country_iso3",
      "COUNTRY_UNKNOWN",
      `found "${manifest.country_iso3}", expected an ISO 3166-1 alpha-3 code`,
    );
  }
  if (Array.isArray(manifest.coverage)) {
    for (const [i, code] of manifest.coverage.entries()) {
      if (isCountryIso3(code)) continue;
      const message = `found "${code}", expected an ISO 3166-1 alpha-3 code`;
      faults.push({ pointer: `/coverage/${i}`, code: "COUNTRY_UNKNOWN", message });
    }
  }
  for (const [column, format] of Object.entries(manifest.date_formats ?? {})) {
    const type = new Map(Object.entries(manifest.columns ?? {})).get(column);
    if (type !== undefined && type !== "date") {
      fault(
        "date_formats",
        "COLUMN_NOT_DATE",
        `column "${column}" has a date format, but its declared type is ${type}`,
        column,
      );
    }
    try {
      compileDateFormat(format);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      fault("date_formats", "DATE_FORMAT_INVALID", error.message, column);
    }
  }
  return faults;
}

function registerFaults(
  manifest: SourceManifest,
  fault: (member: keyof SourceManifest, code: string, message: string) => void,
): void {
  const { value, scheme, scheme_from, schemes, scheme_country } = manifest;
  if (value === undefined) {
    fault("value", "MEMBER_MISSING", `a register needs "value", the column of its identifiers`);
  }
  if ((scheme === undefined) === (scheme_from === undefined)) {
    const found = scheme === undefined ? "neither" : "both";
    fault("scheme", "SCHEME_AMBIGUOUS", `found ${found} of "scheme" and "scheme_from", expected one of them`);
  }
  if (scheme_from === undefined && schemes !== undefined) {
    fault("schemes", "MEMBER_FOREIGN", `found "schemes" without "scheme_from", expected both`);
  }
  const byCountry = Object.keys(schemes ?? {}).find((name) => typeof schemes?.[name] === "object");
  if (byCountry !== undefined && scheme_country === undefined) {
    const message = `"schemes" maps "${byCountry}" by country; name the column of the countries in "scheme_country"`;
    fault("scheme_country", "MEMBER_MISSING", message);
  }
  if (byCountry === undefined && scheme_country !== undefined) {
    const message = `found "scheme_country", but "schemes" maps no type name by country`;
    fault("scheme_country", "MEMBER_FOREIGN", message);
  }
}
