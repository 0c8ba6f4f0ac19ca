import { FormatError, type FormatErrorCode } from "@groundrule/formats";
import { type Message, MessageHeader, Message as Messages } from "apache-arrow";
import { isBounded } from "./metadata-bounds.ts";

/** Maximum bytes of a message's body: a batch, with all its plots. */
const BATCH_BYTES: number = 1024 * 1024 * 1024;

/** Maximum bytes of a message's metadata. */
const METADATA_BYTES = 1024 * 1024;

const CONTINUATION = 0xffffffff;
const PREFIX_BYTES = 8;

/** Minimum bytes of a row in the body of a batch: the end of its id. */
const ROW_BYTES = 4;

/** A message as encoded in the stream: the schema first, then record batches. */
export interface StreamMessage {
  /** Its prefix, metadata and body, which begin at multiples of 8 in memory. */
  readonly parts: readonly Uint8Array[];
}

/**
 * The messages of the next Arrow IPC stream, each as soon as its last byte has arrived. Checks everything that the
 * decoder would trust: that the stream is complete, that lengths match, that nothing is compressed or a dictionary. Ends
 * at the end mark, after which another stream may begin, or if the bytes end between two messages.
 *
 * Fails: `FORMAT_UNKNOWN` for another format, `FILE_DAMAGED`, `FORMAT_UNSUPPORTED`, each with the byte position.
 * Source: Apache Arrow Columnar Format 1.5, "Encapsulated message format".
 */
export async function* readCheckedMessages(bytes: StreamBytes): AsyncGenerator<StreamMessage> {
  for (let number = 1; ; number++) {
    const start = bytes.taken;
    const prefix = await bytes.take(PREFIX_BYTES);
    if (prefix.length === 0) {
      if (number === 1) throw createFormatError("FORMAT_UNKNOWN", start, "nothing", "an Arrow IPC stream");
      return;
    }
    if (prefix.length < PREFIX_BYTES) throw cutShortError(start, prefix.length, PREFIX_BYTES);
    if (prefix.readUInt32LE(0) !== CONTINUATION) throw noMessageError(prefix, start, number);
    const metadataBytes = prefix.readInt32LE(4);
    if (metadataBytes === 0) return;
    if (metadataBytes < 0 || metadataBytes > METADATA_BYTES) {
      throw createFormatError(
        "FILE_DAMAGED",
        start + 4,
        `${metadataBytes} as the bytes of a message's metadata`,
        `1 to ${METADATA_BYTES}`,
      );
    }
    const metadata = await bytes.take(metadataBytes);
    if (metadata.length < metadataBytes)
      throw cutShortError(start + PREFIX_BYTES, metadata.length, metadataBytes);
    const bodyBytes = getCheckedBodyBytes(metadata, start, number);
    const body = await bytes.take(bodyBytes);
    if (body.length < bodyBytes)
      throw cutShortError(start + PREFIX_BYTES + metadataBytes, body.length, bodyBytes);
    yield { parts: [prefix, metadata, body] };
  }
}

/** Reads a stream in pieces of requested length. */
export class StreamBytes {
  /** Number of bytes taken. */
  taken = 0;
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** True if the stream has no further byte; waits for the next one. */
  async isEnded(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) return true;
      this.#rest = next.value;
    }
    return false;
  }

  /** The next `count` bytes, in a new buffer; fewer at the end of the stream. Buffers only bytes that have arrived. */
  async take(count: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next();
        if (next.done === true) break;
        this.#rest = next.value;
        continue;
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    this.taken += count - missing;
    // A new buffer begins at a multiple of 8, as the decoder needs.
    const own = Buffer.from(new ArrayBuffer(count - missing));
    let at = 0;
    for (const part of parts) {
      own.set(part, at);
      at += part.length;
    }
    return own;
  }
}

/** Number of bytes after the metadata of a message. Fails: as {@link readCheckedMessages}. */
function getCheckedBodyBytes(metadata: Uint8Array, start: number, number: number): number {
  const message = decodeMessage(metadata, start);
  const { bodyLength } = message;
  if (!(bodyLength >= 0 && bodyLength <= BATCH_BYTES)) {
    const mend = bodyLength > BATCH_BYTES ? "; send fewer rows per batch" : "";
    throw createFormatError(
      "FILE_DAMAGED",
      start,
      `${bodyLength} bytes in a batch`,
      `at most ${BATCH_BYTES}${mend}`,
    );
  }
  if (number === 1) {
    if (message.isSchema()) return bodyLength;
    throw createFormatError(
      "FORMAT_UNKNOWN",
      start,
      `a ${getMessageTypeName(message)} first`,
      "the schema of an Arrow IPC stream first",
    );
  }
  if (message.isDictionaryBatch()) {
    throw createFormatError(
      "FORMAT_UNSUPPORTED",
      start,
      "a dictionary batch",
      "plain columns; cast dictionary columns to their values",
    );
  }
  if (!message.isRecordBatch()) {
    throw createFormatError("FILE_DAMAGED", start, `a ${getMessageTypeName(message)}`, "a record batch");
  }
  assertBatchReadable(message, start);
  return bodyLength;
}

function decodeMessage(metadata: Uint8Array, start: number): Message {
  if (!isBounded(metadata)) throw undecodableMetadataError(start);
  try {
    const message = Messages.decode(metadata);
    message.header(); // decoded on access
    return message;
  } catch {
    throw undecodableMetadataError(start);
  }
}

function undecodableMetadataError(start: number): FormatError {
  const expected = "the metadata of an Arrow message, of columns without columns of their own";
  return createFormatError(
    "FILE_DAMAGED",
    start + PREFIX_BYTES,
    "metadata that is not an Arrow message",
    expected,
  );
}

function assertBatchReadable(message: Message<MessageHeader.RecordBatch>, start: number): void {
  const { bodyLength } = message;
  const { length, nodes, buffers, compression } = message.header();
  if (compression !== null) {
    throw createFormatError(
      "FORMAT_UNSUPPORTED",
      start,
      "a compressed batch",
      "batches without compression: write them with IpcWriteOptions(compression=None)",
    );
  }
  if (!(length >= 0 && length * ROW_BYTES <= bodyLength)) {
    throw createFormatError(
      "FILE_DAMAGED",
      start,
      `${length} rows in ${bodyLength} bytes`,
      "as many rows as there are bytes for",
    );
  }
  if (nodes.some((node) => node.length !== length)) {
    throw createFormatError(
      "FILE_DAMAGED",
      start,
      "columns of several lengths in a batch",
      `${length} rows in each`,
    );
  }
  const isOutside = (buffer: { offset: number; length: number }) =>
    !(buffer.offset >= 0 && buffer.length >= 0 && buffer.offset + buffer.length <= bodyLength);
  if (buffers.some(isOutside)) {
    throw createFormatError(
      "FILE_DAMAGED",
      start,
      "a column outside of its batch",
      `columns within ${bodyLength} bytes`,
    );
  }
}

function getMessageTypeName({ headerType }: Message): string {
  const names = new Map<number, string>([
    [MessageHeader.Schema, "schema"],
    [MessageHeader.DictionaryBatch, "dictionary batch"],
    [MessageHeader.RecordBatch, "record batch"],
  ]);
  return names.get(headerType) ?? `message of type ${headerType}`;
}

function noMessageError(prefix: Buffer, start: number, number: number): FormatError {
  const found = `bytes ${prefix.toString("hex")}`;
  if (number > 1)
    return createFormatError("FILE_DAMAGED", start, found, "a message, which begins with ffffffff");
  const isFile = prefix.toString("latin1", 0, 6) === "ARROW1";
  const what = isFile ? "an Arrow file" : found;
  return createFormatError("FORMAT_UNKNOWN", start, what, "an Arrow IPC stream, which begins with ffffffff");
}

function cutShortError(at: number, found: number, expected: number): FormatError {
  return createFormatError(
    "FILE_DAMAGED",
    at,
    `the end of the stream after ${found} bytes of a message's part`,
    `${expected}`,
  );
}

function createFormatError(
  code: FormatErrorCode,
  byte: number,
  found: string,
  expected: string,
): FormatError {
  const details = { place: { byte }, found, expected };
  return new FormatError(code, `found ${found}, expected ${expected}`, details);
}
