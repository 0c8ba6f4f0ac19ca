import type { SourceKind } from "./manifest.ts";

// The layout of format versions 2 to 4, as `docs/formats/snapshot.md` describes it. Writer and reader
// take every number from here.

/** First bytes of every snapshot. The byte above 127 and the newline show a transfer that altered bytes. */
export const MAGIC: Uint8Array = Uint8Array.of(0x89, 0x47, 0x52, 0x53, 0x4e, 0x41, 0x50, 0x0a);
/** The version of files of areas and registers, which release 0.2.0 reads too. */
const FIRST_VERSION = 2;
/** The version of rasters. Files of areas and registers may have it, to hold optional sections. */
export const RASTER_VERSION = 3;
/** The version of area files whose META lists the places of features that were left out. */
export const LEFT_OUT_VERSION = 4;
/** The versions that are read. */
export const FORMAT_VERSIONS: readonly number[] = [FIRST_VERSION, RASTER_VERSION, LEFT_OUT_VERSION];

/** Kind of content in a file. Everything else treats a raster as a source of areas. */
export type FileKind = SourceKind | "raster";

/** The version in which a file is written. */
export function chooseFormatVersion(kind: FileKind, tellsLeftOut: boolean): number {
  if (tellsLeftOut) return LEFT_OUT_VERSION;
  return kind === "raster" ? RASTER_VERSION : FIRST_VERSION;
}

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

/** The fields of the header that count what a file holds. */
export const COUNT_NAMES = [
  "rowCount",
  "ringCount",
  "positionCount",
  "columnCount",
  "identifierCount",
] as const;
export type CountName = (typeof COUNT_NAMES)[number];

/** Byte offsets within an entry of the section table. */
export const TABLE_ENTRY = { id: 0, crc32: 4, offset: 8, byteLength: 16 } as const;

export const KIND_CODES: Readonly<Record<FileKind, number>> = { leaf: 1, subject_register: 2, raster: 3 };

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
  GRID: 64,
  AREA_CELLS: 65,
  TILE_INDEX: 66,
  TILE_HASHES: 0x8000,
  TILE_DATA: 0x8001,
} as const;

/** Column k of the manifest's `columns` is section `FIRST_COLUMN_SECTION + k`. */
export const FIRST_COLUMN_SECTION = 256;

/**
 * In version 3: sections that a file may have, and that a reader may skip if it does not recognize them. They hold
 * only data that can be computed again.
 */
export const OPTIONAL_SECTIONS: { readonly first: number; readonly last: number } = {
  first: 0x4000,
  last: 0x7fff,
};

/** Sections that opening leaves unread, behind all others. */
const UNREAD_SECTIONS: readonly number[] = [SECTION.TILE_HASHES, SECTION.TILE_DATA];

const SECTIONS_BY_KIND: Readonly<Record<FileKind, readonly number[]>> = {
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
  raster: [
    SECTION.META,
    SECTION.IDS,
    SECTION.NAMES,
    SECTION.COUNTRIES,
    SECTION.AREA_SQUARE_METERS,
    SECTION.COVERAGE,
    SECTION.GRID,
    SECTION.AREA_CELLS,
    SECTION.TILE_INDEX,
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
/** In a date column: the value for null; days count from 1970-01-01. */
export const NULL_DAY: number = -0x8000_0000;

/** True if a file is a raster, according to its first {@link HEADER_BYTES} bytes. */
export function isRasterFile(head: Uint8Array): boolean {
  return MAGIC.every((byte, i) => head[i] === byte) && head[HEADER.kind] === KIND_CODES.raster;
}

/** Ids of the sections a snapshot must have, in file order. */
export function listSectionIds(kind: FileKind, columnCount: number): number[] {
  const ids = [...SECTIONS_BY_KIND[kind]];
  for (let column = 0; column < columnCount; column++) ids.push(FIRST_COLUMN_SECTION + column);
  return kind === "raster" ? [...ids, ...UNREAD_SECTIONS] : ids;
}

/** True if a reader skips a section until something in it is needed, or `verify` reads it. */
export function isLeftUnread(id: number): boolean {
  return id >= OPTIONAL_SECTIONS.first;
}

/** Name of a section in errors. */
export function findSectionName(id: number): string {
  for (const [name, value] of Object.entries(SECTION)) if (value === id) return name;
  const isColumn = id >= FIRST_COLUMN_SECTION && id < OPTIONAL_SECTIONS.first;
  return isColumn ? `COLUMN ${id - FIRST_COLUMN_SECTION}` : `section ${id}`;
}

/** The next multiple of the section alignment. */
export function alignSectionOffset(offset: number): number {
  return Math.ceil(offset / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
}

/** Bytes of each dictionary index of a string column: 0 means null, so the width must hold the count. */
export function dictionaryIndexBytes(entryCount: number): 1 | 2 | 4 {
  return entryCount <= 0xff ? 1 : entryCount <= 0xffff ? 2 : 4;
}

/** Bytes of the section GRID: a, b, s, t, n as f64, columns and rows as u32. */
export const GRID_BYTES = 48;
/** Most columns of a grid, and most rows. */
export const MAX_GRID_CELLS = 0x100_0000;
/** Byte offsets within an entry of the tile index. */
export const TILE_ENTRY = { kind: 0, bits: 1, value: 2, offset: 4, byteLength: 8, crc32: 12 } as const;
export const TILE_ENTRY_BYTES = 16;
export const TILE_HASH_BYTES = 32;
/** Every stored tile starts at a multiple of this, and its cells after its values do so too. */
export const TILE_ALIGNMENT = 16;
/** How a tile is stored: not at all, as it holds one value; as runs of each row; as a code for each cell. */
export const TILE_KIND = { constant: 0, runs: 1, packed: 2 } as const;

/** Bytes before the cells of a stored tile: of each value f64 square metres, u32 cells and u16 the value. */
export function tileHeadBytes(valueCount: number): number {
  return alignTileOffset(14 * valueCount);
}

/** The next multiple of the alignment of tiles. */
export function alignTileOffset(offset: number): number {
  return Math.ceil(offset / TILE_ALIGNMENT) * TILE_ALIGNMENT;
}

/** Bytes of each cell as its digest takes it in, and as a writer takes it. */
export function bytesPerCell(areaCount: number): 1 | 2 {
  return areaCount <= 254 ? 1 : 2;
}

/** Bits of each cell of a packed tile. */
export function computePackedBits(valueCount: number): number {
  if (valueCount <= 2) return 1;
  if (valueCount <= 4) return 2;
  if (valueCount <= 16) return 4;
  return valueCount <= 256 ? 8 : 16;
}
