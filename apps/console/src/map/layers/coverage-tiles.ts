import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { type ParentTile, TILE_SIZE, toParentTile } from "../../answering/tile-places.ts";
import type { TileQueue } from "./tile-queue.ts";

/** Spacing of the hatching in pixels; a divisor of the tile's size, so that tiles join. */
const HATCH = 16;

/** A polygon's rings, each flat `[x, y, x, y, …]` as fractions of a tile, 0 to 1. */
export type CoverageRings = readonly (readonly number[])[];

/** Parses the coverage from a tile: polygons, each with its rings. */
function parseCoverageTile(tile: Uint8Array): readonly CoverageRings[] {
  const layer = new VectorTile(new PbfReader(tile)).layers.coverage;
  if (layer === undefined) return [];
  return Array.from({ length: layer.length }, (_, index) => {
    const rings = layer.feature(index).loadGeometry();
    return rings.map((ring) => ring.flatMap(({ x, y }) => [x / layer.extent, y / layer.extent]));
  });
}

/** The part of a canvas that the hatching needs. */
type Context = OffscreenCanvasRenderingContext2D;

/**
 * Draws the part of a tile that a source does not cover, hatched.
 *
 * @param colour of the hatching, in CSS syntax
 */
export async function renderUncoveredTile(
  tiles: TileQueue,
  place: { readonly source: string; readonly z: number; readonly x: number; readonly y: number },
  colour: string,
  signal: AbortSignal,
): Promise<ImageBitmap> {
  const parent = toParentTile(place.z, place.x, place.y);
  const tile = await tiles.get(place.source, parent.z, parent.x, parent.y, signal);
  const canvas = new OffscreenCanvas(TILE_SIZE, TILE_SIZE);
  const context = canvas.getContext("2d")!;
  drawHatching(context, colour);
  if (tile !== undefined) eraseCoverage(context, parseCoverageTile(tile), parent);
  return canvas.transferToImageBitmap();
}

function drawHatching(context: Context, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.25;
  context.beginPath();
  for (let at = -TILE_SIZE; at <= TILE_SIZE; at += HATCH) {
    context.moveTo(at - HATCH, TILE_SIZE + HATCH);
    context.lineTo(at + TILE_SIZE + HATCH, -HATCH);
  }
  context.stroke();
}

function eraseCoverage(context: Context, coverage: readonly CoverageRings[], parent: ParentTile): void {
  const side = TILE_SIZE * parent.scale;
  const [left, top] = [parent.column * TILE_SIZE, parent.row * TILE_SIZE];
  context.globalCompositeOperation = "destination-out";
  // The line closes the seams between polygons that share an edge.
  context.lineWidth = 1;
  for (const rings of coverage) {
    context.beginPath();
    for (const ring of rings) {
      for (let at = 0; at < ring.length; at += 2) {
        const [x, y] = [moveBeyondEdge(ring[at]!) * side - left, moveBeyondEdge(ring[at + 1]!) * side - top];
        if (at === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      context.closePath();
    }
    context.fill("evenodd");
    context.stroke();
  }
}

/**
 * Moves a position on the edge of a tile, where coverage was clipped, beyond it, so that no rim of hatching remains
 * there.
 */
function moveBeyondEdge(part: number): number {
  if (part < 0.001) return part - 0.02;
  return part > 0.999 ? part + 0.02 : part;
}
