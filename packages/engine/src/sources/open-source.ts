import { deepFreeze } from "../base/deep-freeze.ts";
import { EngineError, type Fault } from "../base/errors.ts";
import { KIND, type MemberKinds, nameOfKind, readMembers } from "../base/read-members.ts";
import { checkShape } from "../shape/check-shape.ts";
import { type SourceManifest, storedManifestShape } from "../snapshot/manifest.ts";
import { type OpenOptions, openSnapshot } from "../snapshot/read/reader.ts";
import type { EngineSource } from "./source-table.ts";

/**
 * The bytes of a snapshot. They are used in place and must not change afterwards; only those that are part
 * of a larger buffer, as those of a small Node.js `Buffer` often are, and those of a resizable one are copied.
 */
export type SnapshotBytes = ArrayBuffer | SharedArrayBuffer | Uint8Array;

/**
 * A source handed to the engine: the bytes of its current edition, alone or with what else is known of
 * it; or, where there is none to open, its manifest and why.
 */
export type SourceInput = SnapshotBytes | StoredSource | FailedSource;

/**
 * An edition of a source. With `manifest`, bytes that do not open, or hold another source or edition
 * than the one named, make the source failed; without it they throw.
 */
export interface StoredSource {
  readonly bytes: SnapshotBytes;
  readonly manifest?: SourceManifest;
  /** Digest of the edition that the bytes should hold. */
  readonly edition?: string;
  /** Features or rows of the source that its build could not store, to be told in answers; absent: not known. */
  readonly leftOut?: number;
  /** When the edition was built, ISO 8601 UTC; absent: not known. */
  readonly builtAt?: string;
  /** What its build reported; the engine makes nothing of it. */
  readonly report?: object;
}

/** A source that cannot be asked. */
export interface FailedSource {
  readonly manifest: SourceManifest;
  /** Why it cannot be asked, as answers tell it. */
  readonly failed: string;
  /** Digest of the edition that could not be had, where one is known. */
  readonly edition?: string;
}

/**
 * Opens a source that a caller handed in.
 *
 * @param index its place among the sources, for errors
 */
export function openSource(
  given: SourceInput,
  index: number,
  options: Pick<OpenOptions, "crc32">,
): EngineSource {
  const place = { name: `sources[${index}]`, pointer: `/sources/${index}` };
  if (isBytes(given)) return openStored({ bytes: given }, place, options);
  if (typeof given !== "object" || given === null || Array.isArray(given) || isPromise(given)) {
    throw wrongBytes(given, place);
  }
  if ("failed" in given) {
    const failed = readMembers<FailedSource>(given, FAILED_SOURCE, `member of ${place.name}`, place.pointer);
    return { manifest: readManifest(failed.manifest, place), failed: failed.failed };
  }
  return openStored(
    readMembers<StoredSource>(given, STORED_SOURCE, `member of ${place.name}`, place.pointer),
    place,
    options,
  );
}

interface Place {
  readonly name: string;
  readonly pointer: string;
}

const FAILED_SOURCE: MemberKinds<FailedSource> = {
  manifest: { ...KIND.object, isRequired: true },
  failed: { ...KIND.text, isRequired: true },
  edition: KIND.text,
};

const STORED_SOURCE: MemberKinds<StoredSource> = {
  bytes: { ...KIND.anything, isRequired: true },
  manifest: KIND.object,
  edition: KIND.text,
  leftOut: KIND.count,
  builtAt: KIND.text,
  report: KIND.object,
};

function openStored(source: StoredSource, place: Place, { crc32 }: Pick<OpenOptions, "crc32">): EngineSource {
  const { edition, leftOut, builtAt } = source;
  const manifest = source.manifest && readManifest(source.manifest, place);
  const bytes = bufferOf(source.bytes, place);
  try {
    const snapshot = openSnapshot(bytes, {
      ...(crc32 && { crc32 }),
      ...(manifest && { name: manifest.source_name }),
    });
    const { meta } = snapshot;
    const expected = manifest?.source_name ?? meta.manifest.source_name;
    if (meta.manifest.source_name !== expected || meta.edition !== (edition ?? meta.edition)) {
      throw new EngineError(
        "SNAPSHOT_CORRUPT",
        `found "${meta.manifest.source_name}" ${meta.edition} in the snapshot, expected "${expected}" ${edition ?? ""}`,
        { name: expected, found: meta.edition, expected: edition },
      );
    }
    return {
      manifest: meta.manifest,
      snapshot,
      ...(leftOut !== undefined && { leftOut }),
      ...(builtAt !== undefined && { builtAt }),
    };
  } catch (error) {
    if (manifest === undefined || !(error instanceof EngineError)) throw error;
    return { manifest, failed: error.message };
  }
}

/** A copy of its own, so that the caller's cannot change the engine. */
function readManifest(given: unknown, { name, pointer }: Place): SourceManifest {
  const checked = checkShape(storedManifestShape, given);
  if (checked.faults === undefined) return deepFreeze(checked.value);
  const faults = checked.faults.map(
    ({ pointer: below, code, message }): Fault => ({
      pointer: `${pointer}/manifest${below}`,
      code,
      message: `the manifest of ${name}: ${message}`,
    }),
  );
  throw new EngineError("VALIDATION_FAILED", faults[0]!.message, { faults });
}

function isBytes(value: unknown): value is SnapshotBytes {
  return isBuffer(value) || isUint8Array(value);
}

/** Of any realm: a test runner's `Uint8Array` is not always the engine's. */
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
function bufferOf(bytes: unknown, place: Place): ArrayBuffer | SharedArrayBuffer {
  if (!isBytes(bytes))
    throw wrongBytes(bytes, { name: `${place.name}.bytes`, pointer: `${place.pointer}/bytes` });
  const buffer = isBuffer(bytes) ? bytes : bytes.buffer;
  if ("detached" in buffer && buffer.detached) {
    throw invalid(place, `found a detached ArrayBuffer at ${place.name}, expected the bytes of a snapshot`);
  }
  const isWhole = bytes.byteLength === buffer.byteLength;
  if (isWhole && !("resizable" in buffer && buffer.resizable)) return buffer;
  const view = isBuffer(bytes) ? new Uint8Array(bytes) : bytes;
  const copy = new Uint8Array(view.byteLength);
  copy.set(view);
  return copy.buffer;
}

/** As of a file whose reading was not waited for. */
function isPromise(value: unknown): boolean {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

function wrongBytes(found: unknown, place: Place): EngineError {
  const hint = isPromise(found) ? "; await it" : "";
  return invalid(
    place,
    `found ${nameOfKind(found)} at ${place.name}, expected bytes (ArrayBuffer, SharedArrayBuffer or Uint8Array)${hint}`,
  );
}

function invalid({ pointer }: Place, message: string): EngineError {
  return new EngineError("VALIDATION_FAILED", message, {
    faults: [{ pointer, code: "TYPE_MISMATCH", message }],
  });
}
