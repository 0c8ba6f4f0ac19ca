import { readdirSync, readFileSync } from "node:fs";

/** What the names of presets begin with. */
export const PRESET_PREFIX = "preset.";

/**
 * The preset rulesets by name (`preset.indigenous-lands`), ascending. They name groups of sources,
 * `preset:indigenous_lands` and so on, which the manifests in `data/sources` join; whoever has other
 * sources gives those groups other members.
 */
export function presets(): ReadonlyMap<string, object> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".json"));
  return new Map(
    files
      .sort()
      .map((file) => [
        `${PRESET_PREFIX}${file.slice(0, -".json".length)}`,
        JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")),
      ]),
  );
}
