import type { FailedSource } from "@groundrule/engine";
import type { SnapshotMeta } from "@groundrule/engine/build";
import { isMixed } from "@groundrule/engine/internal";
import { DataError } from "../data-error.ts";
import type { Catalog, CatalogGroup, RemovedSource } from "./catalog-form.ts";

/**
 * Every group with all of its members: those of its definition, those whose manifests named it since, and those whose
 * sources were removed. The object has no prototype, so that a group may have any name.
 */
export function buildEffectiveGroups(
  catalog: Pick<Catalog, "sources" | "live" | "groups">,
): Record<string, string[]> {
  const groups: Record<string, string[]> = Object.create(null);
  for (const { name, members } of listRememberedGroups(catalog)) {
    if (members.length > 0) groups[name] = [...members];
  }
  return groups;
}

/**
 * The groups of a catalog with all sources whose manifests name them. A member stays until the group is defined anew:
 * whatever happens to its manifest, the group's name never covers less than before.
 */
export function listRememberedGroups({
  sources,
  live,
  groups,
}: Pick<Catalog, "sources" | "live" | "groups">): CatalogGroup[] {
  const members = new Map(groups.map((group) => [group.name, new Set(group.members)]));
  const excluded = new Map(groups.map((group) => [group.name, new Set(group.excluded)]));
  for (const { manifest } of [...sources, ...live]) {
    for (const group of manifest.groups ?? []) {
      if (excluded.get(group)?.has(manifest.source_name)) continue;
      const joined = members.get(group) ?? new Set();
      members.set(group, joined.add(manifest.source_name));
    }
  }
  return [...members.keys()].sort().map((name) => ({
    name,
    members: [...members.get(name)!].sort(),
    ...((excluded.get(name)?.size ?? 0) > 0 && { excluded: [...excluded.get(name)!].sort() }),
  }));
}

/** The names of the groups with a source as a member, ascending. */
export function listGroupsWithMember(
  catalog: Pick<Catalog, "sources" | "live" | "groups">,
  sourceName: string,
): string[] {
  return Object.entries(buildEffectiveGroups(catalog)).flatMap(([name, members]) =>
    members.includes(sourceName) ? [name] : [],
  );
}

/**
 * The removed sources that groups still include, as an engine takes them: every question through those groups fails
 * there.
 */
export function listRemovedSources({ removed }: Pick<Catalog, "removed">): FailedSource[] {
  const failed = "it was removed from the data folder, and the group that remembers it was not defined anew";
  return removed.map(({ manifest }) => ({ manifest, failed, removed: true }));
}

/** The removed sources that some group still includes. */
export function listRememberedSources({ groups, removed, sources, live }: Catalog): readonly RemovedSource[] {
  const members = new Set(groups.flatMap((group) => group.members));
  const isBack = new Set([...sources, ...live].map(getSourceName));
  return removed.filter((source) => members.has(getSourceName(source)) && !isBack.has(getSourceName(source)));
}

/**
 * A group with exactly these members. Another source whose manifest names the group is excluded, so that it does not
 * join again.
 *
 * @param members an empty list removes the group
 */
export function buildCatalogGroup(
  { sources, live }: Pick<Catalog, "sources" | "live">,
  name: string,
  members: readonly string[],
): CatalogGroup | undefined {
  const joining = [...sources, ...live]
    .filter(({ manifest }) => manifest.groups?.includes(name))
    .map(getSourceName);
  const excluded = joining.filter((source) => !members.includes(source)).sort();
  if (members.length + excluded.length === 0) return undefined;
  return { name, members: [...new Set(members)].sort(), ...(excluded.length > 0 && { excluded }) };
}

/**
 * Checks that no group has the name of a source, and that the members of each are sources, all made up or none, borders
 * excepted.
 *
 * Fails: `GROUP_INVALID`.
 */
export function checkGroups(catalog: Catalog): Catalog {
  const manifests = new Map(
    [...catalog.removed, ...catalog.live, ...catalog.sources].map((each) => [
      getSourceName(each),
      each.manifest,
    ]),
  );
  const sources = new Set([...catalog.sources, ...catalog.live].map(getSourceName));
  const groups = buildEffectiveGroups(catalog);
  for (const [name, members] of Object.entries(groups)) {
    if (sources.has(name)) {
      throw new DataError("GROUP_INVALID", `"${name}" cannot be both a source and a group`, { name });
    }
    for (const member of members) {
      if (manifests.has(member)) continue;
      const found = Object.hasOwn(groups, member)
        ? "a group, and members must be sources"
        : "not a source in this data folder";
      throw new DataError("GROUP_INVALID", `member "${member}" of group "${name}" is ${found}`, {
        name,
        member,
      });
    }
    if (!isMixed(members.map((member) => manifests.get(member)!))) continue;
    const fictional = members.filter((member) => manifests.get(member)!.fictional === true);
    const message = `group "${name}" would have the fictional ${formatQuotedList(fictional)} among real sources, expected all made up or none; groundrule sources remove --fictional takes them out of this folder`;
    throw new DataError("GROUP_INVALID", message, { name, fictional });
  }
  return catalog;
}

/**
 * The catalog of a release without fictional sources, with those of its demo marked. They leave groups that have real
 * members too.
 */
export function withFictionalApart(catalog: Catalog): Catalog {
  const sources = catalog.sources.map((meta) =>
    isEarlierDemo(meta) ? { ...meta, manifest: { ...meta.manifest, fictional: true as const } } : meta,
  );
  const manifests = new Map(
    [...sources, ...catalog.live].map((each) => [getSourceName(each), each.manifest]),
  );
  const groups = listRememberedGroups({ ...catalog, sources }).map((group): CatalogGroup => {
    const known = group.members.flatMap((member) => manifests.get(member) ?? []);
    if (!isMixed(known)) return group;
    const isFictional = (member: string) => manifests.get(member)?.fictional === true;
    const { members, excluded = [] } = group;
    return {
      ...group,
      members: members.filter((member) => !isFictional(member)),
      excluded: [...excluded, ...members.filter(isFictional)].sort(),
    };
  });
  return { ...catalog, sources, groups };
}

/** True for a source of the demo of release 0.2.0 or before, where only the titles of made-up sources say so. */
function isEarlierDemo({ manifest }: SnapshotMeta): boolean {
  return (
    manifest.source_name.startsWith("demo:") && manifest.source_dataset?.startsWith("Fictional ") === true
  );
}

function getSourceName({ manifest }: { readonly manifest: { readonly source_name: string } }): string {
  return manifest.source_name;
}

function formatQuotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
