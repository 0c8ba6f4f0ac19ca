import type { ColumnType, SourceKind, SourceManifest } from "@groundrule/engine";
import { isObject } from "@groundrule/engine/internal/json";
import { IngestError } from "../ingest-error.ts";
import { checkManifest, manifestInvalidError } from "./manifest-faults.ts";
import { parseSource, type Source } from "./source.ts";

/**
 * Reads a manifest from its parsed JSON. Checks its shape, and that its members do not contradict each other.
 *
 * @param value the parsed JSON, of any shape
 *
 * Fails: `MANIFEST_INVALID` with every fault and its JSON pointer.
 */
export function parseManifest(value: unknown): SourceManifest {
  const { manifest, faults } = checkManifest(value);
  if (manifest === undefined || faults.length > 0) throw manifestInvalidError(faults);
  return manifest;
}

/** Options of a build in place of a manifest; each member has the name of its option. */
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
  /** The last day of which the data speak, `YYYY-MM-DD`. */
  readonly observedUntil?: string | undefined;
  /** The part of its theme that the source holds, in words. */
  readonly scope?: string | undefined;
  /** Present if the areas or records of the source are invented. */
  readonly fictional?: true | undefined;
  /** Exceptions to what stops a build: added to what the file allows. */
  readonly allow?: readonly string[] | undefined;
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
  return sourceFromOptions(options, file).manifest;
}

/**
 * Like {@link manifestFromOptions}, with the members of the file that are not part of the manifest, as `read`.
 *
 * @param file as {@link manifestFromOptions}
 *
 * Fails: `MANIFEST_INVALID`, as {@link manifestFromOptions}; also for members beside the manifest.
 */
export function sourceFromOptions(options: ManifestOptions, file: unknown = {}): Source {
  const base = isObject(file) ? file : parseManifest(file);
  const fromOptions: Partial<Record<keyof SourceManifest, unknown>> = {
    source_name: options.source,
    kind: options.kind ?? ("kind" in base ? undefined : ("leaf" satisfies SourceKind)),
    id: options.id,
    name: options.name,
    country: options.country,
    country_iso3: options.countryIso3,
    coverage: options.coverage === undefined ? undefined : parseCoverageOption(options.coverage),
    crs: options.crs,
    source_dataset: options.dataset,
    source_url: options.url,
    license_spdx: options.license,
    category: options.category,
    collected_at: options.collectedAt,
    observed_until: options.observedUntil,
    scope: options.scope,
    fictional: options.fictional,
    groups: options.group,
    allow: options.allow && mergeAllowances(options.allow, base),
    value: options.value,
    scheme: options.scheme,
    scheme_from: options.schemeFrom,
    schemes: options.schemes && parseOptionAssignments("schemes", options.schemes, base),
    date_formats: options.date && parseOptionAssignments("date", options.date, base),
    columns: options.column && parseOptionAssignments("column", options.column, base),
  };
  const members = Object.entries(fromOptions).filter(([, value]) => value !== undefined);
  return parseSource({ ...base, ...Object.fromEntries(members) });
}

/** A declared type or date format for each column that has one. */
export function listDeclaredTypes(manifest: SourceManifest): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>(Object.entries(manifest.columns ?? {}));
  for (const column of Object.keys(manifest.date_formats ?? {})) types.set(column, "date");
  return types;
}

/** All exceptions, those of the file too; in one order, each once. */
function mergeAllowances(allow: readonly string[], base: object): readonly unknown[] {
  const found: unknown = Object.getOwnPropertyDescriptor(base, "allow")?.value;
  return [...new Set([...(Array.isArray(found) ? found : []), ...allow])].sort();
}

/** A path has a dot or a slash; codes have neither. */
function parseCoverageOption(value: string): unknown {
  if (value === "global") return value;
  return /[./\\]/.test(value) ? { polygons: value } : value.split(",").map((code) => code.trim());
}

/** The member that each option of the form `KEY=VALUE` adds to, and its form. */
const ASSIGNED = {
  date: { member: "date_formats", expected: "COLUMN=FORMAT, e.g. signed=dd/MM/yyyy" },
  column: { member: "columns", expected: "COLUMN=TYPE, e.g. code=string" },
  schemes: { member: "schemes", expected: "NAME=SCHEME, e.g. Tax ID No.=ofac:tax_id_no" },
} as const;

function parseOptionAssignments(
  option: keyof typeof ASSIGNED,
  texts: readonly string[],
  base: object,
): object {
  const { member, expected } = ASSIGNED[option];
  const found: unknown = Object.getOwnPropertyDescriptor(base, member)?.value;
  const entries = new Map<string, unknown>(isObject(found) ? Object.entries(found) : []);
  for (const each of texts) {
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
