import type { Polygons } from "@groundrule/testing/shapes";
import type { Surface } from "../src/geometry/earth/authalic.ts";
import { createPolygonLayer } from "../src/geometry/trees/create-layer.ts";
import type { AreaLayer } from "../src/geometry/trees/layer.ts";

/** A layer in memory, straight from polygons, on any surface. */
export function buildAreaLayer(areas: readonly Polygons[], surface?: Surface): AreaLayer {
  return createPolygonLayer("test", areas, surface);
}
