import { FormatError } from "../format-error.ts";

/**
 * The error of a format that GDAL reads and this package does not: with the line that converts it.
 *
 * @param input what `ogr2ogr` is to open, as typed in a shell: a path, or one within an archive
 */
export function unsupportedFormatError(name: string, input: string): FormatError {
  const expected = "a format that is read";
  const message = `found ${name}, which is not read; convert it: ${formatOgr2ogrCommand("GPKG", "gpkg", input)}`;
  return new FormatError("FORMAT_UNSUPPORTED", message, { found: name, expected });
}

/** The error of a layer that was named of a file whose format has none. */
export function noLayersError(format: string, wanted: string): FormatError {
  const message = `found no layers in ${format}, expected "${wanted}"`;
  return new FormatError("LAYER_UNKNOWN", message, { found: "no layers", expected: wanted, layers: [] });
}

/**
 * The error of a spreadsheet that is not read.
 *
 * @param found what it is, for people
 */
export function spreadsheetUnsupportedError(found: string): FormatError {
  const expected = "an .xlsx workbook or CSV";
  const message = `found ${found}, which is not read; open it in a spreadsheet and save it as .xlsx or CSV`;
  return new FormatError("FORMAT_UNSUPPORTED", message, { found, expected });
}

/** The error of what LibreOffice writes. */
export function openDocumentUnsupportedError(): FormatError {
  return spreadsheetUnsupportedError("an OpenDocument spreadsheet (LibreOffice, .ods)");
}

function formatOgr2ogrCommand(driver: string, ending: string, input: string): string {
  return `ogr2ogr -f ${driver} ${quoteShellWord(`${toStem(input)}.${ending}`)} ${quoteShellWord(input)}`;
}

/** A file in a zip archive, as GDAL opens it. */
export function formatZipEntryPath(archive: string, entry: string): string {
  return `/vsizip/${archive}/${entry}`;
}

/** Name of a file without folders and endings. */
export function toStem(path: string): string {
  const name = path.split("/").findLast((part) => part !== "") ?? path;
  return name.replace(/(?<=.)\.[^.]*$/, "") || "converted";
}

/** A word as a shell takes it. */
export function quoteShellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
