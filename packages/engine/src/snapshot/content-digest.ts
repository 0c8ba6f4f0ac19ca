import { PureSha256 } from "../base/sha256.ts";
import { encodeUtf8 } from "../base/utf8.ts";
import type { RasterGrid } from "../geometry/raster/grid.ts";
import type { Coverage, CoverageInput } from "./coverage.ts";
import { type FileKind, TILE_HASH_BYTES } from "./format.ts";
import type { LeftOutBox } from "./left-out.ts";
import type { ColumnType } from "./manifest.ts";
import type { Sha256 } from "./snapshot.ts";

/** Content of an edition, either in the writer's lists or in an opened snapshot. */
export interface SnapshotContent {
  readonly kind: FileKind;
  readonly category: string | undefined;
  readonly rowCount: number;
  id(row: number): Uint8Array;
  name(row: number): Uint8Array | null;
  countryIso3(row: number): Uint8Array | null;
  readonly columns: readonly ContentColumn[];
  /** Areas only. */
  readonly geometry?: ContentGeometry;
  /** Rasters only. */
  readonly raster?: ContentRaster;
  /** Registers only. */
  readonly identifiers?: ContentIdentifiers;
  /** Areas only, and only where the coverage is declared. */
  readonly coverage?: ContentCoverage | undefined;
  /** Areas only, and only where there are any. */
  readonly leftOut?: readonly LeftOutBox[] | undefined;
}

export interface ContentColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Number; 0 or 1; day number; UTF-8 text; null. */
  cell(row: number): number | Uint8Array | null;
}

export interface ContentGeometry {
  readonly ringCount: number;
  areaRingCount(area: number): number;
  ringRole(ring: number): number;
  ringPositionCount(ring: number): number;
  /** All coordinates in order, as little-endian Float64 bytes. */
  readonly xyBytes: Iterable<Uint8Array>;
}

/** The cells of a raster, tile by tile. */
export interface ContentRaster {
  readonly grid: RasterGrid;
  readonly tileCount: number;
  /** The value that all cells of a tile hold; -1 where they hold several. */
  constantValue(tile: number): number;
  /** Digests of the cells of the tiles that hold several values, in order. */
  readonly hashes: Iterable<Uint8Array>;
}

export interface ContentIdentifiers {
  readonly schemes: readonly string[];
  /** First identifier of each scheme; one entry more. */
  readonly schemeStarts: Uint32Array;
  value(i: number): Uint8Array;
  row(i: number): number;
}

/** A declared coverage: what was declared, and what it meant. */
export interface ContentCoverage {
  readonly extent: Exclude<Coverage["extent"], "undeclared" | "cells">;
  /** Ascending; none but of countries. */
  readonly countries: readonly string[];
  /** Digest of the content of the pieces; null of a global coverage, which has none. */
  readonly pieces: string | null;
}

/** The digest's view of a coverage: undefined unless it is declared. */
export function findContentCoverage(
  coverage: Coverage | CoverageInput,
  pieces: string | null,
): ContentCoverage | undefined {
  if (coverage.extent === "undeclared" || coverage.extent === "cells" || coverage.known === "derived")
    return undefined;
  const { extent } = coverage;
  return { extent, countries: extent === "countries" ? coverage.countries : [], pieces };
}

/**
 * The edition's name: SHA-256, as 64 hex digits, of the content as the byte stream defined in
 * `docs/formats/snapshot.md`, section "Content digest". Independent of the file's layout.
 */
export function computeContentDigest(
  content: SnapshotContent,
  sha256: () => Sha256 = () => new PureSha256(),
): string {
  const stream = new HashStream(sha256());
  stream.text(`groundrule content ${getStreamVersion(content)}`);
  stream.text(content.kind);
  stream.nullableText(content.category === undefined ? null : encodeUtf8(content.category));
  stream.u32(content.rowCount);
  for (let row = 0; row < content.rowCount; row++) {
    stream.sizedBytes(content.id(row));
    stream.nullableText(content.name(row));
    stream.nullableText(content.countryIso3(row));
  }
  stream.u32(content.columns.length);
  for (const column of content.columns) writeColumn(stream, column, content.rowCount);
  if (content.geometry !== undefined) writeGeometry(stream, content.geometry, content.rowCount);
  if (content.raster !== undefined) writeRaster(stream, content.raster);
  if (content.identifiers !== undefined) writeIdentifiers(stream, content.identifiers);
  if (content.leftOut !== undefined) stream.u8(content.coverage === undefined ? 0 : 1);
  if (content.coverage !== undefined) writeCoverage(stream, content.coverage);
  if (content.leftOut !== undefined) writeLeftOut(stream, content.leftOut);
  return stream.hexDigest();
}

function getStreamVersion({ raster, coverage, leftOut }: SnapshotContent): number {
  if (leftOut !== undefined) return 4;
  if (raster !== undefined) return 3;
  return coverage === undefined ? 1 : 2;
}

function writeColumn(stream: HashStream, column: ContentColumn, rowCount: number): void {
  stream.text(column.name);
  stream.text(column.type);
  for (let row = 0; row < rowCount; row++) {
    const cell = column.cell(row);
    stream.u8(cell === null ? 0 : 1);
    if (cell === null) continue;
    if (typeof cell !== "number") stream.sizedBytes(cell);
    else if (column.type === "number") stream.f64(cell);
    else if (column.type === "boolean") stream.u8(cell);
    else stream.u32(cell);
  }
}

function writeGeometry(stream: HashStream, geometry: ContentGeometry, areaCount: number): void {
  for (let area = 0; area < areaCount; area++) stream.u32(geometry.areaRingCount(area));
  for (let ring = 0; ring < geometry.ringCount; ring++) {
    stream.u8(geometry.ringRole(ring));
    stream.u32(geometry.ringPositionCount(ring));
  }
  for (const bytes of geometry.xyBytes) stream.bytes(bytes);
}

function writeRaster(stream: HashStream, { grid, tileCount, constantValue, hashes }: ContentRaster): void {
  for (const number of [grid.a, grid.b, grid.s, grid.t, grid.n]) stream.f64(number);
  stream.u32(grid.columns);
  stream.u32(grid.rows);
  const chunks = hashes[Symbol.iterator]();
  let chunk = new Uint8Array(0);
  let at = 0;
  for (let tile = 0; tile < tileCount; tile++) {
    const value = constantValue(tile);
    stream.u8(value < 0 ? 1 : 0);
    if (value >= 0) {
      stream.u16(value);
      continue;
    }
    if (at === chunk.length) {
      chunk = chunks.next().value as Uint8Array<ArrayBuffer>;
      at = 0;
    }
    stream.bytes(chunk.subarray(at, at + TILE_HASH_BYTES));
    at += TILE_HASH_BYTES;
  }
}

function writeIdentifiers(stream: HashStream, identifiers: ContentIdentifiers): void {
  const { schemes, schemeStarts } = identifiers;
  stream.u32(schemeStarts[schemes.length]!);
  for (const [s, scheme] of schemes.entries()) {
    for (let i = schemeStarts[s]!; i < schemeStarts[s + 1]!; i++) {
      stream.text(scheme);
      stream.sizedBytes(identifiers.value(i));
      stream.u32(identifiers.row(i));
    }
  }
}

function writeCoverage(stream: HashStream, { extent, countries, pieces }: ContentCoverage): void {
  stream.text(extent);
  stream.u32(countries.length);
  for (const country of countries) stream.text(country);
  stream.nullableText(pieces === null ? null : encodeUtf8(pieces));
}

function writeLeftOut(stream: HashStream, boxes: readonly LeftOutBox[]): void {
  stream.u32(boxes.length);
  for (const [west, south, east, north, areas] of boxes) {
    for (const degrees of [west, south, east, north]) stream.f64(degrees);
    stream.f64(areas);
  }
}

/** Gathers small writes into blocks; numbers are little-endian. */
class HashStream {
  readonly #hash: Sha256;
  readonly #block = new Uint8Array(BLOCK_BYTES);
  readonly #view = new DataView(this.#block.buffer);
  #used = 0;

  constructor(hash: Sha256) {
    this.#hash = hash;
  }

  u8(value: number): void {
    this.#block[this.#reserve(1)] = value;
  }

  u16(value: number): void {
    this.#view.setUint16(this.#reserve(2), value, true);
  }

  /** The low 32 bits, so that negative day numbers are two's complement. */
  u32(value: number): void {
    this.#view.setUint32(this.#reserve(4), value, true);
  }

  f64(value: number): void {
    this.#view.setFloat64(this.#reserve(8), value, true);
  }

  /** Copied in: what is hashed may lie in shared memory, which hosts' hashes refuse. */
  bytes(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      if (this.#used === BLOCK_BYTES) this.#flush();
      const taken = Math.min(bytes.length - done, BLOCK_BYTES - this.#used);
      this.#block.set(bytes.subarray(done, done + taken), this.#used);
      this.#used += taken;
      done += taken;
    }
  }

  sizedBytes(bytes: Uint8Array): void {
    this.u32(bytes.length);
    this.bytes(bytes);
  }

  text(text: string): void {
    this.sizedBytes(encodeUtf8(text));
  }

  nullableText(utf8: Uint8Array | null): void {
    this.u8(utf8 === null ? 0 : 1);
    if (utf8 !== null) this.sizedBytes(utf8);
  }

  hexDigest(): string {
    this.#flush();
    let hex = "";
    for (const byte of this.#hash.digest()) hex += byte.toString(16).padStart(2, "0");
    return hex;
  }

  #reserve(size: number): number {
    if (this.#used + size > BLOCK_BYTES) this.#flush();
    const at = this.#used;
    this.#used += size;
    return at;
  }

  #flush(): void {
    this.#hash.update(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }
}

const BLOCK_BYTES = 65536;
