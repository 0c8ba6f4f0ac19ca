import { countryOutlines } from "@groundrule/borders/outlines";
import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { type ParentTile, TILE_SIZE, toParentTile } from "../../answering/tile-places.ts";
import type { Bounds } from "./plot-features.ts";
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

/** A tile of the map. */
interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

interface Hatching {
  /** In CSS syntax. */
  readonly colour: string;
  /** Boxes of plots: no ground is hatched but within 5 km of one; undefined: all land. */
  readonly near: readonly Bounds[] | undefined;
}

/** Draws the land of a tile that a source does not cover, hatched. */
export async function renderUncoveredTile(
  tiles: TileQueue,
  place: TilePlace & { readonly source: string },
  { colour, near }: Hatching,
  signal: AbortSignal,
): Promise<ImageBitmap> {
  const parent = toParentTile(place.z, place.x, place.y);
  const [canvas, context] = createCanvas();
  const boxes = near?.flatMap((box) => findBoxesInTile(box, place));
  if (boxes?.length === 0) return canvas.transferToImageBitmap();
  const tile = await tiles.get(place.source, parent.z, parent.x, parent.y, signal);
  drawHatching(context, colour);
  if (tile !== undefined) eraseCoverage(context, parseCoverageTile(tile), parent);
  context.globalCompositeOperation = "destination-in";
  context.drawImage(drawLand(place, boxes), 0, 0);
  if (boxes !== undefined) {
    context.beginPath();
    for (const { x, y, width, height, around } of boxes) {
      context.roundRect(x - around, y - around, width + 2 * around, height + 2 * around, around);
    }
    context.fill();
  }
  return canvas.transferToImageBitmap();
}

function createCanvas(): readonly [OffscreenCanvas, Context] {
  const canvas = new OffscreenCanvas(TILE_SIZE, TILE_SIZE);
  return [canvas, canvas.getContext("2d")!];
}

/** The base map's land in a tile, with the plots in it: a coast may run elsewhere than the outline. */
function drawLand({ z, x, y }: TilePlace, boxes: readonly TileBox[] = []): OffscreenCanvas {
  const [canvas, context] = createCanvas();
  const side = TILE_SIZE * 2 ** z;
  land ??= countryOutlines().flatMap(({ coordinates }) => coordinates.map(toLandPart));
  context.beginPath();
  for (const { rings, west, east } of land) {
    // Outlines may run on past ±180°.
    for (const turn of [-1, 0, 1]) {
      if ((west + turn) * side > (x + 1) * TILE_SIZE || (east + turn) * side < x * TILE_SIZE) continue;
      for (const ring of rings) {
        for (let at = 0; at < ring.length; at += 2) {
          const right = (ring[at]! + turn) * side - x * TILE_SIZE;
          context[at === 0 ? "moveTo" : "lineTo"](right, ring[at + 1]! * side - y * TILE_SIZE);
        }
        context.closePath();
      }
    }
  }
  context.fill("evenodd");
  for (const box of boxes) context.fillRect(box.x, box.y, box.width, box.height);
  return canvas;
}

/** A polygon of land as fractions of the world's square, each ring flat `[x, y, x, y, …]`. */
interface LandPart {
  readonly rings: readonly (readonly number[])[];
  readonly west: number;
  readonly east: number;
}

let land: readonly LandPart[] | undefined;

function toLandPart(rings: readonly (readonly (readonly [number, number])[])[]): LandPart {
  const flat = rings.map((ring) => ring.flatMap(toSquare));
  const xs = flat[0]!.filter((_, i) => i % 2 === 0);
  const [west, east] = xs.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [2, -2]);
  return { rings: flat, west: west!, east: east! };
}

/** The fractions of the world's square from its northwest at which a place is. */
function toSquare([longitude, latitude]: readonly [number, number]): [number, number] {
  const sine = Math.sin((Math.max(-85.06, Math.min(85.06, latitude)) * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.atanh(sine) / (2 * Math.PI)];
}

/** A box in pixels of a tile, and the pixels of {@link NEAR_METERS} there. */
interface TileBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly around: number;
}

const NEAR_METERS = 5000;
const EQUATOR_METERS = 40_075_017;

/** A box near a tile, on each turn of the earth; none if it is not near. */
function findBoxesInTile([west, south, east, north]: Bounds, tile: TilePlace): readonly TileBox[] {
  const side = TILE_SIZE * 2 ** tile.z;
  const [[left, top], [right, bottom]] = [toSquare([west, north]), toSquare([east, south])];
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const around = (NEAR_METERS * side) / (EQUATOR_METERS * Math.max(0.05, shrink));
  const [width, height] = [(right - left) * side, (bottom - top) * side];
  const y = top * side - tile.y * TILE_SIZE;
  return [-1, 0, 1].flatMap((turn) => {
    const x = (left + turn) * side - tile.x * TILE_SIZE;
    const isNear =
      [x, y].every((at) => at - around < TILE_SIZE) && x + width > -around && y + height > -around;
    return isNear ? [{ x, y, width, height, around }] : [];
  });
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
