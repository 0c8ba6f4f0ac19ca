import { areaCoordinates, openSnapshot } from "@groundrule/engine/build";
import { formatEditionPath, readCatalogOrEmpty } from "./catalog/catalog.ts";
import { getCurrentMeta } from "./editions/find-edition.ts";
import { readEditionFile } from "./files/read-edition.ts";
import { ENGINE_OPTIONS } from "./threads/host.ts";

/**
 * The coverage polygons of a source's current edition, as the text of a GeoJSON file: a build with them gets the same
 * coverage.
 *
 * Fails: `SOURCE_MISSING`; `SNAPSHOT_CORRUPT`, and with the system's error if the file cannot be read.
 */
export function readCoveragePolygons(dir: string, sourceName: string): string {
  const { edition } = getCurrentMeta(readCatalogOrEmpty(dir), dir, sourceName);
  const path = formatEditionPath(dir, sourceName, edition);
  const snapshot = openSnapshot(readEditionFile(path), { name: path, crc32: ENGINE_OPTIONS.crc32 });
  const coverage = snapshot.kind === "leaf" ? snapshot.coverage : undefined;
  if (coverage?.extent !== "polygons") throw new Error(`${path} has no coverage of polygons`);
  const { layer } = coverage.pieces;
  const features = coverage.pieces.countries.map((_, piece) => ({
    type: "Feature",
    properties: {},
    geometry: { type: "MultiPolygon", coordinates: areaCoordinates(layer, piece) },
  }));
  return JSON.stringify({ type: "FeatureCollection", features });
}
