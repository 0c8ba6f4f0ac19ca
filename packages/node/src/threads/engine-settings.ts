import {
  type Engine,
  type EngineOptions,
  type Kernel,
  openEngine,
  type SourceInput,
} from "@groundrule/engine";
import { ENGINE_OPTIONS } from "./host.ts";
import { loadKernel } from "./load-kernel.ts";

/** What an engine is opened from. */
export interface EngineSettings {
  /** As {@link openEngine} accepts them. */
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

/** Settings as they are sent to a worker: plain values and shared buffers. */
export interface PlainSettings {
  /** As {@link openEngine} accepts them. */
  readonly sources: readonly SourceInput[];
  /** Options without their functions. */
  readonly options: Pick<EngineOptions, "groups"> & {
    /** Name of the kernel, whose functions cannot be sent to a thread. */
    readonly kernel?: Kernel["name"];
    /** The borders of countries, of workers whose inputs may name one. */
    readonly borders?: SharedArrayBuffer;
  };
}

/**
 * The part of settings, or of a {@link DataView}, that can be sent to a worker. The worker adds the functions of its host.
 *
 * @param borders {@link sharedBorders}, where inputs may name a country
 */
export function plainSettings(
  { sources, options: { groups, kernel } }: EngineSettings,
  borders?: SharedArrayBuffer,
): PlainSettings {
  return {
    sources,
    options: {
      ...(groups !== undefined && { groups }),
      ...(kernel !== undefined && { kernel: kernel.name }),
      ...(borders !== undefined && { borders }),
    },
  };
}

/**
 * Opens the engine of settings that were sent to a worker.
 *
 * @param onMeter hears of the meter of each answer
 *
 * Fails: as `openEngine`.
 */
export async function openSettings(
  { sources, options }: PlainSettings,
  onMeter?: EngineOptions["onMeter"],
): Promise<Engine> {
  const kernel = await loadKernel(options.kernel);
  return openEngine(sources, {
    ...ENGINE_OPTIONS,
    ...options,
    kernel,
    ...(onMeter !== undefined && { onMeter }),
  });
}
