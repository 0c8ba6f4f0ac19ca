import { EngineError } from "../../base/errors.ts";
import {
  type ContentColumn,
  type ContentCoverage,
  computeContentDigest,
  findContentCoverage,
  type SnapshotContent,
} from "../content-digest.ts";
import { type CoveragePieces, createCellCoverage } from "../coverage.ts";
import { crc32 } from "../crc32.ts";
import { FIRST_COLUMN_SECTION, SECTION } from "../format.ts";
import type {
  AreaSnapshot,
  Crc32,
  RangeReader,
  RasterSnapshot,
  RegisterSnapshot,
  Sha256,
  Snapshot,
} from "../snapshot.ts";
import { readAreaLayer, verifyAreaMeasures } from "./areas.ts";
import { readColumn, readTextColumn, readTextTable } from "./columns.ts";
import { throwSnapshotCorrupt } from "./corrupt.ts";
import { checkCoverageDeclaration, type OpenedPieces, readCoverage, readCoveragePieces } from "./coverage.ts";
import { checkMetaCountries, readSnapshotMeta } from "./meta.ts";
import { readRasterLayer, toContentRaster, verifyRasterCells } from "./raster.ts";
import { readRegisterIdentifiers, verifyCanonicalValues, verifyLookUpIndex } from "./register.ts";
import {
  openSnapshotSections,
  type SnapshotFileView,
  verifyUnreadSections,
  viewSection,
} from "./sections.ts";
import { StoredAttributes } from "./stored-columns.ts";
import type { StoredIdentifiers } from "./stored-identifiers.ts";
import { TileCache } from "./tile-cache.ts";

/** Options for checking a snapshot, and its name. */
export interface OpenOptions {
  /** A host's CRC-32; the pure one otherwise. */
  readonly crc32?: Crc32 | undefined;
  /** Name of the file in errors, e.g. its path. */
  readonly name?: string;
  /** Most bytes of tiles that a raster keeps which is read by range. Default 64 MiB. */
  readonly tileBytes?: number | undefined;
  /**
   * A host's SHA-256. `verifySnapshot` takes the pure one without it. `openSnapshot` with it holds a raster's digests
   * of tiles to its edition, and each tile that is touched to its digest.
   */
  readonly sha256?: (() => Sha256) | undefined;
}

/** Options of an engine for opening its snapshots. */
export interface ReadOptions extends OpenOptions {
  /** Keeps the tiles of all rasters that are read by range. */
  readonly tiles?: TileCache | undefined;
}

/** Where a snapshot lies: in memory, or in a file that is read by range. */
export type SnapshotSource = ArrayBuffer | SharedArrayBuffer | RangeReader;

/**
 * Opens a snapshot in place: only its META section is parsed, and typed arrays view the bytes, which must not change
 * afterwards. The host must be little-endian, as the format is.
 *
 * Everything a later question relies on is checked here: checksums, counts, offsets, coordinates,
 * each node of the ring index against its children and the rings, dictionaries, the order of
 * identifiers. An opened snapshot therefore answers every question in bounded work without
 * failing, whoever made the file. Not checked: that texts are UTF-8 (what is not becomes U+FFFD),
 * the winding and validity of rings, and the content digest ({@link verifySnapshot} does that).
 *
 * Fails: `SNAPSHOT_CORRUPT` with `{name, check, section, found, expected}`;
 * `SNAPSHOT_VERSION_UNSUPPORTED` with `{name, found, supported}`.
 */
export function openSnapshot(bytes: SnapshotSource, options: OpenOptions = {}): Snapshot {
  const opened = openSnapshotParts(bytes, options);
  if (opened.raster !== undefined && options.sha256 !== undefined) checkEditionDigest(opened, options.sha256);
  return opened.snapshot;
}

/**
 * Opens a snapshot for an engine, with the digest's view of its coverage. The digests of a raster's tiles are not
 * checked against the edition.
 *
 * Fails: as {@link openSnapshot}.
 */
export function openWithCoverage(
  bytes: SnapshotSource,
  options: ReadOptions = {},
): { readonly snapshot: Snapshot; readonly coverage: ContentCoverage | undefined } {
  const { snapshot, content } = openSnapshotParts(bytes, options);
  return { snapshot, coverage: content.coverage };
}

/**
 * Opens a snapshot and recomputes what opening takes on trust: the edition's digest from the
 * content, and each identifier's canonical value from its spelling. Likewise of the pieces of its coverage.
 *
 * Fails: as {@link openSnapshot}; `SNAPSHOT_CORRUPT` where the content is not what the edition names.
 */
export function verifySnapshot(bytes: SnapshotSource, options: OpenOptions = {}): Snapshot {
  // All tiles are checked against their digests below.
  const opened = openSnapshotParts(bytes, { ...options, sha256: undefined });
  verifyOpened(opened, options.crc32 ?? crc32, options.sha256);
  return opened.snapshot;
}

function openSnapshotParts(bytes: SnapshotSource, options: ReadOptions): Opened {
  return readSnapshot(toSource(bytes, options.name ?? UNNAMED), options);
}

function toSource(bytes: SnapshotSource, name: string): Uint8Array | RangeReader {
  if (!("read" in bytes)) return new Uint8Array(bytes);
  return {
    length: bytes.length,
    read: (offset, into) => {
      try {
        bytes.read(offset, into);
      } catch (error) {
        const message = `snapshot "${name}" cannot be read at byte ${offset}: ${(error as Error).message}`;
        throw new EngineError("SNAPSHOT_CORRUPT", message, { name });
      }
    },
  };
}

function verifyOpened(opened: Opened, checksum: Crc32, sha256?: () => Sha256): void {
  const { file, snapshot, identifiers, pieces, raster } = opened;
  if (pieces !== undefined) verifyOpened(pieces, checksum, sha256);
  verifyUnreadSections(file, checksum);
  checkEditionDigest(opened, sha256);
  if (raster !== undefined) verifyRasterCells(file, raster, sha256);
  else if (snapshot.kind === "leaf") verifyAreaMeasures(file, (snapshot as AreaSnapshot).layer);
  else {
    verifyCanonicalValues(file, identifiers!);
    verifyLookUpIndex(file, identifiers!);
  }
}

function checkEditionDigest({ file, snapshot, content }: Opened, sha256?: () => Sha256): void {
  const edition = computeContentDigest(content, sha256);
  if (edition !== snapshot.meta.edition) {
    throwSnapshotCorrupt(
      "content.digest",
      file.name,
      "META",
      `edition ${snapshot.meta.edition}`,
      `${edition}`,
    );
  }
}

/**
 * Opens borders: a snapshot whose areas are the pieces, as a coverage by countries has one.
 *
 * Fails: as {@link openSnapshot}.
 */
export function openCoveragePieces(bytes: SnapshotSource, options: OpenOptions): CoveragePieces {
  return readCoveragePieces(openSnapshotParts(bytes, options));
}

const UNNAMED = "unnamed";

interface Opened extends OpenedPieces {
  readonly content: SnapshotContent;
  /** Identifiers, for a register. */
  readonly identifiers?: StoredIdentifiers;
  /** Layer, for a raster. */
  readonly raster?: ReturnType<typeof readRasterLayer>;
  /** The snapshot within an area snapshot that holds the pieces of its coverage. */
  readonly pieces?: Opened | undefined;
}

/** @param outer the snapshot in which this one holds the pieces of the coverage, if it does */
function readSnapshot(
  source: Uint8Array | RangeReader,
  options: ReadOptions,
  outer?: SnapshotFileView,
): Opened {
  const checksum = options.crc32 ?? crc32;
  const file = openSnapshotSections(source, options.name ?? UNNAMED, checksum);
  const meta = readSnapshotMeta(file);
  const hasPieces = checkCoverageDeclaration(file, meta, outer);
  const { rowCount } = file.counts;
  const ids = readTextTable(file, SECTION.IDS, rowCount);
  const names = readTextColumn(file, SECTION.NAMES, rowCount);
  const columns = Object.entries(meta.manifest.columns ?? {}).map(([name, type], k) => ({
    name,
    type,
    values: readColumn(file, FIRST_COLUMN_SECTION + k, type, rowCount),
  }));
  const content = {
    kind: file.isRaster ? ("raster" as const) : file.kind,
    category: meta.manifest.category,
    rowCount,
    id: (row: number): Uint8Array => ids.utf8(row),
    name: (row: number): Uint8Array | null => names.cell(row),
    columns: columns.map(
      ({ name, type, values }): ContentColumn => ({ name, type, cell: (row) => values.cell(row) }),
    ),
  };
  if (file.kind === "leaf") {
    const countries = readTextColumn(file, SECTION.COUNTRIES, rowCount);
    checkMetaCountries(file, meta, countries.entries);
    const attributes = new StoredAttributes(ids, names, countries, columns);
    const pieces = openCoverageSection(file, hasPieces, options);
    const coverage = readCoverage(meta, pieces);
    const areaContent = {
      ...content,
      countryIso3: (row: number): Uint8Array | null => countries.cell(row),
      coverage: findContentCoverage(coverage, pieces?.snapshot.meta.edition ?? null),
    };
    const sourceName = meta.manifest.source_name;
    if (file.isRaster) {
      const cache = options.tiles ?? new TileCache(options.tileBytes);
      const raster = readRasterLayer(file, sourceName, { checksum, cache, sha256: options.sha256 });
      return {
        file,
        snapshot: {
          kind: "leaf",
          meta,
          layer: raster,
          attributes,
          coverage: createCellCoverage(raster, coverage),
        } satisfies RasterSnapshot,
        content: { ...areaContent, raster: toContentRaster(raster) },
        pieces,
        raster,
      };
    }
    const layer = readAreaLayer(file, sourceName);
    return {
      file,
      snapshot: { kind: "leaf", meta, layer, attributes, coverage } satisfies AreaSnapshot,
      content: {
        ...areaContent,
        leftOut: meta.left_out,
        geometry: {
          ringCount: layer.ringCount,
          areaRingCount: (area) => layer.areaRings[area + 1]! - layer.areaRings[area]!,
          ringRole: (ring) => layer.ringRoles[ring]!,
          ringPositionCount: (ring) => layer.ringStarts[ring + 1]! - layer.ringStarts[ring]!,
          xyBytes: [new Uint8Array(layer.xy.buffer, layer.xy.byteOffset, layer.xy.byteLength)],
        },
      },
      pieces,
    };
  }
  checkMetaCountries(file, meta, undefined);
  const identifiers = readRegisterIdentifiers(file, meta, ids);
  const { schemes, schemeStarts, values, rows } = identifiers.tables;
  const attributes = new StoredAttributes(ids, names, undefined, columns);
  return {
    file,
    snapshot: { kind: "subject_register", meta, attributes, identifiers } satisfies RegisterSnapshot,
    content: {
      ...content,
      countryIso3: () => null,
      identifiers: {
        schemes,
        schemeStarts,
        value: (i) => values.utf8(i),
        row: (i) => rows[i]!,
      },
    },
    identifiers,
  };
}

/** The snapshot in the section COVERAGE. That one has no pieces of its own, so this goes one level deep. */
function openCoverageSection(
  file: SnapshotFileView,
  hasPieces: boolean,
  options: OpenOptions,
): Opened | undefined {
  const bytes = viewSection(file, SECTION.COVERAGE);
  if (bytes.length > 0 !== hasPieces) {
    const expected = hasPieces ? "the pieces of the coverage" : "0, for a coverage without pieces";
    throwSnapshotCorrupt("coverage.section", file.name, "COVERAGE", `${bytes.length} bytes`, expected);
  }
  return hasPieces ? readSnapshot(bytes, { ...options, name: `${file.name}, COVERAGE` }, file) : undefined;
}
