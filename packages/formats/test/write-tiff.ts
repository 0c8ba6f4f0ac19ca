import { deflateSync, zstdCompressSync } from "node:zlib";

/** Content of a test's TIFF file; an absent member is as GDAL writes it by default. */
export interface TiffContent {
  readonly columns: number;
  readonly rows: number;
  /** Values of the cells, row by row; several bands one after another. */
  readonly values: ArrayLike<number>;
  readonly bands?: number;
  readonly planar?: boolean;
  readonly kind?: "uint" | "int" | "float";
  readonly bits?: 1 | 2 | 4 | 8 | 16 | 32 | 64;
  /** Cells along a tile; absent: strips. */
  readonly tile?: readonly [columns: number, rows: number];
  readonly stripRows?: number;
  readonly codec?: "none" | "lzw" | "deflate" | "packbits" | "zstd";
  readonly predictor?: 1 | 2 | 3;
  readonly bigEndian?: boolean;
  readonly big?: boolean;
  readonly nodata?: string;
  readonly palette?: readonly string[];
  /** Degrees; absent: 1/4000. */
  readonly step?: readonly [number, number];
  readonly corner?: readonly [west: number, north: number];
  /** Cells that count (1) or are hidden (0), as an image of its own. */
  readonly mask?: ArrayLike<number>;
  /** Blocks that are left out. */
  readonly sparse?: (block: number) => boolean;
  /** Tags in place of, or beside those that are written; `null` leaves one out. */
  readonly tags?: Readonly<Record<number, Tag | null>>;
  /** Keys of GeoTIFF in place of those of EPSG:4326. */
  readonly geoKeys?: Readonly<Record<number, number>> | null;
  /** Images after the first one, as overviews are. */
  readonly overviews?: readonly TiffContent[];
}

/** A tag's type and values; type 2 has a text. */
export type Tag = readonly [type: number, values: readonly number[] | string];

const CODECS = { none: 1, lzw: 5, deflate: 8, packbits: 32773, zstd: 50000 };
const TYPE_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 12: 8, 16: 8 };

/** A TIFF file. */
export function encodeTiff(content: TiffContent): Buffer {
  const { bigEndian = false, big = false } = content;
  const chunks: Buffer[] = [Buffer.alloc(big ? 16 : 8)];
  let length = chunks[0]!.length;
  const append = (bytes: Uint8Array): number => {
    const at = length;
    const padded = Buffer.alloc(bytes.length + (bytes.length % 2));
    padded.set(bytes);
    chunks.push(padded);
    length += padded.length;
    return at;
  };
  const images = [content, ...(content.overviews ?? [])].flatMap((image, i) => {
    const own = i === 0 ? {} : { 254: [4, [1]] as Tag };
    const listed = [{ ...image, tags: { ...own, ...image.tags }, bigEndian, big }];
    if (image.mask === undefined) return listed;
    const mask: TiffContent = {
      columns: image.columns,
      rows: image.rows,
      values: image.mask,
      bits: 1,
      codec: "deflate",
      geoKeys: null,
      tags: { 254: [4, [4]], 262: [3, [4]] },
      bigEndian,
      big,
    };
    return [...listed, mask];
  });
  const links: number[] = [];
  for (const image of images) {
    const tags = buildImageTags(image, append);
    links.push(append(encodeDirectory(tags, append, bigEndian, big)));
  }
  const file = Buffer.concat(chunks);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  view.setUint16(0, bigEndian ? 0x4d4d : 0x4949);
  view.setUint16(2, big ? 43 : 42, !bigEndian);
  if (big) view.setUint16(4, 8, !bigEndian);
  const setPointer = (at: number, to: number) =>
    big ? view.setBigUint64(at, BigInt(to), !bigEndian) : view.setUint32(at, to, !bigEndian);
  let place = big ? 8 : 4;
  for (const at of links) {
    setPointer(place, at);
    const count = big ? Number(view.getBigUint64(at, !bigEndian)) : view.getUint16(at, !bigEndian);
    place = at + (big ? 8 + 20 * count : 2 + 12 * count);
  }
  return file;
}

function buildImageTags(image: TiffContent, append: (bytes: Uint8Array) => number): [number, Tag][] {
  const { columns, rows, bands = 1, planar = false, bits = 8, kind = "uint", codec = "none" } = image;
  const { predictor = 1, step = [1 / 4000, 1 / 4000], corner = [-71.8, 18.7] } = image;
  const [width, height] = image.tile ?? [columns, image.stripRows ?? Math.max(1, Math.floor(8192 / columns))];
  const offsets: number[] = [];
  const sizes: number[] = [];
  const layers = planar ? bands : 1;
  for (let layer = 0; layer < layers; layer++) {
    for (let top = 0; top < rows; top += height) {
      for (let left = 0; left < columns; left += width) {
        if (image.sparse?.(offsets.length) === true) {
          offsets.push(0);
          sizes.push(0);
          continue;
        }
        const blockRows = image.tile === undefined ? Math.min(height, rows - top) : height;
        const block = encodeBlock(image, layer, left, top, width, blockRows);
        const packed = PACK[codec](block);
        offsets.push(append(packed));
        sizes.push(packed.length);
      }
    }
  }
  const long = image.big === true ? 16 : 4;
  const places: Readonly<Record<number, Tag>> =
    image.tile === undefined
      ? { 273: [long, offsets], 278: [4, [height]], 279: [long, sizes] }
      : { 322: [4, [width]], 323: [4, [height]], 324: [long, offsets], 325: [long, sizes] };
  const keys = image.geoKeys === undefined ? { 1024: 2, 1025: 1, 2048: 4326, 2054: 9102 } : image.geoKeys;
  const written: Record<number, Tag | null> = {
    256: [4, [columns]],
    257: [4, [rows]],
    258: [3, Array<number>(bands).fill(bits)],
    259: [3, [CODECS[codec]]],
    262: [3, [image.palette === undefined ? 1 : 3]],
    277: [3, [bands]],
    284: [3, [planar ? 2 : 1]],
    317: [3, [predictor]],
    339: [3, Array<number>(bands).fill({ uint: 1, int: 2, float: 3 }[kind])],
    ...places,
    ...(image.palette !== undefined && { 320: [3, createColorMap(image.palette, bits)] as Tag }),
    ...(image.nodata !== undefined && { 42113: [2, image.nodata] as Tag }),
    ...(keys !== null && {
      33550: [12, [...step, 0]] as Tag,
      33922: [12, [0, 0, 0, ...corner, 0]] as Tag,
      34735: [
        3,
        [
          1,
          1,
          0,
          Object.keys(keys).length,
          ...Object.entries(keys).flatMap(([key, value]) => [Number(key), 0, 1, value]),
        ],
      ] as Tag,
    }),
    ...image.tags,
  };
  return Object.entries(written)
    .flatMap(([tag, value]) => (value === null ? [] : [[Number(tag), value] as [number, Tag]]))
    .sort(([a], [b]) => a - b);
}

function createColorMap(palette: readonly string[], bits: number): number[] {
  const size = 2 ** bits;
  const part = (i: number) =>
    Array.from({ length: size }, (_, value) => {
      const byte = Number.parseInt((palette[value] ?? "#000000").slice(1 + 2 * i, 3 + 2 * i), 16);
      return byte * 257;
    });
  return [...part(0), ...part(1), ...part(2)];
}

function encodeDirectory(
  tags: readonly [number, Tag][],
  append: (bytes: Uint8Array) => number,
  bigEndian: boolean,
  big: boolean,
): Buffer {
  const [countBytes, entryBytes, pointerBytes] = big ? [8, 20, 8] : [2, 12, 4];
  const bytes = Buffer.alloc(countBytes + tags.length * entryBytes + pointerBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (big) view.setBigUint64(0, BigInt(tags.length), !bigEndian);
  else view.setUint16(0, tags.length, !bigEndian);
  for (const [i, [tag, [type, values]]] of tags.entries()) {
    const at = countBytes + i * entryBytes;
    const encoded = encodeTagValues(type, values, bigEndian);
    const count = encoded.length / TYPE_BYTES[type]!;
    view.setUint16(at, tag, !bigEndian);
    view.setUint16(at + 2, type, !bigEndian);
    if (big) view.setBigUint64(at + 4, BigInt(count), !bigEndian);
    else view.setUint32(at + 4, count, !bigEndian);
    const field = at + entryBytes - pointerBytes;
    if (encoded.length <= pointerBytes) bytes.set(encoded, field);
    else if (big) view.setBigUint64(field, BigInt(append(encoded)), !bigEndian);
    else view.setUint32(field, append(encoded), !bigEndian);
  }
  return bytes;
}

function encodeTagValues(type: number, values: readonly number[] | string, bigEndian: boolean): Buffer {
  if (typeof values === "string") return Buffer.from(`${values}\0`, "latin1");
  const size = TYPE_BYTES[type]!;
  const bytes = Buffer.alloc(size * values.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const [i, value] of values.entries()) {
    if (type === 3) view.setUint16(2 * i, value, !bigEndian);
    else if (type === 4) view.setUint32(4 * i, value, !bigEndian);
    else if (type === 12) view.setFloat64(8 * i, value, !bigEndian);
    else if (type === 16) view.setBigUint64(8 * i, BigInt(value), !bigEndian);
    else bytes[i] = value;
  }
  return bytes;
}

/** The bytes of a strip or tile, before they are packed; cells off the image are 0. */
function encodeBlock(
  image: TiffContent,
  layer: number,
  left: number,
  top: number,
  width: number,
  height: number,
): Buffer {
  const { columns, rows, values, bands = 1, planar = false, bits = 8, kind = "uint" } = image;
  const samples = planar ? 1 : bands;
  const rowValues = width * samples;
  const rowBytes = Math.ceil((rowValues * bits) / 8);
  const bytes = Buffer.alloc(rowBytes * height);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const little = image.bigEndian !== true;
  for (let r = 0; r < height; r++) {
    const line = new Float64Array(rowValues);
    for (let c = 0; c < width; c++) {
      if (left + c >= columns || top + r >= rows) continue;
      for (let s = 0; s < samples; s++) {
        const band = planar ? layer : s;
        line[c * samples + s] = values[band * columns * rows + (top + r) * columns + left + c]!;
      }
    }
    for (let i = 0; i < rowValues; i++) {
      const at = r * rowBytes + (i * bits) / 8;
      const value = line[i]!;
      if (bits < 8) bytes[Math.floor(at)]! |= value << (8 - bits - ((i * bits) % 8));
      else if (kind === "float" && bits === 32) view.setFloat32(at, value, little);
      else if (kind === "float") view.setFloat64(at, value, little);
      else if (bits === 64) view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), little);
      else if (bits === 8) view.setUint8(at, value & 0xff);
      else if (bits === 16) view.setUint16(at, value & 0xffff, little);
      else view.setUint32(at, value >>> 0, little);
    }
    if (image.predictor === 2) applyDifferencePredictor(view, r * rowBytes, rowValues, bits, samples, little);
    if (image.predictor === 3) applyFloatPredictor(bytes, r * rowBytes, rowValues, bits / 8, samples, little);
  }
  return bytes;
}

/** Leaves of each value but the first of each band the difference of its bits to those of the one before. */
function applyDifferencePredictor(
  view: DataView,
  start: number,
  count: number,
  bits: number,
  samples: number,
  little: boolean,
): void {
  for (let i = count - 1; i >= samples; i--) {
    const [at, before] = [start + (i * bits) / 8, start + ((i - samples) * bits) / 8];
    if (bits === 8) view.setUint8(at, view.getUint8(at) - view.getUint8(before));
    else if (bits === 16)
      view.setUint16(at, view.getUint16(at, little) - view.getUint16(before, little), little);
    else if (bits === 32)
      view.setUint32(at, view.getUint32(at, little) - view.getUint32(before, little), little);
    else {
      const difference = view.getBigUint64(at, little) - view.getBigUint64(before, little);
      view.setBigUint64(at, BigInt.asUintN(64, difference), little);
    }
  }
}

function applyFloatPredictor(
  bytes: Buffer,
  start: number,
  count: number,
  size: number,
  samples: number,
  little: boolean,
): void {
  const row = Buffer.from(bytes.subarray(start, start + count * size));
  for (let i = 0; i < count; i++)
    for (let byte = 0; byte < size; byte++)
      bytes[start + byte * count + i] = row[i * size + (little ? size - 1 - byte : byte)]!;
  for (let i = start + count * size - 1; i >= start + samples; i--) bytes[i]! -= bytes[i - samples]!;
}

const PACK: Readonly<Record<keyof typeof CODECS, (bytes: Buffer) => Uint8Array>> = {
  none: (bytes) => bytes,
  deflate: (bytes) => deflateSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
  packbits: packBits,
  lzw: packLzw,
};

function packBits(bytes: Buffer): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    let run = 1;
    while (run < 128 && bytes[at + run] === bytes[at]) run++;
    if (run > 1) {
      out.push(257 - run, bytes[at]!);
      at += run;
      continue;
    }
    const start = at++;
    while (at - start < 128 && at < bytes.length && bytes[at] !== bytes[at + 1]) at++;
    out.push(at - start - 1);
    for (let i = start; i < at; i++) out.push(bytes[i]!);
  }
  return Uint8Array.from(out);
}

/** LZW with the table of strings that the format's text describes (TIFF 6.0, section 13). */
export function packLzw(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let [pending, bits, width] = [0, 0, 9];
  const put = (code: number) => {
    pending = (pending << width) | code;
    bits += width;
    while (bits >= 8) {
      bits -= 8;
      out.push((pending >> bits) & 0xff);
      pending &= (1 << bits) - 1;
    }
  };
  let table = new Map<number, number>();
  put(256);
  let next = 258;
  let prefix = -1;
  for (const byte of bytes) {
    const known = prefix === -1 ? byte : table.get(prefix * 256 + byte);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    table.set(prefix * 256 + byte, next++);
    if (next === 512 || next === 1024 || next === 2048) width++;
    if (next === 4094) {
      put(256);
      table = new Map();
      next = 258;
      width = 9;
    }
    prefix = byte;
  }
  if (prefix !== -1) put(prefix);
  // The reader counts the last string too.
  if (next + 1 === 512 || next + 1 === 1024 || next + 1 === 2048) width++;
  put(257);
  put(0);
  return Uint8Array.from(out);
}
