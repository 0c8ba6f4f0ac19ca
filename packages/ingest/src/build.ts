import type { Crc32, CrsTable, SourceManifest } from "@groundrule/engine";
import type { Sha256, SnapshotFile, Spill } from "@groundrule/engine/build";
import { type LocalFile, type OpenTable, openStream, openTable } from "@groundrule/formats";
import { buildAreaSnapshot } from "./build-areas.ts";
import { buildRegisterSnapshot } from "./build-register.ts";
import { IngestError } from "./ingest-error.ts";
import { mergeColumnTypesAndFormats } from "./manifest/kept-manifest.ts";
import { parseManifest } from "./manifest/manifest.ts";
import { manifestInvalidError } from "./manifest/manifest-faults.ts";
import type { BuildReadOptions } from "./manifest/source.ts";
import { renameColumns } from "./rename-columns.ts";
import { type ContentReport, entryName, type IngestReport } from "./report.ts";

/** How far a build has got. */
export interface IngestProgress {
  /** Bytes read so far; packed ones where the source is gzipped. */
  readonly bytesRead: number;
  /** Features or rows read so far. */
  readonly featuresDone: number;
}

/** Whom a build reports to, and what it computes with. */
export interface BuildOptions {
  /** Called while bytes are read, usually several times a second, and once at the end. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** The host's SHA-256 and CRC-32; absent: those of the engine. */
  readonly sha256?: (() => Sha256) | undefined;
  readonly crc32?: Crc32 | undefined;
  /**
   * Where a register's records go while it is built, e.g. a temporary file; absent: they stay in memory. To be closed
   * after the snapshot's chunks were read.
   */
  readonly spill?: Spill | undefined;
  /**
   * The CRSs that sources may use besides longitude and latitude on WGS 84: `crsTable` of
   * `@groundrule/crs`. Without a table, every other CRS is `CRS_UNSUPPORTED`.
   */
  readonly crs?: CrsTable | undefined;
  /**
   * Opens the file of polygons that a manifest's `coverage` names, in any format.
   *
   * @param path as the manifest has it: relative to the manifest's own file
   */
  readonly openPolygons?: ((path: string) => AsyncIterable<Uint8Array>) | undefined;
  /** The types that columns had in the edition before: they hold for those of them that the source has. */
  readonly columnsBefore?: Pick<SourceManifest, "columns" | "date_formats"> | undefined;
  /**
   * Options that the file itself does not contain: its layer, encoding, order of axes, limits, other names of columns.
   */
  readonly read?: BuildReadOptions | undefined;
}

/**
 * Builds the snapshot of a source: areas from features, registers from rows, in every format that
 * `@groundrule/formats` reads, packed or not. Checks every geometry and repairs it where needed. The report lists what
 * was changed and what could not be stored; nothing else is left out.
 *
 * Positions are read in the CRS that the file declares, or, where it declares none, in the manifest's. Areas get a
 * coverage: what the manifest declares; else the countries that they tell, where they do; the report says which.
 *
 * A file is left open. A stream is read once, piece by piece, and closed in any case; a format that must be read from
 * anywhere goes into a scratch file first. Memory: the snapshot, one feature and the ids; for a register with a `spill`,
 * about 100 MB and 50 bytes a record, else its records.
 *
 * Fails: `FormatError` for a source that cannot be read, {@link IngestError} for one that does not match its manifest or
 * has its axes swapped, and `NOTHING_STORED` where not one of its features or rows can be stored: if such a snapshot
 * became current, whatever the source protects would seem free. A source without any feature or row is stored empty.
 * What the stream throws comes through unchanged.
 */
export async function buildSnapshot(
  input: LocalFile | AsyncIterable<Uint8Array>,
  manifest: SourceManifest,
  options: BuildOptions = {},
): Promise<{ file: SnapshotFile; report: IngestReport }> {
  const checked = parseManifest(manifest);
  if (checked.cells !== undefined) {
    throw manifestInvalidError([
      {
        pointer: "/cells",
        code: "MEMBER_FOREIGN",
        message: 'found "cells" of a raster, which is built from GeoTIFF files (buildRaster)',
      },
    ]);
  }
  const { read = {} } = options;
  const progress = { bytesRead: 0, featuresDone: 0 };
  const count = (bytes: number) => {
    progress.bytesRead += bytes;
    options.onProgress?.({ ...progress });
  };
  const { types, formats } = mergeColumnTypesAndFormats(checked, options.columnsBefore);
  const isRegister = checked.kind === "subject_register";
  const stream = isStream(input) ? countStreamBytes(input, count) : undefined;
  let table: OpenTable | undefined;
  try {
    table =
      stream === undefined
        ? await openTable(countFileBytes(input as LocalFile, count), read)
        : await openStream(stream, { ...read, isReadTwice: isRegister });
    if (read.rename !== undefined) table = renameColumns(table, read.rename);
    const build = isRegister ? buildRegisterSnapshot : buildAreaSnapshot;
    const { file, report } = await build({
      table,
      isSwapped: read.swapAxes === true,
      manifest: Object.keys(formats).length === 0 ? checked : { ...checked, date_formats: formats },
      declared: checked,
      types,
      writerOptions: {
        ...(options.columnsBefore && { columnTypes: types }),
        ...(options.sha256 && { sha256: options.sha256 }),
        ...(options.crc32 && { crc32: options.crc32 }),
        ...(options.spill && { spill: options.spill }),
      },
      crs: options.crs,
      openPolygons: options.openPolygons,
      featureDone: () => {
        progress.featuresDone++;
      },
    });
    options.onProgress?.({ ...progress });
    if (report.read > 0 && report.stored === 0) throw nothingStoredError(report);
    const { source_name, kind } = checked;
    const bytes = isStream(input) ? progress.bytesRead : input.size;
    return { file, report: { source_name, kind, gzip: table.isPacked, bytes_read: bytes, ...report } };
  } finally {
    await table?.close();
    // A refusal half-way must not leave a file open.
    await stream?.return(undefined);
  }
}

function isStream(input: LocalFile | AsyncIterable<Uint8Array>): input is AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in input;
}

async function* countStreamBytes(
  stream: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of stream) {
    count(chunk.length);
    yield chunk;
  }
}

function countFileBytes(file: LocalFile, count: (bytes: number) => void): LocalFile {
  return {
    name: file.name,
    path: file.path,
    size: file.size,
    async read(offset, length) {
      const bytes = await file.read(offset, length);
      count(bytes.length);
      return bytes;
    },
    stream: (from) => countStreamBytes(file.stream(from), count),
    close: () => file.close(),
  };
}

function nothingStoredError({ read, format, left_out }: ContentReport): IngestError {
  const unit = entryName(format);
  const none =
    read === 1 ? `the only ${unit} of the source cannot` : `none of the source's ${read} ${unit}s can`;
  const [first] = left_out;
  const where = first?.line === undefined ? `${unit} ${first?.number}` : `line ${first.line}`;
  const why = first === undefined ? "" : `; the first, in ${where}: ${first.reason}`;
  return new IngestError(
    "NOTHING_STORED",
    `${none} be stored, so no edition was built and the current one stays${why}`,
    { leftOut: left_out.length },
  );
}
