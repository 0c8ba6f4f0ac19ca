import { EngineError } from "../../base/errors.ts";
import {
  alignSection,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  KIND_CODES,
  MAGIC,
  sectionIds,
  sectionName,
  TABLE_ENTRY,
  TABLE_ENTRY_BYTES,
} from "../format.ts";
import type { SourceKind } from "../manifest.ts";
import type { Crc32 } from "../snapshot.ts";
import { corrupt } from "./corrupt.ts";

/** A file whose header and sections are checked, but not what the sections hold. */
export interface SnapshotFileView {
  readonly name: string;
  readonly buffer: ArrayBufferLike;
  readonly kind: SourceKind;
  readonly counts: Readonly<Record<CountName, number>>;
  /** By id; offsets from the start of the buffer. */
  readonly sections: ReadonlyMap<number, { readonly offset: number; readonly byteLength: number }>;
}

export type CountName = (typeof COUNT_NAMES)[number];

const COUNT_NAMES = ["rowCount", "ringCount", "positionCount", "columnCount", "identifierCount"] as const;

/**
 * Checks a file from its first byte to its last: header, section table, padding and checksums.
 *
 * @param bytes the file; where it lies in a larger buffer, at a multiple of 64
 * @param name what errors call the file
 */
export function openSections(bytes: Uint8Array, name: string, checksum: Crc32): SnapshotFileView {
  const { buffer, byteOffset, length } = bytes;
  if (length < HEADER_BYTES)
    corrupt("header.length", name, "header", `${length} bytes`, `at least ${HEADER_BYTES}`);
  const view = new DataView(buffer, byteOffset, length);
  for (const [i, byte] of MAGIC.entries()) {
    if (bytes[i] !== byte) corrupt("header.magic", name, "header", `byte ${bytes[i]} at ${i}`, `${byte}`);
  }
  const version = view.getUint32(HEADER.version, true);
  if (version !== FORMAT_VERSION) {
    throw new EngineError(
      "SNAPSHOT_VERSION_UNSUPPORTED",
      `found format version ${version} in snapshot "${name}", expected ${FORMAT_VERSION}; build the snapshot again from its source`,
      { name, found: version, supported: [FORMAT_VERSION] },
    );
  }
  const stated = Number(view.getBigUint64(HEADER.byteLength, true));
  if (stated !== length)
    corrupt(
      "header.byteLength",
      name,
      "header",
      `a length of ${stated} bytes`,
      `${length}, the length of the file`,
    );
  const sectionCount = view.getUint32(HEADER.sectionCount, true);
  const tableEnd = HEADER_BYTES + sectionCount * TABLE_ENTRY_BYTES;
  if (tableEnd > length)
    corrupt("table.length", name, "header", `${sectionCount} sections`, `a table within ${length} bytes`);
  const header = bytes.slice(0, tableEnd);
  header.fill(0, HEADER.crc32, HEADER.crc32 + 4);
  const headerCrc = view.getUint32(HEADER.crc32, true);
  const foundHeaderCrc = checksum(header, 0) >>> 0;
  if (foundHeaderCrc !== headerCrc) {
    corrupt("header.crc32", name, "header and section table", `CRC-32 ${foundHeaderCrc}`, `${headerCrc}`);
  }
  for (let i = HEADER.reserved; i < HEADER_BYTES; i++) {
    if (bytes[i] !== 0) corrupt("header.reserved", name, "header", `byte ${bytes[i]} at ${i}`, "0");
  }
  const kindCode = view.getUint32(HEADER.kind, true);
  const kind = SOURCE_KINDS.find((candidate) => KIND_CODES[candidate] === kindCode);
  if (kind === undefined)
    corrupt("header.kind", name, "header", `kind ${kindCode}`, "1 (leaf) or 2 (subject_register)");
  const counts = readCounts(view);
  for (const count of ABSENT_COUNTS[kind]) {
    if (counts[count] !== 0)
      corrupt("header.counts", name, "header", `${count} ${counts[count]}`, `0 for kind ${kind}`);
  }
  const fixedCount = sectionIds(kind, 0).length;
  if (sectionCount !== fixedCount + counts.columnCount) {
    const expected = `${fixedCount} and one for each of ${counts.columnCount} columns`;
    corrupt("header.sectionCount", name, "header", `${sectionCount} sections`, expected);
  }

  const sections = new Map<number, { offset: number; byteLength: number }>();
  let end = tableEnd;
  for (const [i, id] of sectionIds(kind, counts.columnCount).entries()) {
    const entry = HEADER_BYTES + i * TABLE_ENTRY_BYTES;
    const foundId = view.getUint32(entry + TABLE_ENTRY.id, true);
    if (foundId !== id) corrupt("table.id", name, `table entry ${i}`, sectionName(foundId), sectionName(id));
    const offset = Number(view.getBigUint64(entry + TABLE_ENTRY.offset, true));
    const byteLength = Number(view.getBigUint64(entry + TABLE_ENTRY.byteLength, true));
    const expected = alignSection(end);
    if (offset !== expected)
      corrupt("table.offset", name, sectionName(id), `offset ${offset}`, `${expected}`);
    sections.set(id, { offset: byteOffset + offset, byteLength });
    end = offset + byteLength;
  }
  if (end !== length)
    corrupt("table.end", name, "section table", `an end at ${end}`, `${length}, the length of the file`);

  let before = tableEnd;
  for (const [i, [id, { offset: start, byteLength }]] of [...sections].entries()) {
    const offset = start - byteOffset;
    for (let p = before; p < offset; p++) {
      if (bytes[p] !== 0)
        corrupt("table.padding", name, sectionName(id), `byte ${bytes[p]} in the padding before it`, "0");
    }
    const stored = view.getUint32(HEADER_BYTES + i * TABLE_ENTRY_BYTES + TABLE_ENTRY.crc32, true);
    const found = checksum(bytes.subarray(offset, offset + byteLength), 0) >>> 0;
    if (found !== stored) corrupt("section.crc32", name, sectionName(id), `CRC-32 ${found}`, `${stored}`);
    before = offset + byteLength;
  }
  return { name, buffer, kind, counts, sections };
}

const SOURCE_KINDS: readonly SourceKind[] = ["leaf", "subject_register"];

/** Counts that a kind of source does not have. */
const ABSENT_COUNTS: Readonly<Record<SourceKind, readonly CountName[]>> = {
  leaf: ["identifierCount"],
  subject_register: ["ringCount", "positionCount"],
};

function readCounts(view: DataView): Record<CountName, number> {
  return {
    rowCount: view.getUint32(HEADER.rowCount, true),
    ringCount: view.getUint32(HEADER.ringCount, true),
    positionCount: view.getUint32(HEADER.positionCount, true),
    columnCount: view.getUint32(HEADER.columnCount, true),
    identifierCount: view.getUint32(HEADER.identifierCount, true),
  };
}

export function sectionBytes(file: SnapshotFileView, id: number): Uint8Array {
  const { offset, byteLength } = file.sections.get(id)!;
  return new Uint8Array(file.buffer, offset, byteLength);
}

/** Start of a section whose length the counts fix. */
export function fixedSection(file: SnapshotFileView, id: number, expected: number): number {
  const { offset, byteLength } = file.sections.get(id)!;
  if (byteLength !== expected) {
    corrupt("section.length", file.name, sectionName(id), `${byteLength} bytes`, `${expected}`);
  }
  return offset;
}

/** A section of `count` numbers of 32 bits. */
export function readUint32(file: SnapshotFileView, id: number, count: number): Uint32Array {
  return new Uint32Array(file.buffer, fixedSection(file, id, count * 4), count);
}

/** A section of `count` doubles, all of them finite. */
export function readFiniteNumbers(file: SnapshotFileView, id: number, count: number): Float64Array {
  const numbers = new Float64Array(file.buffer, fixedSection(file, id, count * 8), count);
  for (let i = 0; i < count; i++) {
    if (!Number.isFinite(numbers[i])) {
      corrupt("numbers.finite", file.name, sectionName(id), `${numbers[i]} at ${i}`, "a finite number");
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
  const section = sectionName(id);
  if (offsets[0] !== 0) corrupt("offsets.first", file.name, section, `first offset ${offsets[0]}`, "0");
  for (let i = 1; i < offsets.length; i++) {
    if (offsets[i]! < offsets[i - 1]!) {
      corrupt(
        "offsets.monotone",
        file.name,
        section,
        `offset ${offsets[i]} after ${offsets[i - 1]}`,
        "offsets that never fall",
      );
    }
  }
  const last = offsets[offsets.length - 1];
  if (last !== end)
    corrupt("offsets.last", file.name, section, `last offset ${last}`, `${end}, where its target ends`);
}
