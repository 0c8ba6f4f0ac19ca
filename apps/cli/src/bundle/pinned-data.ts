import { existsSync, statSync } from "node:fs";
import {
  type CompileOptions,
  isOverdue,
  openEngine,
  type Policy,
  type StoredManifest,
} from "@groundrule/engine";
import type { SnapshotMeta } from "@groundrule/engine/build";
import { createSourceEntry, listNamesInSets } from "@groundrule/engine/internal";
import { type Catalog, DataError, ENGINE_OPTIONS } from "@groundrule/node";
import {
  buildEffectiveGroups,
  formatCatalog,
  formatEditionPath,
  listRemovedSources,
  notesPath,
  readCatalog,
  readVerifiedEdition,
} from "@groundrule/node/internal";
import { type BundleFile, createTextFile } from "./bundle-file.ts";

/** The part of a data folder that a ruleset needs, as a data folder of its own. */
export interface PinnedData {
  /** The ruleset, compiled on the catalog alone. */
  readonly policy: Policy;
  readonly semantics: number;
  /** The sources that it names, directly or in a group, ascending. */
  readonly editions: readonly { readonly source_name: string; readonly edition: string }[];
  /** Those of them for which a newer edition is expected. */
  readonly overdue: readonly string[];
  readonly files: readonly BundleFile[];
}

/**
 * The current editions of the sources that a ruleset names, pinned, with the groups that it can name. Every snapshot is
 * verified down to the digest of its content, one at a time.
 *
 * A group with missing members is left out: under its name, a ruleset would examine less land.
 *
 * Fails: as `readCatalog` and `compile`; `SOURCE_LIVE` for a source that has no editions; `EDITION_MISSING` and
 * `EDITION_DAMAGED` for one that does not open.
 *
 * @param dir the data folder
 * @param now ISO 8601 UTC
 * @param options sources and groups to leave out
 */
export function collectPinnedData(
  dir: string,
  ruleset: object,
  now: string,
  options: Pick<CompileOptions, "without"> = {},
): PinnedData {
  const catalog = readCatalog(dir);
  const groups = buildEffectiveGroups(catalog);
  const { policy, semantics } = compileOnCatalog(catalog, groups, ruleset, options);
  const named = new Set(
    [...listNamesInSets(policy.ruleset)].flatMap((name) => {
      if (policy.without.includes(name)) return [];
      return Object.hasOwn(groups, name) ? groups[name]! : [name];
    }),
  );
  refuseLiveSources(catalog, named);
  refuseRemovedSources(catalog, named);
  const kept = new Set(
    Object.keys(groups).filter((group) => groups[group]!.every((member) => named.has(member))),
  );
  const sources = catalog.sources
    .filter(({ manifest }) => named.has(manifest.source_name))
    .map((meta) => withKeptGroups(meta, kept));
  const editions = sources.map(({ manifest, edition }) => ({ source_name: manifest.source_name, edition }));
  for (const { source_name, edition } of editions) readVerifiedEdition(dir, source_name, edition);
  const pinned: Catalog = {
    format: catalog.format,
    sources,
    groups: catalog.groups.filter(({ name }) => kept.has(name)),
    pins: editions,
    live: [],
    removed: [],
  };
  const files = editions.flatMap(({ source_name, edition }) => listEditionFiles(dir, source_name, edition));
  return {
    policy,
    semantics,
    editions,
    overdue: sources
      .filter((meta) => isOverdue(createSourceEntry(meta.manifest, meta), now))
      .map(getSourceName),
    files: [createTextFile("data/catalog.json", formatCatalog(pinned)), ...files],
  };
}

/** A source that is not opened has a name, a kind and types: enough to compile without loading it. */
function compileOnCatalog(
  catalog: Catalog,
  groups: Record<string, string[]>,
  ruleset: object,
  options: CompileOptions,
): { readonly policy: Policy; readonly semantics: number } {
  const engine = openEngine(
    [
      ...catalog.sources.map(({ manifest }) => ({ manifest, failed: "not opened" })),
      ...catalog.live.map(({ manifest }) => ({ manifest, live: true as const })),
      ...listRemovedSources(catalog),
    ],
    { groups, ...ENGINE_OPTIONS },
  );
  return { policy: engine.compile(ruleset, undefined, options), semantics: engine.semantics };
}

function refuseLiveSources({ live }: Catalog, named: ReadonlySet<string>): void {
  const names = live.map(getSourceName).filter((name) => named.has(name));
  if (names.length === 0) return;
  throw new DataError(
    "SOURCE_LIVE",
    `the ruleset names ${names.map((name) => `"${name}"`).join(", ")}, a live source without editions; a bundle holds editions only: build a snapshot of its table, or leave it out of the ruleset`,
    { sources: names },
  );
}

/** Otherwise every verdict of the bundle would be degraded. */
function refuseRemovedSources({ removed }: Catalog, named: ReadonlySet<string>): void {
  const names = removed.map(getSourceName).filter((name) => named.has(name));
  if (names.length === 0) return;
  throw new DataError(
    "SOURCE_MISSING",
    `the ruleset uses a group that still has the member ${names.map((name) => `"${name}"`).join(", ")}, which was removed from the data folder; build it again, or define the group again with groundrule sources group`,
    { sources: names },
  );
}

function getSourceName({ manifest }: { readonly manifest: StoredManifest }): string {
  return manifest.source_name;
}

function withKeptGroups(meta: SnapshotMeta, kept: ReadonlySet<string>): SnapshotMeta {
  const { groups, ...manifest } = meta.manifest;
  if (groups === undefined) return meta;
  return { ...meta, manifest: { ...manifest, groups: groups.filter((group) => kept.has(group)) } };
}

/** The snapshot of an edition and the notes of its build. */
function listEditionFiles(dir: string, sourceName: string, edition: string): BundleFile[] {
  const file = formatEditionPath(dir, sourceName, edition);
  const path = formatEditionPath("data", sourceName, edition).replaceAll("\\", "/");
  const notes = notesPath(file);
  return [
    { path, from: { file } },
    existsSync(notes)
      ? { path: notesPath(path), from: { file: notes } }
      : // Without notes, the file's time is the time of the build; files of a bundle have no time of their own.
        createTextFile(
          notesPath(path),
          `${JSON.stringify({ built_at: statSync(file).mtime.toISOString() })}\n`,
        ),
  ];
}
