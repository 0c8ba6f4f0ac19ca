import { readdirSync, readFileSync } from "node:fs";

/** What the names of presets begin with. */
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

/**
 * The presets in force by name (`preset.indigenous-lands`), ascending, each in its latest version. They name
 * groups of sources, `preset:indigenous_lands` and so on, which the manifests in `data/sources` join; whoever has
 * other sources gives those groups other members.
 */
export function presets(): ReadonlyMap<string, object> {
  return new Map(read(IN_FORCE).map(({ name, ruleset }) => [name, ruleset]));
}

/**
 * Every version of every preset, by name and version, ascending: those in force, those that a later version
 * replaced, and those that another preset replaced, such as `preset.eudr-style` by `preset.eudr`.
 */
export function presetVersions(): readonly PublishedPreset[] {
  const earlier = read(EARLIER).map(({ name: file, ruleset }) => {
    const [name = "", version = ""] = file.split("@");
    return published(name, Number(version), ruleset);
  });
  const inForce = read(IN_FORCE).map(({ name, ruleset }) => {
    const before = earlier.filter((each) => each.name === name);
    return published(name, before.length + 1, ruleset);
  });
  return [...earlier, ...inForce].sort((a, b) =>
    a.name === b.name ? a.version - b.version : a.name < b.name ? -1 : 1,
  );
}

const IN_FORCE = new URL("./", import.meta.url);
const EARLIER = new URL("./earlier/", import.meta.url);

/** When the first version of a preset that is not named here was published, and when the others were. */
const PUBLISHED = ["2026-11-20T00:00:00Z", "2026-11-22T00:00:00Z"] as const;
/** Presets that were added later, with the number of publications before theirs. */
const ADDED_LATER: Readonly<Record<string, number>> = { "preset.eudr": 1 };

function published(name: string, version: number, ruleset: object): PublishedPreset {
  const publishedAt = PUBLISHED[version - 1 + (ADDED_LATER[name] ?? 0)];
  if (publishedAt === undefined) throw new Error(`nobody said when ${name}@${version} was published`);
  return { name, version, publishedAt, ruleset };
}

function read(folder: URL): { readonly name: string; readonly ruleset: object }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({
      name: `${PRESET_PREFIX}${file.slice(0, -".json".length)}`,
      ruleset: JSON.parse(readFileSync(new URL(file, folder), "utf8")),
    }));
}
