import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { crc32 } from "node:zlib";
import { hasBorders } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import type { SourceManifest } from "@groundrule/engine";
import type { SnapshotFile } from "@groundrule/engine/build";
import { isObject } from "@groundrule/engine/internal/json";
import { type LocalFile, openPath } from "@groundrule/formats";
import {
  buildRaster,
  type KeepOptions,
  parseManifest,
  type RasterOptions,
  type RasterReport,
  readValueTable,
} from "@groundrule/ingest";
import { openSpillFile } from "@groundrule/node/internal";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../../command-line/command-line.ts";
import { toReadError } from "../../files/input-file.ts";
import { isTiffFile } from "../../files/tiff-file.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";

/** Options that choose the land of a raster to keep. */
export const KEEP_OPTIONS: readonly OptionSpec[] = [
  defineOption("countries ISO3,…", "rasters: keep the tiles that meet these countries, e.g. BRA,COL"),
  defineOption("bounds W,S,E,N", "rasters: keep the tiles that meet this box, in degrees"),
];

/** Options of a build from GeoTIFF files. */
export const RASTER_OPTIONS: readonly OptionSpec[] = [
  defineOption("values FILE.csv", "rasters: what each value means, as snapshot inspect FILE.tif lists them"),
  defineOption("mask FILE.tif", "rasters: files of the manifest's mask", { multiple: true }),
  defineOption("patches 4|8", "rasters: patches below --min-ha become background; neighbours of a cell"),
  defineOption("min-ha HA", "rasters: hectares of the smallest patch that stays"),
  ...KEEP_OPTIONS,
];

export const RASTER_DETAIL =
  'A raster is built from GeoTIFF files on one grid, in any order. Its values are areas, background or nodata, as --values or "cells" of the manifest says; a value that neither names stops the build.';

/** The manifest's file with the values of `--values`, `--patches` and `--min-ha` for its cells. */
export async function addCellOptions(args: Arguments, base: unknown): Promise<unknown> {
  const path = args.find("values");
  const [neighbours, leastHa] = [args.find("patches"), args.find("min-ha")];
  if ((neighbours === undefined) !== (leastHa === undefined)) {
    throw new UsageError("found one of --patches and --min-ha, expected both, e.g. --patches 8 --min-ha 0.5");
  }
  if (path === undefined && neighbours === undefined) return base;
  const file = isObject(base) ? base : {};
  const before = "cells" in file && isObject(file.cells) ? file.cells : {};
  const patches = neighbours !== undefined && {
    patches: { neighbours: Number(neighbours), min_ha: Number(leastHa) },
  };
  return {
    ...file,
    cells: { ...before, ...(path !== undefined && (await readCellValues(path, file))), ...patches },
  };
}

async function readCellValues(path: string, base: object): Promise<object> {
  const typed = Object.fromEntries(
    Object.entries(base).filter(([member]) => member === "columns" || member === "date_formats"),
  );
  const file = await openLocalFile(path);
  try {
    const types = parseManifest({ source_name: "values", kind: "leaf", ...typed });
    return await readValueTable(file, types);
  } finally {
    await file.close();
  }
}

/** Fails: {@link UsageError} for options of rasters, and for a GeoTIFF without a declared meaning of its values. */
export async function refuseRasterOptions(args: Arguments): Promise<void> {
  const [first, ...others] = args.operands;
  if (first !== undefined && (await isTiffFile(first))) {
    throw new UsageError(
      `found the GeoTIFF ${first} and nothing that says what its values mean; list them with groundrule snapshot inspect, and name the table with --values`,
    );
  }
  const landOption = ["mask", "countries", "bounds"].find((name) => args.find(name) !== undefined);
  if (landOption !== undefined) {
    throw new UsageError(
      `found --${landOption}, which is for rasters; their manifest has "cells", or name a table with --values`,
    );
  }
  if (others.length > 0) throw new UsageError(`found ${1 + others.length} files, expected one`);
}

/**
 * Builds a raster from the files named by operands.
 *
 * @param from opens the polygons of a coverage, with the base folder of the manifest's paths
 */
export async function buildFromTiffs(
  args: Arguments,
  terminal: Terminal,
  manifest: SourceManifest,
  from: { readonly openPolygons: RasterOptions["openPolygons"]; readonly folder: string },
): Promise<{ file: SnapshotFile; report: RasterReport; close: () => void }> {
  if (args.operands.length === 0)
    throw new UsageError("found no file, expected the GeoTIFF files of the raster");
  const keep = readKeepOptions(args);
  const files: LocalFile[] = [];
  const masks: LocalFile[] = [];
  const spill = openSpillFile();
  try {
    for (const path of args.operands) files.push(await openLocalFile(path));
    for (const path of args.all("mask")) masks.push(await openLocalFile(path));
    const built = await buildRaster(files, manifest, {
      sha256: () => createHash("sha256"),
      crc32,
      spill,
      crs: crsTable,
      keep,
      openPolygons: from.openPolygons,
      openFile: (path) => openLocalFile(resolve(from.folder, path)),
      openSibling: openSiblingFile,
      ...(masks.length > 0 && { maskFiles: masks }),
      onProgress: ({ cellsDone, cellsInAll }) => {
        terminal.signal.throwIfAborted();
        terminal.progress(() => {
          const cells = figures.decimal(cellsDone, 0);
          return `${manifest.source_name}: ${cells} cells, ${figures.share(cellsDone / cellsInAll)}`;
        });
      },
    });
    return { ...built, close: () => spill.close() };
  } catch (error) {
    spill.close();
    throw error;
  } finally {
    for (const file of [...files, ...masks]) await file.close();
  }
}

/** The land of a raster to keep; undefined: all. Fails: {@link UsageError}. */
export function readKeepOptions(args: Arguments): KeepOptions | undefined {
  const countries = args
    .find("countries")
    ?.split(",")
    .map((code) => code.trim().toUpperCase());
  const unknown = countries?.find((code) => !hasBorders(code));
  if (unknown !== undefined) {
    throw new UsageError(
      `found "${unknown}" in --countries, expected ISO 3166-1 alpha-3 codes of countries with borders`,
    );
  }
  const box = args.find("bounds");
  const bounds = box?.split(",").map(Number);
  if (bounds !== undefined) {
    const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = bounds;
    const isBox =
      bounds.length === 4 && south < north && west !== east && [west, east].every(Number.isFinite);
    if (!isBox || box?.split(",").some((part) => part.trim() === "")) {
      throw new UsageError(`found --bounds "${box}", expected W,S,E,N in degrees, e.g. -72,17,-68,20`);
    }
    return { bounds: [west, south, east, north], ...(countries && { countries }) };
  }
  return countries && { countries };
}

/** The file that GDAL wrote next to another, with an ending added to its name; undefined if there is none. */
export async function openSiblingFile(file: LocalFile, ending: string): Promise<LocalFile | undefined> {
  const path = `${file.path}${ending}`;
  return existsSync(path) ? openLocalFile(path) : undefined;
}

async function openLocalFile(path: string): Promise<LocalFile> {
  try {
    return await openPath(path);
  } catch (error) {
    throw toReadError(error, path);
  }
}
