/** Prefix of the names of presets. */
export const PRESET_PREFIX = "preset.";

/** A version of a preset. What was published under a name and a version never changes. */
export interface PublishedPreset {
  /** Begins with {@link PRESET_PREFIX}. */
  readonly name: string;
  /** Counted from 1. */
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly publishedAt: string;
  /** With `name`, `description`, `not_examined`, `sets` and `checks`. */
  readonly ruleset: object;
}

/** A file of a preset. */
export interface PresetFile {
  /** Its name without `.json`: of an earlier version `name@version`. */
  readonly file: string;
  readonly ruleset: object;
}

/** The versions of presets, by name and version, ascending, from the files that hold them. */
export function findPresetVersions(
  earlierFiles: readonly PresetFile[],
  filesInForce: readonly PresetFile[],
): readonly PublishedPreset[] {
  const earlier = earlierFiles.map(({ file, ruleset }) => {
    const [name = "", version = ""] = file.split("@");
    return createPublishedPreset(`${PRESET_PREFIX}${name}`, Number(version), ruleset);
  });
  const inForce = filesInForce.map(({ file, ruleset }) => {
    const name = `${PRESET_PREFIX}${file}`;
    const before = earlier.filter((each) => each.name === name);
    return createPublishedPreset(name, before.length + 1, ruleset);
  });
  return [...earlier, ...inForce].sort((a, b) =>
    a.name === b.name ? a.version - b.version : a.name < b.name ? -1 : 1,
  );
}

/** When the first version of a preset that is not named here was published, and when the others were. */
const PUBLISHED = [
  "2026-11-20T00:00:00Z",
  "2026-11-22T00:00:00Z",
  "2026-11-24T00:00:00Z",
  "2026-11-27T00:00:00Z",
  "2026-11-27T09:00:00Z",
  "2026-11-28T00:00:00Z",
  "2026-11-28T21:00:00Z",
] as const;
/** Presets that were added later, with the number of publications before theirs. */
const ADDED_LATER: Readonly<Record<string, number>> = {
  "preset.eudr": 1,
  "preset.whisp-annual": 4,
  "preset.whisp-perennial": 4,
  "preset.whisp-timber": 4,
};
/** Versions that publications passed over, with the number of those between their predecessor and them. */
const PASSED_OVER: Readonly<Record<string, number>> = { "preset.rural-credit-br@5": 2 };

function createPublishedPreset(name: string, version: number, ruleset: object): PublishedPreset {
  const before = (ADDED_LATER[name] ?? 0) + (PASSED_OVER[`${name}@${version}`] ?? 0);
  const publishedAt = PUBLISHED[version - 1 + before];
  if (publishedAt === undefined) throw new Error(`nobody said when ${name}@${version} was published`);
  return { name, version, publishedAt, ruleset: withOrigin(ruleset, { name, version }) };
}

/** Where the engine finds the name and version of a ruleset. */
const ORIGIN = Symbol.for("groundrule.ruleset.origin");

/** A ruleset that carries its name and version, which verdicts then repeat. Copies of it do not carry them. */
export function withOrigin(
  ruleset: object,
  { name, version }: Pick<PublishedPreset, "name" | "version">,
): object {
  return Object.defineProperty({ ...ruleset }, ORIGIN, { value: { name, version } });
}
