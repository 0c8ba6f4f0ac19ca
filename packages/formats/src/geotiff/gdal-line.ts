import { quoteShellWord, toStem } from "../file/unsupported.ts";
import { createFormatError, type FormatError } from "../format-error.ts";

/** The error of what GDAL reads and this package does not, with the line that converts it. */
export function unsupportedRasterError(
  found: string,
  expected: string,
  name: string,
  options?: string,
): FormatError {
  const line = gdalTranslate(name, options ?? "-co COMPRESS=DEFLATE -co TILED=YES");
  return createFormatError("FORMAT_UNSUPPORTED", found, expected, { mend: `convert it: ${line}` });
}

/**
 * The line that writes a file anew.
 *
 * @param name of the file
 * @param options of `gdal_translate`
 */
export function gdalTranslate(name: string, options: string): string {
  return `gdal_translate ${options} ${quoteShellWord(name)} ${quoteShellWord(`${toStem(name)}-converted.tif`)}`;
}

/**
 * The command that transforms a raster to longitude and latitude without inventing values: cells that no cell of the
 * file reaches are marked by an alpha band, because without it they would be 0.
 *
 * @param name of the file
 * @param options of `gdalwarp`
 */
export function gdalWarp(name: string, options: string = "-t_srs EPSG:4326"): string {
  return `gdalwarp ${options} -r near -dstalpha ${quoteShellWord(name)} ${quoteShellWord(`${toStem(name)}-wgs84.tif`)}`;
}
