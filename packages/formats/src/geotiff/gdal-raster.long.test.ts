import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAllCells } from "../../test/all-cells.ts";
import { GdalOracle, hasRasterio } from "../../test/gdal-oracle.ts";
import { encodeTiff, type TiffContent } from "../../test/write-tiff.ts";
import type { FormatError } from "../format-error.ts";
import { openLocalFile } from "../host/node/files.ts";
import { openGeoTiff, openMaskFile } from "./open-geotiff.ts";

if (!hasRasterio) console.warn("Not compared with GDAL: python3 has no rasterio (pip install rasterio).");

let oracle: GdalOracle;
let dir: string;
let input: string;
beforeAll(async () => {
  if (!hasRasterio) return;
  oracle = new GdalOracle(tmpdir());
  await oracle.start();
});
afterAll(() => oracle?.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "groundrule-gdal-"));
  input = join(dir, "in.tif");
});
afterEach(() => rmSync(dir, { recursive: true }));

const COLUMNS = 701;
const ROWS = 433;
const values = Array.from({ length: COLUMNS * ROWS }, (_, i) => {
  const [c, r] = [i % COLUMNS, Math.floor(i / COLUMNS)];
  return r % 50 < 20 ? (c >> 5) % 14 : Math.imul(c * 31 + r * 17, 2654435761) >>> 28;
});
const write = (more: Partial<TiffContent> = {}) =>
  writeFileSync(input, encodeTiff({ columns: COLUMNS, rows: ROWS, values, ...more }));
/** Runs a program of GDAL; its last two words are files in the test's folder. */
const gdal = async (...args: string[]) => {
  const [from, to] = args.splice(-2).map((path) => (path.startsWith("/") ? path : join(dir, path)));
  expect(await oracle.run([...args, from!, to!].join(" "))).toBeUndefined();
};

describe.skipIf(!hasRasterio)("a raster that GDAL wrote", () => {
  const codecs = ["NONE", "LZW", "DEFLATE", "ZSTD", "PACKBITS"];
  const options = [
    [],
    ["-co", "TILED=YES"],
    ["-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=32", "-co", "BIGTIFF=YES"],
    ["-co", "ENDIANNESS=BIG", "-ot", "Int16"],
    ["-ot", "Float32"],
    ["-co", "NBITS=4"],
    ["-co", "BLOCKYSIZE=433", "-ot", "UInt32"],
  ];
  it.each(codecs)(
    "with COMPRESS=%s has its cells, however it is cut and whatever type it has",
    async (codec) => {
      write();
      for (const [i, each] of options.entries()) {
        for (const predictor of ["LZW", "DEFLATE", "ZSTD"].includes(codec) && i !== 5 ? [1, 2, 3] : [1]) {
          if (predictor === 3 && i !== 4) continue;
          if (predictor === 2 && i === 4) continue;
          const path = join(dir, `${codec}-${i}-${predictor}.tif`);
          const predicted = predictor === 1 ? [] : ["-co", `PREDICTOR=${predictor}`];
          await gdal("gdal_translate", ...each, ...predicted, "-co", `COMPRESS=${codec}`, input, path);
          const file = await openLocalFile(path);
          expect(await readAllCells((await openGeoTiff(file)).image)).toEqual(values);
          await file.close();
        }
      }
    },
  );

  it("as a COG has its cells, beside its overviews and its mask", async () => {
    write({ nodata: "3" });
    await gdal(
      "gdal_translate",
      "-of",
      "COG",
      "-co",
      "COMPRESS=ZSTD",
      "-co",
      "BLOCKSIZE=128",
      "-mask",
      "1",
      input,
      "cog.tif",
    );
    const file = await openLocalFile(join(dir, "cog.tif"));
    const { image, mask } = await openGeoTiff(file);
    expect(await readAllCells(image)).toEqual(values);
    const shown = (await readAllCells(mask!)).map((value) => value !== 0);
    expect(shown).toEqual(values.map((value) => value !== 0));
    await file.close();
  });

  it("with its mask beside it has that", async () => {
    write();
    await gdal("gdal_translate", "-mask", "1", "--config", "GDAL_TIFF_INTERNAL_MASK", "NO", input, "out.tif");
    const file = await openLocalFile(join(dir, "out.tif.msk"));
    const shown = (await readAllCells(await openMaskFile(file))).map((value) => value !== 0);
    expect(shown).toEqual(values.map((value) => value !== 0));
    await file.close();
  });

  it.each<[string, Partial<TiffContent>]>([
    [
      "projected",
      {
        geoKeys: { 1024: 1, 1025: 1, 3072: 31982, 3076: 9001 },
        corner: [500_000, 8_000_000],
        step: [30, 30],
      },
    ],
    ["of another datum", { geoKeys: { 1024: 2, 1025: 1, 2048: 4674, 2054: 9102 } }],
    ["of points", { geoKeys: { 1024: 2, 1025: 2, 2048: 4326, 2054: 9102 } }],
    [
      "rotated",
      {
        tags: {
          34264: [12, [0.01, 0.001, 0, 10, 0.001, -0.01, 0, 50, 0, 0, 0, 0, 0, 0, 0, 1]],
          33550: null,
          33922: null,
        },
      },
    ],
    [
      "in one strip that is too large",
      { columns: 9000, rows: 8000, values: new Uint8Array(72_000_000), stripRows: 8000, codec: "deflate" },
    ],
  ])("%s is opened after the line of its refusal was run", async (_, more) => {
    // biome-ignore format: a table
    write(more);
    const file = await openLocalFile(input, "in.tif");
    const error = await openGeoTiff(file).catch((thrown: FormatError) => thrown);
    await file.close();
    const [line] = /gdal(?:warp|_translate) .*$/.exec((error as FormatError).message)!;
    const words = line.split(" ");
    await gdal(...words);
    const mended = await openLocalFile(join(dir, words.at(-1)!));
    const { image } = await openGeoTiff(mended);
    expect(image.columns).toBeGreaterThan(600);
    await mended.close();
  });
});
