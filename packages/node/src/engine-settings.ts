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
  /** As {@link openEngine} takes them. */
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

/** Settings as they reach a worker: plain values and shared buffers. */
export interface PlainSettings {
  /** As {@link openEngine} takes them. */
  readonly sources: readonly SourceInput[];
  /** Options without their functions. */
  readonly options: Pick<EngineOptions, "groups"> & {
    /** Name of the kernel; a function cannot cross. */
    readonly kernel?: Kernel["name"];
  };
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

/**
 * The engine of settings that crossed to a worker.
 *
 * Fails: as `openEngine`.
 */
export async function openSettings({ sources, options }: PlainSettings): Promise<Engine> {
  return openEngine(sources, { ...options, kernel: await loadKernel(options.kernel), ...HOST });
}
