import type { EngineError } from "@groundrule/engine";

/** Presets name groups that begin so, and no sources: whoever runs the service says what is in them. */
const PRESET_GROUP_PREFIX = "preset:";

/** Which groups of presets a ruleset misses and how they come about; undefined where it misses none. */
export function missingPresetGroups({ details }: Pick<EngineError, "details">): string | undefined {
  const unknown = Array.isArray(details.unknown_sources) ? details.unknown_sources : [];
  const groups = unknown.filter((name) => String(name).startsWith(PRESET_GROUP_PREFIX));
  const [first] = groups;
  if (first === undefined) return undefined;
  const are = groups.length === 1 ? "A group that the ruleset names is" : "Groups that the ruleset names are";
  return `${are} not available: ${groups.join(", ")}. The operator of the service defines a group with "groundrule sources group ${first} MEMBER…" or with "groups" in the members' manifests. An organization can use a group only if all its members are available to the organization.`;
}
