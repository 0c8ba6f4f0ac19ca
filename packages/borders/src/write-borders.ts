import { createAreaWriter, snapshotBytes, type WriterOptions } from "@groundrule/engine/build";
import type { BorderPiece } from "./decode-pieces.ts";

/**
 * The borders as a snapshot, as `bordersSnapshot` of this package describes it: the same bytes in any host.
 *
 * @param options a host's digests, where it has faster ones
 *
 * Fails: never for pieces that were decoded; `GEOMETRY_INVALID` and `VALIDATION_FAILED` for others.
 */
export function writeBorders(pieces: readonly BorderPiece[], options: WriterOptions = {}): Uint8Array {
  const writer = createAreaWriter(
    {
      source_name: "borders",
      kind: "leaf",
      source_dataset: "Borders of Natural Earth 1:10m, widened",
      source_url: "https://www.naturalearthdata.com/",
      category: "country",
      columns: { countries: "string" },
    },
    options,
  );
  pieces.forEach(({ polygons, countries }, i) => {
    writer.add({
      id: `${i}`,
      name: null,
      countryIso3: null,
      polygons,
      properties: { countries: countries.join() },
    });
  });
  return snapshotBytes(writer.finish());
}

/**
 * The territory of a country: the polygons of each of its pieces; empty where it has none.
 *
 * @param iso3 ISO 3166-1 alpha-3, in capitals
 */
export function territoryIn(
  pieces: readonly BorderPiece[],
  iso3: string,
): readonly BorderPiece["polygons"][] {
  return pieces.filter((piece) => piece.countries.includes(iso3)).map(({ polygons }) => polygons);
}
