import { deepFreeze } from "../base/deep-freeze.ts";
import { EngineError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { isPromise, mismatchError, readUntrusted } from "../base/read-untrusted.ts";
import { describeValue } from "../shape/describe-value.ts";
import { readShape } from "../shape/read-shape.ts";
import { anything, boolean, choice, number, object, optional, type Shape, text } from "../shape/shape.ts";
import { findContentCoverage } from "../snapshot/content-digest.ts";
import type { CoveragePieces } from "../snapshot/coverage.ts";
import { type StoredManifest, storedManifestShape, withSourceFacts } from "../snapshot/manifest.ts";
import {
  type OpenOptions,
  openCoveragePieces,
  openWithCoverage,
  type ReadOptions,
  type SnapshotSource,
} from "../snapshot/read/reader.ts";
import type { AreaSnapshot, RangeReader } from "../snapshot/snapshot.ts";
import { NOT_QUERIED } from "./live-source.ts";
import { createOpenSource, type EngineSource, type LiveTerritory } from "./source-table.ts";

/**
 * The bytes of a snapshot, or what reads them when they are needed. They are used in place and must not change
 * afterwards. Bytes that are part of a larger buffer, as those of a small Node.js `Buffer` often are, and bytes of a
 * resizable buffer are copied.
 */
export type SnapshotBytes = ArrayBuffer | SharedArrayBuffer | Uint8Array | RangeReader;

/**
 * A source as `openEngine` accepts it: the bytes of its current edition, alone or with other data about the edition;
 * or, if no edition can be opened, its manifest and the reason; or a live source.
 */
export type SourceInput = SnapshotBytes | StoredSource | FailedSource | LiveSource;

/**
 * An edition of a source. Bytes that do not open, or that contain another source or edition than the one
 * named, make a failed source where a `manifest` is given; without a `manifest`, `openEngine` throws.
 */
export interface StoredSource {
  readonly bytes: SnapshotBytes;
  /** Description of the source, such as its title, that replaces the one in the bytes. */
  readonly manifest?: StoredManifest | undefined;
  /** Digest of the edition that the bytes should contain. */
  readonly edition?: string | undefined;
  /** How many features or rows the build could not store; answers repeat it as `left_out`. Absent: not known. */
  readonly leftOut?: number | undefined;
  /** When the edition was built, ISO 8601 UTC; absent: not known. */
  readonly builtAt?: string | undefined;
  /** The report of its build, which the engine ignores. */
  readonly report?: object | undefined;
}

/** A source that cannot be queried. */
export interface FailedSource {
  readonly manifest: StoredManifest;
  /** Why it cannot be queried. Answers repeat it as the `reason`. */
  readonly failed: string;
  /** Digest of the edition that could not be opened, where it is known. */
  readonly edition?: string | undefined;
  /**
   * Present if it is no longer a source and is only remembered by groups: no question can name it, and the groups that
   * have it as a member fail with it.
   */
  readonly removed?: true | undefined;
}

/**
 * A source of areas that is queried anew for each question, such as a table of a database. The engine does not ask it:
 * `liveNeeds` says what to ask for, and the answers are passed in as `provided`. Without them it has failed.
 */
export interface LiveSource {
  /** Manifest with kind `leaf`; its `columns` are complete. */
  readonly manifest: StoredManifest;
  readonly live: true;
  /**
   * A snapshot of the source without any area, which holds the territory of its coverage. Required where that is of
   * countries or polygons.
   */
  readonly blank?: SnapshotBytes | undefined;
}

/**
 * Opens a source that a caller passed in.
 *
 * @param index its place among the sources, for errors
 */
export function openSource(
  input: SourceInput,
  index: number,
  options: Pick<ReadOptions, "crc32" | "tiles" | "sha256">,
): EngineSource {
  const place = { name: `sources[${index}]`, pointer: `/sources/${index}` };
  const kind = readUntrusted(input, place.pointer, () => findInputKind(input));
  if (kind === undefined) throw wrongBytesError(input, place);
  if (kind === "bytes") return openStoredSource({ bytes: input as SnapshotBytes }, place, options);
  if (kind === "failed") {
    const { manifest, failed, removed } = readShape(failedSourceShape, input, place);
    return { manifest: deepFreeze(manifest), failed, ...(removed && { removed }) };
  }
  if (kind === "live") return openLiveSource(readShape(liveSourceShape, input, place), place, options);
  return openStoredSource(readShape(storedSourceShape, input, place), place, options);
}

function findInputKind(input: unknown): "bytes" | "failed" | "live" | "stored" | undefined {
  if (isBytes(input)) return "bytes";
  if (!isObject(input)) return undefined;
  if (isPromise(input) || isGeoJson(input)) return undefined;
  if ("live" in input) return "live";
  return "failed" in input ? "failed" : "stored";
}

interface Place {
  readonly name: string;
  readonly pointer: string;
}

const failedSourceShape: Shape<FailedSource> = object<FailedSource>({
  manifest: storedManifestShape,
  failed: text(),
  edition: optional(text()),
  removed: optional(choice(true)),
});

const liveSourceShape: Shape<LiveSource> = object<LiveSource>({
  manifest: storedManifestShape,
  live: boolean() as Shape<true>,
  blank: optional(anything() as Shape<SnapshotBytes>),
});

/** One whose blank edition does not open has failed. Fails: `VALIDATION_FAILED` for what is no live source. */
function openLiveSource(
  { manifest, live, blank }: LiveSource,
  place: Place,
  options: Pick<OpenOptions, "crc32">,
): EngineSource {
  const { source_name, kind, columns, coverage } = manifest;
  const refuse = (member: string, found: string, expected: string): never => {
    const message = `found ${found} of the live source "${source_name}", expected ${expected}`;
    throw mismatchError(`${place.pointer}${member}`, message);
  };
  if (live !== true) refuse("/live", "false as live", "true");
  if (kind !== "leaf") refuse("/manifest/kind", `the kind ${kind}`, "leaf");
  if (columns === undefined) {
    refuse(
      "/manifest/columns",
      "no columns",
      "the type of every column, because no area is read before a query",
    );
  }
  const failed = NOT_QUERIED;
  if (blank === undefined) {
    if (coverage !== undefined && coverage !== "global") {
      refuse("/blank", "no blank edition", "one, which holds the territory of its coverage");
    }
    const assumed: LiveTerritory["coverage"] =
      coverage === "global" ? { extent: "global", known: "declared" } : { extent: "undeclared" };
    const territory = { coverage: assumed, content: findContentCoverage(assumed, null), blank: undefined };
    return { manifest: deepFreeze(manifest), failed, live: territory };
  }
  const bytes = requireSnapshotBytes(blank, {
    name: `${place.name}.blank`,
    pointer: `${place.pointer}/blank`,
  });
  try {
    const { snapshot, coverage: content } = openWithCoverage(bytes, { ...options, name: source_name });
    const { meta } = snapshot;
    if (snapshot.kind !== "leaf" || meta.manifest.source_name !== source_name || meta.feature_count > 0) {
      const found = `${meta.feature_count} features of "${meta.manifest.source_name}" as the blank edition`;
      refuse("/blank", found, `an edition of "${source_name}" without areas`);
    }
    const territory = {
      coverage: (snapshot as AreaSnapshot).coverage,
      content,
      blank: meta.edition,
    };
    return { manifest: deepFreeze(manifest), failed, live: territory };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { manifest: deepFreeze(manifest), failed: error.message };
  }
}

const storedSourceShape: Shape<StoredSource> = object<StoredSource>({
  bytes: anything() as Shape<StoredSource["bytes"]>,
  manifest: optional(storedManifestShape),
  edition: optional(text()),
  leftOut: optional(number({ whole: true, min: 0 })),
  builtAt: optional(text()),
  report: optional(anything() as Shape<object>),
});

function openStoredSource(
  source: StoredSource,
  place: Place,
  { crc32, tiles, sha256 }: Pick<ReadOptions, "crc32" | "tiles" | "sha256">,
): EngineSource {
  const { edition, leftOut, builtAt, manifest } = source;
  if (!isBytes(source.bytes)) {
    throw wrongBytesError(source.bytes, { name: `${place.name}.bytes`, pointer: `${place.pointer}/bytes` });
  }
  const bytes = requireSnapshotBytes(source.bytes, place);
  try {
    const { snapshot } = openWithCoverage(bytes, {
      ...(crc32 && { crc32 }),
      tiles,
      sha256,
      ...(manifest && { name: manifest.source_name }),
    });
    const { meta } = snapshot;
    const expected = manifest?.source_name ?? meta.manifest.source_name;
    if (meta.manifest.source_name !== expected || meta.edition !== (edition ?? meta.edition)) {
      throw new EngineError(
        "SNAPSHOT_CORRUPT",
        `found edition ${meta.edition} of "${meta.manifest.source_name}" in the snapshot, expected edition ${edition ?? meta.edition} of "${expected}"`,
        { name: expected, found: meta.edition, expected: edition },
      );
    }
    const described =
      manifest === undefined ? meta.manifest : deepFreeze(withSourceFacts(meta.manifest, manifest));
    return {
      ...createOpenSource(described, snapshot),
      ...(leftOut !== undefined && { leftOut }),
      ...(builtAt !== undefined && { builtAt }),
    };
  } catch (error) {
    if (manifest === undefined || !(error instanceof EngineError)) throw error;
    return { manifest: deepFreeze(manifest), failed: error.message };
  }
}

/**
 * Opens the borders of the world's countries: the pieces of their widened territory.
 *
 * @param name what errors call the bytes
 *
 * Fails: `VALIDATION_FAILED` for what is no bytes; as `openSnapshot`, and `SNAPSHOT_CORRUPT` for a snapshot
 * that holds no borders.
 */
export function openBorders(
  bytes: SnapshotBytes,
  { crc32 }: Pick<OpenOptions, "crc32"> = {},
): CoveragePieces {
  return openCoveragePieces(requireSnapshotBytes(bytes, { name: "borders", pointer: "/borders" }), {
    name: "borders",
    ...(crc32 && { crc32 }),
  });
}

/** Borders that are loaded and opened when they are first read: both take a while. */
export function createLazyBorders(
  bytes: () => SnapshotBytes,
  options: Pick<OpenOptions, "crc32">,
): CoveragePieces {
  let opened: CoveragePieces | undefined;
  const open = (): CoveragePieces => {
    opened ??= openBorders(bytes(), options);
    return opened;
  };
  return {
    get layer() {
      return open().layer;
    },
    get countries() {
      return open().countries;
    },
  };
}

function isRangeReader(value: unknown): value is RangeReader {
  return isObject(value) && typeof value.read === "function" && typeof value.length === "number";
}

function isBytes(value: unknown): value is SnapshotBytes {
  return isBuffer(value) || isUint8Array(value) || isRangeReader(value);
}

/** Accepts a `Uint8Array` of any realm: a test runner's is not always the engine's. */
function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Partial<Uint8Array>)[Symbol.toStringTag] === "Uint8Array";
}

function isBuffer(value: unknown): value is ArrayBuffer | SharedArrayBuffer {
  const tag = Object.prototype.toString.call(value);
  return tag === "[object ArrayBuffer]" || tag === "[object SharedArrayBuffer]";
}

/**
 * The buffer that holds these bytes and nothing else. Bytes that are part of a larger buffer are copied,
 * and so are those of a buffer that can shrink under the engine.
 */
function requireSnapshotBytes(bytes: unknown, place: Place): SnapshotSource {
  if (!isBytes(bytes)) throw wrongBytesError(bytes, place);
  if (isRangeReader(bytes)) return bytes;
  const buffer = isBuffer(bytes) ? bytes : bytes.buffer;
  if ("detached" in buffer && buffer.detached) {
    throw mismatchError(
      place.pointer,
      `found a detached ArrayBuffer at ${place.name}, expected the bytes of a snapshot`,
    );
  }
  const isWhole = bytes.byteLength === buffer.byteLength;
  if (isWhole && !("resizable" in buffer && buffer.resizable)) return buffer;
  const view = isBuffer(bytes) ? new Uint8Array(bytes) : bytes;
  const copy = new Uint8Array(view.byteLength);
  // A view of a buffer that has shrunk since has no bytes, and cannot be copied.
  if (view.byteLength > 0) copy.set(view);
  return copy.buffer;
}

function wrongBytesError(found: unknown, place: Place): EngineError {
  const hint = isPromise(found) ? "; await it" : isGeoJson(found) ? "; snapshotOf makes them" : "";
  return mismatchError(
    place.pointer,
    `found ${describeClassOfValue(found)} at ${place.name}, expected bytes (ArrayBuffer, SharedArrayBuffer or Uint8Array)${hint}`,
  );
}

function isGeoJson(input: unknown): boolean {
  return typeof input === "object" && input !== null && "features" in input;
}

/** The class of an object; any other value as {@link describeValue} describes it. */
function describeClassOfValue(value: unknown): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return typeof value === "object" && !["Null", "Object", "Array"].includes(tag)
    ? `a ${tag}`
    : describeValue(value);
}
