import type { SourceManifest } from "@groundrule/engine";
import { openSnapshot, type RasterSnapshot, type SnapshotFile } from "@groundrule/engine/build";
import type { LocalFile } from "@groundrule/formats";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { readCells } from "../../engine/test/rasters.ts";
import { toLocalFile } from "../../formats/test/local-bytes.ts";
import { encodeTiff, type TiffContent } from "../../formats/test/write-tiff.ts";

/** Degrees from line to line. */
export const STEP: number = 1 / 4000;

/** A GeoTIFF of part of an endless lattice of 1/4000 degree, as a file. */
export function createTiffFile(
  name: string,
  [column, row]: readonly [number, number],
  [columns, rows]: readonly [number, number],
  valueAt: (column: number, row: number) => number,
  more: Partial<TiffContent> = {},
): LocalFile {
  const values = new Float64Array(columns * rows);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) values[r * columns + c] = valueAt(column + c, row + r);
  const corner = [-72 + column * STEP, 19 - row * STEP] as const;
  return toLocalFile(encodeTiff({ columns, rows, values, corner, step: [STEP, STEP], ...more }), name);
}

/** Losses by year: 1 to 3 are areas, 0 is background, 255 nodata. */
export const LOSSES: SourceManifest = {
  source_name: "test:loss",
  kind: "leaf",
  cells: {
    values: [
      { value: 1, name: "Loss in 2001", color: "#ff0000", properties: { from: "2001-01-01" } },
      { value: 2, name: "Loss in 2002", properties: { from: "2002-01-01" } },
      { value: 3, id: "later", properties: { from: "2003-01-01" } },
    ],
    background: [{ value: 0, name: "No loss found" }],
    nodata: [255],
  },
};

interface ReadRaster {
  readonly snapshot: RasterSnapshot;
  readonly cells: Uint16Array;
}

/** Files can be read once. */
const read = new WeakMap<SnapshotFile, ReadRaster>();

/** The cells of a raster's file: areas by number, else background or nodata. */
export function readRasterCells(file: SnapshotFile): ReadRaster {
  let found = read.get(file);
  if (found === undefined) {
    const snapshot = openSnapshot(joinFileBytes(file)) as RasterSnapshot;
    found = { snapshot, cells: readCells(snapshot.layer) };
    read.set(file, found);
  }
  return found;
}

/** Patches of values 0 to 3 with some nodata, from the place alone. */
export function computeLossValue(column: number, row: number): number {
  const patch = (Math.floor(column / 7) * 2654435761 + Math.floor(row / 5) * 40503) >>> 0;
  if (patch % 11 === 0) return 255;
  return patch % 3 === 0 ? 1 + (patch % 5 > 2 ? patch % 3 : (column + row) % 3) : 0;
}
