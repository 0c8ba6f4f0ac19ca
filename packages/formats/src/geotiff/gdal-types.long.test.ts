import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAllCells } from "../../test/all-cells.ts";
import { GdalOracle, hasRasterio } from "../../test/gdal-oracle.ts";
import { openLocalFile } from "../host/node/files.ts";
import { openGeoTiff } from "./open-geotiff.ts";

if (!hasRasterio) console.warn("Not compared with GDAL: python3 has no rasterio (pip install rasterio).");

const FLOATS = ["0", "-0", "85.25", "30.5", "-9999.9", "1e-30", "3.4e38", "nan", "inf", "-inf", "0.1"];
const POOLS: Readonly<Record<string, readonly string[]>> = {
  uint8: ["0", "1", "7", "127", "128", "254", "255"],
  int8: ["0", "1", "-1", "-128", "127"],
  uint16: ["0", "1", "255", "256", "32768", "65535"],
  int16: ["0", "-1", "255", "-32768", "32767"],
  uint32: ["0", "1", "65536", "2147483648", "4294967295"],
  int32: ["0", "-1", "65536", "-2147483648", "2147483647"],
  uint64: ["0", "1", "4294967295", "4294967296", "9007199254740991"],
  int64: ["0", "-1", "4294967296", "-4294967297", "-9007199254740991", "9007199254740991"],
  float32: FLOATS,
  float64: [...FLOATS, "1e300", "-5e-324"],
  half: ["0", "1", "-1.5", "65504", "0.000000059604645", "0.1", "inf", "nan"],
};
const SHAPES: readonly Record<string, number>[] = [
  {},
  { BLOCKYSIZE: 1 },
  { BLOCKYSIZE: 7 },
  { BLOCKYSIZE: 53 },
  { TILED: 1, BLOCKXSIZE: 16, BLOCKYSIZE: 16 },
  { TILED: 1, BLOCKXSIZE: 64, BLOCKYSIZE: 32 },
];

describe.skipIf(!hasRasterio)("a raster that GDAL wrote", () => {
  let folder: string;
  let gdal: GdalOracle;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "groundrule-gdal-"));
    gdal = new GdalOracle(folder);
    await gdal.start();
  });
  afterAll(() => {
    gdal.close();
    rmSync(folder, { recursive: true });
  });

  it.each(Object.keys(POOLS))(
    "of %s has the values that rasterio reads: by codec, predictor, order of bytes, planes and blocks",
    async (type) => {
      let compared = 0;
      const isFloat = type === "half" || type.startsWith("float");
      const codecs = [
        ["NONE", [1]],
        ["PACKBITS", [1]],
        ["LZW", isFloat ? [1, 2, 3] : [1, 2]],
        ["DEFLATE", isFloat ? [1, 2, 3] : [1, 2]],
        ["ZSTD", isFloat ? [2, 3] : [2]],
      ] as const;
      for (const [codec, predictors] of codecs) {
        for (const predictor of predictors) {
          for (const order of ["LITTLE", "BIG"]) {
            for (const [i, shape] of SHAPES.entries()) {
              const bands = i % 3 === 0 ? 1 : 3;
              for (const planes of bands === 1 ? ["PIXEL"] : ["PIXEL", "BAND"]) {
                const path = `${type}.tif`;
                const options = {
                  COMPRESS: codec,
                  ...(predictor > 1 && { PREDICTOR: predictor }),
                  ENDIANNESS: order,
                  INTERLEAVE: planes,
                  ...(type === "half" && { NBITS: 16 }),
                  ...("TILED" in shape ? { ...shape, TILED: "YES" } : shape),
                };
                const error = await gdal.write({
                  path,
                  dtype: type === "half" ? "float32" : type,
                  width: 61,
                  height: 53,
                  bands,
                  pool: POOLS[type]!,
                  seed: compared,
                  options,
                });
                const name = JSON.stringify(options);
                expect(error, name).toBeUndefined();
                const wanted = await gdal.read(path);
                const file = await openLocalFile(join(folder, path));
                const { image } = await openGeoTiff(file);
                for (let band = 0; band < bands; band++) {
                  expect(Float64Array.from(await readAllCells(image, band)), name).toEqual(
                    wanted.values[band],
                  );
                  compared++;
                }
                await file.close();
              }
            }
          }
        }
      }
      expect(compared).toBeGreaterThan(100);
    },
  );
});
