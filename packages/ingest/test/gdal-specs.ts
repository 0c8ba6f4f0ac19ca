import { createSeededRandom } from "@groundrule/testing/random";
import type { GdalSpec } from "../../formats/test/gdal-oracle.ts";

type Random = ReturnType<typeof createSeededRandom>;

const FLOATS = ["0", "85.25", "30.5", "0.1", "-9999.9", "1e-30", "12345.678", "-32768", "1", "255"];
const WHOLES: Readonly<Record<string, readonly string[]>> = {
  uint8: ["0", "1", "7", "100", "128", "254", "255"],
  int8: ["0", "1", "-1", "-128", "127", "7"],
  uint16: ["0", "1", "255", "256", "10000", "65535"],
  int16: ["0", "1", "-1", "-9999", "-32768", "32767"],
  uint32: ["0", "1", "65536", "2147483648", "4294967295"],
  int32: ["0", "1", "-9999", "65536", "-2147483648", "2147483647"],
  uint64: ["0", "1", "4294967296", "9007199254740991"],
  int64: ["0", "1", "-9999", "-4294967297", "9007199254740991"],
};
const TYPES = [
  ...["uint8", "uint8", "uint8", "int8", "uint16", "uint16", "int16", "int16", "uint32", "int32"],
  ...[
    "uint64",
    "int64",
    "float32",
    "float32",
    "float32",
    "float32",
    "float64",
    "float64",
    "half",
    "complex64",
  ],
  ...["bits", "bits"],
] as const;

/** A raster of random type, layout and meaning, as GDAL's options of creation go. */
export function randomSpec(seed: number, path: string): GdalSpec {
  const random = createSeededRandom(seed);
  const isIt = (share: number) => random.next() < share;
  const one = <T>(list: readonly T[]): T => list[random.integer(list.length)]!;
  const type = one(TYPES);
  const bits = type === "bits" ? one([1, 1, 2, 3, 4, 5, 7, 12]) : undefined;
  const dtype =
    type === "half" ? "float32" : bits === undefined ? type : bits > 8 ? "uint16" : ("uint8" as string);
  const isFloat = dtype.startsWith("float");
  const isWhole = dtype in WHOLES;
  const bands = one([1, 1, 1, 2, 3, 4]);
  const nodata = isWhole || isFloat ? randomNodata(random, type === "half" ? "half" : dtype, bits) : {};
  const pool = createValuePool(random, dtype, bits, nodata.nodata ?? nodata.rawNodata);
  const isTiled = isIt(0.5);
  // Without SPARSE_OK GDAL 3.10 fills in the rest, and misreads a last strip of deflate that it wrote too long.
  const hasWindow = isIt(0.2);
  const planes = one(["PIXEL", "BAND"]);
  const codec = pickCompression(random, type, bits, bands);
  const predictors = isFloat ? [1, 2, 2, 3] : [1, 2];
  const hasPredictor =
    ["LZW", "DEFLATE", "ZSTD"].includes(codec) && bits === undefined && dtype !== "complex64";
  const predictor = hasPredictor ? one(predictors) : 1;
  const hasAlpha = bands > 1 && bits === undefined && dtype !== "complex64" && isIt(0.4);
  const hasPalette = ["uint8", "uint16"].includes(dtype) && bands === 1 && bits === undefined && isIt(0.3);
  const width = one([1, 17, 61, 61, 90, 300]);
  const height = one([1, 13, 53, 53, 70]);
  const blocks = isTiled
    ? { TILED: "YES", BLOCKXSIZE: one([16, 32, 64, 128]), BLOCKYSIZE: one([16, 32, 64]) }
    : isIt(0.6) && { BLOCKYSIZE: one([1, 3, 16, height]) };
  return {
    path,
    dtype,
    width,
    height,
    bands,
    pool,
    seed,
    options: {
      ...(codec !== "NONE" && { COMPRESS: codec }),
      ...(predictor > 1 && { PREDICTOR: predictor }),
      ...blocks,
      INTERLEAVE: planes,
      ...(isIt(0.3) && { ENDIANNESS: "BIG" }),
      ...(isIt(0.25) && { BIGTIFF: "YES" }),
      ...(type === "half" && { NBITS: 16 }),
      ...(bits !== undefined && { NBITS: bits }),
      ...(hasAlpha && { ALPHA: one(["YES", "NON-PREMULTIPLIED", "PREMULTIPLIED"]) }),
      ...(bands === 1 && !hasPalette && isIt(0.05) && { PHOTOMETRIC: "MINISWHITE" }),
      ...((hasWindow || isIt(0.2)) && { SPARSE_OK: "TRUE" }),
    },
    ...nodata,
    ...(isIt(0.2) && { mask: one(["internal", "external"] as const) }),
    ...(hasAlpha && { alpha: bands }),
    ...(hasPalette && {
      palette: Array.from({ length: 256 }, (_, i) => [i, 255 - i, i >> 1, i % 3 === 0 ? 0 : 255]),
    }),
    ...(dtype !== "complex64" && isIt(0.1) && { scale: one([0.5, 0.01, 2]), offset: one([0, -3, 100]) }),
    ...(bands > 1 &&
      isWhole &&
      isIt(0.05) && { tags: { NODATA_VALUES: Array(bands).fill(one(pool)).join(" ") } }),
    ...(hasWindow && { window: [0, 0, one([1, 16, 40]), one([1, 16, 40])] as const }),
    // GDAL 3.10 never ends over overviews of 64-bit whole numbers with a nodata tag.
    ...(width > 16 && height > 16 && !/int64/.test(dtype) && isIt(0.15) && { overviews: [2, 4] }),
    ...(isWhole &&
      !dtype.endsWith("64") &&
      isIt(0.15) && { auxiliary: randomAuxiliary(random, bands, pool) }),
  };
}

/** The text of an `.aux.xml`, whose statements come before those of the image. */
function randomAuxiliary(random: Random, bands: number, pool: readonly string[]): string {
  const one = <T>(list: readonly T[]): T => list[random.integer(list.length)]!;
  const statements = Array.from({ length: bands }, (_, i) => {
    const members = [
      '<Metadata><MDI key="STATISTICS_MEAN">7</MDI></Metadata>',
      ...(random.next() < 0.6 ? [`<NoDataValue>${one([...pool, "-1", "7.5"])}</NoDataValue>`] : []),
      ...(random.next() < 0.2 ? [`<Scale>${one(["1", "2"])}</Scale>`] : []),
      ...(i > 0 && random.next() < 0.3 ? ["<ColorInterp>Alpha</ColorInterp>"] : []),
    ];
    return `<PAMRasterBand band="${i + 1}">${members.join("")}</PAMRasterBand>`;
  });
  return `<PAMDataset>${statements.join("")}</PAMDataset>`;
}

function randomNodata(
  random: Random,
  dtype: string,
  bits: number | undefined,
): Pick<GdalSpec, "nodata" | "rawNodata"> {
  const one = <T>(list: readonly T[]): T => list[random.integer(list.length)]!;
  const dice = random.next();
  if (dice < 0.35) return {};
  // A number beyond 16 bits becomes infinite there, a value that nothing can name.
  if (dtype === "half") return { nodata: one(["nan", "inf", "0", "-32768", "1"]) };
  if (dtype.startsWith("float")) {
    const usual = ["-9999.9", "0.1", "nan", "inf", "-inf", "-3.4028234663852886e+38", "0", "-32768", "1"];
    return dice < 0.9
      ? { nodata: one(usual) }
      : { rawNodata: one(["-9999.9", "0.30000001", "1e300", "1e-320"]) };
  }
  if (bits !== undefined) return { nodata: one(["0", "1"]) };
  if (dice > 0.9 && !dtype.endsWith("64"))
    return { rawNodata: one(["-9999.9", "7.5", "256", "-1", "1e20", "nan"]) };
  return { nodata: one(WHOLES[dtype]!) };
}

function createValuePool(
  random: Random,
  dtype: string,
  bits: number | undefined,
  nodata: string | undefined,
): string[] {
  if (bits !== undefined) return Array.from({ length: Math.min(2 ** bits, 9) }, (_, i) => String(i));
  const all = WHOLES[dtype] ?? FLOATS;
  const pool = all.filter((value) => value === "0" || random.next() < 0.7);
  if (WHOLES[dtype] !== undefined || nodata === undefined) return pool;
  // As infinity it would be a value that nothing can name.
  if (nodata === "1e300") return dtype === "float64" ? [...pool, nodata] : pool;
  const near = Number(nodata.replace("inf", "Infinity"));
  // Neighbours of the tag, of which GDAL takes the nearest for it.
  const step = dtype === "float64" && random.next() < 0.5 ? 1e-8 : 2 ** -23;
  const isSmall = Math.abs(near) < 1e6 && near !== 0;
  const neighbours = isSmall ? [1, 3, 4, 5, 9, -2, -5].map((k) => String(near * (1 + k * step))) : [];
  return [...pool, nodata, ...neighbours.filter(() => random.next() < 0.5)];
}

function pickCompression(random: Random, type: string, bits: number | undefined, bands: number): string {
  const codecs = ["NONE", "LZW", "LZW", "DEFLATE", "DEFLATE", "ZSTD", "ZSTD", "PACKBITS"];
  if (random.next() < 0.92) return codecs[random.integer(codecs.length)]!;
  if (bits === 1 && bands === 1) return "CCITTFAX4";
  // GDAL 3.10 crashes over LERC of 16-bit floats; LERC has no whole numbers of 64 bits.
  const hasLerc = ["uint8", "uint16", "int16", "uint32", "int32", "float32", "float64"].includes(type);
  if (!hasLerc) return "LZMA";
  const others = ["LZMA", "LERC", "LERC_ZSTD", ...(type === "uint8" && bands !== 2 ? ["JPEG"] : [])];
  return others[random.integer(others.length)]!;
}
