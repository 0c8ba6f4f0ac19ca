import { TILE_CELLS } from "@groundrule/engine/internal";
import { fillAddressTemplate, type GranulePlan } from "../manifest/granule-plan.ts";
import type { GranuleSquare } from "./granule-square.ts";
import { type KeepOptions, selectKeptTiles } from "./kept-tiles.ts";

/** A file of a raster that is published in many, each a square between whole degrees. */
export interface GranuleFile {
  /** Its north-western corner, e.g. `10N_080W`. */
  readonly name: string;
  /** Its `url` or `file`. */
  readonly address: string;
  /** File of its mask, if there is one. */
  readonly mask?: string;
  /** Where it must lie by them. */
  readonly square: GranuleSquare;
}

/** A plan to fetch a raster in many files. */
interface GranulesPlan {
  readonly url?: string | undefined;
  readonly file?: string | undefined;
  readonly granules: GranulePlan;
}

/**
 * The files of a raster that meet the land to keep, from north to south and from west to east.
 *
 * @param keep a box that only touches a granule does not meet it; countries are widened as for coverage
 */
export async function granulesToFetch(
  { url, file, granules }: GranulesPlan,
  keep: KeepOptions,
): Promise<readonly GranuleFile[]> {
  const { degrees, mask } = granules;
  const [westmost = -180, southmost = -90, eastmost = 180, northmost = 90] = granules.bounds;
  const { countries, bounds: box } = keep;
  // A grid of which each tile is a granule.
  const n = TILE_CELLS / degrees;
  const [columns, rows] = [(360 * TILE_CELLS) / degrees, (180 * TILE_CELLS) / degrees];
  const grid = { a: -180 * n, b: 90 * n, s: 1, t: 1, n, columns, rows };
  const keptLand = countries && (await selectKeptTiles(grid, { countries }));
  const found: GranuleFile[] = [];
  for (let row = 0; row < 180 / degrees; row++) {
    const north = 90 - row * degrees;
    if (north <= southmost || north - degrees >= northmost) continue;
    const stretches = keptLand?.stretches(row) ?? [];
    for (let column = 0; column < 360 / degrees; column++) {
      const west = -180 + column * degrees;
      if (west >= eastmost || west + degrees <= westmost) continue;
      const middle = (column + 0.5) * TILE_CELLS;
      const isLand = stretches.some(({ from, to }) => from < middle && middle < to);
      if (!isLand && !(box !== undefined && meetsGranule(box, west, north, degrees))) continue;
      const name = fillAddressTemplate("{lat:2}{ns}_{lon:3}{ew}", north, west);
      const address = fillAddressTemplate((url ?? file)!, north, west);
      const square = { west, north, degrees };
      found.push({
        name,
        address,
        square,
        ...(mask !== undefined && { mask: fillAddressTemplate(mask, north, west) }),
      });
    }
  }
  return found;
}

/** True if a box shares more than a border with a granule; a west above the east continues past 180°. */
function meetsGranule(
  [west, south, east, north]: readonly [number, number, number, number],
  granuleWest: number,
  granuleNorth: number,
  degrees: number,
): boolean {
  if (south >= granuleNorth || north <= granuleNorth - degrees) return false;
  const end = east < west ? east + 360 : east;
  return [-360, 0, 360].some((turn) => west < granuleWest + degrees + turn && end > granuleWest + turn);
}
