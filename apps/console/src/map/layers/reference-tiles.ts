import { addProtocol } from "maplibre-gl";
import { renderUncoveredTile } from "./coverage-tiles.ts";
import { getHatchColour } from "./map-look.ts";
import type { Bounds } from "./plot-features.ts";
import type { TileQueue } from "./tile-queue.ts";

const AREAS = /^reference:\/\/\d+\/([^/]+)\/(\d+)\/(\d+)\/(\d+)$/;
const UNCOVERED = /^uncovered:\/\/\d+\/([^/]+)\/(dark|light)\/(all|near)\/(\d+)\/(\d+)\/(\d+)$/;

/**
 * Registers the addresses of reference layers on the map: `reference://ANSWERER/SOURCE/z/x/y` for areas and
 * `uncovered://ANSWERER/SOURCE/THEME/EXTENT/z/x/y` for pictures of the ground that the source does not cover.
 *
 * @param tilesOf returns the queue of the current answerer; undefined while there is none
 * @param plotBoxesOf returns the boxes of plots, near which `near` hatches
 */
export function serveReferenceTiles(
  tilesOf: () => TileQueue | undefined,
  plotBoxesOf: () => readonly Bounds[],
): void {
  addProtocol("reference", async ({ url }, { signal }) => {
    const [, source, z, x, y] = AREAS.exec(url) ?? [];
    const tiles = tilesOf();
    if (tiles === undefined || source === undefined) return { data: new ArrayBuffer(0) };
    const tile = await removeFailureStatus(
      tiles.get(decodeURIComponent(source), Number(z), Number(x), Number(y), signal),
    );
    // A copy: the map transfers the bytes to a worker.
    return { data: tile === undefined ? new ArrayBuffer(0) : tile.slice().buffer };
  });
  addProtocol("uncovered", async ({ url }, { signal }) => {
    const [, source, theme, extent, z, x, y] = UNCOVERED.exec(url) ?? [];
    const tiles = tilesOf();
    if (tiles === undefined || source === undefined) return { data: new ArrayBuffer(0) };
    const place = { source: decodeURIComponent(source), z: Number(z), x: Number(x), y: Number(y) };
    return {
      data: await removeFailureStatus(
        renderUncoveredTile(
          tiles,
          place,
          { colour: getHatchColour(theme === "dark"), near: extent === "near" ? plotBoxesOf() : undefined },
          signal,
        ),
      ),
    };
  });
}

/** Removes the status from a failure: the map would take 404 for an empty tile. */
async function removeFailureStatus<Value>(tileRequest: Promise<Value>): Promise<Value> {
  try {
    return await tileRequest;
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
