import { createFormatError, FormatError, fileDamagedError } from "../format-error.ts";
import type { Directory } from "./directory.ts";
import { gdalTranslate, gdalWarp } from "./gdal-line.ts";
import { TAG } from "./tags.ts";

/** Places of the cells of a raster, in degrees of WGS 84, according to its tags. */
export interface RasterPlace {
  /** The line west of its first column. */
  readonly west: number;
  /** The line north of its first row. */
  readonly north: number;
  /** Degrees from column to column, above 0. */
  readonly columnStep: number;
  /** Degrees from row to row, above 0. */
  readonly rowStep: number;
}

/** Keys of GeoTIFF 1.1. */
const KEY = {
  MODEL_TYPE: 1024,
  RASTER_TYPE: 1025,
  GEODETIC: 2048,
  DATUM: 2050,
  UNITS: 2054,
  PROJECTED: 3072,
};
const PROJECTED = 1;
const GEOGRAPHIC = 2;
const PIXEL_IS_POINT = 2;
const USER_DEFINED = 32767;
const WGS84_DATUM = 6326;
const DEGREES = 9102;

/**
 * Where the cells of an image lie.
 *
 * @param isGeographic whether its CRS is known to be longitude and latitude on WGS 84 where the file names none
 *
 * Fails: `CRS_UNSUPPORTED` for a projected raster, one of another datum, and one without a CRS; `PLACE_UNSUPPORTED` for a
 * rotated one, one that is placed by points, and one whose positions are the middles of its cells (`PixelIsPoint`).
 */
export async function readRasterPlace(
  directory: Directory,
  name: string,
  isGeographic: boolean,
): Promise<RasterPlace> {
  const keys = await readGeoKeys(directory);
  checkGeoKeysCrs(keys, name, isGeographic);
  if (keys.get(KEY.RASTER_TYPE) === PIXEL_IS_POINT) {
    const line = gdalTranslate(name, "-mo AREA_OR_POINT=Area");
    throw placeUnsupportedError(
      "positions of the cells' middles (PixelIsPoint)",
      "of their corners (PixelIsArea)",
      line,
    );
  }
  const scale = await directory.numbers(TAG.PIXEL_SCALE);
  const tie = await directory.numbers(TAG.TIEPOINT);
  const matrix = await directory.numbers(TAG.TRANSFORMATION);
  const [west, north, columnStep, rowStep] =
    matrix.length === 16 ? computeCornerByMatrix(matrix, name) : computeCornerByTiepoint(scale, tie, name);
  const place = { west, north, columnStep, rowStep };
  if (!Object.values(place).every(Number.isFinite) || columnStep <= 0) {
    throw fileDamagedError(`a raster placed by ${JSON.stringify(place)}`, "numbers, and steps above 0", {
      byte: directory.offset,
    });
  }
  if (rowStep <= 0) {
    throw placeUnsupportedError("rows that go from south to north", "from north to south", gdalWarp(name));
  }
  return place;
}

type Corner = [west: number, north: number, columnStep: number, rowStep: number];

function computeCornerByMatrix(matrix: readonly number[], name: string): Corner {
  const [a = 0, b = 0, , west = 0, d = 0, e = 0, , north = 0] = matrix;
  if (b !== 0 || d !== 0)
    throw placeUnsupportedError("a rotated raster", "rows along parallels", gdalWarp(name));
  return [west, north, a, -e];
}

function computeCornerByTiepoint(scale: readonly number[], tie: readonly number[], name: string): Corner {
  if (scale.length < 2 || tie.length !== 6) {
    const found =
      tie.length > 6
        ? `a raster placed by ${Math.floor(tie.length / 6)} points`
        : "a TIFF image without a place on the earth";
    throw placeUnsupportedError(found, "one corner and the size of a cell", gdalWarp(name));
  }
  const [columnStep = 0, rowStep = 0] = scale;
  const [column = 0, row = 0, , x = 0, y = 0] = tie;
  return [x - column * columnStep, y + row * rowStep, columnStep, rowStep];
}

/** Most keys of a directory; files have ten. */
const MOST_KEYS = 1024;

/** The keys whose values are whole numbers. */
async function readGeoKeys(directory: Directory): Promise<ReadonlyMap<number, number>> {
  const length = Math.min(directory.count(TAG.GEO_KEYS), 4 * MOST_KEYS);
  const [, , , count = 0, ...entries] = await directory.numbers(TAG.GEO_KEYS, 0, length);
  const keys = new Map<number, number>();
  for (let i = 0; i < count && 4 * i + 3 < entries.length; i++) {
    const [key, location, , value] = entries.slice(4 * i, 4 * i + 4);
    if (location === 0) keys.set(key!, value!);
  }
  return keys;
}

function checkGeoKeysCrs(keys: ReadonlyMap<number, number>, name: string, isGeographic: boolean): void {
  const model = keys.get(KEY.MODEL_TYPE);
  const refuse = (found: string, mend: string): never => {
    const expected = "longitude and latitude on WGS 84 (EPSG:4326)";
    const message = `found ${found}, expected ${expected}: cells are stored as they were published; ${mend}`;
    throw new FormatError("CRS_UNSUPPORTED", message, { found, expected });
  };
  const bring = `to bring it there, each cell taking the nearest value: ${gdalWarp(name)}`;
  if (model === undefined || model === USER_DEFINED) {
    if (model === undefined && isGeographic) return;
    refuse("a raster that names no CRS", `say in the manifest "crs": "EPSG:4326" if that is what it has`);
  }
  const code = (key: number) => {
    const value = keys.get(key);
    return value === undefined || value === USER_DEFINED ? "that is none of EPSG's" : `EPSG:${value}`;
  };
  if (model === PROJECTED) refuse(`a projected raster, CRS ${code(KEY.PROJECTED)}`, bring);
  if (model !== GEOGRAPHIC) refuse(`a raster whose model is ${model}`, bring);
  const geodetic = keys.get(KEY.GEODETIC);
  const isWgs84 = geodetic === 4326 || (geodetic === USER_DEFINED && keys.get(KEY.DATUM) === WGS84_DATUM);
  const units = keys.get(KEY.UNITS) ?? DEGREES;
  if (!isWgs84 || units !== DEGREES) refuse(`a raster in the CRS ${code(KEY.GEODETIC)}`, bring);
}

function placeUnsupportedError(found: string, expected: string, line: string): FormatError {
  return createFormatError("PLACE_UNSUPPORTED", found, expected, { mend: `write it anew: ${line}` });
}
