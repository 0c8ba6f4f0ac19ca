import { CALENDAR_DAY_PATTERN } from "../base/calendar-day.ts";
import { languageTagShape } from "../shape/language-tag.ts";
import {
  array,
  choice,
  type MembersOf,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../shape/shape.ts";
import { type CellsManifest, cellsShape } from "./cells-manifest.ts";
import { schemeTypeShape } from "./scheme-type.ts";

/** Type of an attribute column. `date` is a calendar day. */
export type ColumnType = "number" | "string" | "boolean" | "date";

/** `leaf`: a spatial source of areas. `subject_register`: records keyed by typed identifiers. */
export type SourceKind = "leaf" | "subject_register";

/** Source names: lowercase words joined by colons, at most 64 characters. */
const SOURCE_NAME_PATTERN: RegExp = /^[a-z0-9_]+(?::[a-z0-9_]+)*$/;
/** Most characters of the name of a source. */
export const SOURCE_NAME_MAX_LENGTH = 64;
/** Most characters of the name of a column. */
export const COLUMN_NAME_MAX_LENGTH = 256;

/**
 * Description of a source: its entry in the source catalog, and how its file maps to areas or records. Each source has
 * one JSON file, or options of `snapshot build` in its place. The manifest stored in a snapshot is the resolved one:
 * its `columns` are complete.
 */
export interface SourceManifest {
  readonly source_name: string;
  readonly kind: SourceKind;
  /** Human-readable title of the data set. */
  readonly source_dataset?: string | undefined;
  /** The title in other languages, by BCP 47 tag. */
  readonly titles?: Readonly<Record<string, string>> | undefined;
  readonly source_url?: string | undefined;
  readonly category?: string | undefined;
  readonly license_spdx?: string | undefined;
  /** The part of its theme that the source holds, in words, if that is not all of it: e.g. `federal units`. */
  readonly scope?: string | undefined;
  /** Present if the areas or records of the source are invented, as in a demonstration. */
  readonly fictional?: true | undefined;
  /** When the data was collected, an ISO 8601 UTC timestamp. Never taken from the modification time of a file. */
  readonly collected_at?: string | undefined;
  /**
   * The last day that the data describe, `YYYY-MM-DD`: a map of losses to the end of 2023 describes nothing of 2024,
   * whenever it was collected. Ages count from it.
   */
  readonly observed_until?: string | undefined;
  /** Days after which a newer edition is expected. */
  readonly refresh_interval_days?: number | undefined;
  /** Groups this source is a member of. */
  readonly groups?: readonly string[] | undefined;
  /** Column of the identifier of each area or record; absent: the feature's own id, else its number. */
  readonly id?: string | undefined;
  /** Column of its name. */
  readonly name?: string | undefined;
  /** Column of its ISO 3166-1 alpha-3 country. Areas only. */
  readonly country?: string | undefined;
  /** The country of all areas, for a source without a country column. */
  readonly country_iso3?: string | undefined;
  /**
   * Where the source speaks, so that its silence means something: `global`, the ISO 3166-1 alpha-3 codes of
   * countries, or the path of a GeoJSON file with polygons. Areas only.
   */
  readonly coverage?: "global" | readonly string[] | CoveragePolygons | undefined;
  /** CRS of the source's positions, e.g. `EPSG:31983`; absent: longitude and latitude. */
  readonly crs?: string | undefined;
  /** Column types, in stored order. In an input manifest: overrides; the others are inferred. */
  readonly columns?: Readonly<Record<string, ColumnType>> | undefined;
  /** The date format of each date column, e.g. `dd/MM/yyyy`; absent: ISO 8601. */
  readonly date_formats?: Readonly<Record<string, string>> | undefined;
  /** Faults that a build or a group accepts, and would refuse otherwise. */
  readonly allow?: readonly BuildAllowance[] | undefined;
  /** Rasters: what the values of cells mean. A source of areas with it is built from GeoTIFF files. */
  readonly cells?: CellsManifest | undefined;
  /** Registers: column of the identifier's value. */
  readonly value?: string | undefined;
  /** Registers: the scheme of every identifier. */
  readonly scheme?: string | undefined;
  /** Registers: column that names each identifier's type; mapped by `schemes`. */
  readonly scheme_from?: string | undefined;
  /**
   * Registers: the scheme of each of the register's own type names, or its schemes by country if the type alone does
   * not determine it.
   */
  readonly schemes?: Readonly<Record<string, string | SchemesByCountry>> | undefined;
  /** Registers: column of the country in which each identifier was issued, for `schemes` by country. */
  readonly scheme_country?: string | undefined;
}

/**
 * `left_out`: features may be left out of which it is not known how far they reach. `repaired`: a repair may leave out
 * more than a tenth of another reading. `before_cutoff`: the source may join a group of presets although its observations
 * end before the cut-off of that group; verdicts state it.
 */
export type BuildAllowance = "left_out" | "repaired" | "before_cutoff";

/** Every {@link BuildAllowance}. */
export const BUILD_ALLOWANCES: readonly BuildAllowance[] = ["left_out", "repaired", "before_cutoff"];

/**
 * The scheme of a type name in each country. A country is named as the register spells it, or by its ISO 3166-1
 * alpha-3 code; `*` means every other country, and none.
 */
export type SchemesByCountry = Readonly<Record<string, string>>;

/** The types of identifiers that a manifest declares; a type may occur more than once. */
export function listDeclaredSchemes({
  scheme,
  schemes = {},
}: Pick<SourceManifest, "scheme" | "schemes">): string[] {
  const mapped = Object.values(schemes).flatMap((to) => (typeof to === "string" ? to : Object.values(to)));
  return scheme === undefined ? mapped : [scheme, ...mapped];
}

/** A coverage by polygons of its own, as a manifest file names them. */
export interface CoveragePolygons {
  /** Path of a GeoJSON file with Polygons and MultiPolygons, relative to the manifest's. */
  readonly polygons: string;
}

/** A coverage in a snapshot's manifest; the polygons themselves are in the snapshot. */
export type StoredCoverage = "global" | "polygons" | readonly string[];

/** How a coverage is known: the manifest declares it, or it was derived from the countries of the areas. */
export type CoverageKnown = "declared" | "derived";

/** The manifest in a snapshot. */
export interface StoredManifest extends Omit<SourceManifest, "coverage"> {
  /** Where the source speaks; absent: undeclared. Codes are ascending. */
  readonly coverage?: StoredCoverage | undefined;
  /** How the coverage is known; there wherever `coverage` is. */
  readonly coverage_known?: CoverageKnown | undefined;
}

/**
 * The members of a manifest that speak of the source, and of no edition's content: they can change while the edition
 * stays the same.
 */
const SOURCE_FACTS: readonly SourceFact[] = [
  "source_dataset",
  "titles",
  "source_url",
  "license_spdx",
  "scope",
  "fictional",
  "refresh_interval_days",
  "groups",
];

/** One of {@link SOURCE_FACTS}. */
export type SourceFact =
  | "source_dataset"
  | "titles"
  | "source_url"
  | "license_spdx"
  | "scope"
  | "fictional"
  | "refresh_interval_days"
  | "groups";

/** A manifest with another one's descriptions of the source. */
export function withSourceFacts(
  manifest: StoredManifest,
  facts: Pick<StoredManifest, SourceFact>,
): StoredManifest {
  const of = (from: Pick<StoredManifest, SourceFact>, keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => keep(name)));
  const isFact = (name: string) => SOURCE_FACTS.some((fact) => fact === name);
  return { ...of(manifest, (name) => !isFact(name)), ...of(facts, isFact) } as object as StoredManifest;
}

/** A source's name, or a group's. */
export const sourceNameShape: Shape<string> = text({
  max: SOURCE_NAME_MAX_LENGTH,
  pattern: SOURCE_NAME_PATTERN,
  words: "lowercase words of a-z, 0-9 and _ joined by colons",
});
export const countryIso3Shape: Shape<string> = text({
  pattern: /^[A-Z]{3}$/,
  words: "an ISO 3166-1 alpha-3 code",
});
const line = text({ min: 1, max: 1024 });
const columnName = text({ min: 1, max: COLUMN_NAME_MAX_LENGTH });

/** A scheme, `//`, a host with or without a port, and what may come after. */
const WEB_ADDRESS =
  /^https?:\/\/(?:[^\s/?#\\@]*@)?(?:\[[0-9a-f:.]+\]|[^\s/?#\\@:<>^|%[\]]+)(?::\d{1,5})?(?:[/?#]\P{Cc}*)?$/iu;
const webAddress = text({ pattern: WEB_ADDRESS, words: "an http or https URL" });

const TIME_OF_DAY = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?";
/** An ISO 8601 UTC timestamp; seconds may be left out. */
export const instantShape: Shape<string> = text({
  pattern: new RegExp(`${CALENDAR_DAY_PATTERN.source.slice(0, -1)}T${TIME_OF_DAY}Z$`),
  words: "an ISO 8601 UTC timestamp such as 2026-01-31T23:59:59Z",
});

/** True if an address can be shown as a link: a `javascript:` URL would run in the reader's browser. */
export function isWebAddress(url: string): boolean {
  return WEB_ADDRESS.test(url);
}

const countryCodes = array(countryIso3Shape, { min: 1, max: 1024 });

/** The members of a manifest that files and snapshots have alike. */
const common: Omit<MembersOf<SourceManifest>, "coverage"> = {
  source_name: sourceNameShape,
  source_url: optional(webAddress),
  kind: choice("leaf", "subject_register"),
  source_dataset: optional(line),
  titles: optional(record(languageTagShape, line)),
  category: optional(line),
  license_spdx: optional(line),
  scope: optional(line),
  fictional: optional(choice(true)),
  collected_at: optional(instantShape),
  observed_until: optional(text({ pattern: CALENDAR_DAY_PATTERN, words: "a day, YYYY-MM-DD" })),
  refresh_interval_days: optional(number({ above: 0 })),
  groups: optional(array(sourceNameShape, { max: 64 })),
  id: optional(columnName),
  name: optional(columnName),
  country: optional(columnName),
  country_iso3: optional(countryIso3Shape),
  crs: optional(line),
  columns: optional(record(columnName, choice("number", "string", "boolean", "date"))),
  date_formats: optional(record(columnName, line)),
  allow: optional(array(choice(...BUILD_ALLOWANCES), { max: 8 })),
  cells: optional(cellsShape),
  value: optional(columnName),
  scheme: optional(schemeTypeShape),
  scheme_from: optional(columnName),
  schemes: optional(record(line, union([schemeTypeShape, record(line, schemeTypeShape)]))),
  scheme_country: optional(columnName),
};

/** A manifest file. Unknown members are refused: a typo must not change a mapping silently. */
export const sourceManifestShape: Shape<SourceManifest> = object<SourceManifest>({
  ...common,
  coverage: optional(
    union<["global", readonly string[], CoveragePolygons]>(
      [choice("global"), countryCodes, object<CoveragePolygons>({ polygons: line })],
      () => '"global", an array of ISO 3166-1 alpha-3 codes, or {"polygons": "FILE.geojson"}',
    ),
  ),
});

/** A manifest as snapshots contain it. */
export const storedManifestShape: Shape<StoredManifest> = object<StoredManifest>({
  ...common,
  coverage: optional(
    union<["global" | "polygons", readonly string[]]>(
      [choice("global", "polygons"), countryCodes],
      () => '"global", "polygons" or an array of ISO 3166-1 alpha-3 codes',
    ),
  ),
  coverage_known: optional(choice("declared", "derived")),
});
