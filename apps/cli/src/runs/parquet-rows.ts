import { setImmediate } from "node:timers/promises";
import { RecordReader } from "./record-reader.ts";

/** Columns of a result in Parquet, in order; all are texts, and all but the first may be null. */
export const PARQUET_COLUMNS = [
  "id",
  "verdict",
  "at_least",
  "checks",
  "digest",
  "evidence",
  "error_code",
  "error_message",
] as const;

/** A result as it goes into Parquet: a value for each column. */
export type ParquetRow = readonly [id: string, ...others: (string | null)[]];

/** Columns that readers select rows by; of the others, the least and greatest text say nothing. */
const WITH_STATISTICS: ReadonlySet<string> = new Set(["id", "verdict", "at_least", "error_code"]);

/** Rows that a reader takes at once, and the bytes of their lines: what a group takes in memory. */
const GROUP_ROWS = 65_536;
const GROUP_BYTES = 16 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;

/** A row as it is written aside while a run lasts: JSON in a line. */
export function parquetRowLine(row: ParquetRow): string {
  return `${JSON.stringify(row)}\n`;
}

/**
 * Turns rows that were written aside into a Parquet file, which the rows alone settle, byte for byte. Memory is one
 * row group.
 *
 * @param rows path of the lines that {@link parquetRowLine} made
 * @param output path of the file, which is written over
 */
export async function writeParquet(rows: string, output: string): Promise<void> {
  // Only a run that writes Parquet loads its writer.
  const { fileWriter, ParquetWriter } = await import("hyparquet-writer");
  const schema = [
    { name: "groundrule", num_children: PARQUET_COLUMNS.length },
    ...PARQUET_COLUMNS.map((name, at) => ({
      name,
      type: "BYTE_ARRAY" as const,
      converted_type: "UTF8" as const,
      repetition_type: at === 0 ? ("REQUIRED" as const) : ("OPTIONAL" as const),
    })),
  ];
  const writer = new ParquetWriter({ writer: fileWriter(output), schema, createdBy: "groundrule" });
  for (const group of rowGroups(rows)) {
    const columnData = PARQUET_COLUMNS.map((name, at) => ({
      name,
      data: group.map((row) => row[at] ?? null),
      statistics: WITH_STATISTICS.has(name),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    await setImmediate(); // whoever waits may have enough
  }
  await writer.finish();
}

function* rowGroups(path: string): Generator<ParquetRow[], void, undefined> {
  const reader = new RecordReader(path, { quoted: false, chunkBytes: CHUNK_BYTES });
  try {
    let group: ParquetRow[] = [];
    let bytes = 0;
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      group.push(JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString()));
      bytes += line.byteLength;
      if (group.length < GROUP_ROWS && bytes < GROUP_BYTES) continue;
      yield group;
      group = [];
      bytes = 0;
    }
    if (group.length > 0) yield group;
  } finally {
    reader.close();
  }
}
