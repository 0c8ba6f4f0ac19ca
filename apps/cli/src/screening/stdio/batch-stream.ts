import { FormatError } from "@groundrule/formats";
import type { IdentifierColumn } from "@groundrule/plots";
import { type RecordBatch, RecordBatchReader, type Schema } from "apache-arrow";
import { readCheckedMessages, StreamBytes } from "./message-stream.ts";
import { checkPlotColumns } from "./plot-columns.ts";

/**
 * The record batches of an Arrow IPC stream of plots, each as soon as its last byte has arrived.
 *
 * Fails: `FormatError`, as {@link readNextStream} and {@link checkPlotColumns}.
 */
export async function* readRecordBatches(
  source: AsyncIterable<Uint8Array>,
  identifiers: readonly IdentifierColumn[] = [],
): AsyncGenerator<RecordBatch> {
  const { schema, batches } = await readNextStream(new StreamBytes(source));
  checkPlotColumns(schema, identifiers);
  yield* batches;
}

/** An Arrow IPC stream whose schema has arrived. */
export interface ArrowStream {
  readonly schema: Schema;
  /** Its batches, to its end. */
  readonly batches: AsyncGenerator<RecordBatch>;
}

/**
 * Reads the schema of the next of several Arrow IPC streams, each of which begins where the one before it ended. The
 * library's asynchronous reader waits for the next message, so each batch is decoded separately, after its schema.
 *
 * Fails: `FormatError`, as {@link readCheckedMessages}; `FILE_DAMAGED` for bytes that do not decode.
 */
export async function readNextStream(bytes: StreamBytes): Promise<ArrowStream> {
  const messages = readCheckedMessages(bytes);
  const { value: first } = await messages.next();
  const head = first!.parts; // without a first message, reading fails
  const { schema } = runArrowDecoder(() => RecordBatchReader.from(head).open());
  const readBatches = async function* (): AsyncGenerator<RecordBatch> {
    for await (const { parts } of messages)
      yield* runArrowDecoder(() => [...RecordBatchReader.from([...head, ...parts])]);
  };
  return { schema, batches: readBatches() };
}

/** Runs the library's decoder. It fails in many ways; all are faults of the stream. */
function runArrowDecoder<Decoded>(decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    const found = `a message that cannot be decoded (${(error as Error).message})`;
    throw new FormatError("FILE_DAMAGED", `found ${found}, expected an Arrow message`, { found });
  }
}
