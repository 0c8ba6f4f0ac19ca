import type { EngineError } from "@groundrule/engine";

/** Presets name groups that begin so, and no sources: whoever runs the service says what is in them. */
export const PRESET_GROUP_PREFIX = "preset:";

/** Which groups of presets a ruleset misses and how they come about; undefined where it misses none. */
export function missingPresetGroups({ details }: Pick<EngineError, "details">): string | undefined {
  const unknown = Array.isArray(details.unknown_sources) ? details.unknown_sources : [];
  const groups = unknown.filter((name) => String(name).startsWith(PRESET_GROUP_PREFIX));
  const [first] = groups;
  if (first === undefined) return undefined;
  const are = groups.length === 1 ? "The group it names is" : "The groups it names are";
  return `${are} not here: ${groups.join(", ")}. A group is here once whoever runs the service has given it members, by "groundrule sources group ${first} MEMBER…" or by "groups" in the members' manifests, and for an organization only where every member is available to it.`;
}
