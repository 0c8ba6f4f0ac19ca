import { countryOutlines } from "@groundrule/borders/outlines";
import type { Bounds } from "../layers/plot-features.ts";
import { findSourceShape } from "../layers/source-bounds.ts";
import type { TileQueue } from "../layers/tile-queue.ts";
import { buildRingsPath } from "../locator/locator-map.ts";

/** Size of the map of what a source covers, CSS pixels. */
export const COVER = { width: 120, height: 72 } as const;

/** Room around what is covered, as a share of its size, and the least height of the map in degrees. */
const ROOM = 1.25;
const LEAST_DEGREES = 3;

/** A small map, as SVG path data. */
export interface SourceCover {
  readonly land: string;
  readonly covered: string;
}

/**
 * A small map of the ground that a source covers; of one that declares nothing, of its areas.
 *
 * @returns undefined for a source without either
 */
export async function drawSourceCover(
  tiles: Pick<TileQueue, "get">,
  source: string,
): Promise<SourceCover | undefined> {
  const shape = await findSourceShape(tiles, source, ["coverage", "areas"]);
  if (shape === undefined) return undefined;
  const frame = computeFrame(shape.bounds);
  const land = countryOutlines().flatMap(({ coordinates }) => coordinates.flat());
  return {
    land: buildRingsPath(land, frame, COVER),
    covered: buildRingsPath(shape.rings, frame, COVER),
  };
}

/** A box in the shape of the map, in whose middle a degree of longitude is as long as one of latitude. */
function computeFrame([west, south, east, north]: Bounds): Bounds {
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const wide = COVER.width / COVER.height / Math.max(0.1, Math.cos((y * Math.PI) / 180));
  const half = (Math.max(LEAST_DEGREES, north - south, (east - west) / wide) * ROOM) / 2;
  return [x - half * wide, y - half, x + half * wide, y + half];
}
