import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { FINEST_ZOOM } from "../../answering/tile-places.ts";
import type { Bounds } from "./plot-features.ts";
import type { TileQueue } from "./tile-queue.ts";

/** Minimum and maximum, as fractions of the world's square from its northwest. */
type Square = readonly [west: number, north: number, east: number, south: number];

/**
 * The box of a source's areas, or of what it covers if it has none, from its tiles; undefined if it is empty. Accurate to
 * a 4096th of the box.
 */
export async function findSourceBounds(
  tiles: Pick<TileQueue, "get">,
  source: string,
): Promise<Bounds | undefined> {
  const whole = await readTileSquare(tiles, source, 0, 0, 0);
  if (whole === undefined) return undefined;
  const [west, north, east, south] = whole;
  let z = 0;
  const isOneTile = (zoom: number): boolean =>
    Math.floor(west * 2 ** zoom) === Math.floor(east * 2 ** zoom) &&
    Math.floor(north * 2 ** zoom) === Math.floor(south * 2 ** zoom);
  while (z < FINEST_ZOOM && isOneTile(z + 1)) z++;
  const close = await readTileSquare(tiles, source, z, Math.floor(west * 2 ** z), Math.floor(north * 2 ** z));
  const [left, top, right, bottom] = close ?? whole;
  return [toLongitude(left), toLatitude(bottom), toLongitude(right), toLatitude(top)];
}

async function readTileSquare(
  tiles: Pick<TileQueue, "get">,
  source: string,
  z: number,
  x: number,
  y: number,
): Promise<Square | undefined> {
  const tile = await tiles.get(source, z, x, y, new AbortController().signal);
  if (tile === undefined) return undefined;
  const { areas, coverage } = new VectorTile(new PbfReader(tile)).layers;
  const layer = areas ?? coverage;
  if (layer === undefined) return undefined;
  let [west, north, east, south] = [1, 1, 0, 0];
  for (let i = 0; i < layer.length; i++) {
    for (const position of layer.feature(i).loadGeometry().flat()) {
      const [right, down] = [position.x, position.y].map((at) => Math.max(0, Math.min(1, at / layer.extent)));
      [west, east] = [Math.min(west, right!), Math.max(east, right!)];
      [north, south] = [Math.min(north, down!), Math.max(south, down!)];
    }
  }
  const side = 2 ** z;
  return [(x + west) / side, (y + north) / side, (x + east) / side, (y + south) / side];
}

function toLongitude(part: number): number {
  return part * 360 - 180;
}

function toLatitude(part: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * part))) * 180) / Math.PI;
}
