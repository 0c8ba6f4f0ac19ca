import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { readAllCells } from "../../test/all-cells.ts";
import { expectHostileTiffsRefused } from "../../test/hostile-tiffs.ts";
import { toLocalFile } from "../../test/local-bytes.ts";
import { catchFormatError } from "../../test/reading.ts";
import { encodeTiff, type Tag, type TiffContent } from "../../test/write-tiff.ts";
import { openGeoTiff } from "./open-geotiff.ts";

const COLUMNS = 53;
const ROWS = 41;

/** Patches and noise: long runs and short ones. */
function createPatchyCells(most: number, seed: number, count: number = COLUMNS * ROWS): number[] {
  const random = createSeededRandom(seed);
  let value = 0;
  return Array.from({ length: count }, () => {
    if (random.next() < 0.15) value = random.integer(most + 1);
    return value;
  });
}

const base = { columns: COLUMNS, rows: ROWS, values: createPatchyCells(20, 1) };
const open = (content: Partial<TiffContent>) =>
  openGeoTiff(toLocalFile(encodeTiff({ ...base, ...content }), "cells.tif"));
const refusal = (content: Partial<TiffContent>) => catchFormatError(open(content));

describe("a GeoTIFF", () => {
  const codecs = ["none", "lzw", "deflate", "packbits", "zstd"] as const;
  const shapes: Partial<TiffContent>[] = [
    {},
    { stripRows: 1 },
    { stripRows: 1000 },
    { tile: [16, 16] },
    { tile: [64, 48] },
  ];
  it.each(codecs)("packed with %s gives its cells, in strips and tiles of any size", async (codec) => {
    for (const shape of shapes)
      for (const predictor of codec === "none" || codec === "packbits" ? ([1] as const) : ([1, 2] as const))
        expect(await readAllCells((await open({ ...shape, codec, predictor })).image)).toEqual(base.values);
  });

  it("gives whole numbers of every width, in both orders of bytes, of TIFF and BigTIFF", async () => {
    for (const bits of [1, 2, 4, 8, 16, 32] as const) {
      const values = createPatchyCells(Math.min(2 ** bits - 1, 70_000), bits);
      for (const bigEndian of [false, true])
        for (const big of [false, true])
          for (const predictor of [1, 2] as const) {
            if (bits < 8 && predictor === 2) continue;
            const content = {
              values,
              bits,
              bigEndian,
              big,
              predictor,
              codec: "deflate",
              tile: [16, 16],
            } as const;
            expect(await readAllCells((await open(content)).image)).toEqual(values);
          }
    }
  });

  it("gives negative numbers and floats", async () => {
    for (const bits of [8, 16, 32] as const) {
      const values = createPatchyCells(200, bits).map((value) => value - 100);
      const content = { values, bits, kind: "int", predictor: 2, codec: "lzw" } as const;
      expect(await readAllCells((await open(content)).image)).toEqual(values);
    }
    for (const bits of [32, 64] as const) {
      const values = createPatchyCells(200, bits).map((value) => value / 8 - 3);
      for (const predictor of [1, 2, 3] as const)
        for (const bigEndian of [false, true]) {
          const content = { values, bits, kind: "float", predictor, bigEndian, codec: "zstd" } as const;
          expect(await readAllCells((await open(content)).image)).toEqual(values);
        }
    }
  });

  it("gives whole numbers of 64 bits as far as a double holds them", async () => {
    const values = createPatchyCells(200, 64).map((value) => (value - 100) * 2 ** 44 + value);
    for (const bigEndian of [false, true]) {
      const content = { values, bits: 64, kind: "int", predictor: 2, codec: "deflate", bigEndian } as const;
      expect(await readAllCells((await open(content)).image)).toEqual(values);
    }
    const { image } = await open({
      values: createPatchyCells(9, 3).fill(2 ** 53, 7, 8),
      bits: 64,
      stripRows: 41,
    });
    await expect(image.readBlock(0, 0, [0])).rejects.toMatchObject({
      code: "FORMAT_UNSUPPORTED",
      message: expect.stringContaining("9007199254740992, expected whole numbers within ±9007199254740991"),
    });
  });

  it("gives floats of 16 bits", async () => {
    const halves = [0, 0x8000, 0x3c00, 0xc100, 1, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x03ff];
    const floats = [0, -0, 1, -2.5, 2 ** -24, 65_504, Infinity, -Infinity, Number.NaN, 1023 * 2 ** -24];
    const tiff = await open({ columns: 10, rows: 1, values: halves, bits: 16, tags: { 339: [3, [3]] } });
    expect(await readAllCells(tiff.image)).toEqual(floats);
  });

  it("gives the bands that are alpha, scales and offsets, by its tags", async () => {
    const xml =
      '<GDALMetadata><Item name="SCALE" sample="1" role="scale">0.5</Item><Item role="offset" sample="1">-3</Item>' +
      '<Item name="SCALE" sample="0" role="scale">1</Item><Item name="area">x</Item>' +
      '<Item name="NODATA_VALUES">0 0 0</Item></GDALMetadata>';
    const content = {
      bands: 3,
      values: [...base.values, ...base.values, ...base.values],
      planar: true,
    } as const;
    const tiff = await open({ ...content, tags: { 338: [3, [0, 2]], 42112: [2, xml] } });
    expect([tiff.alphaBands, tiff.hasNodataTuple]).toEqual([[2], true]);
    expect([...tiff.scales]).toEqual([[1, { scale: 0.5, offset: -3 }]]);
    const said = (band: number, what: string) =>
      `<Item name="COLORINTERP" sample="${band}" role="colorinterp">${what}</Item>`;
    const named = await open({
      ...content,
      tags: { 338: [3, [0, 2]], 42112: [2, said(1, "Alpha") + said(2, "Undefined")] },
    });
    expect(named.alphaBands).toEqual([1]);
    const plain = await open(content);
    expect([plain.alphaBands, plain.scales.size, plain.hasNodataTuple]).toEqual([[], 0, false]);
  });

  it("gives each of several bands, together or apart", async () => {
    const second = createPatchyCells(3, 9);
    for (const planar of [false, true]) {
      const tiff = await open({
        values: [...base.values, ...second],
        bands: 2,
        planar,
        predictor: 2,
        codec: "zstd",
        tile: [16, 32],
      });
      expect(await readAllCells(tiff.image, 0)).toEqual(base.values);
      expect(await readAllCells(tiff.image, 1)).toEqual(second);
    }
  });

  it("unpacks strings of LZW up to the longest, over many tables", async () => {
    const values = [...Array<number>(300_000).fill(7), ...createPatchyCells(255, 3, 300_000)];
    const tiff = await open({ columns: 1000, rows: 600, values, codec: "lzw", stripRows: 300 });
    expect(await readAllCells(tiff.image)).toEqual(values);
  });

  it("reports its place, nodata and palette, and passes over its overviews", async () => {
    const tiff = await open({
      corner: [10, 50],
      step: [0.25, 0.5],
      nodata: "255",
      palette: ["#000000", "#0a5000", "#ff8000"],
      overviews: [{ columns: 2, rows: 2, values: [1, 2, 3, 4] }],
    });
    expect(tiff.place).toEqual({ west: 10, north: 50, columnStep: 0.25, rowStep: 0.5 });
    expect(tiff.nodata).toMatchObject({ text: "255", value: 255, fill: 255 });
    expect(tiff.palette?.slice(0, 3)).toEqual(["#000000", "#0a5000", "#ff8000"]);
    expect([tiff.image.columns, tiff.mask]).toEqual([COLUMNS, undefined]);
  });

  it("is placed by a matrix as by a corner", async () => {
    const matrix: Tag = [12, [0.25, 0, 0, 10, 0, -0.5, 0, 50, 0, 0, 0, 0, 0, 0, 0, 1]];
    const tiff = await open({ tags: { 34264: matrix, 33550: null, 33922: null } });
    expect(tiff.place).toEqual({ west: 10, north: 50, columnStep: 0.25, rowStep: 0.5 });
  });

  it("has a mask inside", async () => {
    const mask = createPatchyCells(1, 4);
    const tiff = await open({ mask });
    expect(await readAllCells(tiff.mask!)).toEqual(mask);
  });

  it("leaves out blocks that it does not have", async () => {
    const tiff = await open({ tile: [16, 16], sparse: (block) => block === 1 });
    expect(await tiff.image.readBlock(1, 0, [0])).toBeUndefined();
    expect(await tiff.image.readBlock(0, 0, [0])).toBeDefined();
  });

  it.each<[string, Partial<TiffContent>, string, string]>([
    [
      "projected",
      { geoKeys: { 1024: 1, 1025: 1, 3072: 31982 } },
      "CRS_UNSUPPORTED",
      "gdalwarp -t_srs EPSG:4326 -r near -dstalpha cells.tif cells-wgs84.tif",
    ],
    ["of another datum", { geoKeys: { 1024: 2, 1025: 1, 2048: 4674 } }, "CRS_UNSUPPORTED", "EPSG:4674"],
    ["without a CRS", { geoKeys: {} }, "CRS_UNSUPPORTED", '"crs": "EPSG:4326"'],
    [
      "rotated",
      { tags: { 34264: [12, [0.2, 0.1, 0, 10, 0.1, -0.2, 0, 50, 0, 0, 0, 0, 0, 0, 0, 1]] } },
      "PLACE_UNSUPPORTED",
      "gdalwarp",
    ],
    [
      "placed by points",
      { tags: { 33922: [12, Array<number>(18).fill(1)] } },
      "PLACE_UNSUPPORTED",
      "placed by 3 points",
    ],
    [
      "of points",
      { geoKeys: { 1024: 2, 1025: 2, 2048: 4326 } },
      "PLACE_UNSUPPORTED",
      "gdal_translate -mo AREA_OR_POINT=Area cells.tif cells-converted.tif",
    ],
    ["without a place", { tags: { 33550: null, 33922: null } }, "PLACE_UNSUPPORTED", "without a place"],
    [
      "packed as JPEG",
      { tags: { 259: [3, [7]] } },
      "FORMAT_UNSUPPORTED",
      "gdal_translate -co COMPRESS=DEFLATE -co TILED=YES cells.tif",
    ],
    ["packed as LERC", { tags: { 259: [3, [34887]] } }, "FORMAT_UNSUPPORTED", "LERC"],
    ["of complex numbers", { tags: { 339: [3, [6]] } }, "FORMAT_UNSUPPORTED", "-ot Float64"],
    [
      "of numbers of 12 bits",
      { tags: { 258: [3, [12]] } },
      "FORMAT_UNSUPPORTED",
      "gdal_translate -ot UInt16 -co NBITS=16 cells.tif",
    ],
    [
      "of differences that its codec does not have",
      { tags: { 317: [3, [2]] } },
      "FORMAT_UNSUPPORTED",
      "the predictor 2 for cells packed with none",
    ],
    [
      "of float differences of whole numbers",
      { codec: "lzw", tags: { 317: [3, [3]] } },
      "FILE_DAMAGED",
      "the predictor 3 for values of 8 bits (uint)",
    ],
    ["of colours that are packed", { tags: { 262: [3, [6]] } }, "FORMAT_UNSUPPORTED", "interpretation 6"],
    [
      "of one tile of 8192 × 16384 bits",
      { columns: 8192, rows: 16_384, values: [], bits: 1, tile: [8192, 16_384], sparse: () => true },
      "UNPACKED_TOO_LARGE",
      "a tile of 134217728 bytes",
    ],
    ["of numbers of an unknown form", { tags: { 339: [3, [9]] } }, "FORMAT_UNSUPPORTED", "values of 8 bits"],
    ["of two images", { overviews: [{ ...base, tags: { 254: [4, [0]] } }] }, "LAYER_AMBIGUOUS", "2 images"],
    [
      "in one strip of a hundred million cells",
      { columns: 10_000, rows: 10_000, values: [], stripRows: 10_000, sparse: () => true },
      "UNPACKED_TOO_LARGE",
      "gdal_translate -co TILED=YES cells.tif",
    ],
    ["with a directory that follows itself", {}, "FILE_DAMAGED", "follows itself"],
    [
      "with places of too few strips",
      { stripRows: 8, tags: { 279: [4, [1]] } },
      "FILE_DAMAGED",
      "places of 1 strips",
    ],
    [
      "with a strip beyond its end",
      { stripRows: 41, tags: { 279: [4, [1_000_000]] } },
      "FILE_DAMAGED",
      "block 0 in bytes",
    ],
    [
      "with strips upon each other",
      { stripRows: 1, tags: { 273: [4, Array<number>(41).fill(8)], 279: [4, Array<number>(41).fill(2000)] } },
      "FILE_DAMAGED",
      "upon each other",
    ],
    ["of more than 2²⁴ columns", { tags: { 256: [4, [2 ** 24 + 1]] } }, "FILE_DAMAGED", "columns"],
    ["of no rows", { tags: { 257: [4, [0]] } }, "FILE_DAMAGED", "0 rows"],
  ])("%s is refused, with what mends it", async (name, content, code, words) => {
    // biome-ignore format: a table
    const bytes = encodeTiff({ ...base, ...content });
    if (name === "with a directory that follows itself") {
      const at = bytes.readUInt32LE(4);
      bytes.writeUInt32LE(at, at + 2 + 12 * bytes.readUInt16LE(at));
    }
    const error = await catchFormatError(openGeoTiff(toLocalFile(bytes, "cells.tif")));
    expect(error.code).toBe(code);
    expect(error.message).toContain(words);
    expect(error.details.found).toBeDefined();
    expect(error.details.expected).toBeDefined();
    expect(error.details.place?.entry ?? "cells.tif").toBe("cells.tif");
  });

  it("is refused where a block is no longer than its bytes declare, with its byte", async () => {
    for (const codec of ["none", "lzw", "deflate", "packbits", "zstd"] as const) {
      const bytes = encodeTiff({ ...base, codec, stripRows: 41, tags: { 279: [4, [9]] } });
      const tiff = await openGeoTiff(toLocalFile(bytes, "cells.tif"));
      await expect(tiff.image.readBlock(0, 0, [0])).rejects.toMatchObject({
        code: "FILE_DAMAGED",
        details: { place: { byte: 8 } },
      });
    }
  });

  it("is longitude and latitude without a CRS of its own where that is declared", async () => {
    const bytes = encodeTiff({ ...base, geoKeys: {}, tags: { 34735: null } });
    const tiff = await openGeoTiff(toLocalFile(bytes), { isGeographic: true });
    expect(tiff.place.west).toBe(-71.8);
    expect((await refusal({ geoKeys: {} })).code).toBe("CRS_UNSUPPORTED");
  });

  it("is read or refused within a second and 512 MiB however it is mutated: the first 300 of many", () => {
    expect.hasAssertions();
    expectHostileTiffsRefused(0, 300);
  });
});
