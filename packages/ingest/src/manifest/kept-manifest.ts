import type { ColumnType, SourceManifest, StoredManifest } from "@groundrule/engine";
import type { ManifestOptions } from "./manifest.ts";

/** The part of the previous edition's manifest that a rebuild keeps. */
export interface KeptManifest {
  /** The members that are kept, as in a manifest file; the types of columns are separate. */
  readonly manifest: Partial<SourceManifest>;
  /** Types and date formats of columns: they hold for the columns that the new file has too. */
  readonly columns: Pick<SourceManifest, "columns" | "date_formats">;
  /** Names of the members that hold. */
  readonly members: readonly string[];
}

/** Name in {@link KeptManifest} for the polygons of a kept coverage; code that opens polygons recognizes it. */
export const KEPT_POLYGONS = "(the coverage of the edition before)";

/**
 * The part of the previous manifest that a build keeps if it names a source and no manifest. Members that belong to
 * one file are dropped: `collected_at`, `observed_until`, and a coverage that was only assumed from its areas.
 *
 * @param options the options of the build: where one contradicts a member, such as `--country-iso3` does `country`, the
 *   member does not hold
 */
export function keptManifest(before: StoredManifest, options: ManifestOptions): KeptManifest {
  if (options.kind !== undefined && options.kind !== before.kind)
    return { manifest: {}, columns: {}, members: [] };
  const {
    columns,
    date_formats,
    collected_at: _,
    observed_until: __,
    coverage_known,
    coverage,
    ...lasting
  } = before;
  const contradicted = CONTRADICTIONS.flatMap(([option, members]) =>
    options[option] === undefined ? [] : members,
  );
  const manifest = Object.fromEntries(
    Object.entries(lasting).filter(([member]) => !contradicted.includes(member)),
  ) as Partial<SourceManifest>;
  const territory = coverage_known === "derived" || options.coverage !== undefined ? undefined : coverage;
  const kept = {
    ...manifest,
    ...(territory !== undefined && {
      coverage: territory === "polygons" ? { polygons: KEPT_POLYGONS } : territory,
    }),
  };
  const types = { ...(columns && { columns }), ...(date_formats && { date_formats }) };
  const known: Readonly<Record<string, unknown>> = { ...kept, ...types };
  const members = Object.keys(known).filter((member) => !["source_name", "kind"].includes(member));
  return { manifest: kept, columns: types, members: members.sort() };
}

const CONTRADICTIONS: readonly (readonly [keyof ManifestOptions, readonly string[]])[] = [
  ["country", ["country_iso3"]],
  ["countryIso3", ["country"]],
  ["scheme", ["scheme_from", "schemes", "scheme_country"]],
  ["schemeFrom", ["scheme"]],
];

/** Types and date formats of columns, those that a manifest declares and those that hold where it declares none. */
export function mergeColumnTypesAndFormats(
  { columns = {}, date_formats = {} }: SourceManifest,
  before: Pick<SourceManifest, "columns" | "date_formats"> = {},
): {
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly formats: Readonly<Record<string, string>>;
} {
  const dates = Object.keys(date_formats).map((column) => [column, "date"] as const);
  const types: Record<string, ColumnType> = { ...before.columns, ...Object.fromEntries(dates), ...columns };
  const dateFormats = Object.entries(before.date_formats ?? {}).filter(
    ([column]) => types[column] === "date",
  );
  return { types, formats: { ...Object.fromEntries(dateFormats), ...date_formats } };
}
