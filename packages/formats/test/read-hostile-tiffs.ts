/**
 * Reads mutated GeoTIFFs, numbers FROM to FROM + COUNT, in whole, and prints how they ended, the most CPU time that one of
 * them took, and the most memory: run in a process of its own.
 */
import { deflateSync, zstdCompressSync } from "node:zlib";
import { createSeededRandom } from "@groundrule/testing/random";
import { FormatError } from "../src/format-error.ts";
import { openGeoTiff, type TiffImage } from "../src/geotiff.ts";
import { toLocalFile } from "./local-bytes.ts";
import { encodeTiff, packLzw, type TiffContent } from "./write-tiff.ts";

const [from = 0, count = 0] = process.argv.slice(2).map(Number);
const COLUMNS = 97;
const ROWS = 83;
const values = Array.from({ length: 2 * COLUMNS * ROWS }, (_, i) => Math.imul(i >> 3, 2654435761) >>> 27);
const CODECS = ["none", "lzw", "deflate", "packbits", "zstd"] as const;
const BASES: readonly Buffer[] = CODECS.flatMap((codec) =>
  (
    [
      { stripRows: 9, predictor: 2 },
      { tile: [32, 32], big: true, mask: values.map((value) => value & 1) },
      { tile: [64, 16], bits: 16, bigEndian: true, bands: 2, palette: [], nodata: "255" },
      { stripRows: 83, bits: 4, overviews: [{ columns: 9, rows: 9, values }] },
      { kind: "float", bits: 32, predictor: 3, stripRows: 20, planar: true, bands: 2 },
    ] as Partial<TiffContent>[]
  ).map(({ predictor = 1, ...more }) => {
    const isPredicted = codec !== "none" && codec !== "packbits";
    return encodeTiff({
      columns: COLUMNS,
      rows: ROWS,
      values,
      codec,
      predictor: isPredicted ? predictor : 1,
      ...more,
    });
  }),
);

/** Data that unpacks to some hundred million bytes. */
const ZEROS = Buffer.alloc(2 ** 27);
const BOMBS: readonly Uint8Array[] = [
  deflateSync(ZEROS),
  zstdCompressSync(ZEROS),
  packLzw(new Uint8Array(2 ** 22)),
  new Uint8Array(2 ** 20).map((_, i) => (i % 2 === 0 ? 129 : 0)),
];
const LIES = [0, 1, 2, 255, 65_535, 65_536, 46_341, 2 ** 24, 2 ** 24 + 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

const outcomes: Record<string, number> = {};
let [worst, worstSeed] = [0, -1];
for (let seed = from; seed < from + count; seed++) {
  const bytes = createMutatedFile(seed);
  const before = process.cpuUsage();
  const outcome = await readTiffOrErrorText(bytes);
  const { user, system } = process.cpuUsage(before);
  if (user + system > worst) [worst, worstSeed] = [user + system, seed];
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}
const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ outcomes, worstSeconds: worst / 1e6, worstSeed, megabytes }));

async function readTiffOrErrorText(bytes: Uint8Array): Promise<string> {
  try {
    const tiff = await openGeoTiff(toLocalFile(bytes));
    await readAllBlocks(tiff.image);
    if (tiff.mask !== undefined) await readAllBlocks(tiff.mask);
    return "read";
  } catch (error) {
    return error instanceof FormatError ? error.code : String(error);
  }
}

async function readAllBlocks({ blocks, bands, readBlock }: TiffImage): Promise<void> {
  const wanted = Array.from({ length: Math.min(bands, 2) }, (_, i) => i);
  for (let down = 0; down < blocks.down; down++)
    for (let across = 0; across < blocks.across; across++) await readBlock(across, down, wanted);
}

function createMutatedFile(seed: number): Uint8Array {
  const random = createSeededRandom(seed);
  const base = BASES[random.integer(BASES.length)]!;
  const bomb = BOMBS[random.integer(BOMBS.length)]!;
  const kind = random.integer(6);
  // Blocks that are bombs: behind the file, and pointed at by lies about places.
  const file = Buffer.concat(kind === 5 ? [base, bomb] : [base]);
  if (kind === 0) return file.subarray(0, random.integer(file.length));
  if (kind === 1) {
    for (let i = 1 + random.integer(8); i > 0; i--) file[random.integer(file.length)] = random.integer(256);
    return file;
  }
  const entries = readDirectoryEntries(file);
  const { big, little } = entries;
  const set = (at: number, value: number, size: number) => {
    if (size === 2) little ? file.writeUInt16LE(value & 0xffff, at) : file.writeUInt16BE(value & 0xffff, at);
    else if (big)
      little ? file.writeBigUInt64LE(BigInt(value), at) : file.writeBigUInt64BE(BigInt(value), at);
    else little ? file.writeUInt32LE(value >>> 0, at) : file.writeUInt32BE(value >>> 0, at);
  };
  if (kind === 5) {
    // The first block of the first image is the bomb.
    for (const { at, tag } of entries.list) {
      if (tag === 273 || tag === 324) overwriteFirstValue(file, at, big, little, base.length);
      if (tag === 279 || tag === 325) overwriteFirstValue(file, at, big, little, bomb.length);
    }
    return file;
  }
  for (let i = 1 + random.integer(3); i > 0; i--) {
    const { at } = entries.list[random.integer(entries.list.length)]!;
    const field = random.integer(4);
    const lie = random.next() < 0.5 ? LIES[random.integer(LIES.length)]! : random.integer(file.length);
    if (field === 0) set(at + 2, lie, 2);
    else if (field === 1) set(at + 4, lie, 0);
    else set(at + (big ? 12 : 8), lie, 0);
  }
  // A directory that comes back to itself or leads anywhere.
  if (kind === 3) set(entries.link, random.next() < 0.5 ? entries.start : random.integer(file.length), 0);
  if (kind === 4)
    for (const { at, tag } of entries.list)
      if (tag === 256 || tag === 257) set(at + (big ? 12 : 8), 46_341, 0);
  return file;
}

interface Entries {
  readonly big: boolean;
  readonly little: boolean;
  readonly start: number;
  /** Where the place of the next directory stands. */
  readonly link: number;
  readonly list: readonly { readonly at: number; readonly tag: number }[];
}

function readDirectoryEntries(file: Buffer): Entries {
  const little = file[0] === 0x49;
  const big = (little ? file.readUInt16LE(2) : file.readUInt16BE(2)) === 43;
  const u16 = (at: number) => (little ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const start = big
    ? Number(little ? file.readBigUInt64LE(8) : file.readBigUInt64BE(8))
    : little
      ? file.readUInt32LE(4)
      : file.readUInt32BE(4);
  const count = big ? u16(little ? start : start + 6) : u16(start);
  const [head, size] = big ? [8, 20] : [2, 12];
  const list = Array.from({ length: count }, (_, i) => ({
    at: start + head + i * size,
    tag: u16(start + head + i * size),
  }));
  return { big, little, start, link: start + head + count * size, list };
}

function overwriteFirstValue(file: Buffer, at: number, big: boolean, little: boolean, value: number): void {
  const read = (from: number) =>
    Number(
      big
        ? little
          ? file.readBigUInt64LE(from)
          : file.readBigUInt64BE(from)
        : little
          ? file.readUInt32LE(from)
          : file.readUInt32BE(from),
    );
  const size = big ? 8 : 4;
  const count = read(at + 4);
  const first = count * size <= size ? at + (big ? 12 : 8) : read(at + (big ? 12 : 8));
  if (big) little ? file.writeBigUInt64LE(BigInt(value), first) : file.writeBigUInt64BE(BigInt(value), first);
  else little ? file.writeUInt32LE(value, first) : file.writeUInt32BE(value, first);
}
