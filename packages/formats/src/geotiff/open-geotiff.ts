import type { LocalFile } from "../file/local-file.ts";
import { FormatError, fileDamagedError } from "../format-error.ts";
import { readXmlElements, type XmlElement } from "../kml/xml-elements.ts";
import { FORMAT_LIMITS } from "../limits.ts";
import { type Directory, MOST_VALUES, readTiffDirectories } from "./directory.ts";
import { type BandScale, readGdalMetadata } from "./gdal-metadata.ts";
import { openTiffImage, type TiffImage } from "./image.ts";
import { type NodataTag, parseNodataTag } from "./nodata-tag.ts";
import { type RasterPlace, readRasterPlace } from "./place.ts";
import { SUBFILE, TAG } from "./tags.ts";

/** An opened GeoTIFF file: one image of cells, and its metadata. */
export interface GeoTiff {
  /** As people typed it, for errors. */
  readonly name: string;
  readonly image: TiffImage;
  readonly place: RasterPlace;
  /** The cells that count (not 0), if the file has an image of them after its first one. */
  readonly mask: TiffImage | undefined;
  /** The value that the file calls nodata (GDAL's tag); {@link findNodata} has that of a band. */
  readonly nodata: NodataTag | undefined;
  /** By band, from 0: the value that GDAL's `.aux.xml` calls nodata. */
  readonly auxiliaryNodata: ReadonlyMap<number, NodataTag>;
  /** Bands that are transparency (alpha), from 0: where one is 0, GDAL takes the cell as hidden. */
  readonly alphaBands: readonly number[];
  /** By band, from 0: the transform of its values, if the file states that they are to be computed. */
  readonly scales: ReadonlyMap<number, BandScale>;
  /** True if the file states that cells are hidden where each band has a value of its own (`NODATA_VALUES`). */
  readonly hasNodataTuple: boolean;
  /** The colour of each value, as `#rrggbb`, where the file has a table of them. */
  readonly palette: readonly string[] | undefined;
}

/**
 * Opens a GeoTIFF: TIFF or BigTIFF, in strips or tiles. Overviews, as of a COG, are passed over.
 *
 * Fails: `FormatError`, with the line that mends it where GDAL can.
 */
export async function openGeoTiff(
  file: LocalFile,
  options: {
    /** True if its CRS is longitude and latitude on WGS 84 when it names none. */
    readonly isGeographic?: boolean;
    /** GDAL's file next to it, under its name with `.aux.xml`: as in GDAL, what it states comes first. */
    readonly auxiliary?: LocalFile | undefined;
  } = {},
): Promise<GeoTiff> {
  const auxiliary = await readAuxiliaryFile(options.auxiliary);
  try {
    const { image, mask, directory } = await readImageAndMask(file);
    const nodata = (await directory.text(TAG.GDAL_NODATA))?.trim();
    const metadata = await readGdalMetadata(directory);
    const isAlpha = new Map([...metadata.isAlpha, ...(auxiliary?.isAlpha ?? [])]);
    const scales = new Map([...metadata.scales, ...(auxiliary?.scales ?? [])]);
    return {
      name: file.name,
      image,
      mask,
      place: await readRasterPlace(directory, file.name, options.isGeographic === true),
      nodata: nodata === undefined || nodata === "" ? undefined : parseNodataTag(nodata, image.type),
      auxiliaryNodata: new Map(
        [...(auxiliary?.nodata ?? [])].map(([band, text]) => [band, parseNodataTag(text, image.type)]),
      ),
      alphaBands: Array.from({ length: image.bands }, (_, band) => band).filter(
        (band) => isAlpha.get(band) ?? image.alphaBands.includes(band),
      ),
      scales: new Map([...scales].filter(([, { scale, offset }]) => scale !== 1 || offset !== 0)),
      hasNodataTuple: metadata.hasNodataTuple || auxiliary?.hasNodataTuple === true,
      palette: await readColourPalette(directory),
    };
  } catch (error) {
    throw ofFile(error, file.name);
  }
}

/**
 * The nodata value of a band: that of GDAL's `.aux.xml`, else that of the image.
 *
 * @param band from 0
 */
export function findNodata({ nodata, auxiliaryNodata }: GeoTiff, band: number): NodataTag | undefined {
  return auxiliaryNodata.get(band) ?? nodata;
}

async function readAuxiliaryFile(file: LocalFile | undefined): Promise<Auxiliary | undefined> {
  try {
    return file && (await readAuxiliaryMetadata(file));
  } catch (error) {
    throw ofFile(error, file!.name);
  }
}

/**
 * Opens the mask that GDAL writes next to a file, under its name with `.msk`: an image without a place.
 *
 * Fails: {@link FormatError}.
 */
export async function openMaskFile(file: LocalFile): Promise<TiffImage> {
  try {
    return (await readImageAndMask(file)).image;
  } catch (error) {
    throw ofFile(error, file.name);
  }
}

async function readImageAndMask(
  file: LocalFile,
): Promise<{ image: TiffImage; mask: TiffImage | undefined; directory: Directory }> {
  const { directories, littleEndian } = await readTiffDirectories(file);
  let first: Directory | undefined;
  let mask: Directory | undefined;
  const others: number[] = [];
  for (const directory of directories) {
    const type = await directory.number(TAG.SUBFILE_TYPE, 0);
    if ((type & SUBFILE.REDUCED) !== 0) continue;
    // GDAL's `.msk` is a mask alone: it is the image then.
    if ((type & SUBFILE.MASK) !== 0 && first !== undefined) mask ??= directory;
    else if (first === undefined) first = directory;
    else others.push(directory.offset);
  }
  if (first === undefined) throw fileDamagedError("no image of full size", "one");
  if (others.length > 0) {
    const found = `${1 + others.length} images`;
    const message = `found ${found} of full size, expected one; write it apart: gdal_translate GTIFF_DIR:1:FILE.tif ONE.tif`;
    throw new FormatError("LAYER_AMBIGUOUS", message, { found, expected: "one" });
  }
  const image = await openTiffImage(file, first, littleEndian);
  const masking = mask && (await openTiffImage(file, mask, littleEndian));
  if (masking !== undefined && (masking.columns !== image.columns || masking.rows !== image.rows)) {
    throw fileDamagedError(
      `a mask of ${masking.columns} × ${masking.rows} cells`,
      `${image.columns} × ${image.rows}, as the image has`,
    );
  }
  return { image, mask: masking, directory: first };
}

async function readColourPalette(directory: Directory): Promise<readonly string[] | undefined> {
  const count = directory.count(TAG.COLOR_MAP);
  if (count === 0 || count % 3 !== 0 || count > MOST_VALUES) return undefined;
  const parts = await directory.numbers(TAG.COLOR_MAP);
  const size = count / 3;
  const hex = (value: number) => (value >> 8).toString(16).padStart(2, "0");
  return Array.from(
    { length: size },
    (_, i) => `#${hex(parts[i]!)}${hex(parts[size + i]!)}${hex(parts[2 * size + i]!)}`,
  );
}

/**
 * An error of reading, with the name of the file as its place.
 *
 * @param error whatever was thrown; what is no `FormatError` stays as it is
 * @param name of the file, for people
 */
export function ofFile(error: unknown, name: string): unknown {
  if (!(error instanceof FormatError) || error.details.place?.entry !== undefined) return error;
  const { place, ...details } = error.details;
  const placed = place === undefined ? "" : error.message;
  const bare = placed.slice(placed.indexOf(": ") + 2);
  const message = place === undefined || Object.keys(place).length === 0 ? error.message : bare;
  return new FormatError(error.code, message, { ...details, place: { ...place, entry: name } });
}

/** The statements of GDAL's file beside an image (`FILE.aux.xml`), which come before those of the image itself. */
interface Auxiliary {
  /** By band, from 0: the value that means nodata, as a text. */
  readonly nodata: ReadonlyMap<number, string>;
  /** By band, from 0: what its values stand for; a scale of 1 without an offset is one too. */
  readonly scales: ReadonlyMap<number, BandScale>;
  /** By band, from 0: true if it is transparency. */
  readonly isAlpha: ReadonlyMap<number, boolean>;
  /** True if a cell has no value where each band holds a value of its own. */
  readonly hasNodataTuple: boolean;
}

/**
 * Reads what GDAL keeps beside an image and not in it. Statistics, histograms and whatever else does not change the
 * meaning of a cell are passed over.
 *
 * Fails: `FILE_DAMAGED` for what is not well-formed XML.
 */
async function readAuxiliaryMetadata(file: LocalFile): Promise<Auxiliary> {
  const nodata = new Map<number, string>();
  const scales = new Map<number, BandScale>();
  const isAlpha = new Map<number, boolean>();
  let hasNodataTuple = false;
  const isWhole = (name: string) => name === "PAMRasterBand" || name === "MDI";
  for await (const { event, element } of readXmlElements(file, {
    encoding: undefined,
    limits: FORMAT_LIMITS,
    isWhole,
  })) {
    if (event !== "element") continue;
    if (element.name === "MDI") {
      if (element.attributes.get("key") === "NODATA_VALUES" && element.text.trim() !== "")
        hasNodataTuple = true;
      continue;
    }
    const band = Number(element.attributes.get("band")) - 1;
    const value = findChildText(element, "NoDataValue");
    if (value !== undefined) nodata.set(band, value);
    const [scale, offset] = [findChildText(element, "Scale"), findChildText(element, "Offset")];
    if (scale !== undefined || offset !== undefined) {
      scales.set(band, { scale: Number(scale ?? 1), offset: Number(offset ?? 0) });
    }
    const role = findChildText(element, "ColorInterp");
    if (role !== undefined) isAlpha.set(band, role.toLowerCase() === "alpha");
  }
  return { nodata, scales, isAlpha, hasNodataTuple };
}

function findChildText({ children }: XmlElement, name: string): string | undefined {
  const text = children.find((child) => child.name === name)?.text.trim();
  return text === "" ? undefined : text;
}
