import type { Polygons } from "@groundrule/testing/shapes";
import { ELLIPSOID, type Surface } from "../src/geometry/earth/authalic.ts";
import type { AreaLayer } from "../src/geometry/trees/layer.ts";
import { layerOf } from "../src/geometry/trees/layer-of.ts";

/** A layer in memory, straight from polygons: no snapshot, no attributes, any surface. */
export function buildLayer(areas: readonly Polygons[], surface: Surface = ELLIPSOID): AreaLayer {
  const isHole = areas.map((polygons) => polygons.flatMap((polygon) => polygon.map((_, i) => i > 0)));
  return layerOf(
    "test",
    areas.map((polygons) => polygons.flat()),
    surface,
    (area, ring) => isHole[area]![ring]!,
  );
}
