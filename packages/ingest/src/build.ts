import type { Crc32, CrsTable, SourceManifest } from "@groundrule/engine";
import type { Sha256, SnapshotFile, Spill } from "@groundrule/engine/build";
import { peek, unpack } from "@groundrule/formats";
import { buildAreas } from "./build-areas.ts";
import { buildRegister } from "./build-register.ts";
import { checkFormat } from "./expected-format.ts";
import { IngestError } from "./ingest-error.ts";
import { parseManifest } from "./manifest.ts";
import type { ContentReport, IngestReport } from "./report.ts";

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
   * Opens the GeoJSON file that a manifest's `coverage` names, gzipped or not.
   *
   * @param path as the manifest has it: relative to the manifest's own file
   */
  readonly openPolygons?: ((path: string) => AsyncIterable<Uint8Array>) | undefined;
}

/**
 * Builds the snapshot of a source: areas from GeoJSON, registers from CSV, either of them gzipped
 * or not. Checks every geometry and repairs it where needed. The report lists what was changed and what
 * could not be stored; nothing else is left out.
 *
 * Areas get a coverage: what the manifest declares; else the countries that they tell, where they do; the
 * report says which.
 *
 * Reads the stream once, piece by piece, and closes it in any case. Memory: the snapshot, one feature and the
 * ids; for a register with a `spill`, about 100 MB and 50 bytes a record, else its records.
 *
 * Fails: `FormatError` for a source that cannot be read, {@link IngestError} for one that does not match its manifest, and
 * `NOTHING_STORED` where not one of its features or rows can be stored: if such a snapshot became current,
 * whatever the source protects would seem free. A source without any feature or row is stored empty. What
 * the stream throws comes through unchanged.
 */
export async function buildSnapshot(
  stream: AsyncIterable<Uint8Array>,
  manifest: SourceManifest,
  options: BuildOptions = {},
): Promise<{ file: SnapshotFile; report: IngestReport }> {
  const checked = parseManifest(manifest);
  let bytesRead = 0;
  let featuresDone = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      bytesRead += chunk.length;
      options.onProgress?.({ bytesRead, featuresDone });
      yield chunk;
    }
  }
  const input = counted();
  try {
    const unpacked = await unpack(input);
    const { first, all } = await peek(unpacked.bytes, 64);
    checkFormat(first, checked.kind);
    const build = checked.kind === "leaf" ? buildAreas : buildRegister;
    const { file, report } = await build({
      bytes: all,
      manifest: checked,
      writerOptions: {
        ...(options.sha256 && { sha256: options.sha256 }),
        ...(options.crc32 && { crc32: options.crc32 }),
        ...(options.spill && { spill: options.spill }),
      },
      crs: options.crs,
      openPolygons: options.openPolygons,
      featureDone: () => {
        featuresDone++;
      },
    });
    options.onProgress?.({ bytesRead, featuresDone });
    if (report.read > 0 && report.stored === 0) throw nothingStored(report);
    const { source_name, kind } = checked;
    return { file, report: { source_name, kind, gzip: unpacked.gzip, bytes_read: bytesRead, ...report } };
  } finally {
    // A refusal half-way must not leave a file open.
    await input.return(undefined);
  }
}

function nothingStored({ read, format, left_out }: ContentReport): IngestError {
  const unit = format === "csv" ? "row" : "feature";
  const none =
    read === 1 ? `the only ${unit} of the source cannot` : `none of the source's ${read} ${unit}s can`;
  const [first] = left_out;
  const why = first === undefined ? "" : `; the first, in line ${first.line}: ${first.reason}`;
  return new IngestError(
    "NOTHING_STORED",
    `${none} be stored, so no edition was built and the current one stays${why}`,
    { leftOut: left_out.length },
  );
}
