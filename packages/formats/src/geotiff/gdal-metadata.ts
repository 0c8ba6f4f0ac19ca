import type { Directory } from "./directory.ts";
import { TAG } from "./tags.ts";

/** The statements of GDAL's own tag about an image's bands. */
export interface GdalMetadata {
  /** By band, from 0: what its values are to be multiplied with, and what is to be added then. */
  readonly scales: ReadonlyMap<number, BandScale>;
  /**
   * By band, from 0: whether it is transparency, if the tag states the kind of a band; the tag of extra samples is
   * then wrong.
   */
  readonly isAlpha: ReadonlyMap<number, boolean>;
  /** True if a cell has no value where each band holds a value of its own. */
  readonly hasNodataTuple: boolean;
}

/** Transform of a value into another one: `value × scale + offset`. */
export interface BandScale {
  /** Not 0. */
  readonly scale: number;
  /** In the unit of the values that are meant. */
  readonly offset: number;
}

/** Most bytes of the tag: longer ones have texts of other programs. */
const MOST_BYTES = 1 << 24;

/** Reads GDAL's tag of metadata, XML of flat items. Fails: `FILE_DAMAGED` for one of more than 16 MiB. */
export async function readGdalMetadata(directory: Directory): Promise<GdalMetadata> {
  const xml = (await directory.text(TAG.GDAL_METADATA, MOST_BYTES)) ?? "";
  const scales = new Map<number, BandScale>();
  const isAlpha = new Map<number, boolean>();
  let hasNodataTuple = false;
  for (const [, attributes = "", text = ""] of xml.matchAll(/<Item\b([^>]*)>([^<]*)<\/Item>/g)) {
    const attribute = (name: string) =>
      new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)?.slice(1).join("");
    const band = Number(attribute("sample") ?? Number.NaN);
    const role = attribute("role")?.toLowerCase();
    const before = scales.get(band) ?? { scale: 1, offset: 0 };
    if (role === "scale") scales.set(band, { ...before, scale: Number(text) });
    else if (role === "offset") scales.set(band, { ...before, offset: Number(text) });
    else if (role === "colorinterp") isAlpha.set(band, text.trim().toLowerCase() === "alpha");
    else if (attribute("name") === "NODATA_VALUES" && text.trim() !== "") hasNodataTuple = true;
  }
  return { scales, isAlpha, hasNodataTuple };
}
