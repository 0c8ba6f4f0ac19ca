import type { PublishedPreset } from "@groundrule/data/rulesets/versions";
import type { PublishedRuleset } from "./local-catalog.ts";

/**
 * Every version of every preset, as in the service, from a gzipped file next to the page.
 *
 * Fails: if it cannot be fetched or is damaged.
 */
export async function fetchPresetRulesets(url: string): Promise<readonly PublishedRuleset[]> {
  const packed = await fetch(url);
  if (!packed.ok) throw new Error(`the server answered ${packed.status} for the presets`);
  const unpacked = packed.body!.pipeThrough(new DecompressionStream("gzip"));
  return toPublishedRulesets((await new Response(unpacked).json()) as readonly PublishedPreset[]);
}

/** Versions of presets in the form of a catalog's. */
export function toPublishedRulesets(versions: readonly PublishedPreset[]): readonly PublishedRuleset[] {
  return versions.map(({ name, version, ruleset }) => {
    const { name: _, ...body } = ruleset as Record<string, unknown>;
    return { name, version, body };
  });
}
