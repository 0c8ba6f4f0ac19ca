import { FormatError, refusal } from "../format-error.ts";
import type { OpenTable, ReadOptions } from "../format-reader.ts";
import { openZip, type ZipEntry } from "../zip/open-zip.ts";
import type { LocalFile } from "./local-file.ts";
import { READERS } from "./registry.ts";
import { unsupported, withinZip, workbook } from "./unsupported.ts";

/** Opens an unpacked entry by its content. */
export type OpenEntry = (
  stream: AsyncIterable<Uint8Array>,
  entry: ZipEntry,
  options: ReadOptions,
) => Promise<OpenTable>;

/**
 * Opens the one file of a zip archive that holds features or rows, or the one that `layer` names. Files of formats that
 * hold geometries go before tables and other text beside them.
 *
 * Fails: as `openTable`; `ARCHIVE_INVALID`, `LAYER_AMBIGUOUS`, `LAYER_UNKNOWN`, `FORMAT_UNSUPPORTED` of what is in it.
 */
export async function openZipped(
  file: LocalFile,
  options: ReadOptions,
  openEntry: OpenEntry,
): Promise<OpenTable> {
  const archive = await openZip(file, options);
  const names = archive.entries.map(({ name }) => name);
  const container = containerIn(names);
  if (isWorkbook(names)) throw workbook(file.name);
  if (container !== undefined) throw unsupported(container.name, withinZip(file.name, container.path));
  const { entry, isNamed } = chooseEntry(archive.entries, options.layer, file.name);
  const inner = isNamed ? { ...options, layer: undefined } : options;
  if (!/\.shp$/i.test(entry.name)) return openEntry(archive.open(entry), entry, inner);
  const reader = await READERS.shapefile!();
  return reader.open(file, { ...options, layer: entry.name.replace(/\.shp$/i, "") });
}

/** What an archive is as a whole, where it is no mere collection of files. */
function containerIn(names: readonly string[]): { readonly name: string; readonly path: string } | undefined {
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

const GEOMETRIES = /\.(?:shp|gpkg|fgb|parquet|geoparquet|kml|geojson|geojsonl|geojsons)(?:\.gz)?$/i;
const TABLES = /\.(?:csv|tsv|json|jsonl|ndjson)(?:\.gz)?$/i;
const CONVERTIBLE = /\.(?:gml|tab|mif|dxf|dwg|gpx|e00|osm|pbf|xml)$/i;
const ARCHIVES = /\.(?:zip|kmz)$/i;

function chooseEntry(
  entries: readonly ZipEntry[],
  layer: string | undefined,
  archive: string,
): { readonly entry: ZipEntry; readonly isNamed: boolean } {
  const candidates = [GEOMETRIES, TABLES, CONVERTIBLE, ARCHIVES]
    .map((ending) => entries.filter(({ name }) => ending.test(name)))
    .find((found) => found.length > 0);
  const among = candidates ?? entries;
  const [only] = among;
  if (only === undefined || (candidates === undefined && among.length > 1)) {
    const found = `no file that is read among ${entries.length} (${listed(entries)})`;
    const expected = "an archive with one file of a format that is read";
    throw refusal("ARCHIVE_INVALID", found, expected);
  }
  if (among.length === 1) {
    if (ARCHIVES.test(only.name)) throw nested(only, archive);
    return { entry: only, isNamed: isCalled(only, layer) };
  }
  const layers = among.map(({ name }) => name);
  const called = among.filter((entry) => isCalled(entry, layer));
  if (called.length === 1) return { entry: called[0]!, isNamed: true };
  const main = layer === undefined ? among.filter(({ name }) => name === "doc.kml") : [];
  if (main.length === 1) return { entry: main[0]!, isNamed: true };
  const code = layer === undefined ? "LAYER_AMBIGUOUS" : "LAYER_UNKNOWN";
  const found = layer === undefined ? `${among.length} files` : `no file "${layer}"`;
  const expected = `one, named by --layer: ${listed(among)}`;
  throw new FormatError(code, `found ${found} in the archive, expected ${expected}`, {
    found,
    expected,
    layers,
  });
}

/** Whether a name means an entry: its path, its file name, or either without the ending. */
function isCalled({ name }: ZipEntry, layer: string | undefined): boolean {
  if (layer === undefined) return false;
  const last = name.slice(name.lastIndexOf("/") + 1);
  return [name, last].some((known) => known === layer || known.replace(/\.[^.]+(?:\.gz)?$/i, "") === layer);
}

function listed(entries: readonly ZipEntry[]): string {
  const shown = entries.slice(0, 20).map(({ name }) => name.slice(0, 100));
  return shown.join(", ") + (entries.length > shown.length ? ", …" : "");
}

function nested(entry: ZipEntry, archive: string): FormatError {
  const found = `an archive within the archive ${archive}`;
  const expected = "a file that is packed once; unpack the outer archive";
  return refusal("FORMAT_UNSUPPORTED", found, expected, { place: { entry: entry.name } });
}
