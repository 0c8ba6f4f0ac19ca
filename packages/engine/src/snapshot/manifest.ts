import * as z from "zod";

/** Type of an attribute column. `date` is a calendar day. */
export type ColumnType = "number" | "string" | "boolean" | "date";

/** `leaf`: a spatial source of areas. `subject_register`: records keyed by typed identifiers. */
export type SourceKind = "leaf" | "subject_register";

/** Source names: lowercase words joined by colons, at most 64 characters. */
export const SOURCE_NAME_PATTERN: RegExp = /^[a-z0-9_]+(?::[a-z0-9_]+)*$/;
export const SOURCE_NAME_MAX_LENGTH = 64;
/** Scheme types: `<authority>:<name>`, lowercase, at most 65 characters. */
export const SCHEME_PATTERN: RegExp = /^[a-z0-9_]+:[a-z0-9_]+$/;
export const SCHEME_MAX_LENGTH = 65;
export const COLUMN_NAME_MAX_LENGTH = 256;

/**
 * What is known of a source: what the source catalog shows, and how its file maps to areas or
 * records. One JSON file a source; options of `snapshot build` can stand in for it. The manifest
 * kept in a snapshot is the resolved one: `columns` is complete.
 */
export interface SourceManifest {
  readonly source_name: string;
  readonly kind: SourceKind;
  /** Human-readable title of the data set. */
  readonly source_dataset?: string | undefined;
  readonly source_url?: string | undefined;
  readonly category?: string | undefined;
  readonly license_spdx?: string | undefined;
  /** ISO 8601 UTC timestamp of collection. Given, never a file's modification time. */
  readonly collected_at?: string | undefined;
  /** Days after which a newer edition is expected. */
  readonly refresh_interval_days?: number | undefined;
  /** Groups this source is a member of. */
  readonly groups?: readonly string[] | undefined;
  /** Column of the area's or record's identifier; where absent the feature's own id, else its number. */
  readonly id?: string | undefined;
  /** Column of its name. */
  readonly name?: string | undefined;
  /** Column of its ISO 3166-1 alpha-3 country. Areas only. */
  readonly country?: string | undefined;
  /** The one country of all areas, where no column says it. */
  readonly country_iso3?: string | undefined;
  /** CRS of the source's positions, e.g. `EPSG:31983`; absent: longitude and latitude. */
  readonly crs?: string | undefined;
  /** Column types, in stored order. In an input manifest: overrides; the others are inferred. */
  readonly columns?: Readonly<Record<string, ColumnType>> | undefined;
  /** How a date column is written, e.g. `dd/MM/yyyy`; ISO 8601 where absent. */
  readonly date_formats?: Readonly<Record<string, string>> | undefined;
  /** Registers: column of the identifier's value. */
  readonly value?: string | undefined;
  /** Registers: the scheme of every identifier. */
  readonly scheme?: string | undefined;
  /** Registers: column that names each identifier's type; mapped by `schemes`. */
  readonly scheme_from?: string | undefined;
  /** Registers: the register's own type names to schemes. */
  readonly schemes?: Readonly<Record<string, string>> | undefined;
}

const sourceName = z
  .string()
  .max(SOURCE_NAME_MAX_LENGTH)
  .regex(SOURCE_NAME_PATTERN, "expected lowercase words of a-z, 0-9, _ joined by colons");
const scheme = z
  .string()
  .max(SCHEME_MAX_LENGTH)
  .regex(SCHEME_PATTERN, "expected <authority>:<name>, lowercase");
const text = z.string().min(1).max(1024);
const columnName = z.string().min(1).max(COLUMN_NAME_MAX_LENGTH);

const webAddress = z.url({ protocol: /^https?$/, error: "expected an http or https URL" });

/** Schema of a manifest file. Unknown members are refused: a typo must not change a mapping silently. */
export const sourceManifestSchema: z.ZodType<SourceManifest> = manifestWith(webAddress);

/** Schema of a manifest as snapshots hold it: those of release 0.1.0 may have a URL of any scheme. */
export const storedManifestSchema: z.ZodType<SourceManifest> = manifestWith(z.url());

/** Whether an address can be shown as a link: a `javascript:` URL would run in who reads it. */
export function isWebAddress(url: string): boolean {
  return webAddress.safeParse(url).success;
}

function manifestWith(url: z.ZodURL): z.ZodType<SourceManifest> {
  return z.strictObject({
    source_name: sourceName,
    kind: z.enum(["leaf", "subject_register"]),
    source_dataset: text.optional(),
    source_url: url.optional(),
    category: text.optional(),
    license_spdx: text.optional(),
    collected_at: z.iso.datetime().optional(),
    refresh_interval_days: z.number().positive().optional(),
    groups: z.array(sourceName).max(64).optional(),
    id: columnName.optional(),
    name: columnName.optional(),
    country: columnName.optional(),
    country_iso3: z
      .string()
      .regex(/^[A-Z]{3}$/, "expected an ISO 3166-1 alpha-3 code")
      .optional(),
    crs: text.optional(),
    columns: z.record(columnName, z.enum(["number", "string", "boolean", "date"])).optional(),
    date_formats: z.record(columnName, text).optional(),
    value: columnName.optional(),
    scheme: scheme.optional(),
    scheme_from: columnName.optional(),
    schemes: z.record(text, scheme).optional(),
  });
}
