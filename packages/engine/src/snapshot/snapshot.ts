import type { PatternMeter } from "../base/pattern-meter.ts";
import type { RasterLayer } from "../geometry/raster/raster-layer.ts";
import type { AreaLayer } from "../geometry/trees/layer.ts";
import type { Coverage, CoverageInput } from "./coverage.ts";
import type { LeftOutBox } from "./left-out.ts";
import type { ColumnType, StoredManifest } from "./manifest.ts";

/** Value of an attribute. Dates are `YYYY-MM-DD`. */
export type AttributeValue = string | number | boolean | null;

/** Description of a snapshot: its META section, which the catalog of a data folder repeats. */
export interface SnapshotMeta {
  /** The resolved manifest: `columns` lists every column in stored order. */
  readonly manifest: StoredManifest;
  /** SHA-256 of the content, 64 hex digits, which identifies the edition. See `docs/formats/snapshot.md`. */
  readonly edition: string;
  /** Number of areas or records. */
  readonly feature_count: number;
  /** ISO 3166-1 alpha-3 codes that occur, ascending. Empty for registers. */
  readonly country_coverage: readonly string[];
  /** Schemes that occur, ascending. Empty for area sources. */
  readonly schemes: readonly string[];
  /** Boxes of features that the build of areas left out, where there are any. Catalogs do not repeat them. */
  readonly left_out?: readonly LeftOutBox[] | undefined;
}

/** Attributes of areas or records, decoded only when needed. Rows count from 0. */
export interface Attributes {
  /** Areas or records. */
  readonly rowCount: number;
  /** The columns, in stored order. */
  readonly columns: readonly {
    /** Its name in the source. */
    readonly name: string;
    /** The type of its values. */
    readonly type: ColumnType;
  }[];
  /** Identifier in the source. */
  id(row: number): string;
  /** Name; null where there is none. */
  name(row: number): string | null;
  /** ISO 3166-1 alpha-3 country; null where there is none. */
  countryIso3(row: number): string | null;
  /**
   * Value of one column of a row.
   *
   * @param column index into `columns`
   */
  value(row: number, column: number): AttributeValue;
  /** All columns of a row by name, in stored order. */
  properties(row: number): Record<string, AttributeValue>;
  /**
   * Summarizes the values of a column in one pass.
   *
   * @param column index into `columns`, or one of the texts every row has
   */
  summary(column: number | "name" | "country_iso3"): ColumnSummary;
}

/** A summary of all values of a column. */
export interface ColumnSummary {
  /** Rows without a value. */
  readonly nullCount: number;
  /** For numbers and dates; absent if no row has one. */
  readonly range?: {
    /** Dates are `YYYY-MM-DD`. */
    readonly least: number | string;
    /** Dates are `YYYY-MM-DD`. */
    readonly greatest: number | string;
  };
  /** For texts: the number of distinct ones. */
  readonly textCount?: number;
  /** For texts: each distinct one. */
  readonly texts?: () => ReadonlySet<string>;
}

/** An identifier of a register's record. */
export interface Identifier {
  readonly scheme: string;
  /** The register's own spelling. */
  readonly value: string;
  /** Row of the record that carries it. */
  readonly row: number;
}

/** The identifiers of a register, sorted by scheme and canonical value. */
export interface IdentifierIndex {
  /** Identifiers of all records together. */
  readonly count: number;
  /** Schemes that occur, ascending by UTF-16 code units. */
  readonly schemes: readonly string[];
  /** Identifiers whose canonical value equals `canonical`, in record order; the first `limit` of them. */
  find(scheme: string, canonical: string, limit?: number): Identifier[];
  /**
   * Identifiers whose canonical value begins with `prefix`, by canonical value, then record order, those that are
   * stored in the former canonical form last; the first `limit` of them.
   */
  findPrefix(scheme: string, prefix: string, limit?: number): Identifier[];
  /**
   * Identifiers whose canonical value is made of the pieces in order with anything between them; one piece is the
   * whole value. The first `limit` of them by their record's id, then by spelling.
   *
   * Fails: `PATTERN_TOO_COMPLEX` as the meter says.
   */
  findFirst(scheme: string, pieces: readonly string[], limit: number, meter: PatternMeter): Identifier[];
}

/** An opened edition of an area source. */
export interface AreaSnapshot {
  readonly kind: "leaf";
  readonly meta: SnapshotMeta;
  readonly layer: AreaLayer;
  readonly attributes: Attributes;
  /** Where the source speaks. */
  readonly coverage: Coverage;
}

/** An opened edition of a raster: a source of areas that are the values of cells. */
export interface RasterSnapshot {
  readonly kind: "leaf";
  readonly meta: SnapshotMeta;
  /** Its grid and cells; tiles are read and checked when they are first touched. */
  readonly layer: RasterLayer;
  readonly attributes: Attributes;
  /** Its cells that are not nodata, and within what is declared. */
  readonly coverage: Coverage;
}

/** An opened edition of a register. */
export interface RegisterSnapshot {
  readonly kind: "subject_register";
  readonly meta: SnapshotMeta;
  readonly attributes: Attributes;
  /** Index by which its records are looked up. */
  readonly identifiers: IdentifierIndex;
}

/** An opened edition of areas, with rings or of cells. */
export type LeafSnapshot = AreaSnapshot | RasterSnapshot;

/** An opened edition. */
export type Snapshot = LeafSnapshot | RegisterSnapshot;

/** The bytes of a file that is read when they are needed, synchronously. They must not change. */
export interface RangeReader {
  /** Bytes of the file. */
  readonly length: number;
  /**
   * Fills `into` with the bytes from `offset` on.
   *
   * @throws where it cannot; an answer then fails with that error
   */
  read(offset: number, into: Uint8Array): void;
}

/** True if an opened edition is a raster. */
export function isRaster(snapshot: Snapshot): snapshot is RasterSnapshot {
  return snapshot.kind === "leaf" && "grid" in snapshot.layer;
}

/** CRC-32 (IEEE 802.3) of bytes, continuing from `seed` (0 at the start); a host may pass in its own. */
export type Crc32 = (bytes: Uint8Array, seed?: number) => number;

/** An incremental SHA-256; a host may pass in its own if much is hashed. */
export interface Sha256 {
  /** Takes the next `bytes` in. */
  update(bytes: Uint8Array): unknown;
  /** The 32 bytes of the digest of all that was taken in. */
  digest(): Uint8Array;
}

/** An area as passed to the writer: valid, oriented, rings closed. */
export interface AreaInput {
  /** Identifier in the source; no other area has it. */
  readonly id: string;
  /** Name; null where there is none. */
  readonly name: string | null;
  readonly countryIso3: string | null;
  /** Polygons of the area; each a list of rings, outer first, flat closed `[lon, lat, …]`. */
  readonly polygons: readonly (readonly Float64Array[])[];
  readonly properties: Readonly<Record<string, AttributeValue>>;
}

/** An area of a raster as passed to the writer: the union of the cells that hold its number. */
export type RasterAreaInput = Omit<AreaInput, "polygons">;

/** A register's record as passed to the writer. */
export interface RecordInput {
  /** Identifier in the source; no other record has it. */
  readonly id: string;
  /** Name; null where there is none. */
  readonly name: string | null;
  readonly properties: Readonly<Record<string, AttributeValue>>;
  /** The identifiers that name it, as the register spells them. */
  readonly identifiers: readonly {
    readonly scheme: string;
    /** In the register's own spelling. */
    readonly value: string;
  }[];
}

/** A finished snapshot, still in the writer's pieces so that it need not stand in memory twice. */
export interface SnapshotFile {
  readonly meta: SnapshotMeta;
  /** Bytes of all chunks together. */
  readonly byteLength: number;
  /** The file's bytes in order. May be read once. */
  readonly chunks: Iterable<Uint8Array>;
}

/**
 * Collects features and lays the snapshot out. Column types are those of `manifest.columns`, else
 * inferred: a column is number, boolean or date only where every non-null value fits, else string.
 */
export interface SnapshotWriter<Input> {
  /** Takes one more feature or record in. */
  add(feature: Input): void;
  /** Number of features added. */
  readonly count: number;
  /** Lays out all that was added. To be called once. */
  finish(): SnapshotFile;
}

/** A writer of records, which may get identifiers later. */
export interface RegisterSnapshotWriter extends SnapshotWriter<RecordInput> {
  /**
   * Adds another identifier to a record.
   *
   * @param row which record, in the order in which they were added, from 0
   * @param id that record's id
   */
  addIdentifier(row: number, id: string, identifier: RecordInput["identifiers"][number]): void;
}

/** A writer of areas, which have a coverage. */
export interface AreaSnapshotWriter extends SnapshotWriter<AreaInput> {
  /**
   * Lays out all that was added. To be called once.
   *
   * @param coverage where the source speaks; absent: everywhere if the manifest says `global`, else undeclared
   * @param others what was found out while the areas were added
   *
   * Fails: `VALIDATION_FAILED` where the manifest declares another coverage, and for countries that are not
   * ascending or have no piece.
   */
  finish(coverage?: CoverageInput, others?: FoundOfAreas): SnapshotFile;
}

/** The facts that a build finds out about a source while it reads its features. */
export interface FoundOfAreas {
  /** Boxes of the features that are left out. */
  readonly leftOut?: readonly LeftOutBox[] | undefined;
  /** The columns that ids, names and countries were taken from, where the manifest names none. */
  readonly mapping?: { readonly [Member in "id" | "name" | "country"]?: string } | undefined;
}

/** A writer of rasters, which takes the cells in bands from north to south. */
export interface RasterSnapshotWriter {
  /** Rows of the grid that the next band holds; 0 where all rows are there. */
  readonly nextRows: number;
  /**
   * Takes the next band in.
   *
   * @param cells row by row, `nextRows` of them: each the number of an area, or background (254 in bytes, else
   *   65,534) or nodata (255, 65,535). Bytes only where there are at most 254 areas.
   *
   * Fails: `VALIDATION_FAILED` for a cell that holds none of these.
   */
  add(cells: Uint8Array | Uint16Array): void;
  /**
   * Takes some columns of the next band in, east of those before. What is left out is nodata, and costs next to nothing.
   *
   * @param cells as of `add`, in rows of `to − from`
   * @param from 0, or a column at which a tile begins
   * @param to the end of the grid, or a column at which a tile begins
   *
   * Fails: as `add`.
   */
  addPart(cells: Uint8Array | Uint16Array, from: number, to: number): void;
  /** Goes on with the rows after the next band. */
  endBand(): void;
  /**
   * Lays out all that was added. To be called once.
   *
   * @param coverage as of {@link AreaSnapshotWriter}
   *
   * Fails: as that.
   */
  finish(coverage?: CoverageInput): SnapshotFile;
}
