import type { Crc32, CrsTable, SourceManifest } from "@groundrule/engine";
import type { Sha256, SnapshotFile } from "@groundrule/engine/build";
import { buildAreas } from "./build-areas.ts";
import { buildRegister } from "./build-register.ts";
import { checkFormat } from "./expected-format.ts";
import { IngestError } from "./ingest-error.ts";
import { parseManifest } from "./manifest.ts";
import type { ContentReport, IngestReport } from "./report.ts";
import { peek, unpack } from "./unpack.ts";

/** How far a build has come. */
export interface IngestProgress {
  /** As they came, packed where the source is. */
  readonly bytesRead: number;
  /** Features or rows. */
  readonly featuresDone: number;
}

/** What a build does besides building, and what it computes digests with. */
export interface BuildOptions {
  /** Called as bytes are read, several times a second at most speeds; and once at the end. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** A host's SHA-256 and CRC-32; the engine's own where absent. */
  readonly sha256?: (() => Sha256) | undefined;
  readonly crc32?: Crc32 | undefined;
  /**
   * The CRSs that sources may be in besides longitude and latitude on WGS 84: `crsTable` of
   * `@groundrule/crs`. Without it every other is `CRS_UNSUPPORTED`.
   */
  readonly crs?: CrsTable | undefined;
}

/**
 * Builds the snapshot of a source: areas from GeoJSON, registers from CSV, either of them gzipped
 * or not. Every geometry is checked and, where needed, repaired; what was changed and what could
 * not be stored is in the report, and nothing else is left out.
 *
 * Reads the stream once, piece by piece. Memory: the snapshot, one feature, the ids; for a register
 * its records.
 *
 * The stream is ended whatever happens.
 *
 * Fails: {@link IngestError} for a source that cannot be read or does not match its manifest, and
 * `NOTHING_STORED` for one of which nothing is left: where it became current, all it protected would
 * pass for free. A source without a feature or row is stored as it is, empty. What
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
      },
      crs: options.crs,
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
  const units = format === "csv" ? "rows" : "features";
  const [first] = left_out;
  const why =
    first === undefined ? "" : `; the first, number ${first.number} in line ${first.line}: ${first.reason}`;
  return new IngestError(
    "NOTHING_STORED",
    `none of the source's ${read} ${units} can be stored, so no edition was built and the current one stays${why}`,
    { leftOut: left_out.length },
  );
}
