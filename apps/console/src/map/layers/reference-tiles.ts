import { addProtocol } from "maplibre-gl";
import { uncoveredPicture } from "./coverage-tiles.ts";
import { hatchColour } from "./map-look.ts";
import type { TileQueue } from "./tile-queue.ts";

const AREAS = /^reference:\/\/\d+\/([^/]+)\/(\d+)\/(\d+)\/(\d+)$/;
const UNCOVERED = /^uncovered:\/\/\d+\/([^/]+)\/(dark|light)\/(\d+)\/(\d+)\/(\d+)$/;

/**
 * Teaches the map the addresses of reference layers: `reference://ANSWERER/SOURCE/z/x/y` for areas and
 * `uncovered://ANSWERER/SOURCE/THEME/z/x/y` for pictures of the ground of which the source does not speak.
 *
 * @param tilesOf the queue of who answers now; undefined while nobody does
 */
export function serveReferenceTiles(tilesOf: () => TileQueue | undefined): void {
  addProtocol("reference", async ({ url }, { signal }) => {
    const [, source, z, x, y] = AREAS.exec(url) ?? [];
    const tiles = tilesOf();
    if (tiles === undefined || source === undefined) return { data: new ArrayBuffer(0) };
    const tile = await told(tiles.get(decodeURIComponent(source), Number(z), Number(x), Number(y), signal));
    // A copy: the map gives its bytes away to a worker.
    return { data: tile === undefined ? new ArrayBuffer(0) : tile.slice().buffer };
  });
  addProtocol("uncovered", async ({ url }, { signal }) => {
    const [, source, theme, z, x, y] = UNCOVERED.exec(url) ?? [];
    const tiles = tilesOf();
    if (tiles === undefined || source === undefined) return { data: new ArrayBuffer(0) };
    const place = { source: decodeURIComponent(source), z: Number(z), x: Number(x), y: Number(y) };
    return { data: await told(uncoveredPicture(tiles, place, hatchColour(theme === "dark"), signal)) };
  });
}

/** Takes the status from a failure: the map would take 404 for a tile that is empty. */
async function told<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
