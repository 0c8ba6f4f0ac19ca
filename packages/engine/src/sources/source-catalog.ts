import { compareStrings } from "../base/ascending.ts";
import { cellMeters } from "../geometry/raster/cell-meters.ts";
import { lineLatitude } from "../geometry/raster/grid.ts";
import {
  type ColumnType,
  isWebAddress,
  listDeclaredSchemes,
  type SourceManifest,
  type StoredManifest,
} from "../snapshot/manifest.ts";
import { isRaster, type RasterSnapshot, type SnapshotMeta } from "../snapshot/snapshot.ts";
import { isLive } from "./live-source.ts";
import type { CoverageEntry, SourceEntry } from "./source-entry.ts";
import type { EngineSource, SourceTable } from "./source-table.ts";

export type { CoverageEntry, SourceEntry } from "./source-entry.ts";

/** A source that cannot be queried, and why. */
export interface SourceFailure {
  readonly source_name: string;
  /** Why it could not be opened, for people. */
  readonly reason: string;
}

/**
 * The source catalog: every source and group, ascending by name. The entry of a failed source shows what its manifest
 * states, and a feature count of 0; so does that of a live source.
 */
export function listCatalogEntries(table: SourceTable): SourceEntry[] {
  const entries = table.all().map(toEntry);
  for (const name of table.groups().keys()) {
    entries.push(createGroupEntry(name, (table.expand(name) ?? []).map(toEntry)));
  }
  return entries.sort((a, b) => compareStrings(a.source_name, b.source_name));
}

function toEntry(source: EngineSource): SourceEntry {
  if (isLive(source)) return { ...createSourceEntry(source.manifest, undefined), live: true };
  if (!("snapshot" in source)) return createSourceEntry(source.manifest, undefined);
  const entry = createSourceEntry(source.manifest, source.snapshot.meta);
  return isRaster(source.snapshot) ? { ...entry, ...buildRasterMembers(source.snapshot, entry) } : entry;
}

/** Members of the catalog that only rasters have. The declared coverage must contain all its cells with data. */
function buildRasterMembers(
  { coverage, layer: { grid } }: RasterSnapshot,
  entry: SourceEntry,
): Pick<SourceEntry, "coverage" | "grid" | "cell_m"> {
  const { columns, rows, s, t, n } = grid;
  const isDeclared = coverage.extent === "cells" && coverage.known === "declared";
  return {
    coverage: isDeclared ? entry.coverage! : { extent: "cells" },
    grid: { columns, rows, cell_degrees: [s / n, t / n] },
    cell_m: cellMeters(grid, lineLatitude(grid, rows / 2)),
  };
}

/** A source's entry in the catalog, from its manifest and, where one opened, its edition. */
export function createSourceEntry(
  manifest: SourceManifest | StoredManifest,
  meta: SnapshotMeta | undefined,
): SourceEntry {
  const { source_name, kind, source_dataset, titles, source_url, category, license_spdx } = manifest;
  const { collected_at, refresh_interval_days, scope, fictional, observed_until } = manifest;
  const schemes = meta?.schemes ?? [...new Set(listDeclaredSchemes(manifest))].sort();
  return {
    source_name,
    source_dataset: source_dataset ?? source_name,
    ...(titles !== undefined && { titles }),
    ...(source_url !== undefined && isWebAddress(source_url) && { source_url }),
    ...(category !== undefined && { category }),
    ...(license_spdx !== undefined && { license_spdx }),
    ...(scope !== undefined && { scope }),
    ...(fictional && { fictional }),
    kind,
    feature_count: meta?.feature_count ?? 0,
    ...(kind === "leaf"
      ? {
          country_coverage: findDeclaredCountries(manifest) ?? meta?.country_coverage ?? [],
          coverage: createCoverageEntry(manifest),
        }
      : { supported_schemes: schemes }),
    ...(collected_at !== undefined && { collected_at_latest: collected_at }),
    ...(observed_until !== undefined && { observed_until }),
    ...(refresh_interval_days !== undefined && { refresh_interval_days }),
    ...toColumnsMember(Object.entries(manifest.columns ?? {})),
  };
}

/** Columns as a member of an entry. */
function toColumnsMember(columns: readonly (readonly [string, ColumnType])[]): Pick<SourceEntry, "columns"> {
  return columns.length === 0 ? {} : { columns: Object.fromEntries(columns) };
}

/** The columns that all have, each with the same type. */
function listSharedColumns(entries: readonly SourceEntry[]): [string, ColumnType][] {
  const [first, ...others] = entries.map(({ columns = {} }) => columns);
  return Object.entries(first ?? {}).filter(([name, type]) =>
    others.every((columns) => Object.hasOwn(columns, name) && columns[name] === type),
  );
}

/** Coverage as declared by a manifest, of a file or of a snapshot. */
function createCoverageEntry(manifest: SourceManifest | StoredManifest): CoverageEntry {
  const { coverage, cells } = manifest;
  if (coverage === undefined) return { extent: cells === undefined ? "undeclared" : "cells" };
  const known = ("coverage_known" in manifest && manifest.coverage_known) || "declared";
  if (coverage === "global") return { extent: "global", known };
  return { extent: Array.isArray(coverage) ? "countries" : "polygons", known };
}

function findDeclaredCountries(manifest: SourceManifest | StoredManifest): readonly string[] | undefined {
  const { coverage } = manifest;
  const isDeclared = createCoverageEntry(manifest).known === "declared";
  return isDeclared && Array.isArray(coverage) ? [...new Set<string>(coverage)].sort() : undefined;
}

/** Coverage of several sources together: as wide as the widest of them, and as well known as the least known. */
function uniteCoverages(coverages: readonly CoverageEntry[]): { readonly coverage?: CoverageEntry } {
  const extent = WIDEST_FIRST.find((each) => coverages.some((coverage) => coverage.extent === each));
  if (extent === undefined) return {};
  if (extent === "undeclared" || extent === "cells") return { coverage: { extent } };
  const isDerived = extent !== "global" && coverages.some(({ known }) => known === "derived");
  return { coverage: { extent, known: isDerived ? "derived" : "declared" } };
}

/** Undeclared coverage is assumed to include everything. */
const WIDEST_FIRST = ["global", "undeclared", "polygons", "cells", "countries"] as const;

/**
 * A group's entry sums up those of its members: their features, their countries, the latest collection, the columns
 * that they share.
 *
 * @param name the name of the group
 */
export function createGroupEntry(name: string, entries: readonly SourceEntry[]): SourceEntry {
  const countries = new Set(entries.flatMap((entry) => entry.country_coverage ?? []));
  const collected = entries.flatMap((entry) => entry.collected_at_latest ?? []).sort();
  const latest = collected.at(-1);
  return {
    source_name: name,
    source_dataset: name,
    ...(entries.some(({ fictional }) => fictional) && { fictional: true as const }),
    kind: "group",
    members: entries.map(({ source_name }) => source_name),
    feature_count: entries.reduce((sum, entry) => sum + entry.feature_count, 0),
    country_coverage: [...countries].sort(),
    ...uniteCoverages(entries.flatMap((entry) => entry.coverage ?? [])),
    ...(latest !== undefined && { collected_at_latest: latest }),
    ...toColumnsMember(listSharedColumns(entries)),
  };
}
