import type { SnapshotMeta, SourceEntry } from "@groundrule/engine";
import { effectiveGroups, readCatalog } from "./catalog.ts";

/**
 * The source catalog of a data folder, sources and groups, ascending by name. Reads the
 * catalog alone: no edition is opened.
 *
 * Fails: as {@link readCatalog}.
 */
export function listSources(dir: string): SourceEntry[] {
  const catalog = readCatalog(dir);
  const byName = new Map(catalog.sources.map((source) => [source.manifest.source_name, source]));
  const entries = catalog.sources.map(sourceEntry);
  for (const [name, members] of Object.entries(effectiveGroups(catalog))) {
    entries.push(
      groupEntry(
        name,
        members.map((member) => byName.get(member)!),
      ),
    );
  }
  return entries.sort((a, b) => (a.source_name < b.source_name ? -1 : 1));
}

function sourceEntry({ manifest, feature_count, country_coverage, schemes }: SnapshotMeta): SourceEntry {
  return {
    source_name: manifest.source_name,
    ...(manifest.source_dataset !== undefined && { source_dataset: manifest.source_dataset }),
    ...(manifest.source_url !== undefined && { source_url: manifest.source_url }),
    ...(manifest.category !== undefined && { category: manifest.category }),
    ...(manifest.license_spdx !== undefined && { license_spdx: manifest.license_spdx }),
    kind: manifest.kind,
    feature_count,
    ...(manifest.kind === "leaf" && { country_coverage }),
    ...(manifest.kind === "subject_register" && { supported_schemes: schemes }),
    ...(manifest.collected_at !== undefined && { collected_at_latest: manifest.collected_at }),
  };
}

function groupEntry(name: string, members: readonly SnapshotMeta[]): SourceEntry {
  const collected = members.flatMap(({ manifest }) => manifest.collected_at ?? []);
  collected.sort((a, b) => Date.parse(a) - Date.parse(b));
  const latest = collected.at(-1);
  return {
    source_name: name,
    kind: "group",
    feature_count: members.reduce((sum, member) => sum + member.feature_count, 0),
    country_coverage: [...new Set(members.flatMap((member) => member.country_coverage))].sort(),
    ...(latest !== undefined && { collected_at_latest: latest }),
  };
}
