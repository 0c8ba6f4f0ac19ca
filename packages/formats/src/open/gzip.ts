import { gunzipStream } from "#host/unpack";
import { unpackedTooLargeError } from "../file/local-file.ts";
import { peekStream } from "../file/peek.ts";
import { FormatError } from "../format-error.ts";
import { PackedFault } from "../host/packed-fault.ts";
import { FORMAT_LIMITS, type FormatLimits, RATIO_FREE_BYTES } from "../limits.ts";

/** The unpacked bytes of a source, and whether it was gzipped. */
export interface UnpackedSource {
  /** True if the stream was gzipped. */
  readonly gzip: boolean;
  /** The unpacked bytes, which can be read only once. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Limits on the bytes that a stream unpacks to. */
export type UnpackLimits = Pick<FormatLimits, "unpackedBytes" | "ratio">;

/**
 * Unpacks a gzip stream (recognized by its magic; several members are allowed) and passes any other stream through.
 *
 * @param stream its bytes, in chunks of any size
 * @param limits most bytes that it may unpack to
 *
 * Fails, while the bytes are read: `GZIP_CORRUPT` for a truncated or damaged stream, `UNPACKED_TOO_LARGE`. What the
 * stream itself throws comes through unchanged.
 */
export async function unpack(
  stream: AsyncIterable<Uint8Array>,
  limits: UnpackLimits = FORMAT_LIMITS,
): Promise<UnpackedSource> {
  const { first, all } = await peekStream(stream, 2);
  const gzip = isGzip(first);
  return { gzip, bytes: gzip ? gunzipWithinLimits(all, limits) : all };
}

/** True if bytes begin like a gzip stream. */
function isGzip(first: Uint8Array): boolean {
  return first[0] === 0x1f && first[1] === 0x8b;
}

/** The unpacked bytes of a gzip stream. Fails: as {@link unpack}. */
export async function* gunzipWithinLimits(
  packed: AsyncIterable<Uint8Array>,
  limits: UnpackLimits,
): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let unpackedBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed) {
      taken += chunk.length;
      // The unpacking library reads ahead, and a source may refill one buffer again and again.
      yield new Uint8Array(chunk);
    }
  }
  try {
    for await (const chunk of gunzipStream(counted())) {
      unpackedBytes += chunk.length;
      if (unpackedBytes > limits.unpackedBytes) throw unpackedTooLargeError(limits.unpackedBytes);
      if (unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > taken * limits.ratio)
        throw tooDenselyPackedError(limits.ratio);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof PackedFault) {
      throw new FormatError("GZIP_CORRUPT", `the gzip stream is truncated or damaged (${error.message})`, {
        found: error.message,
        expected: "a whole gzip stream",
      });
    }
    throw error;
  }
}

/** The error of a file that unpacks to implausibly many times its size. */
function tooDenselyPackedError(ratio: number): FormatError {
  const found = `more than ${RATIO_FREE_BYTES} bytes unpacked, over ${ratio} times the packed ones`;
  const expected = `at most ${ratio} times`;
  return new FormatError("UNPACKED_TOO_LARGE", `found ${found}, expected ${expected} (is this a bomb?)`, {
    found,
    expected,
    limit: ratio,
  });
}
