import { area as turfArea } from "@turf/area";
import { booleanIntersects } from "@turf/boolean-intersects";
import { featureCollection, polygon as turfPolygon } from "@turf/helpers";
import { intersect } from "@turf/intersect";
import Flatbush from "flatbush";
import type { Polygons } from "../../packages/engine/test/build-layer.ts";
import { cpuMicros } from "../kernel/timing.ts";
import { bboxOf } from "./geos-wasm.ts";

/** flatbush over areas of one ring each, then turf on every candidate: CPU microseconds a plot. */
export function turfMicros(areas: readonly Polygons[], plots: readonly Polygons[]): number {
  const index = new Flatbush(areas.length);
  for (const area of areas) index.add(...bboxOf(area));
  index.finish();
  const features = areas.map(feature);
  let [total, used] = [0, 0];
  for (const polygons of plots) {
    const plot = feature(polygons);
    const bbox = bboxOf(polygons);
    used += cpuMicros(() => {
      for (const i of index.search(...bbox)) {
        if (!booleanIntersects(features[i]!, plot)) continue;
        const common = intersect(featureCollection([features[i]!, plot]));
        if (common !== null) total += turfArea(common);
      }
    });
  }
  if (Number.isNaN(total)) throw new Error("an overlap is not a number");
  return used / plots.length;
}

function feature(polygons: Polygons): ReturnType<typeof turfPolygon> {
  return turfPolygon(
    polygons[0]!.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
    ),
  );
}
