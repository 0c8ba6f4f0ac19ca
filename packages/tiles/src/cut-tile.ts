import type { SourceAreas } from "@groundrule/engine/build";
import { PbfWriter } from "pbf";
import { buildLayerShapes, type LayerShapes, type TileLimits } from "./layer-shapes.ts";
import { BUFFER, createTileProjection, EXTENT, isTilePlace, type TilePlace } from "./tile-place.ts";
import type { TileRing } from "./tile-ring.ts";
import { type TileFeature, writeLayer } from "./write-layer.ts";

/**
 * Cuts a vector tile of a source out of its snapshot.
 *
 * The layer `areas` has a feature for each area of a pixel and a half or more, with its index as the id and the
 * properties `source_id`, `name` (left out where there is none) and `index`; smaller areas, and those
 * beyond what a tile can tell apart, share one feature without properties, so that every view shows where areas are. The layer `coverage` has the territory in which the
 * source speaks: the whole tile of a source that speaks everywhere, nothing where nobody says where it speaks. Edges
 * are straight in the tile, and drawn to a quarter of a pixel: for looking at, not for measuring.
 *
 * @param limits how much is drawn closely; absent: as much as a tile can show
 * @returns a Mapbox Vector Tile of version 2.1 and extent 4096; no bytes where the source has nothing there
 *
 * Fails: `RangeError` for a place that is none, see {@link isTilePlace}.
 */
export function cutTile(source: SourceAreas, place: TilePlace, limits?: TileLimits): Uint8Array<ArrayBuffer> {
  if (!isTilePlace(place)) throw new RangeError(`${place.z}/${place.x}/${place.y} is no tile`);
  const projection = createTileProjection(place);
  const options = limits === undefined ? {} : { limits };
  const writer = new PbfWriter();
  const areas = toAreaFeatures(source, buildLayerShapes(source.layer, projection, options));
  if (areas.length > 0) writeLayer(writer, "areas", areas);
  const { coverage } = source;
  if (coverage.extent === "global") writeLayer(writer, "coverage", [{ rings: [WHOLE_TILE] }]);
  if (coverage.extent === "bounded") {
    const holds = (piece: number): boolean => coverage.holds(piece);
    const { areas: pieces, specks } = buildLayerShapes(coverage.layer, projection, { ...options, holds });
    const features = [
      ...pieces.map(({ rings }) => ({ rings })),
      ...(specks.length > 0 ? [{ rings: specks }] : []),
    ];
    if (features.length > 0) writeLayer(writer, "coverage", features);
  }
  return new Uint8Array(writer.finish());
}

const FROM = -BUFFER;
const TO = EXTENT + BUFFER;
const WHOLE_TILE: TileRing = [FROM, FROM, TO, FROM, TO, TO, FROM, TO];

function toAreaFeatures({ attributes }: SourceAreas, { areas, specks }: LayerShapes): TileFeature[] {
  const features = areas.map(({ area, rings }): TileFeature => {
    const properties = { source_id: attributes.id(area), name: attributes.name(area), index: area };
    return { id: area, rings, properties };
  });
  return specks.length === 0 ? features : [...features, { rings: specks }];
}
