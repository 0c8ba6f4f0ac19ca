import type { Polygons } from "@groundrule/testing/shapes";
import { area as turfArea } from "@turf/area";
import { booleanIntersects } from "@turf/boolean-intersects";
import { featureCollection, polygon as turfPolygon } from "@turf/helpers";
import { intersect } from "@turf/intersect";
import Flatbush from "flatbush";
import { cpuMicros } from "../kernel/timing.ts";
import { bboxOf } from "./geos-wasm.ts";

export interface TurfPass {
  /** CPU microseconds a plot. */
  readonly micros: number;
  readonly hits: number;
  /** On a sphere: up to half a percent off. */
  readonly squareMeters: number;
}

/** flatbush over areas of one ring each, then turf on every candidate. */
export function turfPass(areas: readonly Polygons[], plots: readonly Polygons[]): TurfPass {
  const index = new Flatbush(areas.length);
  for (const area of areas) index.add(...bboxOf(area));
  index.finish();
  const features = areas.map(feature);
  let [squareMeters, hits, used] = [0, 0, 0];
  for (const polygons of plots) {
    const plot = feature(polygons);
    const bbox = bboxOf(polygons);
    used += cpuMicros(() => {
      for (const i of index.search(...bbox)) {
        if (!booleanIntersects(features[i]!, plot)) continue;
        hits++;
        const common = intersect(featureCollection([features[i]!, plot]));
        if (common !== null) squareMeters += turfArea(common);
      }
    });
  }
  return { micros: used / plots.length, hits, squareMeters };
}

function feature(polygons: Polygons): ReturnType<typeof turfPolygon> {
  return turfPolygon(
    polygons[0]!.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, ring[2 * i + 1]!]),
    ),
  );
}
