import type { EngineError } from "@groundrule/engine";

/**
 * Prefix of groups that presets name. Presets name no sources: the operator decides which sources are in these groups.
 */
const PRESET_GROUP_PREFIX = "preset:";

/** The message for callers about a preset's missing groups; undefined if none is missing. */
export function missingGroupsMessage({ details }: Pick<EngineError, "details">): string | undefined {
  const unknown = Array.isArray(details.unknown_sources) ? details.unknown_sources.map(String) : [];
  const names = unknown.filter((name) => name.startsWith(PRESET_GROUP_PREFIX));
  if (names.length === 0) return undefined;
  const [groups, are, them] = names.length === 1 ? ["A group", "is", "it"] : ["Groups", "are", "them"];
  return `${groups} that the ruleset names ${are} not available: ${names.join(", ")}. The operator of the service brings ${them} as groundrule sources list --needed-by RULESET says. An organization can use a group only if all its members are available to the organization.`;
}
