import type { SourceKind } from "./manifest.ts";

// The layout of format version 2, as `docs/formats/snapshot.md` describes it. Writer and reader
// take every number from here.

/** First bytes of every snapshot. The byte above 127 and the newline show a transfer that altered bytes. */
export const MAGIC: Uint8Array = Uint8Array.of(0x89, 0x47, 0x52, 0x53, 0x4e, 0x41, 0x50, 0x0a);
/** The version that is written and read. */
export const FORMAT_VERSION = 2;

/** Every section starts at a multiple of this, so that any typed array can view it in place. */
const SECTION_ALIGNMENT = 64;
export const HEADER_BYTES = 64;
export const TABLE_ENTRY_BYTES = 24;

/** Byte offsets of the header's fields. All numbers are little-endian. */
export const HEADER = {
  magic: 0,
  version: 8,
  /** CRC-32 of header and section table, this field taken as zero. */
  crc32: 12,
  byteLength: 16,
  kind: 24,
  sectionCount: 28,
  rowCount: 32,
  ringCount: 36,
  positionCount: 40,
  columnCount: 44,
  identifierCount: 48,
  reserved: 52,
} as const;

/** Byte offsets within an entry of the section table. */
export const TABLE_ENTRY = { id: 0, crc32: 4, offset: 8, byteLength: 16 } as const;

export const KIND_CODES: Readonly<Record<SourceKind, number>> = { leaf: 1, subject_register: 2 };

export const SECTION = {
  META: 1,
  IDS: 2,
  NAMES: 3,
  COUNTRIES: 4,
  XY: 16,
  RING_STARTS: 17,
  AREA_RINGS: 18,
  RING_AREAS: 19,
  RING_ROLES: 20,
  RING_INDEX: 21,
  CHAIN_STARTS: 22,
  CHAIN_BOXES: 23,
  CHAIN_INTEGRALS: 24,
  AREA_SQUARE_METERS: 25,
  IDENTIFIER_SCHEMES: 32,
  IDENTIFIER_CANONICAL: 33,
  IDENTIFIER_VALUES: 34,
  IDENTIFIER_ROWS: 35,
  IDENTIFIER_ORDER: 36,
  GRAM_SCHEMES: 37,
  GRAMS: 38,
  GRAM_POSTINGS: 39,
  COVERAGE: 48,
} as const;

/** Column k of the manifest's `columns` is section `FIRST_COLUMN_SECTION + k`. */
export const FIRST_COLUMN_SECTION = 256;

const SECTIONS_BY_KIND: Readonly<Record<SourceKind, readonly number[]>> = {
  leaf: [
    SECTION.META,
    SECTION.IDS,
    SECTION.NAMES,
    SECTION.COUNTRIES,
    SECTION.XY,
    SECTION.RING_STARTS,
    SECTION.AREA_RINGS,
    SECTION.RING_AREAS,
    SECTION.RING_ROLES,
    SECTION.RING_INDEX,
    SECTION.CHAIN_STARTS,
    SECTION.CHAIN_BOXES,
    SECTION.CHAIN_INTEGRALS,
    SECTION.AREA_SQUARE_METERS,
    SECTION.COVERAGE,
  ],
  subject_register: [
    SECTION.META,
    SECTION.IDS,
    SECTION.NAMES,
    SECTION.IDENTIFIER_SCHEMES,
    SECTION.IDENTIFIER_CANONICAL,
    SECTION.IDENTIFIER_VALUES,
    SECTION.IDENTIFIER_ROWS,
    SECTION.IDENTIFIER_ORDER,
    SECTION.GRAM_SCHEMES,
    SECTION.GRAMS,
    SECTION.GRAM_POSTINGS,
  ],
};

/** The one column of the pieces of a coverage by countries: the codes of each piece, joined by commas. */
export const PIECE_COUNTRIES_COLUMN = "countries";

export const MAX_COLUMNS = 4096;
export const MAX_META_BYTES: number = 8 * 1024 * 1024;

/** Longitudes may run past ±180 where a ring crosses the antimeridian, by one turn at most. */
export const MAX_ABSOLUTE_LONGITUDE = 540;
export const MAX_ABSOLUTE_LATITUDE = 90;
/** A triangle, closed. */
export const MIN_RING_POSITIONS = 4;

/** In a boolean column: 0 false, 1 true, 2 null. */
export const NULL_BOOLEAN = 2;
/** In a date column: the value that stands for null; days count from 1970-01-01. */
export const NULL_DAY: number = -0x8000_0000;

/** Ids of exactly the sections a snapshot has, in file order. */
export function sectionIds(kind: SourceKind, columnCount: number): number[] {
  const ids = [...SECTIONS_BY_KIND[kind]];
  for (let column = 0; column < columnCount; column++) ids.push(FIRST_COLUMN_SECTION + column);
  return ids;
}

/** What errors call a section. */
export function sectionName(id: number): string {
  for (const [name, value] of Object.entries(SECTION)) if (value === id) return name;
  return id >= FIRST_COLUMN_SECTION ? `COLUMN ${id - FIRST_COLUMN_SECTION}` : `section ${id}`;
}

/** The next multiple of the section alignment. */
export function alignSection(offset: number): number {
  return Math.ceil(offset / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
}

/** Bytes of each dictionary index of a string column: 0 stands for null, so the width must hold the count. */
export function dictionaryIndexBytes(entryCount: number): 1 | 2 | 4 {
  return entryCount <= 0xff ? 1 : entryCount <= 0xffff ? 2 : 4;
}
