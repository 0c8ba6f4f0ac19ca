import type { CellsManifest } from "@groundrule/engine";
import type { LocalFile } from "@groundrule/formats";
import { findNodata, openGeoTiff } from "@groundrule/formats/geotiff";
import { buildValueTable } from "../manifest/value-table.ts";
import { chooseBand, refuseUndeclaredScale } from "./band.ts";
import { CellCounts } from "./cell-counts.ts";
import type { Placed, Spot } from "./lattice.ts";
import { Layer } from "./layer.ts";
import { createBandMask, listOwnMasks, type Mask } from "./masks.ts";

/** A file of cells, opened; its place on the grid is determined once all are open. */
export interface Granule extends Placed {
  readonly cells: Layer;
  readonly counts: CellCounts;
  /** The nodata tag of the file, in words; undefined where it is not tagged. */
  readonly nodataText: string | undefined;
  /**
   * The value of cells that the file leaves out: its nodata, else 0, as GDAL reads it. Undefined where its tag is a value
   * that no cell can hold: GDAL fills in another one then, which is no nodata.
   */
  readonly absent: number | undefined;
  /** The masks that hide cells: a band of the file, its own masks. */
  readonly masks: readonly Mask[];
}

/** The files that GDAL writes next to an image, where there are such. */
export interface SiblingFiles {
  /** Under its name with `.msk`. */
  readonly mask?: LocalFile | undefined;
  /** Under its name with `.aux.xml`. */
  readonly auxiliary?: LocalFile | undefined;
}

/** A granule or a file of a mask, and where it lies. */
export interface Lying<Of> {
  readonly of: Of;
  readonly spot: Spot;
}

/**
 * Opens a file of cells.
 *
 * @param siblings the files that GDAL wrote next to it
 *
 * Fails: as `openGeoTiff`; `BAND_UNKNOWN`, `RANGES_MISSING`; `NODATA_UNREPEATED` for an alpha band, `SCALE_UNDECLARED` for a
 * scale, of which the manifest says nothing.
 */
export async function openGranule(
  file: LocalFile,
  cells: CellsManifest,
  isGeographic: boolean,
  siblings: SiblingFiles,
): Promise<Granule> {
  const tiff = await openGeoTiff(file, { isGeographic, auxiliary: siblings.auxiliary });
  const { image, place } = tiff;
  const band = chooseBand(tiff, cells.band);
  const nodata = findNodata(tiff, band);
  refuseUndeclaredScale(tiff, band, cells);
  const table = buildValueTable(cells, image.type, nodata);
  const masks: Mask[] = [];
  if (cells.mask?.band !== undefined) {
    const maskBand = chooseBand(tiff, cells.mask.band);
    refuseUndeclaredScale(tiff, maskBand, cells);
    masks.push(createBandMask(tiff, maskBand, cells.mask.nodata, undefined));
  }
  const own = cells.file_mask === "ignored" ? [] : await listOwnMasks(tiff, band, cells, siblings.mask);
  const isFilled = nodata === undefined || nodata.isNodata(nodata.fill) || cells.nodata_tag === "ignored";
  return {
    name: file.name,
    place,
    columns: image.columns,
    rows: image.rows,
    cells: new Layer(image, band, file.name),
    counts: new CellCounts(table, nodata),
    nodataText: nodata?.text,
    absent: isFilled ? (nodata?.fill ?? 0) : undefined,
    masks: [...masks, ...own],
  };
}
