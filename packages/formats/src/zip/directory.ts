import { crc32 } from "#host/unpack";
import { toDataView } from "../file/file-window.ts";
import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, type FormatError } from "../format-error.ts";

/** An entry as the directory of an archive describes it. */
export interface Entry {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Bytes of its name. */
  readonly nameBytes: number;
  /** Bytes, unpacked. */
  readonly size: number;
  /** Bytes in the archive. */
  readonly packedSize: number;
  readonly method: number;
  readonly crc32: number;
  /** Where its header begins. */
  readonly offset: number;
  readonly isEncrypted: boolean;
}

/** Most entries of an archive. */
export const ZIP_ENTRIES = 10_000;
/** Most bytes of an entry's name. */
const ZIP_NAME_BYTES = 1_024;
/** Bytes of the header before an entry's name and data. */
export const LOCAL_HEADER_BYTES = 30;

const STORED = 0;
const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
const ENTRY_BYTES = 46;
const MOST_COMMENT_BYTES = 0xffff;
const IN_ZIP64 = 0xffffffff;

/**
 * Reads the directory at the end of a zip archive (zip64 too), after APPNOTE.TXT 6.3.10, sections 4.3 to 4.5.
 *
 * Fails: `ARCHIVE_INVALID` for what is no whole zip archive, has several disks, more than {@link ZIP_ENTRIES} entries,
 * two of one name, or names that lead out of it.
 */
export async function readZipDirectory(file: LocalFile): Promise<readonly Entry[]> {
  const { count, offset } = await findZipDirectory(file);
  if (count > ZIP_ENTRIES) throw tooManyEntriesError(count);
  const entries: Entry[] = [];
  const names = new Set<string>();
  for (let at = offset; entries.length < count; ) {
    const fixed = toDataView(await readExactBytes(file, at, ENTRY_BYTES));
    checkZipSignature(fixed, 0, 0x02014b50, "an entry of the directory", at);
    const nameBytes = fixed.getUint16(28, true);
    if (nameBytes > ZIP_NAME_BYTES) {
      throw archiveInvalidError(`a name of ${nameBytes} bytes`, `names of at most ${ZIP_NAME_BYTES} bytes`);
    }
    const extraBytes = fixed.getUint16(30, true);
    const variable = await readExactBytes(file, at + ENTRY_BYTES, nameBytes + extraBytes);
    const entry = parseDirectoryEntry(
      fixed,
      variable.subarray(0, nameBytes),
      variable.subarray(nameBytes),
      file.size,
    );
    if (names.has(entry.name)) throw archiveInvalidError(`two entries "${entry.name}"`, "each name once");
    names.add(entry.name);
    entries.push(entry);
    at += ENTRY_BYTES + nameBytes + extraBytes + fixed.getUint16(32, true);
  }
  return entries;
}

/**
 * Where the data of an entry begins.
 *
 * Fails: `ARCHIVE_INVALID` where no header of an entry stands there.
 */
export async function findDataStart(file: LocalFile, entry: Entry): Promise<number> {
  const header = toDataView(await readExactBytes(file, entry.offset, LOCAL_HEADER_BYTES, entry));
  checkZipSignature(header, 0, 0x04034b50, "a header", entry.offset, entry);
  const start = entry.offset + LOCAL_HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + entry.packedSize > file.size) {
    throw archiveInvalidError(`data up to byte ${start + entry.packedSize}`, `at most ${file.size}`, entry);
  }
  return start;
}

/** Error about an archive, or about an entry of it. */
export function archiveInvalidError(found: string, expected: string, entry?: Entry): FormatError {
  const place = entry === undefined ? undefined : { entry: entry.name };
  return createFormatError("ARCHIVE_INVALID", found, expected, { place });
}

function tooManyEntriesError(count: number): FormatError {
  return createFormatError("ARCHIVE_INVALID", `${count} entries`, `at most ${ZIP_ENTRIES}`, {
    limit: ZIP_ENTRIES,
  });
}

/** The end of the directory stands before a comment of any length, and is the last that can be. */
async function findZipDirectory(
  file: LocalFile,
): Promise<{ readonly count: number; readonly offset: number }> {
  const length = Math.min(file.size, LOCATOR_BYTES + END_BYTES + MOST_COMMENT_BYTES);
  const tail = await readExactBytes(file, file.size - length, length);
  const bytes = toDataView(tail);
  for (let at = length - END_BYTES; at >= 0; at--) {
    if (bytes.getUint32(at, true) !== 0x06054b50) continue;
    const comment = length - at - END_BYTES;
    if (bytes.getUint16(at + 20, true) !== comment) {
      throw archiveInvalidError(
        `${comment} bytes after the end`,
        `${bytes.getUint16(at + 20, true)}, as it says`,
      );
    }
    const locator = at - LOCATOR_BYTES;
    if (locator >= 0 && bytes.getUint32(locator, true) === 0x07064b50) {
      return findZip64Directory(file, readUint64(bytes, locator + 8));
    }
    checkDiskNumber(bytes.getUint16(at + 4, true));
    return { count: bytes.getUint16(at + 10, true), offset: bytes.getUint32(at + 16, true) };
  }
  throw archiveInvalidError("no end of a directory", "a whole zip archive (is it cut?)");
}

async function findZip64Directory(file: LocalFile, at: number): Promise<{ count: number; offset: number }> {
  const end = toDataView(await readExactBytes(file, at, END64_BYTES));
  checkZipSignature(end, 0, 0x06064b50, "the end of a zip64 directory", at);
  checkDiskNumber(end.getUint32(16, true));
  return { count: readUint64(end, 32), offset: readUint64(end, 48) };
}

function checkDiskNumber(disk: number): void {
  if (disk !== 0) throw archiveInvalidError(`disk ${disk}`, "an archive of one disk");
}

function parseDirectoryEntry(fixed: DataView, raw: Uint8Array, extra: Uint8Array, fileSize: number): Entry {
  const flags = fixed.getUint16(8, true);
  const fields = readExtraFields(extra);
  const name = decodeEntryName(raw, (flags & 0x800) !== 0, fields);
  if ((flags & 0x40) !== 0)
    throw archiveInvalidError(`strong encryption of "${name}"`, "a file that is not encrypted");
  checkEntryName(name);
  const sizes = readEntrySizes(fixed, fields.get(0x0001), name);
  const isEncrypted = (flags & 1) !== 0;
  const method = fixed.getUint16(10, true);
  // Encryption puts 12 bytes before the data.
  const stored = sizes.size + (isEncrypted ? 12 : 0);
  const entry = {
    name,
    nameBytes: raw.length,
    method,
    crc32: fixed.getUint32(16, true),
    isEncrypted,
    ...sizes,
  };
  if (method === STORED && sizes.packedSize !== stored) {
    const found = `${sizes.packedSize} bytes, of which the directory states ${stored}`;
    throw archiveInvalidError(found, "a file that is not packed to be as long as it is", entry);
  }
  if (sizes.offset > fileSize || sizes.packedSize > fileSize) {
    throw archiveInvalidError(`a place beyond byte ${fileSize}`, "one within the archive", entry);
  }
  return entry;
}

/** Extra fields by their number: the first of each. */
function readExtraFields(extra: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const bytes = toDataView(extra);
  const fields = new Map<number, Uint8Array>();
  for (let at = 0; at < extra.length - 3; ) {
    const end = at + 4 + bytes.getUint16(at + 2, true);
    if (end > extra.length) throw archiveInvalidError("an extra field that is cut", "a whole zip archive");
    const number = bytes.getUint16(at, true);
    if (!fields.has(number)) fields.set(number, extra.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

/** Sizes and place, which stand in an extra field where they are too large for their own. */
function readEntrySizes(
  fixed: DataView,
  zip64: Uint8Array | undefined,
  name: string,
): Pick<Entry, "size" | "packedSize" | "offset"> {
  const large = zip64 === undefined ? undefined : toDataView(zip64);
  let at = 0;
  const take = (field: number, what: string): number => {
    const value = fixed.getUint32(field, true);
    if (value !== IN_ZIP64 || large === undefined) return value;
    if (at + 8 > large.byteLength)
      throw archiveInvalidError(`no ${what} of "${name}" in its zip64 field`, "a whole one");
    at += 8;
    return readUint64(large, at - 8);
  };
  const size = take(24, "size");
  const packedSize = take(20, "packed size");
  return { size, packedSize, offset: take(42, "place") };
}

/** Info-ZIP writes names in UTF-8 into an extra field, with the checksum of the name that they stand for. */
function decodeEntryName(raw: Uint8Array, isUtf8: boolean, fields: ReadonlyMap<number, Uint8Array>): string {
  const unicode = fields.get(0x7075);
  const isHis =
    unicode !== undefined &&
    unicode.length >= 6 &&
    unicode[0] === 1 &&
    toDataView(unicode).getUint32(1, true) === crc32(raw);
  const name = isHis
    ? new TextDecoder().decode(unicode.subarray(5))
    : isUtf8
      ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(raw)
      : Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80])).join("");
  return name.replaceAll("\\", "/");
}

/** The upper half of code page 437, in which names stand that are not marked as UTF-8. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

function checkEntryName(name: string): void {
  const leadsOut = /^[a-zA-Z]:|^\//.test(name) || name.split("/").includes("..");
  if (leadsOut)
    throw archiveInvalidError(`the name "${name}", which leads out of the archive`, "a path within it");
}

async function readExactBytes(
  file: LocalFile,
  at: number,
  length: number,
  entry?: Entry,
): Promise<Uint8Array> {
  const isWithin = at >= 0 && at + length <= file.size;
  const bytes = isWithin ? await file.read(at, length) : new Uint8Array();
  if (bytes.length < length) {
    throw archiveInvalidError(`an end at byte ${file.size}`, `${length} bytes from byte ${at}`, entry);
  }
  return bytes;
}

function checkZipSignature(
  bytes: DataView,
  at: number,
  wanted: number,
  what: string,
  place: number,
  entry?: Entry,
) {
  if (bytes.getUint32(at, true) === wanted) return;
  throw archiveInvalidError(`bytes at ${place} that are not ${what}`, "a whole zip archive", entry);
}

/** 64 bits as a number: what no longer fits exactly lies beyond every file. */
function readUint64(bytes: DataView, at: number): number {
  return Number(bytes.getBigUint64(at, true));
}
