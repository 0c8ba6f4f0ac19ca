import type { LocalFile } from "../file/local-file.ts";
import { readElements, type XmlElement } from "../kml/xml-elements.ts";
import { FORMAT_LIMITS } from "../limits.ts";
import type { BandScale } from "./gdal-metadata.ts";

/** Metadata in GDAL's file for an image (`FILE.aux.xml`), which take precedence over those in the image itself. */
export interface Auxiliary {
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
 * Reads the metadata that GDAL stores next to an image and not in it. Statistics, histograms and everything else that
 * does not change the meaning of a cell are skipped.
 *
 * Fails: `FILE_DAMAGED` for what is not well-formed XML.
 */
export async function readAuxiliary(file: LocalFile): Promise<Auxiliary> {
  const nodata = new Map<number, string>();
  const scales = new Map<number, BandScale>();
  const isAlpha = new Map<number, boolean>();
  let hasNodataTuple = false;
  const isWhole = (name: string) => name === "PAMRasterBand" || name === "MDI";
  for await (const { event, element } of readElements(file, {
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
    const value = textOf(element, "NoDataValue");
    if (value !== undefined) nodata.set(band, value);
    const [scale, offset] = [textOf(element, "Scale"), textOf(element, "Offset")];
    if (scale !== undefined || offset !== undefined) {
      scales.set(band, { scale: Number(scale ?? 1), offset: Number(offset ?? 0) });
    }
    const role = textOf(element, "ColorInterp");
    if (role !== undefined) isAlpha.set(band, role.toLowerCase() === "alpha");
  }
  return { nodata, scales, isAlpha, hasNodataTuple };
}

function textOf({ children }: XmlElement, name: string): string | undefined {
  const text = children.find((child) => child.name === name)?.text.trim();
  return text === "" ? undefined : text;
}
