import type { SourceEntry } from "@groundrule/engine";
import { createGroupEntry, createSourceEntry } from "@groundrule/engine/internal";
import { buildEffectiveGroups, readCatalog } from "./catalog.ts";

/**
 * Lists the sources and groups of a data folder, ascending by name. Reads only the catalog and opens no edition, so a
 * source whose edition would not open is listed like the others.
 *
 * Fails: as {@link readCatalog}.
 */
export function listSources(dir: string): SourceEntry[] {
  const catalog = readCatalog(dir);
  const entries = new Map<string, SourceEntry>([
    ...catalog.sources.map(
      (meta) => [meta.manifest.source_name, createSourceEntry(meta.manifest, meta)] as const,
    ),
    ...catalog.live.map(
      ({ manifest }) =>
        [manifest.source_name, { ...createSourceEntry(manifest, undefined), live: true }] as const,
    ),
  ]);
  const removed = new Map(
    catalog.removed.map(
      ({ manifest }) => [manifest.source_name, createSourceEntry(manifest, undefined)] as const,
    ),
  );
  const groups = Object.entries(buildEffectiveGroups(catalog)).map(([name, members]) =>
    createGroupEntry(
      name,
      members.map((member) => entries.get(member) ?? removed.get(member)!),
    ),
  );
  return [...entries.values(), ...groups].sort((a, b) => (a.source_name < b.source_name ? -1 : 1));
}
