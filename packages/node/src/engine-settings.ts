import {
  type Engine,
  type EngineOptions,
  type Kernel,
  openEngine,
  type SourceInput,
} from "@groundrule/engine";
import { HOST } from "./host.ts";
import { loadKernel } from "./load-kernel.ts";

/** What an engine is opened from. */
export interface EngineSettings {
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

/** Settings as they reach a worker: plain values and shared buffers. */
export interface PlainSettings {
  readonly sources: readonly SourceInput[];
  readonly options: Pick<EngineOptions, "groups"> & { readonly kernel?: Kernel["name"] };
}

/** What of settings, or of a {@link DataView}, can cross to a worker; the worker adds what its host has. */
export function plainSettings({ sources, options: { groups, kernel } }: EngineSettings): PlainSettings {
  return {
    sources,
    options: {
      ...(groups !== undefined && { groups }),
      ...(kernel !== undefined && { kernel: kernel.name }),
    },
  };
}

/** The engine of settings that crossed to a worker. */
export async function openSettings({ sources, options }: PlainSettings): Promise<Engine> {
  return openEngine(sources, { ...options, kernel: await loadKernel(options.kernel), ...HOST });
}
