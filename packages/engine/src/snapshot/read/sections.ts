import { EngineError } from "../../base/errors.ts";
import {
  alignSectionOffset,
  COUNT_NAMES,
  type CountName,
  type FileKind,
  FORMAT_VERSIONS,
  findSectionName,
  HEADER,
  HEADER_BYTES,
  isLeftUnread,
  KIND_CODES,
  listSectionIds,
  MAGIC,
  OPTIONAL_SECTIONS,
  RASTER_VERSION,
  SECTION,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../format.ts";
import type { SourceKind } from "../manifest.ts";
import type { Crc32, RangeReader } from "../snapshot.ts";
import { createSectionRefuse, type Refuse, throwSnapshotCorrupt } from "./corrupt.ts";

/** A file whose header and sections are checked, but not what the sections hold. */
export interface SnapshotFileView {
  readonly name: string;
  /** Holds the file as far as opening reads it. */
  readonly buffer: ArrayBufferLike;
  readonly kind: SourceKind;
  readonly version: number;
  readonly isRaster: boolean;
  readonly counts: Readonly<Record<CountName, number>>;
  /** By id; offsets from the start of the buffer. */
  readonly sections: ReadonlyMap<number, StoredSection>;
  /** Sections that opening left unread; offsets from the start of the file. */
  readonly unread: ReadonlyMap<number, StoredSection>;
  /** The file itself; where it lies in memory, unread sections lie there too. */
  readonly source: Uint8Array | RangeReader;
}

/** Where a section lies, and its checksum. */
export interface StoredSection {
  readonly offset: number;
  readonly byteLength: number;
  readonly crc32: number;
}

/**
 * Checks a file from its first byte to the last that opening reads: header, section table, padding and checksums.
 *
 * @param source the file; where it lies in a larger buffer, at a multiple of 64
 * @param name what errors call the file
 */
export function openSnapshotSections(
  source: Uint8Array | RangeReader,
  name: string,
  checksum: Crc32,
): SnapshotFileView {
  const { length } = source;
  const refuse: Refuse = createSectionRefuse(name, "header");
  if (length < HEADER_BYTES) refuse("header.length", `${length} bytes`, `at least ${HEADER_BYTES}`);
  const head = readSourceBytes(source, 0, HEADER_BYTES);
  const headView = new DataView(head.buffer, head.byteOffset, HEADER_BYTES);
  for (const [i, byte] of MAGIC.entries()) {
    const first = i === 0 ? "; snapshotOf makes them" : "";
    if (head[i] !== byte) refuse("header.magic", `byte ${head[i]} at ${i}`, `${byte}${first}`);
  }
  const version = headView.getUint32(HEADER.version, true);
  if (!FORMAT_VERSIONS.includes(version)) {
    throw new EngineError(
      "SNAPSHOT_VERSION_UNSUPPORTED",
      `found format version ${version} in snapshot "${name}", expected ${FORMAT_VERSIONS.join(" or ")}; build the snapshot again from its source`,
      { name, found: version, supported: FORMAT_VERSIONS },
    );
  }
  const stated = Number(headView.getBigUint64(HEADER.byteLength, true));
  if (stated !== length)
    refuse("header.byteLength", `a length of ${stated} bytes`, `${length}, the length of the file`);
  const sectionCount = headView.getUint32(HEADER.sectionCount, true);
  const tableEnd = HEADER_BYTES + sectionCount * TABLE_ENTRY_BYTES;
  if (tableEnd > length) refuse("table.length", `${sectionCount} sections`, `a table within ${length} bytes`);
  const header = readSourceBytes(source, 0, tableEnd).slice();
  const view = new DataView(header.buffer);
  const headerCrc = view.getUint32(HEADER.crc32, true);
  header.fill(0, HEADER.crc32, HEADER.crc32 + 4);
  const foundHeaderCrc = checksum(header, 0) >>> 0;
  if (foundHeaderCrc !== headerCrc) {
    throwSnapshotCorrupt(
      "header.crc32",
      name,
      "header and section table",
      `CRC-32 ${foundHeaderCrc}`,
      `${headerCrc}`,
    );
  }
  for (let i = HEADER.reserved; i < HEADER_BYTES; i++) {
    if (header[i] !== 0) refuse("header.reserved", `byte ${header[i]} at ${i}`, "0");
  }
  const kindCode = view.getUint32(HEADER.kind, true);
  const kind = FILE_KINDS.find((candidate) => KIND_CODES[candidate] === kindCode);
  if (kind === undefined || (kind === "raster" && version < RASTER_VERSION)) {
    const expected = "1 (leaf), 2 (subject_register), or of version 3 also 3 (raster)";
    return refuse("header.kind", `kind ${kindCode}`, expected);
  }
  const counts = Object.fromEntries(
    COUNT_NAMES.map((count) => [count, view.getUint32(HEADER[count], true)]),
  ) as Record<CountName, number>;
  for (const count of ABSENT_COUNTS[kind]) {
    if (counts[count] !== 0) refuse("header.counts", `${count} ${counts[count]}`, `0 for kind ${kind}`);
  }
  const fixedCount = listSectionIds(kind, 0).length;
  const mayHaveOthers = version >= RASTER_VERSION && sectionCount > fixedCount + counts.columnCount;
  if (sectionCount !== fixedCount + counts.columnCount && !mayHaveOthers) {
    const expected = `${fixedCount} and one for each of ${counts.columnCount} columns`;
    refuse("header.sectionCount", `${sectionCount} sections`, expected);
  }

  const sections = new Map<number, StoredSection>();
  const ids = listSectionIds(kind, counts.columnCount);
  let known = 0;
  let before = 0;
  let end = tableEnd;
  let readEnd = tableEnd;
  for (let i = 0; i < sectionCount; i++) {
    const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
    const id = view.getUint32(entry + TABLE_ENTRY.id, true);
    const isOptional = mayHaveOthers && id >= OPTIONAL_SECTIONS.first && id <= OPTIONAL_SECTIONS.last;
    const expectedId = isOptional ? id : ids[known++]!;
    if (id !== expectedId || id <= before) {
      throwSnapshotCorrupt(
        "table.id",
        name,
        `table entry ${i}`,
        findSectionName(id),
        findSectionName(expectedId),
      );
    }
    before = id;
    const offset = Number(view.getBigUint64(entry + TABLE_ENTRY.offset, true));
    const byteLength = Number(view.getBigUint64(entry + TABLE_ENTRY.byteLength, true));
    const expected = alignSectionOffset(end);
    if (offset !== expected)
      throwSnapshotCorrupt("table.offset", name, findSectionName(id), `offset ${offset}`, `${expected}`);
    sections.set(id, { offset, byteLength, crc32: view.getUint32(entry + TABLE_ENTRY.crc32, true) });
    end = offset + byteLength;
    if (!isLeftUnread(id)) readEnd = end;
  }
  if (end !== length)
    throwSnapshotCorrupt(
      "table.end",
      name,
      "section table",
      `an end at ${end}`,
      `${length}, the length of the file`,
    );

  const bytes = readSourceBytes(source, 0, readEnd);
  const read = new Map<number, StoredSection>();
  const unread = new Map<number, StoredSection>();
  let after = tableEnd;
  for (const [id, section] of sections) {
    if (isLeftUnread(id)) {
      unread.set(id, section);
      continue;
    }
    const { offset, byteLength, crc32 } = section;
    checkSectionPadding(name, id, bytes.subarray(after, offset), after);
    const found = checksum(bytes.subarray(offset, offset + byteLength), 0) >>> 0;
    if (found !== crc32)
      throwSnapshotCorrupt("section.crc32", name, findSectionName(id), `CRC-32 ${found}`, `${crc32}`);
    read.set(id, { ...section, offset: bytes.byteOffset + offset });
    after = offset + byteLength;
  }
  const isRaster = kind === "raster";
  const sourceKind = isRaster ? "leaf" : kind;
  return {
    name,
    buffer: bytes.buffer,
    kind: sourceKind,
    version,
    isRaster,
    counts,
    sections: read,
    unread,
    source,
  };
}

function checkSectionPadding(name: string, id: number, padding: Uint8Array, offset: number): void {
  const at = padding.findIndex((byte) => byte !== 0);
  if (at >= 0) {
    const found = `byte ${padding[at]} at ${offset + at}, in the padding before it`;
    throwSnapshotCorrupt("table.padding", name, findSectionName(id), found, "0");
  }
}

/** Bytes of a file: in place where it lies in memory. */
export function readSourceBytes(
  source: Uint8Array | RangeReader,
  offset: number,
  byteLength: number,
): Uint8Array {
  if (source instanceof Uint8Array) return source.subarray(offset, offset + byteLength);
  const bytes = new Uint8Array(byteLength);
  source.read(offset, bytes);
  return bytes;
}

/**
 * Checks what opening left unread: padding and checksums, but of the tiles, which have checksums of their own.
 *
 * Fails: `SNAPSHOT_CORRUPT`.
 */
export function verifyUnreadSections(file: SnapshotFileView, checksum: Crc32): void {
  const { name, source, sections, unread } = file;
  const [last] = [...sections.values()].slice(-1);
  let after = source instanceof Uint8Array ? last!.offset - source.byteOffset : last!.offset;
  after += last!.byteLength;
  for (const [id, { offset, byteLength, crc32 }] of unread) {
    checkSectionPadding(name, id, readSourceBytes(source, after, offset - after), after);
    after = offset + byteLength;
    let found = 0;
    if (id !== SECTION.TILE_DATA) {
      for (let at = offset; at < after; at += BLOCK_BYTES) {
        found = checksum(readSourceBytes(source, at, Math.min(BLOCK_BYTES, after - at)), found) >>> 0;
      }
    }
    if (found !== crc32)
      throwSnapshotCorrupt("section.unread", name, findSectionName(id), `CRC-32 ${found}`, `${crc32}`);
  }
}

/** Bytes that are read at once of what opening leaves unread. */
const BLOCK_BYTES = 1 << 20;

const FILE_KINDS: readonly FileKind[] = ["leaf", "subject_register", "raster"];

/** Counts that a kind of source does not have. */
const ABSENT_COUNTS: Readonly<Record<FileKind, readonly CountName[]>> = {
  leaf: ["identifierCount"],
  subject_register: ["ringCount", "positionCount"],
  raster: ["ringCount", "positionCount", "identifierCount"],
};

export function viewSection(file: SnapshotFileView, id: number): Uint8Array {
  const { offset, byteLength } = file.sections.get(id)!;
  return new Uint8Array(file.buffer, offset, byteLength);
}

/** Start of a section whose length the counts fix. */
export function findFixedSection(file: SnapshotFileView, id: number, expected: number): number {
  const { offset, byteLength } = file.sections.get(id)!;
  if (byteLength !== expected) {
    throwSnapshotCorrupt(
      "section.length",
      file.name,
      findSectionName(id),
      `${byteLength} bytes`,
      `${expected}`,
    );
  }
  return offset;
}

/** A section of `count` numbers of 32 bits. */
export function viewUint32Section(file: SnapshotFileView, id: number, count: number): Uint32Array {
  return new Uint32Array(file.buffer, findFixedSection(file, id, count * 4), count);
}

/** A section of `count` doubles, all of them finite. */
export function readFiniteNumbers(file: SnapshotFileView, id: number, count: number): Float64Array {
  const numbers = new Float64Array(file.buffer, findFixedSection(file, id, count * 8), count);
  for (let i = 0; i < count; i++) {
    if (!Number.isFinite(numbers[i])) {
      throwSnapshotCorrupt(
        "numbers.finite",
        file.name,
        findSectionName(id),
        `${numbers[i]} at ${i}`,
        "a finite number",
      );
    }
  }
  return numbers;
}

/** Numbers of 1, 2 or 4 bytes in place. */
export function viewUnsigned(
  width: 1 | 2 | 4,
  buffer: ArrayBufferLike,
  offset: number,
  count: number,
): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(buffer, offset, count);
  return width === 2 ? new Uint16Array(buffer, offset, count) : new Uint32Array(buffer, offset, count);
}

/** Offsets of consecutive pieces: from 0, never falling, to `end`. */
export function checkOffsets(file: SnapshotFileView, id: number, offsets: Uint32Array, end: number): void {
  const refuse: Refuse = createSectionRefuse(file.name, findSectionName(id));
  if (offsets[0] !== 0) refuse("offsets.first", `first offset ${offsets[0]}`, "0");
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i]! < offsets[i - 1]!) {
      refuse("offsets.monotone", `offset ${offsets[i]} after ${offsets[i - 1]}`, "offsets that never fall");
    }
  }
  const last = offsets[offsets.length - 1];
  if (last !== end) refuse("offsets.last", `last offset ${last}`, `${end}, where its target ends`);
}
