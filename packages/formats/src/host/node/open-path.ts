import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LocalFile } from "../../file/local-file.ts";
import { unsupportedFormatError } from "../../file/unsupported.ts";
import { FormatError, type FormatErrorCode } from "../../format-error.ts";
import { openLocalFile } from "./open-files.ts";

/**
 * Opens a path: a file, a pipe, or the shapefile in a folder.
 *
 * @param path of a file or a folder
 * @param layer of several shapefiles in a folder the one to open, by its name without `.shp`
 *
 * Fails: what the operating system says; of a folder `FORMAT_UNSUPPORTED` (a file geodatabase), `ARCHIVE_INVALID` (no
 * shapefile in it), `LAYER_AMBIGUOUS`, `LAYER_UNKNOWN`.
 */
export async function openPath(path: string, layer?: string): Promise<LocalFile> {
  const isFolder = (await stat(path)).isDirectory();
  return isFolder ? openLocalFile(join(path, await selectShapefile(path, layer))) : openLocalFile(path);
}

async function selectShapefile(folder: string, layer: string | undefined): Promise<string> {
  const names = (await readdir(folder)).sort();
  if (names.some((name) => /\.gdbtable$/i.test(name))) {
    throw unsupportedFormatError("an Esri file geodatabase (FileGDB)", folder);
  }
  const shapefiles = names.filter((name) => /^[^.].*\.shp$/i.test(name));
  const layers = shapefiles.map((name) => name.slice(0, -".shp".length));
  const inside = names.find((name) => /\.gdb$/i.test(name));
  if (shapefiles.length === 0 && inside !== undefined) {
    throw unsupportedFormatError("an Esri file geodatabase (FileGDB)", join(folder, inside));
  }
  const refuse = (code: FormatErrorCode, found: string, expected: string) => {
    const message = `found ${found} in the folder ${folder}, expected ${expected}`;
    return new FormatError(code, message, { found, expected, layers });
  };
  if (shapefiles.length === 0) throw refuse("ARCHIVE_INVALID", "no shapefile", "one, or the name of a file");
  const shown = `${layers.slice(0, 20).join(", ")}${layers.length > 20 ? ", …" : ""}`;
  if (layer === undefined && shapefiles.length === 1) return shapefiles[0]!;
  if (layer === undefined) {
    throw refuse("LAYER_AMBIGUOUS", `${layers.length} shapefiles`, `one, named by --layer: ${shown}`);
  }
  // The first of a list is opened, and the others are found next to it.
  const isListed = layer.includes(",") && !layers.includes(layer.replace(/\.shp$/i, ""));
  const [first] = isListed ? layer.split(",") : [layer];
  const named = layers.indexOf(first!.trim().replace(/\.shp$/i, ""));
  if (named === -1) throw refuse("LAYER_UNKNOWN", `no shapefile "${layer}"`, `one of ${shown}`);
  return shapefiles[named]!;
}
