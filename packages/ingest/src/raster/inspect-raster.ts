import type { LocalFile } from "@groundrule/formats";
import { type GeoTiff, openGeoTiff } from "@groundrule/formats/geotiff";
import { bandOf, Layer } from "./granule.ts";
import { MOST_COUNTED, runEnd, ValueCounts } from "./value-table.ts";

/** A value that occurs in a raster. */
export interface RasterValue {
  /** As the cells hold it. */
  readonly value: number;
  /** How many do. */
  readonly cells: number;
  /** What the file says that it is: no value. Else this is for people to say. */
  readonly is?: "nodata";
  /** Its colour in the file's palette. */
  readonly color?: string;
}

/** What a GeoTIFF holds. */
export interface RasterContents {
  /** Cells of a row. */
  readonly columns: number;
  /** Rows of cells. */
  readonly rows: number;
  /** Values of a cell. */
  readonly bands: number;
  /** E.g. `uint8`. */
  readonly type: string;
  /** Where its cells lie, as its tags say. */
  readonly place: GeoTiff["place"];
  /** Its nodata tag. */
  readonly nodata?: string;
  /** Whether it has a mask inside. */
  readonly mask: boolean;
  /** Ascending; at most 65,536 different ones. */
  readonly values: readonly RasterValue[];
}

/**
 * Lists the values that occur in a GeoTIFF.
 *
 * @param band from 1
 * @param onProgress called with the share of its rows that are read
 *
 * Fails: `FormatError`; `BAND_UNKNOWN`.
 */
export async function inspectRaster(
  file: LocalFile,
  band: number,
  onProgress: (share: number) => void = () => undefined,
): Promise<RasterContents> {
  const tiff = await openGeoTiff(file, { isGeographic: true });
  const { image, nodata, palette } = tiff;
  const { columns, rows, type } = image;
  const isSmall = type.kind !== "float" && type.bits <= 16;
  const least = type.kind === "int" ? -(2 ** (type.bits - 1)) : 0;
  const codes = isSmall ? new Int32Array(2 ** Math.max(8, type.bits)) : undefined;
  const counts = new ValueCounts({ codes, least });
  const tag = nodata === undefined || nodata === "" ? undefined : Number(nodata);
  const layer = new Layer(image, bandOf(tiff, band), file.name);
  const to = { column: columns, row: rows };
  await layer.forBlocks(
    { column: 0, row: 0 },
    to,
    () => true,
    ({ samples, column, row, endColumn, endRow, width }) => {
      for (let r = 0; r < endRow - row; r++) {
        const end = r * width + endColumn - column;
        for (let i = r * width; i < end; ) {
          const next = samples === undefined ? end : runEnd(samples, i, end);
          counts.add(samples === undefined ? (tag ?? 0) : samples[i]!, next - i);
          i = next;
        }
      }
      onProgress(endRow / rows);
    },
  );
  const values = counts
    .entries()
    .slice(0, MOST_COUNTED)
    .map(([value, cells]): RasterValue => {
      const isNodata = tag !== undefined && (value === tag || (Number.isNaN(value) && Number.isNaN(tag)));
      const color = palette?.[value];
      return { value, cells, ...(isNodata && { is: "nodata" }), ...(color !== undefined && { color }) };
    });
  return {
    columns,
    rows,
    bands: image.bands,
    type: `${type.kind}${type.bits}`,
    place: tiff.place,
    ...(nodata !== undefined && { nodata }),
    mask: tiff.mask !== undefined,
    values,
  };
}

/** The table of values as CSV, to be filled in: `is` of 0 is left open, for nobody but its publisher knows. */
export function valuesCsv({ values }: RasterContents): string {
  const lines = values.map(({ value, cells, is, color = "" }) =>
    [value, is ?? (value === 0 ? "" : "area"), value, "", color, cells].join(","),
  );
  return ["value,is,id,name,color,cells", ...lines].join("\n");
}
