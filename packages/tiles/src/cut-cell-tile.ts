import type { SourceCells } from "@groundrule/engine/internal";
import { PbfWriter } from "pbf";
import { partsOf } from "./cell-code.ts";
import { cellColor } from "./cell-color.ts";
import { cellMeshes } from "./cell-mesh.ts";
import { coveredMask } from "./covered-mask.ts";
import { rectanglesOf } from "./rectangles.ts";
import { isTilePlace, type TilePlace, tileProjection } from "./tile-place.ts";
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
  const projection = tileProjection(place);
  const rings = new Map<number, TileRing[]>();
  const covered: TileRing[] = [];
  for (const { mesh, rectangles } of cellMeshes(source.layer, projection, place)) {
    for (const [code, its] of rectangles) rings.set(code, [...(rings.get(code) ?? []), ...its]);
    const mask = coveredMask(mesh, source.territory, projection);
    for (const its of rectanglesOf({ ...mesh, codes: mask }).values())
      for (const ring of its) covered.push(ring);
  }
  const writer = new PbfWriter();
  const areas = [...rings].sort(([a], [b]) => a - b).map(([code, its]) => featureOf(source, code, its));
  if (areas.length > 0) writeLayer(writer, "areas", areas);
  if (covered.length > 0) writeLayer(writer, "coverage", [{ rings: covered }]);
  return new Uint8Array(writer.finish());
}

function featureOf(source: SourceCells, code: number, rings: readonly TileRing[]): TileFeature {
  const { attributes } = source;
  const { area, share } = partsOf(code);
  const properties = {
    source_id: attributes.id(area),
    name: attributes.name(area),
    index: area,
    color: cellColor(source, area) ?? null,
    share: share < 1 ? share : null,
  };
  return { id: area, rings, properties };
}
