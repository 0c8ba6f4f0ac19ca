import type { StoredManifest } from "@groundrule/engine";
import { DataError } from "../data-error.ts";
import type { Catalog } from "./catalog-form.ts";
import { buildEffectiveGroups, listRememberedGroups } from "./groups.ts";

/** The last observed day of a map for the end of 2020, and the first day after the cut-off of 31 December 2020. */
const END_OF_2020 = "2020-12-31";
const SINCE_2020 = "2021-01-01";

/**
 * For each group of the presets with a cut-off, the day that the observations of a member must reach: the cut-off
 * itself for a map of that day's state, the day after for changes since (data/rulesets/README.md).
 */
export const GROUP_CUTOFFS: ReadonlyMap<string, string> = new Map([
  ["preset:forest_2020", END_OF_2020],
  ["preset:tree_cover_2020", END_OF_2020],
  ["preset:commodities_2020", END_OF_2020],
  ["preset:forest_types_2020", END_OF_2020],
  ["preset:tree_cover_loss", SINCE_2020],
  ["preset:forest_loss", SINCE_2020],
  ["preset:disturbances", SINCE_2020],
  ["preset:agriculture_after_2020", SINCE_2020],
  ["preset:tree_cover_after_2020", SINCE_2020],
  ["preset:prodes", "2019-08-01"],
]);

/**
 * Refuses a source as a member of a group whose cut-off is later than the end of its observations, unless its manifest
 * allows `before_cutoff`: otherwise land would count as examined after that end.
 *
 * Fails: `GROUP_INVALID`.
 */
export function checkGroupCutoffs(catalog: Catalog): Catalog {
  for (const { group: name, reach, member, end } of listEarlyMembers(catalog)) {
    const message = `"${member}" ends on ${end}, before the cut-off of group "${name}", whose members are observed until ${reach} at least; leave it out of the group (groundrule sources group ${name} MEMBER…), or add "allow": ["before_cutoff"] to its manifest, and each verdict states it`;
    throw new DataError("GROUP_INVALID", message, {
      name,
      member,
      observed_until: end,
      cutoff: reach,
    });
  }
  return catalog;
}

/**
 * The catalog of a release without cut-offs, without the members that {@link checkGroupCutoffs} refuses: a group without
 * other members is dropped.
 */
export function withEarlyMembersApart(catalog: Catalog): Catalog {
  const early = listEarlyMembers(catalog);
  const groups = listRememberedGroups(catalog).map((group) => {
    const leaving = early.flatMap((each) => (each.group === group.name ? each.member : []));
    if (leaving.length === 0) return group;
    const excluded = [...(group.excluded ?? []), ...leaving].sort();
    return { ...group, members: group.members.filter((member) => !leaving.includes(member)), excluded };
  });
  return { ...catalog, groups };
}

interface EarlyMember {
  readonly group: string;
  /** The day that its observations must reach. */
  readonly reach: string;
  readonly member: string;
  /** The last day of its observations. */
  readonly end: string;
}

function listEarlyMembers(catalog: Catalog): EarlyMember[] {
  const manifests = new Map(
    [...catalog.sources, ...catalog.live].map(({ manifest }) => [manifest.source_name, manifest]),
  );
  return Object.entries(buildEffectiveGroups(catalog)).flatMap(([group, members]) => {
    const reach = GROUP_CUTOFFS.get(group);
    if (reach === undefined) return [];
    return members.flatMap((member): EarlyMember[] => {
      const manifest = manifests.get(member);
      const end = manifest && findLastDay(manifest);
      if (end === undefined || end >= reach || manifest?.allow?.includes("before_cutoff")) return [];
      return [{ group, reach, member, end }];
    });
  });
}

/** The last day that a source can describe: no observation is later than the collection. */
function findLastDay({ observed_until, collected_at }: StoredManifest): string | undefined {
  const days = [observed_until, collected_at?.slice(0, 10)].filter((day) => day !== undefined);
  return days.length === 0 ? undefined : days.reduce((a, b) => (a < b ? a : b));
}
