import type { CellsManifest } from "@groundrule/engine";
import { type GeoTiff, gdalTranslate } from "@groundrule/formats/geotiff";
import { createIngestError } from "../ingest-error.ts";

/** Number of a band from 0. Fails: `BAND_UNKNOWN`. */
export function chooseBand({ name, image, alphaBands }: GeoTiff, band: number | undefined): number {
  const { bands } = image;
  if (band === undefined) {
    const others = Array.from({ length: bands }, (_, i) => i).filter((each) => !alphaBands.includes(each));
    const only = bands === 1 ? 0 : others.length === 1 ? others[0] : undefined;
    if (only !== undefined) return only;
  } else if (band <= bands) return band - 1;
  const found = band === undefined ? `${bands} bands` : `no band ${band} among ${bands}`;
  const expected = band === undefined ? `"band": the number of one of them, from 1` : `one of 1 to ${bands}`;
  throw createIngestError("BAND_UNKNOWN", found, expected, { place: { entry: name } });
}

/**
 * Refuses values that stand for others: a table may be meant for either.
 *
 * Fails: `SCALE_UNDECLARED`.
 */
export function refuseUndeclaredScale(
  { name, scales }: GeoTiff,
  band: number,
  { scale_tag }: CellsManifest,
): void {
  const found = scales.get(band);
  if (found === undefined || scale_tag === "ignored") return;
  const { scale, offset } = found;
  const line = gdalTranslate(name, "-unscale -ot Float64");
  throw createIngestError(
    "SCALE_UNDECLARED",
    `a scale of ${scale} and an offset of ${offset} for band ${band + 1}`,
    "neither",
    {
      place: { entry: name },
      mend: `say "scale_tag": "ignored" in cells of the manifest if its values are those stored, or write the values that these stand for: ${line}`,
    },
  );
}
