import { crc32, inflateBytes } from "#host/unpack";
import { type FormatError, refusal } from "../format-error.ts";
import { PackedFault } from "../host/packed-fault.ts";
import { type FormatLimits, limitsOf, RATIO_FREE_BYTES } from "../limits.ts";
import { CHUNK_BYTES, type LocalFile, tooLarge } from "../open/local-file.ts";
import { dataStart, type Entry, invalid, LOCAL_HEADER_BYTES, readDirectory } from "./directory.ts";

/** A file in an archive. */
export interface ZipEntry {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Bytes, unpacked, as the directory states them. */
  readonly size: number;
  /** Bytes in the archive. */
  readonly packedSize: number;
}

/** An archive whose directory has been read. */
export interface ZipArchive {
  /** Its files, in the order of its directory; not its folders, nor what macOS adds (`__MACOSX/`, `._*`, `.DS_Store`). */
  readonly entries: readonly ZipEntry[];
  /**
   * Unpacks a file, which may be asked for again.
   *
   * Fails, as it is read: `ARCHIVE_INVALID` where it is encrypted, packed in another way than by deflate, cut, not of
   * its stated size, or not of its CRC-32; `UNPACKED_TOO_LARGE` past the limits, which hold for all that is unpacked of
   * the archive together.
   */
  open(entry: ZipEntry): AsyncIterable<Uint8Array>;
}

/**
 * Reads the directory of a zip archive (zip64 too). Archives in it are entries like others: nothing is unpacked that
 * is not asked for.
 *
 * @param file stays open as long as the archive is used
 *
 * Fails: `ARCHIVE_INVALID` for what is no zip archive, is cut, has several disks, too many
 * entries, two of one name, names that lead out of it, or entries that share bytes.
 */
export async function openZip(
  file: LocalFile,
  options: { readonly limits?: Partial<FormatLimits> | undefined } = {},
): Promise<ZipArchive> {
  const listed = await readDirectory(file);
  const ends = endsOf(listed, file.size);
  const limits = limitsOf(options);
  const budget = { left: limits.unpackedBytes };
  const byEntry = new Map<ZipEntry, Entry>();
  for (const entry of listed) {
    if (!isHidden(entry.fileName)) byEntry.set(describe(entry), entry);
  }
  return {
    entries: [...byEntry.keys()],
    open: (wanted) => {
      const entry = byEntry.get(wanted);
      if (entry === undefined) throw new Error("an entry of another archive");
      return unpack(file, entry, ends.get(entry)!, limits, budget);
    },
  };
}

function describe(entry: Entry): ZipEntry {
  return { name: entry.fileName, size: entry.uncompressedSize, packedSize: entry.compressedSize };
}

/** Folders, and what macOS puts beside each file. */
function isHidden(name: string): boolean {
  return name.endsWith("/") || /(?:^|\/)(?:__MACOSX\/|\._[^/]*$|\.DS_Store$)/.test(name);
}

/** Before which byte each entry must end: where the next one begins. Entries that share bytes unpack them many times. */
function endsOf(entries: readonly Entry[], fileSize: number): ReadonlyMap<Entry, number> {
  const start = (entry: Entry): number => entry.offset;
  const inOrder = [...entries].sort((a, b) => start(a) - start(b));
  const ends = new Map<Entry, number>();
  for (const [index, entry] of inOrder.entries()) {
    const next = inOrder[index + 1];
    const end = next === undefined ? fileSize : start(next);
    const least = start(entry) + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize;
    if (least > end) throw overlaps(entry, least, end);
    ends.set(entry, end);
  }
  return ends;
}

function overlaps(entry: Entry, end: number, limit: number): FormatError {
  return invalid(
    `bytes up to ${end}`,
    `the entry to end by byte ${limit}, where something else begins`,
    entry,
  );
}

async function* unpack(
  file: LocalFile,
  entry: Entry,
  endsBy: number,
  limits: FormatLimits,
  budget: { left: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  checkPromise(entry, limits, budget.left);
  const start = await dataStart(file, entry);
  const end = start + entry.compressedSize;
  if (end > endsBy) throw overlaps(entry, end, endsBy);
  const packed = bytesOf(file, start, end);
  let size = 0;
  let sum = 0;
  for await (const chunk of entry.compressionMethod === STORED ? packed : inflate(packed, entry)) {
    size += chunk.length;
    budget.left -= chunk.length;
    if (size > entry.uncompressedSize) {
      throw invalid("more bytes", `${entry.uncompressedSize} bytes as the directory states`, entry);
    }
    if (budget.left < 0) throw tooLarge(limits.unpackedBytes);
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.uncompressedSize) {
    throw invalid(`${size} bytes`, `${entry.uncompressedSize} bytes as the directory states`, entry);
  }
  if (sum !== entry.crc32) {
    throw invalid(`the CRC-32 ${hex(sum)}`, `${hex(entry.crc32)} as the directory states`, entry);
  }
}

const STORED = 0;
const DEFLATED = 8;

/** What the directory says of an entry is held against the limits before a byte is unpacked. */
function checkPromise(entry: Entry, limits: FormatLimits, left: number): void {
  if (entry.isEncrypted) {
    throw invalid(
      "an encrypted file",
      "one that is not: unpack the archive, and pack it without a password",
      entry,
    );
  }
  const method = entry.compressionMethod;
  if (method !== STORED && method !== DEFLATED) {
    throw invalid(
      `compression method ${method}`,
      "deflate (8) or none (0): unpack it and pack it anew",
      entry,
    );
  }
  if (entry.uncompressedSize > left) throw tooLarge(limits.unpackedBytes);
  const ratio = entry.uncompressedSize / entry.compressedSize;
  if (entry.uncompressedSize > RATIO_FREE_BYTES && ratio > limits.ratio) {
    const found = `${entry.uncompressedSize} bytes packed into ${entry.compressedSize}`;
    const expected = `at most ${limits.ratio} times as many`;
    throw refusal("UNPACKED_TOO_LARGE", found, expected, {
      place: { entry: entry.fileName },
      limit: limits.ratio,
    });
  }
}

async function* bytesOf(file: LocalFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const chunk = await file.read(at, Math.min(CHUNK_BYTES, end - at));
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}

async function* inflate(packed: AsyncIterable<Uint8Array>, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    yield* inflateBytes(packed);
  } catch (error) {
    if (error instanceof PackedFault) throw invalid(error.message, "a whole stream of deflate", entry);
    throw error;
  }
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}
