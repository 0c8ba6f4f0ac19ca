import type { SnapshotFile } from "@groundrule/engine/build";
import { editionsFolder, withLiveSource, withoutSource } from "../catalog/catalog.ts";
import { groupsOf } from "../catalog/groups.ts";
import type { LiveEntry, ProviderConfig } from "../catalog/live-source.ts";
import { type SourceChange, sourceChanges } from "../catalog/source-changes.ts";
import { type Guard, type GuardFinding, guardFindings } from "./guards.ts";
import { changeCatalog, makeFolder, writeEdition } from "./install-edition.ts";

/** What connecting a live source came to. */
export interface ConnectResult {
  readonly entry: LiveEntry;
  /** What kept it from being connected and was not allowed; empty where it is. */
  readonly findings: readonly GuardFinding[];
  /** What is not as it was about the source. */
  readonly changes: readonly SourceChange[];
}

/**
 * Connects a live source, or replaces how one is asked. Servers that watch the folder ask it from then on. One that
 * leaves a group, or loses declared coverage or columns, stays as it was.
 *
 * @param blank the source's edition without areas: what builds of no features give. It holds the manifest, whose
 *   columns are complete, and the territory of its coverage
 * Fails: `SOURCE_NAME_CLASH`, `GROUP_INVALID`, `DATA_FOLDER_LOCKED`; as `readCatalogOrEmpty`.
 */
export async function connectLiveSource(
  dir: string,
  blank: SnapshotFile,
  provider: ProviderConfig,
  {
    allow = [],
  }: {
    /** Guards that are not asked. */
    readonly allow?: readonly Guard[] | undefined;
  } = {},
): Promise<ConnectResult> {
  const { manifest, edition } = blank.meta;
  const { source_name, coverage } = manifest;
  const isBounded = coverage !== undefined && coverage !== "global";
  const entry: LiveEntry = { manifest, provider, ...(isBounded && { blank: edition }) };
  return changeCatalog<ConnectResult>(dir, (catalog) => {
    const next = withLiveSource(catalog, entry);
    const known = [...catalog.live, ...catalog.removed].find(
      (source) => source.manifest.source_name === source_name,
    );
    // Nobody has counted its areas.
    const some = { kind: manifest.kind, featureCount: 1 };
    const findings = guardFindings(
      { ...some, manifest },
      known && { ...some, manifest: known.manifest },
    ).filter(({ guard }) => !allow.includes(guard));
    if (findings.length > 0) return { catalog, result: { entry, findings, changes: [] } };
    if (isBounded) {
      makeFolder(editionsFolder(dir, source_name));
      writeEdition(dir, source_name, edition, blank.chunks);
    }
    return { catalog: next, result: { entry, findings, changes: changesOf(catalog, next, entry) } };
  });
}

/** Those of the source, and of the table that it is asked from. */
function changesOf(
  before: Parameters<typeof sourceChanges>[0],
  after: Parameters<typeof sourceChanges>[1],
  { manifest: { source_name }, provider: is }: LiveEntry,
): readonly SourceChange[] {
  const was = before.live.find(({ manifest }) => manifest.source_name === source_name)?.provider;
  const changes = [...sourceChanges(before, after, source_name)];
  if (was === undefined) return changes;
  // Never the connection, which is a secret.
  for (const member of ["table", "geometry", "max_candidates"] as const) {
    if (was[member] === is[member]) continue;
    changes.push({
      member: `provider.${member}`,
      ...(was[member] !== undefined && { before: String(was[member]) }),
      ...(is[member] !== undefined && { after: String(is[member]) }),
    });
  }
  return changes;
}

/**
 * Disconnects a live source. Its territory stays, for records that need it. Groups remember it, as they do sources
 * that are removed.
 *
 * @returns the groups that had it as a member; undefined where there is no live source of that name
 *
 * Fails: `DATA_FOLDER_LOCKED`.
 */
export async function disconnectLiveSource(
  dir: string,
  sourceName: string,
  {
    leaveGroups = false,
  }: {
    /** Whether it leaves its groups, so that they ask it no more. */
    readonly leaveGroups?: boolean;
  } = {},
): Promise<readonly string[] | undefined> {
  return changeCatalog<readonly string[] | undefined>(dir, (catalog) => {
    if (!catalog.live.some(({ manifest }) => manifest.source_name === sourceName)) {
      return { catalog, result: undefined };
    }
    return {
      catalog: withoutSource(catalog, sourceName, { leavesGroups: leaveGroups }),
      result: groupsOf(catalog, sourceName),
    };
  });
}
