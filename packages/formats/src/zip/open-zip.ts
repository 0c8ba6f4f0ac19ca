import { crc32, inflateStream } from "#host/unpack";
import { CHUNK_BYTES, type LocalFile, unpackedTooLargeError } from "../file/local-file.ts";
import { createFormatError, type FormatError } from "../format-error.ts";
import { PackedFault } from "../host/packed-fault.ts";
import { type FormatLimits, RATIO_FREE_BYTES, resolveFormatLimits } from "../limits.ts";
import {
  archiveInvalidError,
  type Entry,
  findDataStart,
  LOCAL_HEADER_BYTES,
  readZipDirectory,
} from "./directory.ts";

/** A file in an archive. */
export type ZipEntry = Entry;

/** An archive whose directory has been read. */
export interface ZipArchive {
  /** Its files, in the order of its directory; not its folders, nor what macOS adds (`__MACOSX/`, `._*`, `.DS_Store`). */
  readonly entries: readonly ZipEntry[];
  /**
   * Unpacks a file, possibly more than once.
   *
   * Fails, as it is read: `ARCHIVE_INVALID` where it is encrypted, packed in another way than by deflate, cut, not of
   * its stated size, or not of its CRC-32; `UNPACKED_TOO_LARGE` past the limits, which hold for all that is unpacked of
   * the archive together.
   */
  open(entry: ZipEntry): AsyncIterable<Uint8Array>;
}

/**
 * Reads the directory of a zip archive (zip64 too). Archives in it are entries like others: nothing is unpacked that
 * is not needed.
 *
 * @param file stays open as long as the archive is used
 *
 * Fails: `ARCHIVE_INVALID` for what is no zip archive, is cut, has several disks, too many
 * entries, two of one name, names that lead out of it, or entries that share bytes.
 */
export async function openZipArchive(
  file: LocalFile,
  options: { readonly limits?: Partial<FormatLimits> | undefined } = {},
): Promise<ZipArchive> {
  const listed = await readZipDirectory(file);
  const ends = computeEntryEnds(listed, file.size);
  const limits = resolveFormatLimits(options);
  const budget = { left: limits.unpackedBytes };
  return {
    entries: listed.filter(({ name }) => !isHidden(name)),
    open: (entry) => unpackEntryBytes(file, entry, ends.get(entry)!, limits, budget),
  };
}

/** Folders, and the files that macOS adds for each file. */
function isHidden(name: string): boolean {
  return name.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$)/.test(name);
}

/** Before which byte each entry must end: where the next one begins. Entries that share bytes unpack them many times. */
function computeEntryEnds(entries: readonly Entry[], fileSize: number): ReadonlyMap<Entry, number> {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset);
  const ends = new Map<Entry, number>();
  for (const [index, entry] of inOrder.entries()) {
    const end = inOrder[index + 1]?.offset ?? fileSize;
    const least = entry.offset + LOCAL_HEADER_BYTES + entry.nameBytes + entry.packedSize;
    if (least > end) throw entryOverlapError(entry, least, end);
    ends.set(entry, end);
  }
  return ends;
}

function entryOverlapError(entry: Entry, end: number, limit: number): FormatError {
  return archiveInvalidError(
    `bytes up to ${end}`,
    `the entry to end by byte ${limit}, where something else begins`,
    entry,
  );
}

async function* unpackEntryBytes(
  file: LocalFile,
  entry: Entry,
  endsBy: number,
  limits: FormatLimits,
  budget: { left: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  checkDeclaredSizes(entry, limits, budget.left);
  const start = await findDataStart(file, entry);
  const end = start + entry.packedSize;
  if (end > endsBy) throw entryOverlapError(entry, end, endsBy);
  const packed = readByteRange(file, start, end);
  let size = 0;
  let sum = 0;
  for await (const chunk of entry.method === STORED ? packed : inflateEntry(packed, entry)) {
    size += chunk.length;
    budget.left -= chunk.length;
    if (size > entry.size) {
      throw archiveInvalidError("more bytes", `${entry.size} bytes as the directory states`, entry);
    }
    if (budget.left < 0) throw unpackedTooLargeError(limits.unpackedBytes);
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.size) {
    throw archiveInvalidError(`${size} bytes`, `${entry.size} bytes as the directory states`, entry);
  }
  if (sum !== entry.crc32) {
    throw archiveInvalidError(
      `the CRC-32 ${formatHexCrc(sum)}`,
      `${formatHexCrc(entry.crc32)} as the directory states`,
      entry,
    );
  }
}

const STORED = 0;
const DEFLATED = 8;

/** Checks the sizes in an entry's directory record against the limits before a byte is unpacked. */
function checkDeclaredSizes(entry: Entry, limits: FormatLimits, left: number): void {
  if (entry.isEncrypted) {
    throw archiveInvalidError(
      "an encrypted file",
      "one that is not: unpack the archive, and pack it without a password",
      entry,
    );
  }
  const method = entry.method;
  if (method !== STORED && method !== DEFLATED) {
    throw archiveInvalidError(
      `compression method ${method}`,
      "deflate (8) or none (0): unpack it and pack it anew",
      entry,
    );
  }
  if (entry.size > left) throw unpackedTooLargeError(limits.unpackedBytes);
  const ratio = entry.size / entry.packedSize;
  if (entry.size > RATIO_FREE_BYTES && ratio > limits.ratio) {
    const found = `${entry.size} bytes packed into ${entry.packedSize}`;
    const expected = `at most ${limits.ratio} times as many`;
    throw createFormatError("UNPACKED_TOO_LARGE", found, expected, {
      place: { entry: entry.name },
      limit: limits.ratio,
    });
  }
}

async function* readByteRange(file: LocalFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const chunk = await file.read(at, Math.min(CHUNK_BYTES, end - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}

async function* inflateEntry(packed: AsyncIterable<Uint8Array>, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* inflateStream(packed);
  } catch (error) {
    if (error instanceof PackedFault)
      throw archiveInvalidError(error.message, "a whole stream of deflate", entry);
    throw error;
  }
}

function formatHexCrc(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}
