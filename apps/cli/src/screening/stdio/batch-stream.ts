import { FormatError } from "@groundrule/formats";
import type { IdentifierColumn } from "@groundrule/plots";
import { type RecordBatch, RecordBatchReader } from "apache-arrow";
import { readCheckedMessages } from "./message-stream.ts";
import { checkPlotColumns } from "./plot-columns.ts";

/**
 * The record batches of an Arrow IPC stream of plots, each as soon as its last byte has arrived. The library's
 * asynchronous reader waits for the next message, so each batch is decoded separately, after its schema.
 *
 * Fails: `FormatError`, as {@link readCheckedMessages} and {@link checkPlotColumns}; `FILE_DAMAGED` for bytes that do not
 * decode.
 */
export async function* readRecordBatches(
  source: AsyncIterable<Uint8Array>,
  identifiers: readonly IdentifierColumn[] = [],
): AsyncGenerator<RecordBatch> {
  let schema: readonly Uint8Array[] = [];
  for await (const { parts, isSchema } of readCheckedMessages(source)) {
    if (isSchema) {
      schema = parts;
      checkPlotColumns(
        runArrowDecoder(() => RecordBatchReader.from(schema).open().schema),
        identifiers,
      );
    } else {
      yield* runArrowDecoder(() => [...RecordBatchReader.from([...schema, ...parts])]);
    }
  }
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
