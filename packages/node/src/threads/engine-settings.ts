import {
  type Engine,
  type EngineOptions,
  type Kernel,
  openEngine,
  type SourceInput,
} from "@groundrule/engine";
import { fitting, readShape, type Shape } from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import { type FilePlace, FileRange } from "../files/file-range.ts";
import { ENGINE_OPTIONS, loadKernel } from "./host.ts";

/** The settings from which an engine is opened. */
export interface EngineSettings {
  /** Sources in the form that {@link openEngine} accepts. */
  readonly sources: readonly SourceInput[];
  readonly options: EngineOptions;
}

/** Settings as they are sent to a worker: plain values, shared buffers, and the paths of files that it opens itself. */
export interface PlainSettings {
  /** Sources in the form that {@link openEngine} accepts. */
  readonly sources: readonly SourceInput[];
  /** Options without their functions. */
  readonly options: Pick<EngineOptions, "groups" | "tileBytes"> & {
    /** Name of the kernel, whose functions cannot be sent to a thread. */
    readonly kernel?: Kernel["name"];
    /** The borders of countries, for workers whose inputs may name one. */
    readonly borders?: SharedArrayBuffer;
  };
}

/**
 * The part of settings, or of a {@link DataView}, that can be sent to a worker. The worker adds the functions of its
 * host.
 *
 * @param borders {@link getSharedBorders}, if inputs may name a country
 *
 * Fails: `VALIDATION_FAILED` for what is no settings.
 */
export function toPlainSettings(settings: EngineSettings, borders?: SharedArrayBuffer): PlainSettings {
  const { sources, options } = readShape(settingsShape, settings);
  const { groups, kernel, tileBytes } = options;
  return {
    sources,
    options: {
      ...(groups !== undefined && { groups }),
      ...(tileBytes !== undefined && { tileBytes }),
      ...(kernel !== undefined && { kernel: kernel.name }),
      ...(borders !== undefined && { borders }),
    },
  };
}

const settingsShape: Shape<EngineSettings> = fitting<EngineSettings>(
  (value) => isObject(value) && Array.isArray(value.sources) && isObject(value.options),
  "sources and options, such as data.current of openData",
);

/**
 * Opens the engine of settings that were sent to a worker.
 *
 * @param onMeter called with the meter of each answer
 *
 * Fails: as `openEngine`.
 */
export async function openEngineFromSettings(
  { sources, options }: PlainSettings,
  onMeter?: EngineOptions["onMeter"],
): Promise<Engine> {
  const kernel = await loadKernel(options.kernel);
  return openEngine(sources.map(restoreSourceFile), {
    ...ENGINE_OPTIONS,
    ...options,
    kernel,
    ...(onMeter !== undefined && { onMeter }),
  });
}

/** Restores a source after sending: a large raster becomes the file that contains it, which this thread opens. */
function restoreSourceFile(source: SourceInput): SourceInput {
  if (!("bytes" in source)) return source;
  const { path } = source.bytes as Partial<FilePlace>;
  if (path === undefined || "read" in source.bytes) return source;
  try {
    return { ...source, bytes: new FileRange(path) };
  } catch (error) {
    if (source.manifest === undefined) throw error;
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const { manifest, edition } = source;
    return { manifest, edition, failed: `the file of its edition cannot be read (${code})` };
  }
}
