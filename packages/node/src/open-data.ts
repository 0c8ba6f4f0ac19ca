import { statSync } from "node:fs";
import {
  type Engine,
  type EngineOptions,
  type FailedSource,
  type Kernel,
  type LiveSource,
  openEngine,
  type StoredSource,
} from "@groundrule/engine";
import {
  anything,
  choice,
  fitting,
  forwardEngineParts,
  number,
  object,
  optional,
  readShape,
  type Shape,
  text,
} from "@groundrule/engine/internal";
import {
  buildEffectiveGroups,
  type Catalog,
  EMPTY_CATALOG,
  formatCatalog,
  formatEditionPath,
  listRemovedSources,
  readCatalog,
} from "./catalog/catalog.ts";
import type { LiveEntry } from "./catalog/live-source.ts";
import { DataError } from "./data-error.ts";
import { readBuildNotes } from "./files/build-notes.ts";
import { type EditionBytes, RASTER_MEMORY_BYTES, readEditionFile } from "./files/read-edition.ts";
import { ENGINE_OPTIONS } from "./threads/host.ts";

/** Options for opening a data folder. */
export interface OpenDataOptions {
  /** Kernel of the engine; absent: the exact kernel. See {@link EngineOptions.kernel}. */
  readonly kernel?: Kernel | undefined;
  /** Largest raster that is read into memory, in bytes; a larger one is read on demand. Default 64 MiB. */
  readonly rasterBytes?: number | undefined;
  /** The engine's option of the same name: cache size for rasters that are read on demand, in bytes. */
  readonly tileBytes?: number | undefined;
  /**
   * Treatment of a folder without a catalog: `refuse` it, which is the default, or `wait` for the catalog. An engine
   * without sources then takes its place, and the first reload that finds a catalog switches to it.
   */
  readonly absent?: "refuse" | "wait" | undefined;
}

/** How often a data folder is checked for other editions, with callbacks. */
export interface WatchOptions {
  /** Milliseconds between two checks. Default 1,000. */
  readonly intervalMs?: number;
  /** Called after each switch to other editions. An error that it throws is passed to `onError`. */
  readonly onSwitch?: () => void;
  /**
   * Called once for each new reason when the catalog cannot be read, and when `onSwitch` throws. The current editions
   * stay in use. Default: an unreadable catalog is read again silently, and an error of `onSwitch` is thrown as uncaught.
   */
  readonly onError?: (error: Error) => void;
  /** Called when the catalog can be read again, before `onSwitch` if its editions are others. */
  readonly onRecovery?: () => void;
}

/** The sources at one moment, as an engine and its workers accept them. They are shared and never change. */
export interface DataView {
  readonly engine: Engine;
  /** Sources in the form that {@link openEngine} accepts. */
  readonly sources: readonly (StoredSource | FailedSource | LiveSource)[];
  /** The live sources' configurations, ascending by name; see `LiveSources`. */
  readonly live: readonly LiveEntry[];
  /** Groups and kernel, without the functions that Node provides to every engine. */
  readonly options: EngineOptions;
  /** The digest of the current edition of each source, by source name, ascending. */
  readonly editions: ReadonlyMap<string, string>;
}

/**
 * An open data folder: an engine whose every answer uses the editions that are current at that moment.
 *
 * A policy keeps the editions it was compiled on, and names them in `policy.editions`. For several questions
 * that belong together, take `current.engine` once: it keeps its editions when others become current.
 */
export interface OpenData extends Engine {
  readonly dir: string;
  /** The editions that are current as of the last reload. */
  readonly current: DataView;
  /** `current.engine` */
  readonly engine: Engine;
  /** `current.editions` */
  readonly editions: ReadonlyMap<string, string>;
  /** The error of the last attempt to open or reload the folder; undefined if it succeeded. */
  readonly trouble: Error | undefined;
  /**
   * Switches to the editions that the data folder contains now. Returns false if they are the same. Unchanged files are
   * not read again.
   *
   * Fails: as {@link openData}; the current editions then stay in use.
   */
  reload(): boolean;
  /**
   * Reloads at an interval until the returned function is called. Does not keep the process alive.
   *
   * Fails: `VALIDATION_FAILED` for an unknown option.
   */
  watch(options?: WatchOptions): () => void;
  /** The current instant, ISO 8601 UTC, for the `now` of a question: the engine itself has no clock. */
  now(): string;
}

/**
 * Opens the current editions of a data folder, each read into shared memory except large rasters.
 *
 * A source whose file is missing, unreadable or damaged fails with the reason; the others answer.
 *
 * Fails: as {@link readCatalog}, except for `DATA_FOLDER_MISSING` with `absent: "wait"`; `VALIDATION_FAILED` for a folder that is not a path, and for an unknown option.
 */
export function openData(dir: string, openOptions: OpenDataOptions = {}): OpenData {
  const options = readShape(openDataShape, openOptions);
  readShape(text({ words: "the path of a data folder" }), dir);
  let trouble: Error | undefined;
  const open = (previous?: State): State => {
    try {
      const next = openDataState(dir, options, previous);
      trouble = undefined;
      return next;
    } catch (error) {
      trouble = error as Error;
      throw error;
    }
  };
  const openFirst = (): State => {
    try {
      return open();
    } catch (error) {
      const isAbsent = error instanceof DataError && error.code === "DATA_FOLDER_MISSING";
      if (options.absent !== "wait" || !isAbsent) throw error;
      return openDataState(dir, options, undefined, () => EMPTY_CATALOG);
    }
  };
  let state = openFirst();
  const reload = () => {
    const next = open(state);
    const changed = next !== state;
    state = next;
    return changed;
  };
  const data: OpenData = {
    ...createCurrentEngine(() => state.view.engine),
    dir,
    get current() {
      return state.view;
    },
    get engine() {
      return state.view.engine;
    },
    get editions() {
      return state.view.editions;
    },
    get trouble() {
      return trouble;
    },
    reload,
    watch: (watching = {}) => pollForChanges(reload, trouble?.message, readShape(watchShape, watching)),
    now: () => new Date().toISOString(),
  };
  forwardEngineParts(data, () => state.view.engine);
  return data;
}

const openDataShape: Shape<OpenDataOptions> = object<OpenDataOptions>(
  {
    kernel: optional(anything() as Shape<Kernel>), // openEngine checks it
    rasterBytes: optional(number({ whole: true, min: 0 })),
    tileBytes: optional(number({ whole: true, min: 0 })),
    absent: optional(choice("refuse", "wait")),
  },
  { words: "an object of options" },
);

const isFunction = (value: unknown) => typeof value === "function";

const watchShape: Shape<WatchOptions> = object<WatchOptions>(
  {
    intervalMs: optional(number({ above: 0 })),
    onSwitch: optional(fitting<() => void>(isFunction, "a function")),
    onError: optional(fitting<(error: Error) => void>(isFunction, "a function")),
    onRecovery: optional(fitting<() => void>(isFunction, "a function")),
  },
  { words: "an object of options" },
);

/** An engine that passes each question to the current one. */
function createCurrentEngine(current: () => Engine): Engine {
  const { kernel, semantics } = current(); // the same after every reload
  return {
    kernel,
    semantics,
    sources: () => current().sources(),
    groups: () => current().groups(),
    within: (patterns) => current().within(patterns),
    failures: () => current().failures(),
    intersections: (geometry, options) => current().intersections(geometry, options),
    distance: (geometry, options) => current().distance(geometry, options),
    liveNeeds: (geometry, options) => current().liveNeeds(geometry, options),
    subjects: (scheme, options) => current().subjects(scheme, options),
    compile: (ruleset, origin, options) => current().compile(ruleset, origin, options),
  };
}

/** The open state and its inputs. */
interface State {
  readonly catalog: string;
  /** Files by path. */
  readonly files: ReadonlyMap<string, OpenFile>;
  readonly view: DataView;
}

interface OpenFile {
  /** Changes when the file is replaced. */
  readonly stamp: string;
  readonly content:
    | { readonly bytes: EditionBytes; readonly builtAt: string; readonly leftOut?: number }
    | { readonly failed: string };
}

/** How often the catalog is read again if its editions were removed before they were read. */
const REMOVED_MEANWHILE = 8;

/** The current state of the data folder; `previous` itself if nothing changed. */
function openDataState(
  dir: string,
  options: OpenDataOptions,
  previous: State | undefined,
  read: () => Catalog = () => readCatalog(dir),
  patience = REMOVED_MEANWHILE,
): State {
  const catalog = read();
  const catalogText = formatCatalog(catalog);
  const files = new Map<string, OpenFile>();
  const sources: (StoredSource | FailedSource | LiveSource)[] = [];
  let changed = catalogText !== previous?.catalog;
  const contentOf = (name: string, edition: string): OpenFile["content"] => {
    const path = formatEditionPath(dir, name, edition);
    const stamp = readFileStamp(path);
    const known = previous?.files.get(path);
    const file = known?.stamp === stamp ? known : openEditionFile(path, stamp, options.rasterBytes);
    changed ||= file !== known;
    files.set(path, file);
    return file.content;
  };
  for (const { manifest, edition } of catalog.sources) {
    sources.push({ manifest, edition, ...contentOf(manifest.source_name, edition) });
  }
  for (const { manifest, blank } of catalog.live) {
    const content = blank === undefined ? undefined : contentOf(manifest.source_name, blank);
    if (content === undefined) sources.push({ manifest, live: true });
    else if ("failed" in content) sources.push({ manifest, failed: content.failed });
    else sources.push({ manifest, live: true, blank: content.bytes });
  }
  for (const source of listRemovedSources(catalog)) sources.push(source);
  if (!changed) return previous!;
  // An edition may be replaced and removed between reading the catalog and its file; the catalog then names another
  // one.
  const isMissing = [...files.values()].some(({ stamp }) => stamp === MISSING);
  if (isMissing && patience > 0 && formatCatalog(read()) !== catalogText) {
    return openDataState(dir, options, previous, read, patience - 1);
  }
  const { kernel, tileBytes } = options;
  const engineOptions = { groups: buildEffectiveGroups(catalog), kernel, tileBytes };
  const view: DataView = {
    engine: openEngine(sources, { ...engineOptions, ...ENGINE_OPTIONS }),
    sources,
    live: catalog.live,
    options: engineOptions,
    editions: new Map(catalog.sources.map(({ manifest, edition }) => [manifest.source_name, edition])),
  };
  return { catalog: catalogText, files, view };
}

function openEditionFile(path: string, stamp: string, rasterBytes: number = RASTER_MEMORY_BYTES): OpenFile {
  try {
    const notes = readBuildNotes(path);
    // An edition without notes uses its file's modification time, which is that of the build.
    const builtAt = notes?.built_at ?? statSync(path).mtime.toISOString();
    const content = {
      bytes: readEditionFile(path, rasterBytes),
      builtAt,
      ...(notes?.left_out !== undefined && { leftOut: notes.left_out }),
    };
    return { stamp, content };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The system's message names folders of this machine, and callers would read it.
    const failureReason = code === undefined ? message : `the file of its edition cannot be read (${code})`;
    if (code !== "ENOENT") return { stamp, content: { failed: failureReason } };
    return { stamp: MISSING, content: { failed: "the file of its edition is missing" } };
  }
}

/** The stamp of a missing file. */
const MISSING = "missing";

function readFileStamp(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? MISSING : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** @param known the trouble that the caller knows of already */
function pollForChanges(
  reload: () => boolean,
  known: string | undefined,
  { intervalMs = 1000, onSwitch, onError, onRecovery }: WatchOptions,
): () => void {
  let failureReason = known;
  const check = () => {
    let changed: boolean;
    try {
      changed = reload();
    } catch (error) {
      const reason = (error as Error).message;
      if (reason !== failureReason) onError?.(error as Error);
      failureReason = reason;
      return;
    }
    if (failureReason !== undefined) onRecovery?.();
    failureReason = undefined;
    if (changed) onSwitch?.();
  };
  const timer = setInterval(() => {
    try {
      check();
    } catch (error) {
      // Without this, the process would go on with what it had compiled on the editions before.
      if (onError === undefined) throw error;
      onError(error as Error);
    }
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
