import type { Polygons } from "@groundrule/testing/shapes";
import { ELLIPSOID, type Surface } from "../src/geometry/earth/authalic.ts";
import type { AreaLayer } from "../src/geometry/trees/layer.ts";
import { layerOf } from "../src/geometry/trees/layer-of.ts";

/** A layer in memory, straight from polygons: no snapshot, no attributes, any surface. */
export function buildLayer(areas: readonly Polygons[], surface: Surface = ELLIPSOID): AreaLayer {
  const holes = new Set(areas.flatMap((polygons) => polygons.flatMap((polygon) => polygon.slice(1))));
  return layerOf(
    "test",
    areas.map((polygons) => polygons.flat()),
    surface,
    (ring) => holes.has(ring),
  );
}
