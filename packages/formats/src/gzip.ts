import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { FormatError } from "./format-error.ts";

/** The unpacked bytes of a source, and whether it was gzipped. */
export interface UnpackedSource {
  /** Whether the stream was gzipped. */
  readonly gzip: boolean;
  /** The unpacked bytes, which can be read only once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Unpacks a gzip stream (recognized by its magic; several members are allowed) and passes any other stream through.
 *
 * Fails, while the bytes are read: `GZIP_CORRUPT` for a truncated or damaged stream. What the
 * stream itself throws comes through unchanged.
 */
export async function unpack(stream: AsyncIterable<Uint8Array>): Promise<UnpackedSource> {
  const { first, all } = await peek(stream, 2);
  const gzip = first[0] === 0x1f && first[1] === 0x8b;
  return { gzip, bytes: gzip ? gunzip(all) : all };
}

/**
 * The first bytes of a stream, at least `count` of them unless it is shorter, and the whole stream
 * from its start. To be read once; leaving `all` early ends the stream.
 */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ first: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let first = new Uint8Array(0);
  let done = false;
  while (first.length < count && !done) {
    const next = await iterator.next();
    done = next.done === true;
    if (next.done !== true) first = join(first, next.value);
  }
  return { first, all: resume(first, iterator, done) };
}

async function* resume(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
  done: boolean,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    while (!done) {
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // The callback only keeps the error from being thrown twice: the loop below receives it.
  const unpacked = pipeline(Readable.from(copies(packed)), createGunzip(), () => {});
  try {
    for await (const chunk of unpacked) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("Z_")) {
      throw new FormatError("GZIP_CORRUPT", `the gzip stream is truncated or damaged (${error.message})`, {
        found: error.message,
        expected: "a whole gzip stream",
      });
    }
    throw error;
  }
}

/** The pipeline reads ahead, and a source may fill one buffer again and again. */
async function* copies(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield new Uint8Array(chunk);
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
