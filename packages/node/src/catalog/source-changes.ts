import type { StoredManifest } from "@groundrule/engine";
import { textDigest } from "@groundrule/engine/internal";
import type { Catalog } from "./catalog-form.ts";
import type { EditionDiff } from "./edition-diff.ts";
import { listGroupsWithMember } from "./groups.ts";

/** A change of one member of a source. */
export interface SourceChange {
  /** A member of its manifest; `columns.NAME` for one column, `areas` or `records` for their number. */
  readonly member: string;
  /** The old value, in words; absent if there was none. */
  readonly before?: string;
  /** The new value; absent if there is none. */
  readonly after?: string;
}

/** The facts about a source in a catalog. */
interface Known {
  readonly manifest: StoredManifest;
  readonly feature_count?: number | undefined;
}

/**
 * The changes of a source between two catalogs, for people: of its manifest, its groups, and its number of areas or
 * records. Facts that either catalog lacks are ignored.
 */
export function listSourceChanges(
  before: Catalog,
  after: Catalog,
  sourceName: string,
): readonly SourceChange[] {
  const [was, is] = [before, after].map((catalog) => findKnownSource(catalog, sourceName));
  if (was === undefined || is === undefined) return [];
  const changes: SourceChange[] = [];
  const compare = (member: string, one: string | undefined, other: string | undefined) => {
    if (one === other) return;
    changes.push({
      member,
      ...(one !== undefined && { before: one }),
      ...(other !== undefined && { after: other }),
    });
  };
  const groups = [before, after].map(
    (catalog) => listGroupsWithMember(catalog, sourceName).join(", ") || undefined,
  );
  compare("groups", groups[0], groups[1]);
  compare("coverage", describeCoverage(was.manifest), describeCoverage(is.manifest));
  compare("cells", describeCells(was.manifest), describeCells(is.manifest));
  for (const member of PLAIN_MEMBERS) {
    compare(member, formatMemberValue(was.manifest[member]), formatMemberValue(is.manifest[member]));
  }
  const [columns, others] = [was.manifest.columns ?? {}, is.manifest.columns ?? {}];
  for (const column of new Set([...Object.keys(columns), ...Object.keys(others)])) {
    compare(`columns.${column}`, findOwnValue(columns, column), findOwnValue(others, column));
  }
  const things = is.manifest.kind === "leaf" ? "areas" : "records";
  if (was.feature_count !== undefined && is.feature_count !== undefined) {
    compare(things, String(was.feature_count), String(is.feature_count));
  }
  return changes;
}

/** Adds the changes of the areas or records, if the contents of two editions were compared. */
export function withContentChange(
  changes: readonly SourceChange[],
  diff: EditionDiff | undefined,
): readonly SourceChange[] {
  if (diff === undefined) return changes;
  const { added, removed, changed, before, after } = diff.counts;
  if (added + removed + changed === 0) return changes;
  const member = diff.kind === "leaf" ? "areas" : "records";
  const others = changes.filter((change) => change.member !== member);
  const inWords = `${after} (${added} added, ${removed} removed, ${changed} changed)`;
  return [...others, { member, before: String(before), after: inWords }];
}

/** A change as one line: `coverage: BRA, before it was global`. */
export function changeInWords({ member, before, after }: SourceChange): string {
  if (after === undefined) return `${member}: none, before it was ${before}`;
  return before === undefined
    ? `${member}: ${after}, before there was none`
    : `${member}: ${after}, before it was ${before}`;
}

/** Members shown as they are; cells, columns, coverage and groups are described by functions. */
const PLAIN_MEMBERS = [
  "kind",
  "source_dataset",
  "titles",
  "source_url",
  "category",
  "license_spdx",
  "scope",
  "fictional",
  "collected_at",
  "observed_until",
  "refresh_interval_days",
  "id",
  "name",
  "country",
  "country_iso3",
  "crs",
  "value",
  "scheme",
  "scheme_from",
  "scheme_country",
  "schemes",
  "date_formats",
  "allow",
] as const satisfies readonly (keyof StoredManifest)[];

function findKnownSource({ sources, live, removed }: Catalog, sourceName: string): Known | undefined {
  return [...sources, ...live, ...removed].find(({ manifest }) => manifest.source_name === sourceName);
}

/**
 * The table of a raster's values is long, so it is shown by its size and the start of its digest, which changes with
 * it.
 */
function describeCells({ cells }: StoredManifest): string | undefined {
  if (cells === undefined) return undefined;
  const { values, background = [], nodata = [] } = cells;
  const counts = `${values.length} areas, ${background.length} of background, ${nodata.length} of nodata`;
  return `${counts}, table ${textDigest(JSON.stringify(cells)).slice(0, 8)}`;
}

function describeCoverage({ coverage, coverage_known }: StoredManifest): string | undefined {
  if (coverage === undefined) return undefined;
  if (typeof coverage === "string") return coverage;
  const countries = coverage.join(", ");
  return coverage_known === "derived" ? `assumed from its areas (${countries})` : countries;
}

function formatMemberValue(value: unknown): string | undefined {
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
}

function findOwnValue(columns: Readonly<Record<string, string>>, column: string): string | undefined {
  return Object.hasOwn(columns, column) ? columns[column] : undefined;
}
