import { isObject } from "@groundrule/engine/internal/json";
import { spoolStreamToFile } from "#host/files";
import { joinChunks } from "../bytes.ts";
import { crsInMember, findSpatialReferenceCrs } from "../crs/crs-in-member.ts";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, FormatError, type TextPlace } from "../format-error.ts";
import { FORMAT_LIMITS } from "../limits.ts";
import { withNeeded } from "../needed.ts";
import { FeatureSplitter, type SplitterLimits, type SplitValue } from "./feature-splitter.ts";

/** A text whose end was looked at, to be read from its start. */
export interface WithLateCrs {
  /** The CRS that a collection names after its features; undefined where it names one before them, or none. */
  readonly crs: string | undefined;
  /** The text from its start, in UTF-8. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Removes what was kept on disk. */
  close(): Promise<void>;
}

/** Bytes at the end of a text that are searched for the name of the member: few members follow the features. */
const TAIL_BYTES = 64 * 1024;

/**
 * Looks for the CRS that a collection names after its features, as some writers do. The text is read a second time where
 * its end has such a member; of a stream, all that follows the collection's first members is kept on disk until its end.
 *
 * @param text its bytes, in UTF-8
 * @param options.file the file that has just these bytes
 * @param options.again the same bytes once more, where they can be had
 *
 * Fails: `CRS_UNSUPPORTED` for a member that names none; `UNPACKED_TOO_LARGE`; what reading the text throws.
 */
export async function withLateCrs(
  text: AsyncIterable<Uint8Array>,
  options: {
    /** Limits of features, and of what is kept on disk. */
    readonly limits: SplitterLimits & {
      /** Most bytes that are kept on disk. */
      readonly unpackedBytes?: number;
    };
    readonly file?: LocalFile | undefined;
    readonly again?: (() => AsyncIterable<Uint8Array>) | undefined;
  },
): Promise<WithLateCrs> {
  const { limits, file, again } = options;
  const iterator = text[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  const isOpen = await lacksCrsBeforeFeatures(iterator, read, limits);
  if (!isOpen) return { crs: undefined, bytes: resumeStream(read, iterator), close };
  if (file !== undefined) {
    const tail = await file.read(Math.max(0, file.size - TAIL_BYTES), TAIL_BYTES);
    const crs = mayNameCrs(tail) ? await findTailCrs(file.stream(), limits) : undefined;
    return { crs, bytes: resumeStream(read, iterator), close };
  }
  if (await isShort(iterator, read)) {
    const all = joinChunks(read);
    const crs = mayNameCrs(all.subarray(-TAIL_BYTES))
      ? await findTailCrs(replayChunks([all]), limits)
      : undefined;
    return { crs, bytes: replayChunks([all]), close };
  }
  if (again !== undefined) {
    const tail = await readLastBytes(joinSmallChunks(resumeStream(read, iterator)));
    return { crs: mayNameCrs(tail) ? await findTailCrs(again(), limits) : undefined, bytes: again(), close };
  }
  const { unpackedBytes = FORMAT_LIMITS.unpackedBytes } = limits;
  const scan = new TailScan(limits);
  const scratch = await spoolStreamToFile(
    joinSmallChunks(scan.until(read, iterator)),
    "the source",
    unpackedBytes,
  );
  const rest = scan.isBroken ? resumeStream([], iterator) : replayChunks([]);
  return { crs: scan.crs, bytes: concatenateStreams(scratch.stream(), rest), close: () => scratch.close() };
}

/** Reads a text for the CRS behind its features, up to where it is broken: what follows may have no end. */
class TailScan {
  readonly #splitter: FeatureSplitter<SplitValue>;
  crs: string | undefined;
  isBroken: boolean = false;

  constructor(limits: SplitterLimits) {
    this.#splitter = createTailSplitter(limits);
  }

  async *until(
    read: readonly Uint8Array[],
    iterator: AsyncIterator<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for (const chunk of read) {
      yield chunk;
      await this.#push(chunk);
    }
    while (!this.isBroken) {
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
      await this.#push(next.value);
    }
  }

  async #push(chunk: Uint8Array): Promise<void> {
    if (this.isBroken) return;
    try {
      for (const tail of this.#splitter.push(chunk)) this.crs = await findTailPieceCrs(tail);
    } catch (error) {
      // The fault is found again, and reported, where the features are read.
      if (!(error instanceof FormatError) || error.code === "CRS_UNSUPPORTED") throw error;
      this.isBroken = true;
    }
  }
}

async function* concatenateStreams(
  first: AsyncIterable<Uint8Array>,
  then: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* first;
  yield* then;
}

async function close(): Promise<void> {}

/** A text of at most so many bytes is kept in memory. */
const SHORT_BYTES = 4 * 1024 * 1024;

/** Reads on while the text is short, and whether it has ended. */
async function isShort(iterator: AsyncIterator<Uint8Array>, read: Uint8Array[]): Promise<boolean> {
  let length = read.reduce((sum, chunk) => sum + chunk.length, 0);
  while (length <= SHORT_BYTES) {
    const next = await iterator.next();
    if (next.done === true) return true;
    read.push(next.value);
    length += next.value.length;
  }
  return false;
}

async function* replayChunks(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

/** Small chunks joined: each costs a call. */
async function* joinSmallChunks(
  text: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of text) {
    kept.push(chunk);
    length += chunk.length;
    if (length < TAIL_BYTES) continue;
    yield kept.length === 1 ? chunk : joinChunks(kept);
    [kept, length] = [[], 0];
  }
  if (length > 0) yield joinChunks(kept);
}

/** Reads up to the features of a collection, and whether it names no CRS before them; what is wrong is found again later. */
async function lacksCrsBeforeFeatures(
  iterator: AsyncIterator<Uint8Array>,
  read: Uint8Array[],
  limits: SplitterLimits,
): Promise<boolean> {
  const splitter = new FeatureSplitter<SplitValue>((piece) => piece, limits);
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    read.push(next.value);
    const first = findFirstPiece(splitter, next.value);
    if (first !== undefined) return first.part === "head" && !hasCrsMember(first.value);
  }
  return false;
}

function findFirstPiece(splitter: FeatureSplitter<SplitValue>, chunk: Uint8Array): SplitValue | undefined {
  try {
    for (const piece of splitter.push(chunk)) return piece;
    return undefined;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { part: "text", value: undefined, place: { line: 1 }, text: "" };
  }
}

function hasCrsMember(collection: unknown): boolean {
  return (
    isObject(collection) &&
    (Object.hasOwn(collection, "crs") || Object.hasOwn(collection, "spatialReference"))
  );
}

/** True if the end of a text may have the member, plain or with escapes in its name. */
function mayNameCrs(tail: Uint8Array): boolean {
  return /"crs"|"spatialReference"|\\u/i.test(new TextDecoder("latin1").decode(tail));
}

/** A null is refused, or passed over, where the features are read. */
async function findTailPieceCrs({ value, place }: SplitValue): Promise<string | undefined> {
  if ((value as { readonly crs?: unknown }).crs === null) return undefined;
  return withNeeded(() => crsOfCollection(value, place));
}

/** Splits a text into what stands behind its features, and nothing else. */
function createTailSplitter(limits: SplitterLimits): FeatureSplitter<SplitValue> {
  return new FeatureSplitter<SplitValue>((piece) => (piece.part === "tail" ? piece : undefined), limits);
}

async function findTailCrs(
  text: AsyncIterable<Uint8Array>,
  limits: SplitterLimits,
): Promise<string | undefined> {
  let crs: string | undefined;
  const splitter = createTailSplitter(limits);
  for await (const chunk of text) {
    for (const tail of splitter.push(chunk)) crs = await findTailPieceCrs(tail);
  }
  return crs;
}

/**
 * The CRS that a collection names: by a `crs` member, or a `spatialReference` of Esri.
 *
 * @param collection as the JSON has it
 * @param place for errors
 *
 * Fails: `CRS_UNSUPPORTED` for a member that names none that is read; as `crsInMember`.
 */
export function crsOfCollection(collection: unknown, place: TextPlace): string | undefined {
  if (!isObject(collection)) return undefined;
  const { crs, spatialReference } = collection;
  if (crs !== undefined) return getMemberCrs(crs, place);
  if (!isObject(spatialReference)) return undefined;
  const named = findSpatialReferenceCrs(spatialReference);
  if (named !== undefined) return named;
  const found = `the spatialReference ${JSON.stringify(spatialReference).slice(0, 80)}`;
  throw createFormatError(
    "CRS_UNSUPPORTED",
    found,
    "one whose wkid or wkt is known; ask the server with outSR=4326",
    {
      place,
    },
  );
}

/** The CRS that a `crs` member names. Fails: `CRS_UNSUPPORTED` where it names nothing: it is never ignored; as `crsInMember`. */
export function getMemberCrs(member: unknown, place: TextPlace): string {
  const crs = crsInMember(member);
  if (crs !== undefined) return crs;
  const found = `the crs member ${JSON.stringify(member).slice(0, 80)}`;
  const expected =
    '{"type": "name", "properties": {"name": "EPSG:…"}}, or none for longitude and latitude; links are not followed';
  throw createFormatError("CRS_UNSUPPORTED", found, expected, { place });
}

async function readLastBytes(text: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let tail: Uint8Array = new Uint8Array(0);
  for await (const chunk of text) {
    tail =
      chunk.length >= TAIL_BYTES ? chunk.slice(-TAIL_BYTES) : joinChunks([tail, chunk]).slice(-TAIL_BYTES);
  }
  return tail;
}

async function* resumeStream(
  read: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* read;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
