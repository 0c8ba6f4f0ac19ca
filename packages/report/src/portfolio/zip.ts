/** A file within an archive. */
export interface ZipMember {
  /** ASCII. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a reader must know to unpack it: version 2.0 of the format, for deflate. */
const VERSION = 20;
const DEFLATE = 8;
/** 1 January 1980, the first day there is: the same members make the same bytes. */
const DATE = (1 << 5) | 1;

/** A zip archive (APPNOTE.TXT 4.3) of files that together take less than 4 GiB, each packed with deflate. */
export async function zipOf(members: readonly ZipMember[]): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const { name, bytes } of members) {
    const packed = await deflated(bytes);
    const ascii = new TextEncoder().encode(name);
    const told: Field[] = [
      [2, VERSION],
      [2, 0], // flags
      [2, DEFLATE],
      [2, 0], // time
      [2, DATE],
      [4, crc32(bytes)],
      [4, packed.length],
      [4, bytes.length],
      [2, ascii.length],
      [2, 0], // extra field
    ];
    const head = fields([[4, 0x04034b50], ...told]);
    parts.push(head, ascii, packed);
    const unset: Field[] = [
      [2, 0], // comment
      [2, 0], // disk
      [2, 0], // attributes
      [4, 0],
    ];
    directory.push(fields([[4, 0x02014b50], [2, VERSION], ...told, ...unset, [4, at]]), ascii);
    at += head.length + ascii.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = fields([
    [4, 0x06054b50],
    [2, 0], // disk
    [2, 0],
    [2, members.length],
    [2, members.length],
    [4, size],
    [4, at],
    [2, 0], // comment
  ]);
  return new Uint8Array(await new Blob([...parts, ...directory, end]).arrayBuffer());
}

/** Bytes that a number takes, and the number; the lowest byte first. */
type Field = readonly [size: 2 | 4, value: number];

function fields(list: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(list.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of list) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

const CRC_TABLE: Uint32Array = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** ISO 3309. */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ CRC_TABLE[(sum ^ byte) & 0xff]!;
  return ~sum >>> 0;
}
