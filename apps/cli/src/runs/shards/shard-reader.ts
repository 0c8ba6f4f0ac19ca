import { rmSync } from "node:fs";
import type { ResultFormatName } from "../../screening/format-names.ts";
import { createResultFormat } from "../../screening/results/result-format.ts";
import { readGeoJsonLines } from "../../tables/geojson-document.ts";
import { formatRowLine } from "../../tables/table-row.ts";
import { AsideFile, readFileState } from "../aside-file.ts";
import type { DescribedFile, RunDescription } from "../run-description.ts";
import { shardDamagedError } from "./check-shards.ts";
import { type FoundShard, getShardFilePath } from "./find-shards.ts";
import { RecordFault, RecordReader } from "./record-reader.ts";

/** Options for reading shards. */
export interface ReadOptions {
  readonly chunkBytes: number;
  /** Folder for temporary rows of a file that is not lines. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/** Returns the lines of a shard's plots in order, and checks its files against their description. */
export class ShardReader {
  readonly #shard: FoundShard;
  readonly #results: RecordReader;
  readonly #errors: RecordReader | undefined;
  /** Number of the plot of the next error line. */
  #refused: number | undefined;

  private constructor(shard: FoundShard, results: RecordReader, errors: RecordReader | undefined) {
    this.#shard = shard;
    this.#results = results;
    this.#errors = errors;
    this.#refused = this.#nextRefused();
  }

  /** Fails: `SHARD_DAMAGED`, `InputFileError`, `OUTPUT_UNWRITABLE`. */
  static async open(shard: FoundShard, options: ReadOptions): Promise<ShardReader> {
    const { format, output, errors_output } = shard.description;
    const { chunkBytes } = options;
    const results = isSpooled(format)
      ? await openShardRows(shard, output, options)
      : new RecordReader(getShardFilePath(shard, output.file), { quoted: format === "csv", chunkBytes });
    const errors =
      errors_output &&
      new RecordReader(getShardFilePath(shard, errors_output.file), { quoted: false, chunkBytes });
    return new ShardReader(shard, results, errors);
  }

  /** Returns the header of the results, for a format that has one. Fails: `SHARD_DAMAGED`. */
  header(): Uint8Array {
    return this.#next(this.#results);
  }

  /**
   * Returns the line of a plot, and true for an error line from a separate file. Its bytes are valid until the next
   * call.
   *
   * Fails: `SHARD_DAMAGED`.
   */
  line(number: number): { readonly bytes: Uint8Array; readonly isError: boolean } {
    if (this.#refused !== number) return { bytes: this.#next(this.#results), isError: false };
    const bytes = Buffer.from(this.#next(this.#errors!));
    this.#refused = this.#nextRefused();
    return { bytes, isError: true };
  }

  /** Call after the last line. Fails: `SHARD_DAMAGED` if there are more, or the bytes differ from the description. */
  finish(): void {
    const { format, output, errors_output } = this.#shard.description;
    this.#assertRead(this.#results, isSpooled(format) ? undefined : output);
    if (this.#errors !== undefined) this.#assertRead(this.#errors, errors_output);
  }

  close(): void {
    this.#results.close();
    this.#errors?.close();
  }

  #next(reader: RecordReader): Uint8Array {
    const record = this.#checked(() => reader.next());
    if (record === undefined) throw shardDamagedError(reader.path, "found fewer lines than plots");
    return record;
  }

  #nextRefused(): number | undefined {
    if (this.#errors === undefined) return undefined;
    const { path } = this.#errors;
    const line = this.#checked(() => this.#errors!.peek());
    if (line === undefined) return undefined;
    const number = /^\{"number":(\d{1,15})[,}]/.exec(Buffer.from(line.subarray(0, 40)).toString("latin1"));
    if (number === null) throw shardDamagedError(path, "found a line without the number of its plot");
    return Number(number[1]);
  }

  #assertRead(reader: RecordReader, described: DescribedFile | undefined): void {
    if (this.#checked(() => reader.next()) !== undefined)
      throw shardDamagedError(reader.path, "found more lines than plots");
    if (described !== undefined && reader.state.sha256 !== described.sha256) {
      throw shardChangedError(reader.path, this.#shard);
    }
  }

  #checked<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof RecordFault) throw shardDamagedError(error.path, error.message);
      throw error;
    }
  }
}

function shardChangedError(path: string, shard: FoundShard): Error {
  return shardDamagedError(path, `its SHA-256 is not the one in ${shard.path}`);
}

/** True if a format's output is made from rows at the end of a run. */
function isSpooled(format: ResultFormatName): boolean {
  return createResultFormat(format, { checks: [], now: "" }).finish !== undefined;
}

/**
 * Recovers the rows of a file as lines, as they were before the file was made of them, in a deleted temporary file. So
 * any number of shards can be merged in the memory of one.
 */
async function openShardRows(
  shard: FoundShard,
  described: DescribedFile,
  { chunkBytes, scratch, signal }: ReadOptions,
): Promise<RecordReader> {
  const path = getShardFilePath(shard, described.file);
  const state = await readFileState(path, signal);
  if (state?.sha256 !== described.sha256) throw shardChangedError(path, shard);
  const spool = `${scratch}.shard-${shard.description.shard.index}.part`;
  const copy = AsideFile.create(spool);
  try {
    await copyLinesToFile(readRowLines(path, shard.description), copy, signal);
    return new RecordReader(spool, { quoted: false, chunkBytes });
  } finally {
    copy.close();
    rmSync(spool, { force: true });
  }
}

/** The lines from which a file was made. */
async function* readRowLines(path: string, description: RunDescription): AsyncGenerator<string> {
  const { format, ruleset, now, attributes } = description;
  const options = { checks: ruleset.checks, now, attributes };
  // No run writes a shard as a workbook.
  if (format === "xlsx") throw shardDamagedError(path, "found a workbook, which cannot be merged");
  if (format === "geojson") yield* readGeoJsonLines(path);
  else if (format === "gpkg") {
    const { readGeoPackageRows: geoPackageRows } = await import("../../tables/geopackage.ts");
    for await (const row of geoPackageRows(path, options)) yield formatRowLine(row);
  } else {
    const { readGeoParquetRows: geoParquetRows, readParquetRows: parquetRows } = await import(
      "../../tables/parquet.ts"
    );
    if (format === "geoparquet") {
      for await (const row of geoParquetRows(path, options)) yield formatRowLine(row);
    } else for await (const row of parquetRows(path, options)) yield formatRowLine(row);
  }
}

const BUFFERED_LINES = 4096;

async function copyLinesToFile(
  from: AsyncIterable<string>,
  to: AsideFile,
  signal: AbortSignal,
): Promise<void> {
  let buffered: string[] = [];
  const flush = (): void => {
    to.append(Buffer.from(buffered.join("")));
    buffered = [];
  };
  for await (const line of from) {
    signal.throwIfAborted();
    buffered.push(line);
    if (buffered.length === BUFFERED_LINES) flush();
  }
  flush();
}
