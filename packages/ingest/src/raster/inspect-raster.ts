import type { LocalFile } from "@groundrule/formats";
import { type BandScale, findNodata, type GeoTiff, openGeoTiff } from "@groundrule/formats/geotiff";
import { findRunEnd } from "../manifest/value-table.ts";
import { chooseBand } from "./band.ts";
import { ValueCounts } from "./cell-counts.ts";
import { Layer } from "./layer.ts";

/** A value that occurs in a raster. */
export interface RasterValue {
  /** As the cells hold it. */
  readonly value: number;
  /** How many do. */
  readonly cells: number;
  /** Meaning that the file states for the value: no data. Otherwise the meaning is for people to state. */
  readonly is?: "nodata";
  /** Its colour in the file's palette. */
  readonly color?: string;
}

/** Content of a GeoTIFF. */
export interface RasterContents {
  /** Cells of a row. */
  readonly columns: number;
  /** Rows of cells. */
  readonly rows: number;
  /** Values of a cell. */
  readonly bands: number;
  /** E.g. `uint8`. */
  readonly type: string;
  /** Places of its cells, according to its tags. */
  readonly place: GeoTiff["place"];
  /** Its nodata tag. */
  readonly nodata?: string;
  /** True if it has a mask inside. */
  readonly mask: boolean;
  /** Numbers of its bands that are transparency, from 1; absent where none is. */
  readonly alpha?: readonly number[];
  /** The scale and offset that the file states for the band; `values` are those stored. */
  readonly scale?: BandScale;
  /** Ascending; at most 65,536 different ones, and those of the tag and of no number. */
  readonly values: readonly RasterValue[];
  /** Cells of values that are not listed, where there are more different ones. */
  readonly unlisted?: number;
}

/**
 * Lists the values that occur in a GeoTIFF.
 *
 * @param band from 1
 * @param onProgress called with the share of its rows that are read
 * @param auxiliary GDAL's `.aux.xml` beside it, where there is one
 *
 * Fails: `FormatError`; `BAND_UNKNOWN`.
 */
export async function inspectRaster(
  file: LocalFile,
  band: number,
  onProgress: (share: number) => void = () => undefined,
  auxiliary?: LocalFile,
): Promise<RasterContents> {
  const tiff = await openGeoTiff(file, { isGeographic: true, auxiliary });
  const { image, palette, alphaBands } = tiff;
  const { columns, rows, type } = image;
  const index = chooseBand(tiff, band);
  const nodata = findNodata(tiff, index);
  const counts = new ValueCounts(type, nodata);
  const scale = tiff.scales.get(index);
  const layer = new Layer(image, index, file.name);
  const to = { column: columns, row: rows };
  await layer.forBlocks({ column: 0, row: 0 }, to, ({ samples, column, row, endColumn, endRow, width }) => {
    for (let r = 0; r < endRow - row; r++) {
      const end = r * width + endColumn - column;
      for (let i = r * width; i < end; ) {
        const next = samples === undefined ? end : findRunEnd(samples, i, end);
        counts.add(samples === undefined ? (nodata?.fill ?? 0) : samples[i]!, next - i);
        i = next;
      }
    }
    onProgress(endRow / rows);
  });
  const values = counts.entries().map(([value, cells]): RasterValue => {
    const color = palette?.[value];
    const isNodata = nodata?.isNodata(value) === true;
    return { value, cells, ...(isNodata && { is: "nodata" }), ...(color !== undefined && { color }) };
  });
  return {
    columns,
    rows,
    bands: image.bands,
    type: `${type.kind}${type.bits}`,
    place: tiff.place,
    ...(nodata !== undefined && { nodata: nodata.text }),
    mask: tiff.mask !== undefined,
    ...(alphaBands.length > 0 && { alpha: alphaBands.map((each) => each + 1) }),
    ...(scale !== undefined && { scale }),
    values,
    ...(counts.unlisted > 0 && { unlisted: counts.unlisted }),
  };
}

/**
 * The table of values as CSV, to be filled in: `is` of 0 and of no number is left open, for nobody but its publisher knows. A nodata value
 * that no manifest can name is written as `tag`.
 */
export function valuesCsv({ values }: RasterContents): string {
  const lines = values.map(({ value, cells, is, color = "" }) => {
    const isNameable = Math.abs(value) <= Number.MAX_SAFE_INTEGER || Number.isNaN(value);
    const written = is === "nodata" && !isNameable ? "tag" : value;
    return [
      written,
      is ?? (value === 0 || Number.isNaN(value) ? "" : "area"),
      written,
      "",
      color,
      cells,
    ].join(",");
  });
  return ["value,is,id,name,color,cells", ...lines].join("\n");
}
