import type { LocalFile } from "../file/local-file.ts";
import {
  formatZipEntryPath,
  openDocumentUnsupportedError,
  spreadsheetUnsupportedError,
  unsupportedFormatError,
} from "../file/unsupported.ts";
import { createFormatError, FormatError } from "../format-error.ts";
import type { OpenTable, ReadOptions } from "../format-reader.ts";
import { resolveFormatLimits } from "../limits.ts";
import { withFileClosed } from "../table/closing.ts";
import { openZipArchive, type ZipArchive, type ZipEntry } from "../zip/open-zip.ts";
import { unpackEntryToFile } from "../zip/unpack-entry.ts";
import { FORMATS, type Format, loadFileReader } from "./formats.ts";

/** Opens an unpacked entry by its content. */
export type OpenEntry = (
  stream: AsyncIterable<Uint8Array>,
  entry: ZipEntry,
  options: ReadOptions,
) => Promise<OpenTable>;

/**
 * Opens the one file of a zip archive that holds features or rows, or the one that `layer` names. Files of formats that
 * hold geometries go before tables and other text beside them. An archive within the archive is opened too, where it is
 * the only one or is named: `AREA_IMOVEL.zip`, or `AREA_IMOVEL.zip/NAME` for a file of it.
 *
 * Fails: as `openTable`; `ARCHIVE_INVALID`, `LAYER_AMBIGUOUS`, `LAYER_UNKNOWN`, `FORMAT_UNSUPPORTED` of what is in it.
 */
export async function openZippedTable(
  file: LocalFile,
  options: ReadOptions,
  openEntry: OpenEntry,
  isNested = false,
): Promise<OpenTable> {
  const archive = await openZipArchive(file, options);
  const names = archive.entries.map(({ name }) => name);
  const container = findContainerFormat(names);
  if (isWorkbook(names)) return openXlsxTable(file, names, options);
  if (names.includes("content.xml") && names.includes("mimetype")) throw openDocumentUnsupportedError();
  if (container !== undefined)
    throw unsupportedFormatError(container.name, formatZipEntryPath(file.name, container.path));
  const csv = archive.entries.filter(({ name }) => /\.(?:csv|tsv)$/i.test(name));
  if (csv.length > 1 && !names.some((name) => GEOMETRIES.test(name))) {
    const { openCsvGroup } = await import("./csv-group.ts");
    const group = await openCsvGroup(archive, csv, options, isCalled);
    if (group !== undefined) return group;
  }
  const { entry, isNamed, rest } = selectArchiveEntry(archive.entries, options.layer, file.name, isNested);
  const inner = isNamed ? { ...options, layer: rest } : options;
  if (ARCHIVES.test(entry.name)) return openNestedArchive(archive, entry, inner, openEntry);
  if (!/\.shp$/i.test(entry.name)) return openEntry(archive.open(entry), entry, inner);
  const reader = await loadFileReader("shapefile");
  return reader.open(file, { ...options, layer: entry.name.replace(/\.shp$/i, "") });
}

/** An archive within the archive: one level deep. */
async function openNestedArchive(
  archive: ZipArchive,
  entry: ZipEntry,
  options: ReadOptions,
  openEntry: OpenEntry,
): Promise<OpenTable> {
  const scratch = await unpackEntryToFile(archive, entry, resolveFormatLimits(options).unpackedBytes);
  try {
    return withFileClosed(await openZippedTable(scratch, options, openEntry, true), scratch);
  } catch (error) {
    await scratch.close();
    throw error;
  }
}

/** Container format of an archive, if it is more than a collection of files. */
function findContainerFormat(
  names: readonly string[],
): { readonly name: string; readonly path: string } | undefined {
  const geodatabase = names.flatMap((name) => /^(?:.*\/)?[^/]+\.gdb(?=\/)/i.exec(name)?.[0] ?? [])[0];
  if (geodatabase !== undefined) return { name: "an Esri file geodatabase (FileGDB)", path: geodatabase };
  // FileGDB archives are also made of the folder's files alone.
  if (names.some((name) => /(?:^|\/)a0000000\w\.gdbtable$/i.test(name))) {
    return { name: "an Esri file geodatabase (FileGDB)", path: "" };
  }
  return undefined;
}

function isWorkbook(names: readonly string[]): boolean {
  return names.includes("[Content_Types].xml") && names.some((name) => name.startsWith("xl/"));
}

async function openXlsxTable(
  file: LocalFile,
  names: readonly string[],
  options: ReadOptions,
): Promise<OpenTable> {
  const { format = "xlsx" } = options;
  if (names.includes("xl/workbook.bin"))
    throw spreadsheetUnsupportedError("an Excel workbook in binary form (.xlsb)");
  if (format !== "xlsx") {
    throw createFormatError("FORMAT_UNKNOWN", "an Excel workbook", `${format}, the format that was named`);
  }
  const reader = await loadFileReader("xlsx");
  return reader.open(file, options);
}

const GEOMETRIES = compileEndings((holds) => holds === "features");
const TABLES = compileEndings((holds) => holds !== "features");
const CONVERTIBLE = /\.(?:gml|tab|mif|dxf|dwg|e00|osm|pbf|xml)$/i;
/** A workbook is an archive too. */
const ARCHIVES = /\.(?:zip|kmz|xlsx|xlsm)$/i;

function compileEndings(isWanted: (holds: Format["holds"]) => boolean): RegExp {
  const formats = Object.values(FORMATS).filter(({ holds }) => isWanted(holds));
  return new RegExp(`\\.(?:${formats.flatMap(({ endings }) => endings).join("|")})(?:\\.gz)?$`, "i");
}

function selectArchiveEntry(
  entries: readonly ZipEntry[],
  layer: string | undefined,
  archive: string,
  isNested: boolean,
): { readonly entry: ZipEntry; readonly isNamed: boolean; readonly rest?: string } {
  const within = layer === undefined || isNested ? undefined : findNestedArchive(entries, layer);
  if (within !== undefined) return within;
  const candidates = [GEOMETRIES, TABLES, CONVERTIBLE, ARCHIVES]
    .map((ending) => entries.filter(({ name }) => ending.test(name)))
    .find((found) => found.length > 0);
  const among = candidates ?? entries;
  const [only] = among;
  if (only === undefined || (candidates === undefined && among.length > 1)) {
    const found = `no file that is read among ${entries.length} (${formatEntryNames(entries)})`;
    const expected = "an archive with one file of a format that is read";
    throw createFormatError("ARCHIVE_INVALID", found, expected);
  }
  if (among.length === 1) {
    if (ARCHIVES.test(only.name) && isNested) throw nestedArchiveError(only, archive);
    return { entry: only, isNamed: isCalled(only, layer) };
  }
  const layers = among.map(({ name }) => name);
  const called = among.filter((entry) => isCalled(entry, layer));
  if (called.length === 1) return { entry: called[0]!, isNamed: true };
  const main = layer === undefined ? among.filter(({ name }) => name === "doc.kml") : [];
  if (main.length === 1) return { entry: main[0]!, isNamed: true };
  const code = layer === undefined ? "LAYER_AMBIGUOUS" : "LAYER_UNKNOWN";
  const found = layer === undefined ? `${among.length} files` : `no file "${layer}"`;
  const several = among.length > 1 && among.every(({ name }) => /\.shp$/i.test(name));
  const expected = `one, named by --layer${several ? ", or several with commas" : ""}: ${formatEntryNames(among)}`;
  throw new FormatError(code, `found ${found} in the archive, expected ${expected}`, {
    found,
    expected,
    layers,
  });
}

/** The archive that a name means, or that holds what it means. */
function findNestedArchive(
  entries: readonly ZipEntry[],
  layer: string,
): { readonly entry: ZipEntry; readonly isNamed: true; readonly rest?: string } | undefined {
  const archives = entries.filter(({ name }) => ARCHIVES.test(name));
  if (!entries.some((entry) => !archives.includes(entry) && isCalled(entry, layer))) {
    const called = archives.find((entry) => isCalled(entry, layer));
    if (called !== undefined) return { entry: called, isNamed: true };
  }
  const holding = archives.find(({ name }) => layer.startsWith(`${name}/`));
  return holding && { entry: holding, isNamed: true, rest: layer.slice(holding.name.length + 1) };
}

/** True if a name identifies an entry: by its path, its file name, or either without the ending. */
function isCalled({ name }: ZipEntry, layer: string | undefined): boolean {
  if (layer === undefined) return false;
  const last = name.slice(name.lastIndexOf("/") + 1);
  return [name, last].some((known) => known === layer || known.replace(/\.[^.]+(?:\.gz)?$/i, "") === layer);
}

function formatEntryNames(entries: readonly ZipEntry[]): string {
  const shown = entries.slice(0, 20).map(({ name }) => name.slice(0, 100));
  return shown.join(", ") + (entries.length > shown.length ? ", …" : "");
}

function nestedArchiveError(entry: ZipEntry, archive: string): FormatError {
  const found = `an archive within an archive of ${archive}`;
  const expected = "at most one archive within another; unpack the outer archive";
  return createFormatError("FORMAT_UNSUPPORTED", found, expected, { place: { entry: entry.name } });
}
