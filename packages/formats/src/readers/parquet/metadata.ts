import { type FileMetaData, parquetMetadata, parquetSchema, type SchemaTree } from "hyparquet";
import type { LocalFile } from "../../file/local-file.ts";
import { createFormatError, FormatError, fileDamagedError } from "../../format-error.ts";
import { endOfStruct } from "./thrift-check.ts";

/** Metadata of a Parquet file. */
export interface Metadata {
  readonly file: FileMetaData;
  readonly schema: SchemaTree;
  readonly rowCount: number;
}

const MAGIC = "PAR1";
const ENCRYPTED = "PARE";
/** Bytes of the footer: the length of the metadata, and the magic. */
const FOOTER = 8;
/** Most bytes of metadata: a thousand row groups of a hundred columns take some 15 MB. */
const METADATA_LIMIT = 64 * 2 ** 20;
/** Most columns, and how deep they may lie in each other. */
const SCHEMA_LIMIT = 20_000;
const DEPTH = 32;

/**
 * Reads the metadata at the end of a Parquet file.
 *
 * Fails: `FILE_DAMAGED`; `FORMAT_UNSUPPORTED` where it is encrypted.
 */
export async function readParquetMetadata(file: LocalFile): Promise<Metadata> {
  const footerAt = file.size - FOOTER;
  const footer = footerAt < 4 ? new Uint8Array(0) : await file.read(footerAt, FOOTER);
  // biome-ignore lint/plugin: four
  const magic = String.fromCharCode(...footer.subarray(4));
  if (magic === ENCRYPTED) throw createFormatError("FORMAT_UNSUPPORTED", "an encrypted file", "a plain one");
  if (magic !== MAGIC)
    throw fileDamagedError("no such bytes", `the bytes "${MAGIC}" at the end`, { byte: file.size });
  const length = new DataView(footer.buffer, footer.byteOffset).getUint32(0, true);
  const most = Math.min(METADATA_LIMIT, footerAt - 4);
  if (length > most)
    throw fileDamagedError(`metadata of ${length} bytes`, `at most ${most}`, { byte: footerAt });
  const start = footerAt - length;
  const bytes = await file.read(start, length + FOOTER);
  if (endOfStruct(bytes.subarray(0, length), 0, start) === -1)
    throw fileDamagedError("metadata that do not end", `their end within ${length} bytes`, { byte: start });
  try {
    const parsed = parquetMetadata(bytes, { geoparquet: false });
    checkSchemaDepth(parsed);
    return { file: parsed, schema: parquetSchema(parsed), rowCount: readRowCount(parsed) };
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw fileDamagedError(`metadata that do not parse (${(error as Error).message})`, "those of Parquet", {
      byte: start,
    });
  }
}

/** The schema is a list that states for each element how many of the following are its children. */
function checkSchemaDepth({ schema }: FileMetaData): void {
  if (schema.length > SCHEMA_LIMIT)
    throw fileDamagedError(`${schema.length} columns`, `at most ${SCHEMA_LIMIT}`);
  const open: number[] = [];
  for (const [i, { num_children: children = 0 }] of schema.entries()) {
    while (open.at(-1) === 0) open.pop();
    if (open.length === 0 && i > 0)
      throw fileDamagedError("columns outside of the schema", "columns within it");
    if (open.length > 0) open[open.length - 1]!--;
    if (open.length > DEPTH) throw fileDamagedError(`columns more than ${DEPTH} deep`, `at most ${DEPTH}`);
    if (children < 0) throw fileDamagedError(`${children} columns in a column`, "none, or more");
    open.push(children);
  }
  if (open.some((left) => left > 0))
    throw fileDamagedError("fewer columns than the schema says", "all of them");
}

function readRowCount({ num_rows, row_groups }: FileMetaData): number {
  let sum = 0n;
  for (const group of row_groups) {
    if (group.num_rows < 0n) throw fileDamagedError(`a row group of ${group.num_rows} rows`, "none, or more");
    sum += group.num_rows;
  }
  if (sum !== num_rows) throw fileDamagedError(`row groups of ${sum} rows`, `${num_rows}, as the file says`);
  if (sum > Number.MAX_SAFE_INTEGER) throw fileDamagedError(`${sum} rows`, "fewer");
  return Number(sum);
}
