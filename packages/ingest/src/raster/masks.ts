import type { CellsManifest } from "@groundrule/engine";
import type { LocalFile } from "@groundrule/formats";
import {
  findNodata,
  type GeoTiff,
  gdalTranslate,
  type NodataTag,
  openGeoTiff,
  openMaskFile,
  type TiffImage,
} from "@groundrule/formats/geotiff";
import { createIngestError, IngestError } from "../ingest-error.ts";
import { createSampleCast } from "../manifest/value-table.ts";
import { chooseBand, refuseUndeclaredScale } from "./band.ts";
import type { Placed } from "./lattice.ts";
import { Layer } from "./layer.ts";

/** Finds the cells of its layer that are hidden. */
export interface Mask {
  readonly layer: Layer;
  /** True if it came with the file, without being named in the manifest. */
  readonly isOwn: boolean;
  /** The value of cells that the file leaves out. */
  readonly absent: number;
  isHidden(value: number): boolean;
}

/** A file of a mask: it hides the cells that it marks as hidden, and those that no such file covers. */
export interface MaskFile extends Placed {
  readonly mask: Mask;
}

/**
 * The mask that a band is by the manifest. Where the mask itself has no value, nobody knows that the cell was examined.
 *
 * @param nodata values that hide a cell; so does a float that is no number
 * @param tag the nodata tag of a file that is a mask and nothing else
 */
export function createBandMask(
  tiff: GeoTiff,
  band: number,
  nodata: readonly number[],
  tag: NodataTag | undefined,
): Mask {
  const hiding = new Set(nodata.map(createSampleCast(tiff.image.type)));
  return {
    layer: new Layer(tiff.image, band, tiff.name),
    isOwn: false,
    absent: findNodata(tiff, band)?.fill ?? 0,
    isHidden: (value) => hiding.has(value) || Number.isNaN(value) || tag?.isNodata(value) === true,
  };
}

/**
 * The masks that come with a file: inside, as alpha bands, and in the `.msk` file next to it. Cells are hidden where
 * one of them is 0.
 *
 * Fails: `NODATA_UNREPEATED` for an alpha band of which the manifest says nothing, one beside a mask, and for a mask that
 * is made of the values of all bands together; `GRID_MISMATCH` for a mask of another size or of other bands.
 */
export async function listOwnMasks(
  tiff: GeoTiff,
  band: number,
  { mask, file_mask }: CellsManifest,
  maskFile: LocalFile | undefined,
): Promise<Mask[]> {
  const { name, image } = tiff;
  const hasImage = tiff.mask !== undefined || maskFile !== undefined;
  // GDAL passes over these values where there is a mask as an image.
  if (tiff.hasNodataTuple && !hasImage) {
    const line = gdalTranslate(
      name,
      `-b ${band + 1} -mask mask,${band + 1} --config GDAL_TIFF_INTERNAL_MASK YES`,
    );
    throw createIngestError(
      "NODATA_UNREPEATED",
      "a mask by the values of all bands together (NODATA_VALUES)",
      "one as a band or an image",
      {
        place: { entry: name },
        mend: `say "file_mask": "ignored" in cells of the manifest if it is wrong, or convert it: ${line}`,
      },
    );
  }
  const alphaBands = tiff.alphaBands.filter((each) => each !== band && each + 1 !== mask?.band);
  if (alphaBands.length > 0 && file_mask === undefined) {
    const numbers = alphaBands.map((each) => each + 1).join(", ");
    const expected = `"file_mask" in cells of the manifest: "nodata" if cells of alpha 0 were not examined, or "ignored" if alpha says nothing of that`;
    throw createIngestError(
      "NODATA_UNREPEATED",
      `an alpha band (band ${numbers}), of which the manifest says nothing`,
      expected,
      {
        place: { entry: name },
        mend: `other values of it are declared as "mask": {"band": ${alphaBands[0]! + 1}, "nodata": […]}`,
      },
    );
  }
  if (alphaBands.length > 0 && hasImage) {
    // GDAL would follow the image alone.
    const expected = `one of the two, or alpha declared as "mask": {"band": ${alphaBands[0]! + 1}, "nodata": [0]}`;
    throw createIngestError("NODATA_UNREPEATED", "both a mask and an alpha band", expected, {
      place: { entry: name },
      mend: `to leave alpha out: ${gdalTranslate(name, `-b ${band + 1}`)}`,
    });
  }
  const own = (layer: Layer, absent = 0): Mask => ({
    layer,
    isOwn: true,
    absent,
    isHidden: (value) => value === 0,
  });
  const masks = alphaBands.map((each) => own(new Layer(image, each, name), findNodata(tiff, each)?.fill));
  if (tiff.mask !== undefined)
    masks.push(own(new Layer(tiff.mask, selectMaskBand(tiff.mask, tiff, band, name), name)));
  if (maskFile !== undefined) {
    const maskTiff = await openMaskFile(maskFile);
    masks.push(own(new Layer(maskTiff, selectMaskBand(maskTiff, tiff, band, maskFile.name), maskFile.name)));
  }
  return masks;
}

/** Which band of a mask is that of a band: a mask has one for all, or one for each. */
function selectMaskBand(mask: TiffImage, { image, name }: GeoTiff, band: number, entry: string): number {
  const isFitting =
    mask.columns === image.columns && mask.rows === image.rows && [1, image.bands].includes(mask.bands);
  if (isFitting) return mask.bands === 1 ? 0 : band;
  const found = `a mask of ${mask.columns} × ${mask.rows} cells in ${mask.bands} bands`;
  const expected = `${image.columns} × ${image.rows} in 1 or ${image.bands}, as ${name} has`;
  throw createIngestError("GRID_MISMATCH", found, expected, { place: { entry } });
}

/**
 * Opens the files of the manifest's mask.
 *
 * @param files in place of those that the manifest names
 * @param openFile opens one that it names
 * @param onOpen called with each file that was opened here
 * @param openAuxiliary opens GDAL's `.aux.xml` beside a file, where there is one
 *
 * Fails: `MANIFEST_INVALID` where there are none; as `openGeoTiff`; `NODATA_UNREPEATED` for a file whose mask has a mask.
 */
export async function openMaskFiles(
  cells: CellsManifest,
  isGeographic: boolean,
  files: readonly LocalFile[] | undefined,
  openFile: ((path: string) => Promise<LocalFile>) | undefined,
  onOpen: (file: LocalFile) => void,
  openAuxiliary: (file: LocalFile) => Promise<LocalFile | undefined>,
): Promise<MaskFile[]> {
  const { mask } = cells;
  if (mask === undefined || mask.band !== undefined) return [];
  const opened = [...(files ?? [])];
  if (opened.length === 0 && openFile !== undefined) {
    for (const path of mask.files ?? []) {
      const file = await openFile(path);
      onOpen(file);
      opened.push(file);
    }
  }
  if (opened.length === 0) {
    const message = `found a mask without files and without a band, expected "files" or "band" in it, or --mask FILE`;
    throw new IngestError("MANIFEST_INVALID", message, {
      faults: [{ pointer: "/cells/mask", code: "MEMBER_MISSING", message }],
    });
  }
  const found: MaskFile[] = [];
  for (const file of opened) {
    const tiff = await openGeoTiff(file, { isGeographic, auxiliary: await openAuxiliary(file) });
    const { place, image } = tiff;
    const band = selectMaskFileBand(tiff, cells);
    const { columns, rows } = image;
    const tag = cells.nodata_tag === "ignored" ? undefined : findNodata(tiff, band);
    found.push({ name: file.name, place, columns, rows, mask: createBandMask(tiff, band, mask.nodata, tag) });
  }
  return found;
}

/** The band of a mask's file. Fails: `BAND_UNKNOWN`, `SCALE_UNDECLARED`, `NODATA_UNREPEATED`. */
function selectMaskFileBand(tiff: GeoTiff, cells: CellsManifest): number {
  const band = chooseBand(tiff, tiff.image.bands > 1 && tiff.alphaBands.length === 0 ? 1 : undefined);
  refuseUndeclaredScale(tiff, band, cells);
  const hasMask =
    tiff.mask !== undefined || tiff.hasNodataTuple || tiff.alphaBands.some((each) => each !== band);
  if (!hasMask || cells.file_mask === "ignored") return band;
  const line = gdalTranslate(tiff.name, `-b ${band + 1} -mask none`);
  throw createIngestError(
    "NODATA_UNREPEATED",
    "a mask within a file of the mask",
    "cells that are hidden by their values",
    {
      place: { entry: tiff.name },
      mend: `give hidden cells a value that is among "nodata" of the mask, or write the file without its mask: ${line}`,
    },
  );
}
