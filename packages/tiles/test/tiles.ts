import { VectorTile, type VectorTileFeature } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import type { TilePlace } from "../src/tile-place.ts";

/** The features of a layer of a tile; none where it has no such layer. */
export function readTileFeatures(
  bytes: Uint8Array<ArrayBuffer>,
  name: "areas" | "coverage",
): VectorTileFeature[] {
  const layer = new VectorTile(new PbfReader(bytes)).layers[name];
  return Array.from({ length: layer?.length ?? 0 }, (_, i) => layer!.feature(i));
}

/** The tile that holds a place: Web Mercator as it is defined, by none of the code that is tested. */
export function computeTilePlace(z: number, lon: number, lat: number): TilePlace {
  const side = 2 ** z;
  const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);
  return { z, x: Math.floor((lon / 360 + 0.5) * side), y: Math.floor(y * side) };
}
