import type { EngineOptions, SourceInput } from "@groundrule/engine";

/** What an engine is opened from, as it reaches a worker: plain values and shared buffers. */
export interface EngineSettings {
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

/** What of settings, or of a {@link DataView}, can cross to a worker: it adds what its host does faster. */
export function plainSettings({ sources, options: { groups, kernel } }: EngineSettings): EngineSettings {
  return {
    sources,
    options: { ...(groups !== undefined && { groups }), ...(kernel !== undefined && { kernel }) },
  };
}
