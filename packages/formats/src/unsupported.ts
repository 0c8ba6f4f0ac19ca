import { FormatError, type Place } from "./format-error.ts";

/**
 * The error of a format that GDAL reads and this package does not: with the line that converts it.
 *
 * @param input what `ogr2ogr` is to open, as typed in a shell: a path, or one within an archive
 */
export function unsupported(name: string, input: string, place?: Place): FormatError {
  const found = name;
  const expected = "GeoPackage, Shapefile, FlatGeobuf, GeoParquet, KML, GeoJSON, CSV";
  const line = `ogr2ogr -f GPKG ${shellWord(`${stemOf(input)}.gpkg`)} ${shellWord(input)}`;
  const message = `found ${name}, which is not read; convert it: ${line}`;
  return new FormatError("FORMAT_UNSUPPORTED", message, { place, found, expected });
}

/** A file in a zip archive, as GDAL opens it. */
export function withinZip(archive: string, entry: string): string {
  return `/vsizip/${archive}/${entry}`;
}

/** Name of a file without folders and endings. */
function stemOf(path: string): string {
  const name = path.split("/").findLast((part) => part !== "") ?? path;
  return name.replace(/(?<=.)\.[^.]*$/, "") || "converted";
}

function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
