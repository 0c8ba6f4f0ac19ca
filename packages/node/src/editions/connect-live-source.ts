import type { SnapshotFile } from "@groundrule/engine/build";
import { editionsFolder, withLiveSource, withoutSource } from "../catalog/catalog.ts";
import { listGroupsWithMember } from "../catalog/groups.ts";
import type { LiveEntry, ProviderConfig } from "../catalog/live-source.ts";
import { listSourceChanges, type SourceChange } from "../catalog/source-changes.ts";
import { type Guard, type GuardFinding, listGuardFindings } from "./guards.ts";
import { changeCatalog, makeDurableFolder, writeEditionFile } from "./install-edition.ts";

/** The result of connecting a live source. */
export interface ConnectResult {
  readonly entry: LiveEntry;
  /** Findings that prevented the connection and were not allowed; empty if it is connected. */
  readonly findings: readonly GuardFinding[];
  /** The changes of the source. */
  readonly changes: readonly SourceChange[];
}

/**
 * Connects a live source, or replaces how it is queried. Servers that watch the folder query it from then on. A source
 * that leaves a group, or loses declared coverage or columns, is left unchanged.
 *
 * @param blank the source's edition without areas, built from no features. It contains the manifest with all columns,
 *   and the territory of its coverage
 * Fails: `SOURCE_NAME_CLASH`, `GROUP_INVALID`, `DATA_FOLDER_LOCKED`; as `readCatalogOrEmpty`.
 */
export async function connectLiveSource(
  dir: string,
  blank: SnapshotFile,
  provider: ProviderConfig,
  {
    allow = [],
  }: {
    /** Guards that are switched off. */
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
    // The number of its areas is unknown.
    const some = { kind: manifest.kind, featureCount: 1 };
    const findings = listGuardFindings(
      { ...some, manifest },
      known && { ...some, manifest: known.manifest },
    ).filter(({ guard }) => !allow.includes(guard));
    if (findings.length > 0) return { catalog, result: { entry, findings, changes: [] } };
    if (isBounded) {
      makeDurableFolder(editionsFolder(dir, source_name));
      writeEditionFile(dir, source_name, edition, blank.chunks);
    }
    return {
      catalog: next,
      result: { entry, findings, changes: listLiveSourceChanges(catalog, next, entry) },
    };
  });
}

/** The changes of the source, and of the table that it is read from. */
function listLiveSourceChanges(
  before: Parameters<typeof listSourceChanges>[0],
  after: Parameters<typeof listSourceChanges>[1],
  { manifest: { source_name }, provider: is }: LiveEntry,
): readonly SourceChange[] {
  const was = before.live.find(({ manifest }) => manifest.source_name === source_name)?.provider;
  const changes = [...listSourceChanges(before, after, source_name)];
  if (was === undefined) return changes;
  // The connection is never shown, since it is secret.
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
 * Disconnects a live source. Its territory stays, for records that need it. Groups keep it as a member, like removed
 * sources.
 *
 * @returns the groups with it as a member; undefined if there is no live source of that name
 *
 * Fails: `DATA_FOLDER_LOCKED`.
 */
export async function disconnectLiveSource(
  dir: string,
  sourceName: string,
  {
    leaveGroups = false,
  }: {
    /** True to remove it from its groups, so that they no longer query it. */
    readonly leaveGroups?: boolean;
  } = {},
): Promise<readonly string[] | undefined> {
  return changeCatalog<readonly string[] | undefined>(dir, (catalog) => {
    if (!catalog.live.some(({ manifest }) => manifest.source_name === sourceName)) {
      return { catalog, result: undefined };
    }
    return {
      catalog: withoutSource(catalog, sourceName, { leavesGroups: leaveGroups }),
      result: listGroupsWithMember(catalog, sourceName),
    };
  });
}
