/**
 * CRC-32 (IEEE 802.3, reflected polynomial 0xEDB88320) of bytes, continuing from `seed`.
 *
 * `crc32(b, crc32(a))` is the checksum of a followed by b. Sixteen bytes a step with one table for
 * each byte's place ("slicing-by-16").
 *
 * @param seed checksum of the bytes before these; 0 at the start
 * @returns unsigned 32-bit integer
 */
export function crc32(bytes: Uint8Array, seed = 0): number {
  const t = TABLES;
  const end = bytes.length;
  let crc = ~seed;
  let i = 0;
  for (; i + 16 <= end; i += 16) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      t[3840 + (crc & 255)]! ^
      t[3584 + ((crc >>> 8) & 255)]! ^
      t[3328 + ((crc >>> 16) & 255)]! ^
      t[3072 + (crc >>> 24)]! ^
      t[2816 + bytes[i + 4]!]! ^
      t[2560 + bytes[i + 5]!]! ^
      t[2304 + bytes[i + 6]!]! ^
      t[2048 + bytes[i + 7]!]! ^
      t[1792 + bytes[i + 8]!]! ^
      t[1536 + bytes[i + 9]!]! ^
      t[1280 + bytes[i + 10]!]! ^
      t[1024 + bytes[i + 11]!]! ^
      t[768 + bytes[i + 12]!]! ^
      t[512 + bytes[i + 13]!]! ^
      t[256 + bytes[i + 14]!]! ^
      t[bytes[i + 15]!]!;
  }
  for (; i < end; i++) crc = (crc >>> 8) ^ t[(crc ^ bytes[i]!) & 255]!;
  return ~crc >>> 0;
}

/** Entry `256·k + b`: the checksum's change by byte b followed by k zero bytes. */
const TABLES: Int32Array = makeCrcTables();

function makeCrcTables(): Int32Array {
  const tables = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    tables[byte] = crc;
  }
  for (let i = 256; i < tables.length; i++) {
    const before = tables[i - 256]!;
    tables[i] = (before >>> 8) ^ tables[before & 255]!;
  }
  return tables;
}
