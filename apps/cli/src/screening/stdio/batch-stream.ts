import { type RecordBatch, RecordBatchReader } from "apache-arrow";
import { checkedMessages } from "./message-stream.ts";
import { checkColumns } from "./plot-columns.ts";

/**
 * The record batches of an Arrow IPC stream of plots, each as soon as its last byte has come. The asynchronous reader
 * of the library waits for the message behind it, so each batch is decoded alone, behind its schema.
 *
 * Fails: `FormatError`, as {@link checkedMessages} and {@link checkColumns}.
 */
export async function* readBatches(source: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  let schema: readonly Uint8Array[] = [];
  for await (const { parts, isSchema } of checkedMessages(source)) {
    if (isSchema) {
      schema = parts;
      checkColumns(RecordBatchReader.from(schema).open().schema);
    } else {
      yield* RecordBatchReader.from([...schema, ...parts]);
    }
  }
}
