import { readdirSync, readFileSync } from "node:fs";
import { findPresetVersions, PRESET_PREFIX, type PresetFile, type PublishedPreset } from "./versions.ts";

export { PRESET_PREFIX, type PublishedPreset, withOrigin } from "./versions.ts";

/**
 * The presets in force by name (`preset.indigenous-lands`), ascending, each in its latest version. They name
 * groups of sources, `preset:indigenous_lands` and so on, which the manifests in `data/sources` join; whoever has
 * other sources gives those groups other members.
 */
export function presets(): ReadonlyMap<string, object> {
  const names = new Set(readPresetFiles(IN_FORCE).map(({ file }) => `${PRESET_PREFIX}${file}`));
  return new Map(presetVersions().flatMap(({ name, ruleset }) => (names.has(name) ? [[name, ruleset]] : [])));
}

/**
 * Every version of every preset, by name and version, ascending: those in force, those that a later version
 * replaced, and those that another preset replaced, such as `preset.eudr-style` by `preset.eudr`.
 */
export function presetVersions(): readonly PublishedPreset[] {
  return findPresetVersions(readPresetFiles(EARLIER), readPresetFiles(IN_FORCE));
}

const IN_FORCE = new URL("./", import.meta.url);
const EARLIER = new URL("./earlier/", import.meta.url);

function readPresetFiles(folder: URL): PresetFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({
      file: file.slice(0, -".json".length),
      ruleset: JSON.parse(readFileSync(new URL(file, folder), "utf8")),
    }));
}
