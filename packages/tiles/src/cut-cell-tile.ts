import type { SourceTerritory } from "@groundrule/engine/build";
import type { SourceCells } from "@groundrule/engine/internal";
import { PbfWriter } from "pbf";
import { decodeCellCode, NOTHING } from "./cell-code.ts";
import { buildCellViews, type CellView } from "./cell-mesh.ts";
import { buildLayerShapes } from "./layer-shapes.ts";
import { mergeCellsToRectangles } from "./rectangles.ts";
import { createTileProjection, isTilePlace, type TilePlace, type TileProjection } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";
import { type TileFeature, writeLayer } from "./write-layer.ts";

/**
 * Cuts a vector tile of a raster out of its snapshot: rectangles of neighbouring cells that hold the same.
 *
 * The layer `areas` has a feature for each value that is an area, with its index as the id and the properties
 * `source_id`, `name` (left out where there is none), `index` and `color` (left out of a single area that has none). Where
 * cells are smaller than two pixels, squares show the cell at their middle; where that is no area, but others of the
 * square are, these with `share`, 0 to 1, the part of its cells that are areas. Far off, tiles of 256 × 256 cells are drawn
 * by the sums that the snapshot has of them: by the area with the most cells, with `share`. Not all rows of squares of many
 * cells are read; a tile of the raster shows each area that they miss in a square of its own, while it has empty ones. The layer
 * `coverage` has the cells that are not nodata, within the source's territory.
 *
 * @returns a Mapbox Vector Tile of version 2.1 and extent 4096; no bytes where the source has nothing there
 *
 * Fails: `RangeError` for a place that is none, see {@link isTilePlace}; with a `DamagedTile` of the engine.
 */
export function cutCellTile(source: SourceCells, place: TilePlace): Uint8Array<ArrayBuffer> {
  if (!isTilePlace(place)) throw new RangeError(`${place.z}/${place.x}/${place.y} is no tile`);
  const projection = createTileProjection(place);
  const rings = new Map<number, TileRing[]>();
  const covered: TileRing[] = [];
  for (const { mesh, rectangles } of buildCellViews(source.layer, projection, place)) {
    for (const [code, its] of rectangles) rings.set(code, [...(rings.get(code) ?? []), ...its]);
    const mask = buildCoveredMask(mesh, source.territory, projection);
    for (const its of mergeCellsToRectangles({ ...mesh, codes: mask }).values())
      for (const ring of its) covered.push(ring);
  }
  const writer = new PbfWriter();
  const areas = [...rings].sort(([a], [b]) => a - b).map(([code, its]) => toFeature(source, code, its));
  if (areas.length > 0) writeLayer(writer, "areas", areas);
  if (covered.length > 0) writeLayer(writer, "coverage", [{ rings: covered }]);
  return new Uint8Array(writer.finish());
}

function toFeature(source: SourceCells, code: number, rings: readonly TileRing[]): TileFeature {
  const { attributes } = source;
  const { area, share } = decodeCellCode(code);
  const properties = {
    source_id: attributes.id(area),
    name: attributes.name(area),
    index: area,
    color: computeCellColor(source, area) ?? null,
    share: share < 1 ? share : null,
  };
  return { id: area, rings, properties };
}

/** Red, green and blue of colours that are away from those of verdicts, in an order in which neighbours differ little. */
const STOPS = [
  [0x6a, 0x3d, 0x9a],
  [0x2f, 0x6f, 0xc4],
  [0x1d, 0x93, 0x9c],
  [0x9a, 0x8a, 0x4a],
  [0xb5, 0x5f, 0x9b],
] as const;

/**
 * The colour of an area of a raster on maps, `#rrggbb`: its manifest's, else on a scale in the order of the values.
 * Undefined for an area that is the only one and has none there: it has the colour of its source.
 */
function computeCellColor(
  { layer: { areaCount }, ...source }: SourceCells,
  area: number,
): string | undefined {
  const own = source.color(area);
  if (own !== undefined || areaCount < 2) return own;
  const at = (area / (areaCount - 1)) * (STOPS.length - 1);
  const from = Math.min(Math.floor(at), STOPS.length - 2);
  const part = at - from;
  const mixed = [0, 1, 2].map((i) => Math.round(STOPS[from]![i]! * (1 - part) + STOPS[from + 1]![i]! * part));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Which places of a mesh are examined: those whose cells are, and whose middle lies in the territory.
 *
 * @returns 0 for those, else {@link NOTHING}
 */
function buildCoveredMask(
  { xs, ys, covered }: CellView["mesh"],
  territory: SourceTerritory | undefined,
  projection: TileProjection,
): Int32Array {
  const mask = Int32Array.from(covered, (is) => (is === 1 ? 0 : NOTHING));
  if (territory === undefined) return mask;
  const holds = (piece: number): boolean => territory.holds(piece);
  const { areas, specks } = buildLayerShapes(territory.layer, projection, { holds });
  const rings = [...areas.flatMap((area) => area.rings), ...specks];
  const width = xs.length - 1;
  for (let row = 0; row < ys.length - 1; row++) {
    const crossings = findRowCrossings(rings, (ys[row]! + ys[row + 1]!) / 2);
    let [next, winding] = [0, 0];
    for (let column = 0; column < width; column++) {
      const middle = (xs[column]! + xs[column + 1]!) / 2;
      while (next < crossings.length && crossings[next]!.x <= middle) winding += crossings[next++]!.turn;
      if (winding === 0) mask[row * width + column] = NOTHING;
    }
  }
  return mask;
}

/** Where edges of rings cross a row, from the left: 1 for those that go down, -1 for those that go up. */
function findRowCrossings(
  rings: readonly TileRing[],
  y: number,
): { readonly x: number; readonly turn: number }[] {
  const crossings: { x: number; turn: number }[] = [];
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const [y0, y1] = [ring[j + 1]!, ring[i + 1]!];
      if (y0 <= y === y1 <= y) continue;
      const x = ring[j]! + ((y - y0) / (y1 - y0)) * (ring[i]! - ring[j]!);
      crossings.push({ x, turn: y0 <= y ? 1 : -1 });
    }
  }
  return crossings.sort((one, other) => one.x - other.x);
}
