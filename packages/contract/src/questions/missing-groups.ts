import type { EngineError } from "@groundrule/engine";

/** Presets name groups that begin so, and no sources: whoever keeps the sources says what is in them. */
const PRESET_GROUP_PREFIX = "preset:";

/** The names of groups that a preset needs and nobody has defined, in the order in which it names them. */
export function missingPresetGroups({ details }: Pick<EngineError, "details">): string[] {
  const unknown = Array.isArray(details.unknown_sources) ? details.unknown_sources.map(String) : [];
  return unknown.filter((name) => name.startsWith(PRESET_GROUP_PREFIX));
}

/** The command that defines a group, for people to complete: `groundrule sources group preset:mining SOURCE…`. */
export function groupDefinition(name: string): string {
  return `groundrule sources group ${name} SOURCE…`;
}

/** What a caller of a service is told of the groups that a preset misses; undefined where it misses none. */
export function missingGroupsMessage(error: Pick<EngineError, "details">): string | undefined {
  const names = missingPresetGroups(error);
  if (names.length === 0) return undefined;
  const [groups, are, them] = names.length === 1 ? ["A group", "is", "it"] : ["Groups", "are", "them"];
  const commands = names.map(groupDefinition).join("; ");
  return `${groups} that the ruleset names ${are} not available. The operator of the service defines ${them} (${commands}), or names ${them} under "groups" in the members' manifests. An organization can use a group only if all its members are available to the organization.`;
}
