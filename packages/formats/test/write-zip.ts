import { crc32, deflateRawSync } from "node:zlib";

/** A file to be packed, and what the archive is to say of it where that is not the truth. */
export interface PackedFile {
  readonly name: string | Uint8Array;
  readonly bytes: Uint8Array;
  readonly store?: boolean;
  /** General purpose flags: 1 encrypted, 0x800 the name is UTF-8. */
  readonly flags?: number;
  readonly method?: number;
  readonly size?: number;
  readonly crc?: number;
  readonly zip64?: boolean;
  /** Where the directory says that it lies. */
  readonly offset?: number;
}

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16LE(value & 0xffff, 2 * i);
  return bytes;
};
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i);
  return bytes;
};
const u64 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * i);
  return bytes;
};

/** A zip archive, after APPNOTE.TXT 6.3.10. */
export function encodeZip(
  files: readonly PackedFile[],
  archive: { readonly zip64?: boolean; readonly count?: number; readonly comment?: string } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const name = Buffer.from(file.name as string);
    const method = file.method ?? (file.store === true ? 0 : 8);
    const packed = method === 8 ? deflateRawSync(file.bytes) : Buffer.from(file.bytes);
    const crc = file.crc ?? crc32(file.bytes);
    const size = file.size ?? file.bytes.length;
    const flags = file.flags ?? (typeof file.name === "string" ? 0x800 : 0);
    const common = Buffer.concat([u16(45, flags, method, 0, 0x5a21), u32(crc)]);
    parts.push(u32(0x04034b50), common, u32(packed.length, size), u16(name.length, 0), name, packed);
    const offset = file.offset ?? at;
    const extra =
      file.zip64 === true ? Buffer.concat([u16(1, 24), u64(size, packed.length, offset)]) : Buffer.alloc(0);
    const [packedField, sizeField, offsetField] =
      file.zip64 === true ? [0xffffffff, 0xffffffff, 0xffffffff] : [packed.length, size, offset];
    directory.push(
      u32(0x02014b50),
      u16(45),
      common,
      u32(packedField!, sizeField!),
      u16(name.length, extra.length, 0, 0, 0),
      u32(0, offsetField!),
      name,
      extra,
    );
    at += 30 + name.length + packed.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const count = archive.count ?? files.length;
  if (archive.zip64 === true) {
    directory.push(
      u32(0x06064b50),
      u64(44),
      u16(45, 45),
      u32(0, 0),
      u64(count, count, directoryBytes.length, at),
      u32(0x07064b50, 0),
      u64(at + directoryBytes.length),
      u32(1),
    );
  }
  const comment = Buffer.from(archive.comment ?? "");
  const end =
    archive.zip64 === true
      ? [u16(0, 0, 0xffff, 0xffff), u32(0xffffffff, 0xffffffff)]
      : [u16(0, 0, count, count), u32(directoryBytes.length, at)];
  return Buffer.concat([...parts, ...directory, u32(0x06054b50), ...end, u16(comment.length), comment]);
}
