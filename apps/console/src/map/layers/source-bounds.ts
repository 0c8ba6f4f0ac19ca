import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { FINEST_ZOOM } from "../../answering/tile-places.ts";
import type { Bounds } from "./plot-features.ts";
import type { TileQueue } from "./tile-queue.ts";

/** A layer of a tile. */
type Layer = "areas" | "coverage";

/** Longitude and latitude, degrees; before the last step, fractions of the world's square from its northwest. */
type Place = readonly [x: number, y: number];

/** Rings with the box around them. */
export interface SourceShape {
  readonly rings: readonly (readonly Place[])[];
  readonly bounds: Bounds;
}

/** The box of a source's areas, or of what it covers if it has none, from its tiles; undefined if it is empty. */
export async function findSourceBounds(
  tiles: Pick<TileQueue, "get">,
  source: string,
): Promise<Bounds | undefined> {
  return (await findSourceShape(tiles, source, ["areas", "coverage"]))?.bounds;
}

/**
 * The outlines of a source in the finest tile that has all of them; undefined if there are none. Accurate to a 4096th of
 * the box.
 *
 * @param layers the first that a tile has is read
 */
export async function findSourceShape(
  tiles: Pick<TileQueue, "get">,
  source: string,
  layers: readonly Layer[],
): Promise<SourceShape | undefined> {
  const whole = await readTileRings(tiles, source, layers, 0, 0, 0);
  if (whole === undefined) return undefined;
  const [west, north, east, south] = computeBox(whole);
  let z = 0;
  const isOneTile = (zoom: number): boolean =>
    Math.floor(west * 2 ** zoom) === Math.floor(east * 2 ** zoom) &&
    Math.floor(north * 2 ** zoom) === Math.floor(south * 2 ** zoom);
  while (z < FINEST_ZOOM && isOneTile(z + 1)) z++;
  const [x, y] = [Math.floor(west * 2 ** z), Math.floor(north * 2 ** z)];
  const close = z === 0 ? whole : ((await readTileRings(tiles, source, layers, z, x, y)) ?? whole);
  const rings = close.map((ring) => ring.map(([x, y]): Place => [toLongitude(x), toLatitude(y)]));
  return { rings, bounds: computeBox(rings) };
}

async function readTileRings(
  tiles: Pick<TileQueue, "get">,
  source: string,
  layers: readonly Layer[],
  z: number,
  x: number,
  y: number,
): Promise<readonly (readonly Place[])[] | undefined> {
  const tile = await tiles.get(source, z, x, y, new AbortController().signal);
  if (tile === undefined) return undefined;
  const found = new VectorTile(new PbfReader(tile)).layers;
  const layer = found[layers.find((name) => found[name] !== undefined) ?? ""];
  if (layer === undefined) return undefined;
  const side = 2 ** z;
  const within = (at: number): number => Math.max(0, Math.min(1, at / layer.extent));
  return Array.from({ length: layer.length }, (_, i) => layer.feature(i).loadGeometry())
    .flat()
    .map((ring) => ring.map((at): Place => [(x + within(at.x)) / side, (y + within(at.y)) / side]));
}

/** The least and the greatest of both numbers. */
function computeBox(rings: readonly (readonly Place[])[]): Bounds {
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of rings.flat()) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  return [left, low, right, high];
}

function toLongitude(part: number): number {
  return part * 360 - 180;
}

function toLatitude(part: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * part))) * 180) / Math.PI;
}
