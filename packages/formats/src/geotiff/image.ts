import type { LocalFile } from "../file/local-file.ts";
import { createFormatError, type FormatError, fileDamagedError } from "../format-error.ts";
import { type Directory, readFilePiece } from "./directory.ts";
import { gdalTranslate, unsupportedRasterError } from "./gdal-line.ts";
import { computeMemoryBytes, readBandSamples, type Samples, type SampleType } from "./samples.ts";
import { TAG } from "./tags.ts";
import { getCodec, hasPredictor, unpackBlock } from "./unpack-block.ts";

/** Most bytes of a strip or tile, unpacked: cells of less than 8 bits take a byte each. */
export const MOST_BLOCK_BYTES: number = 64 * 2 ** 20;
/** Most cells of an image each way. */
export const MOST_CELLS: number = 2 ** 24;

/** One image of a TIFF file, read by its strips or tiles. */
export interface TiffImage {
  /** Cells of a row. */
  readonly columns: number;
  /** Rows of cells. */
  readonly rows: number;
  /** Values of a cell. */
  readonly bands: number;
  readonly type: SampleType;
  /** Bands that are transparency (alpha) by their tag, from 0. */
  readonly alphaBands: readonly number[];
  /** Its strips or tiles. */
  readonly blocks: {
    /** True if the blocks are tiles. */
    readonly isTiled: boolean;
    /** Cells of a row of one; those at the right and lower edge may reach beyond the image. */
    readonly columns: number;
    /** Rows of one. */
    readonly rows: number;
    /** How many lie side by side. */
    readonly across: number;
    /** How many lie above each other. */
    readonly down: number;
  };
  /**
   * Values of one strip or tile, row by row, of its whole width; a row each of `blocks.columns` cells.
   *
   * @param across number of the block in its row of blocks, from 0
   * @param down number of that row, from 0
   * @param bands which values of a cell, from 0
   * @returns an array for each band, of at least the rows that lie in the image; undefined where the file leaves the
   *   block out
   *
   * Fails: `FILE_DAMAGED` where its bytes are no such block.
   */
  readBlock(across: number, down: number, bands: readonly number[]): Promise<readonly Samples[] | undefined>;
}

/**
 * The image of a directory.
 *
 * Fails: `FILE_DAMAGED` for sizes that contradict each other, blocks that do not lie in the file, or take more bytes than
 * it has; `FORMAT_UNSUPPORTED` for a codec or type of value that is not read; `UNPACKED_TOO_LARGE` for a strip or tile
 * beyond {@link MOST_BLOCK_BYTES}.
 */
export async function openTiffImage(
  file: LocalFile,
  directory: Directory,
  littleEndian: boolean,
): Promise<TiffImage> {
  const { name } = file;
  const place = { byte: directory.offset };
  const columns = await directory.number(TAG.WIDTH, 0);
  const rows = await directory.number(TAG.HEIGHT, 0);
  for (const [what, size] of [
    ["columns", columns],
    ["rows", rows],
  ] as const) {
    if (size >= 1 && size <= MOST_CELLS) continue;
    throw fileDamagedError(`an image of ${size} ${what}`, `1 to ${MOST_CELLS}`, place);
  }
  const bands = await directory.number(TAG.SAMPLES, 1);
  if (bands < 1 || bands > 1024) throw fileDamagedError(`${bands} bands`, "1 to 1024", place);
  const type = await readSampleType(directory, bands, name);
  const isChunky = bands === 1 || (await directory.number(TAG.PLANAR, 1)) === 1;
  const codec = getCodec(await directory.number(TAG.COMPRESSION, 1), name);
  const photometric = await directory.number(TAG.PHOTOMETRIC, 1);
  if (photometric > CMYK) {
    throw unsupportedRasterError(
      `values of a color space (photometric interpretation ${photometric})`,
      "values as they are",
      name,
    );
  }
  const predictor = await directory.number(TAG.PREDICTOR, 1);
  const isPredictor =
    predictor === 1 || (predictor === 2 && type.bits >= 8) || (predictor === 3 && type.kind === "float");
  if (!isPredictor) {
    const found = `the predictor ${predictor} for values of ${type.bits} bits (${type.kind})`;
    throw fileDamagedError(found, "1, 2 from 8 bits on, or 3 for floats", place);
  }
  if (predictor !== 1 && !hasPredictor(codec)) {
    throw unsupportedRasterError(
      `the predictor ${predictor} for cells packed with ${codec}`,
      "one with LZW, deflate or zstd",
      name,
    );
  }
  if ((await directory.number(TAG.FILL_ORDER, 1)) !== 1) {
    throw unsupportedRasterError("bits in reverse order", "the highest first", name);
  }

  const isTiled = directory.count(TAG.TILE_OFFSETS) > 0;
  const width = isTiled ? await directory.number(TAG.TILE_WIDTH, 0) : columns;
  const height = isTiled
    ? await directory.number(TAG.TILE_HEIGHT, 0)
    : Math.min(rows, await directory.number(TAG.STRIP_ROWS, rows));
  if (!(width >= 1 && width <= MOST_CELLS && height >= 1 && height <= MOST_CELLS)) {
    throw fileDamagedError(`blocks of ${width} × ${height} cells`, "1 or more each way", place);
  }
  const across = Math.ceil(columns / width);
  const down = Math.ceil(rows / height);
  const samples = isChunky ? bands : 1;
  const rowBytes = Math.ceil((width * samples * type.bits) / 8);
  const blockBytes = Math.max(rowBytes, width * samples * computeMemoryBytes(type)) * height;
  if (blockBytes > MOST_BLOCK_BYTES) throw blockTooLargeError(isTiled, blockBytes, name);

  const [offsets, sizes] = isTiled
    ? [TAG.TILE_OFFSETS, TAG.TILE_BYTES]
    : [TAG.STRIP_OFFSETS, TAG.STRIP_BYTES];
  const count = across * down * (isChunky ? 1 : bands);
  for (const tag of [offsets, sizes]) {
    const found = directory.count(tag);
    if (found === count) continue;
    const what = isTiled ? "tiles" : "strips";
    const expected = `${count}, for ${columns} × ${rows} cells in ${what} of ${width} × ${height}`;
    throw fileDamagedError(`places of ${found} ${what}`, expected, place);
  }
  const places = createPlaceReader(directory, offsets, sizes, count);
  await checkBlockPlaces(file.size, places, count, directory.offset);

  const readOne = async (index: number, needed: number): Promise<Uint8Array | undefined> => {
    const { from, starts, lengths } = await places(index);
    const [offset, size] = [starts[index - from]!, lengths[index - from]!];
    if (offset === 0 && size === 0) return undefined;
    const packed = await readFilePiece(file, offset, size, "a block of cells");
    return unpackBlock(codec, packed, rowBytes * needed, rowBytes * height, offset);
  };
  const layout = { type, littleEndian, predictor, samples, width };
  const decodeValues = (bytes: Uint8Array, wanted: readonly number[]): Samples[] => {
    try {
      return readBandSamples(bytes, { ...layout, wanted });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw unsupportedRasterError(
        error.message,
        "whole numbers within ±9007199254740991",
        name,
        "-ot Float64",
      );
    }
  };
  return {
    columns,
    rows,
    bands,
    type,
    alphaBands: await readAlphaBands(directory, bands),
    blocks: { isTiled, columns: width, rows: height, across, down },
    async readBlock(column, row, wanted) {
      const inImage = Math.min(height, rows - row * height);
      const index = row * across + column;
      if (isChunky) {
        const bytes = await readOne(index, inImage);
        return bytes && decodeValues(bytes, wanted);
      }
      const answer: Samples[] = [];
      for (const band of wanted) {
        const bytes = await readOne(band * across * down + index, inImage);
        if (bytes === undefined) return undefined;
        answer.push(decodeValues(bytes, [0])[0]!);
      }
      return answer;
    },
  };
}

/** Where neighbouring blocks lie in the file. */
interface Places {
  /** Number of the first of them. */
  readonly from: number;
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

const PLACES_AT_ONCE = 1 << 13;

/** Where the block of a number and some before and after it lie. */
function createPlaceReader(
  directory: Directory,
  offsets: number,
  sizes: number,
  count: number,
): (index: number) => Promise<Places> {
  let cached: Places | undefined;
  return async (index) => {
    if (cached !== undefined && index >= cached.from && index < cached.from + cached.starts.length)
      return cached;
    const from = index - (index % PLACES_AT_ONCE);
    const length = Math.min(PLACES_AT_ONCE, count - from);
    const starts = await directory.numbers(offsets, from, length);
    cached = { from, starts, lengths: await directory.numbers(sizes, from, length) };
    return cached;
  };
}

/** Blocks lie in the file, and not upon each other: so what a file unpacks to has to be paid for in its bytes. */
async function checkBlockPlaces(
  fileSize: number,
  places: (index: number) => Promise<Places>,
  count: number,
  byte: number,
): Promise<void> {
  let total = 0;
  for (let from = 0; from < count; from += PLACES_AT_ONCE) {
    const { starts, lengths } = await places(from);
    for (const [i, start] of starts.entries()) {
      const size = lengths[i]!;
      total += size;
      if (start + size <= fileSize) continue;
      const found = `block ${from + i} in bytes ${start} to ${start + size}`;
      throw fileDamagedError(found, `it within the file's ${fileSize} bytes`, { byte });
    }
    if (total > fileSize) {
      throw fileDamagedError("blocks that lie upon each other", `at most the file's ${fileSize} bytes`, {
        byte,
      });
    }
  }
}

async function readSampleType(directory: Directory, bands: number, name: string): Promise<SampleType> {
  const bits = await directory.numbers(TAG.BITS, 0, Math.min(bands, directory.count(TAG.BITS)));
  const formats = await directory.numbers(
    TAG.SAMPLE_FORMAT,
    0,
    Math.min(bands, directory.count(TAG.SAMPLE_FORMAT)),
  );
  const [size = 1] = bits;
  const [format = 1] = formats;
  const kind = format === 2 ? "int" : format === 3 ? "float" : "uint";
  const isRead =
    bits.every((each) => each === size) &&
    formats.every((each) => each === format) &&
    [1, 2, 3, 4].includes(format) &&
    (kind === "float"
      ? [16, 32, 64].includes(size)
      : [8, 16, 32, 64].includes(size) || (kind === "uint" && [1, 2, 4].includes(size)));
  if (isRead) return { kind, bits: size };
  const isComplex = format === 5 || format === 6;
  const found = bits.every((each) => each === size)
    ? `values of ${size} bits (${isComplex ? "complex" : kind})`
    : "bands of several types";
  const expected = "whole numbers of 1, 2, 4, 8, 16, 32 or 64 bits, or floats of 16, 32 or 64";
  throw unsupportedRasterError(
    found,
    expected,
    name,
    isComplex ? "-ot Float64" : selectWiderTypeOptions(kind, size),
  );
}

/** Options of GDAL that keep all values of a type that is not read; it would keep their width too. */
function selectWiderTypeOptions(kind: SampleType["kind"], bits: number): string {
  if (kind === "float") return "-ot Float32 -co NBITS=32";
  if (kind === "int") return "-ot Int32 -co NBITS=32";
  const [type, width] = bits <= 8 ? ["Byte", 8] : bits <= 16 ? ["UInt16", 16] : ["UInt32", 32];
  return `-ot ${type} -co NBITS=${width}`;
}

/** The highest photometric interpretation whose values are no encoded colours. */
const CMYK = 5;
const ASSOCIATED_ALPHA = 1;
const UNASSOCIATED_ALPHA = 2;

/** Bands that are transparency by the tag of extra samples, which names the last ones. */
async function readAlphaBands(directory: Directory, bands: number): Promise<readonly number[]> {
  const count = Math.min(bands, directory.count(TAG.EXTRA_SAMPLES));
  const extra = await directory.numbers(TAG.EXTRA_SAMPLES, 0, count);
  return extra.flatMap((kind, i) =>
    kind === ASSOCIATED_ALPHA || kind === UNASSOCIATED_ALPHA ? [bands - extra.length + i] : [],
  );
}

function blockTooLargeError(isTiled: boolean, bytes: number, name: string): FormatError {
  const found = `${isTiled ? "a tile" : "a strip"} of ${bytes} bytes unpacked`;
  const mend = `cut it into tiles: ${gdalTranslate(name, "-co TILED=YES")}`;
  const limit = MOST_BLOCK_BYTES;
  return createFormatError("UNPACKED_TOO_LARGE", found, `at most ${limit}`, { limit, mend });
}
