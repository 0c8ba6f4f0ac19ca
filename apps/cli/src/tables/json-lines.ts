import { RecordReader } from "../runs/shards/record-reader.ts";

const CHUNK_BYTES = 1024 * 1024;

/** The values of a file of JSON lines. Memory is one line. */
export function* jsonLines<T>(path: string): Generator<T, void, undefined> {
  for (const line of lines(path)) yield JSON.parse(line.toString()) as T;
}

/** Lines of a file, each good until the next. */
export function* lines(path: string): Generator<Buffer, void, undefined> {
  const reader = new RecordReader(path, { quoted: false, chunkBytes: CHUNK_BYTES });
  try {
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      yield Buffer.from(line.buffer, line.byteOffset, line.byteLength);
    }
  } finally {
    reader.close();
  }
}
