/** A file of an archive. */
export interface ZipFile {
  readonly path: string;
  /** Its text, piece by piece. */
  readonly text: Iterable<string> | AsyncIterable<string>;
}

/**
 * Writes files as a ZIP archive, piece by piece: memory is one piece, and a few numbers for each file. The same files
 * give the same bytes, since every one is dated 1980.
 *
 * Fails: `RangeError` for a file or an archive of 4 GiB or more; as reading the files does.
 *
 * Source: PKWARE APPNOTE 6.3, with sizes after the data (4.3.9).
 */
export async function* writeZipArchive(
  files: Iterable<ZipFile>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const central: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, text } of files) {
    const name = ENCODER.encode(path);
    const start = offset;
    const local = encodeZipRecord(0x04034b50, [VERSION, ...METHOD, 0, 0, 0, 0, 0, 0, name.length, 0], name);
    yield local;
    offset += local.length;
    const size = { crc: 0, packed: 0, whole: 0 };
    for await (const piece of deflateText(text, size)) {
      yield piece;
      size.packed += piece.length;
      offset += piece.length;
      refuseLargeFile(path, Math.max(size.whole, offset));
    }
    const sizes = [...splitUint32(size.crc), ...splitUint32(size.packed), ...splitUint32(size.whole)];
    const after = encodeZipRecord(0x08074b50, sizes);
    yield after;
    offset += after.length;
    central.push(
      encodeZipRecord(
        0x02014b50,
        [VERSION, VERSION, ...METHOD, ...sizes, name.length, 0, 0, 0, 0, 0, 0, ...splitUint32(start)],
        name,
      ),
    );
  }
  const directory = central.reduce((sum, { length }) => sum + length, 0);
  refuseLargeFile("the archive", offset + directory);
  yield* central;
  yield encodeZipRecord(0x06054b50, [
    ...[0, 0, central.length, central.length],
    ...[...splitUint32(directory), ...splitUint32(offset), 0],
  ]);
}

const ENCODER = new TextEncoder();
const VERSION = 20;

/** Flags (sizes after the data, names in UTF-8), deflate, and midnight of 1 January 1980. */
const METHOD = [0x0808, 8, 0, 0x0021];

/** A record of the format: its signature, numbers of 16 bits, and a name. */
function encodeZipRecord(
  signature: number,
  numbers: readonly number[],
  name = new Uint8Array(0),
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + 2 * numbers.length + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  for (const [i, number] of numbers.entries()) view.setUint16(4 + 2 * i, number, true);
  bytes.set(name, 4 + 2 * numbers.length);
  return bytes;
}

/** A number of 32 bits as two of 16, the lower one first. */
function splitUint32(value: number): [number, number] {
  return [value & 0xffff, value >>> 16];
}

function refuseLargeFile(path: string, bytes: number): void {
  if (bytes > 0xffff_ffff) throw new RangeError(`${path} has 4 GiB or more, which a workbook cannot hold`);
}

interface Size {
  crc: number;
  packed: number;
  whole: number;
}

/** Characters that are encoded and compressed at once. */
const PIECE = 64 * 1024;

/** A text, compressed; its CRC-32 and length are in `size` at the end. */
async function* deflateText(
  text: ZipFile["text"],
  size: Size,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { readable, writable } = new CompressionStream("deflate-raw");
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  let failure: unknown;
  const feed = async (): Promise<void> => {
    let pending = "";
    const push = async (): Promise<void> => {
      const bytes = ENCODER.encode(pending);
      pending = "";
      size.crc = computeCrc32(bytes, size.crc);
      size.whole += bytes.length;
      await writer.write(bytes);
    };
    for await (const piece of text) {
      pending += piece;
      if (pending.length >= PIECE) await push();
    }
    if (pending !== "") await push();
    await writer.close();
  };
  const fed = feed().catch((error: unknown) => {
    failure ??= error;
    return writer.abort(error).catch(() => {});
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) break;
      yield value;
    }
    await fed;
  } catch (error) {
    throw failure ?? error;
  } finally {
    await reader.cancel().catch(() => {});
    await fed;
  }
  if (failure !== undefined) throw failure;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  return value;
});

/** CRC-32 (ISO 3309) of bytes after others; @param before that of the others */
function computeCrc32(bytes: Uint8Array, before: number): number {
  let value = ~before;
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return ~value >>> 0;
}
