import type { Warning } from "../geometry/plot/plot.ts";
import type { StoredManifest } from "../snapshot/manifest.ts";
import type { EngineSource } from "./source-table.ts";

/** The category of borders, which are as real for made-up areas as for others. */
const BORDERS = "administrative border";

/** True if made-up sources are mixed with real ones, not counting borders. */
export function isMixed(manifests: readonly Pick<StoredManifest, "fictional" | "category">[]): boolean {
  return (
    manifests.some(({ fictional }) => fictional === true) &&
    manifests.some(({ fictional, category }) => fictional !== true && category !== BORDERS)
  );
}

/**
 * A warning if one answer mixes made-up sources with real ones, not counting borders: then it is unclear what it means
 * for the plot.
 */
export function findFictionalWarnings(sources: readonly EngineSource[]): Warning[] {
  const manifests = sources.flatMap((source) => ("without" in source ? [] : source.manifest));
  if (!isMixed(manifests)) return [];
  const fictional = manifests.filter((manifest) => manifest.fictional === true);
  const names = fictional.map(({ source_name }) => `"${source_name}"`).join(", ");
  const message = `found the fictional ${names} among real sources, expected either only fictional or only real sources`;
  return [{ pointer: "", code: "FICTIONAL_DATA", message }];
}
