import type { AreaLayer, Plot } from "@groundrule/engine";

/** An area of a layer as a plot. */
export function plotOfArea(layer: AreaLayer, area: number): Plot {
  const firstRing = layer.areaRings[area]!;
  const lastRing = layer.areaRings[area + 1]!;
  const first = layer.ringStarts[firstRing]!;
  const last = layer.ringStarts[lastRing]!;
  const xy = layer.xy.subarray(2 * first, 2 * last);
  const ringStarts = layer.ringStarts.slice(firstRing, lastRing + 1).map((start) => start - first);
  const polygonStarts: number[] = [];
  for (let ring = firstRing; ring < lastRing; ring++) {
    if (layer.ringRoles[ring] === 0) polygonStarts.push(ring - firstRing);
  }
  polygonStarts.push(lastRing - firstRing);
  let [west, south, east, north] = [xy[0]!, xy[1]!, xy[0]!, xy[1]!];
  for (let i = 2; i < xy.length; i += 2) {
    west = Math.min(west, xy[i]!);
    east = Math.max(east, xy[i]!);
    south = Math.min(south, xy[i + 1]!);
    north = Math.max(north, xy[i + 1]!);
  }
  return {
    dimension: "polygon",
    xy,
    ringStarts,
    polygonStarts: Uint32Array.from(polygonStarts),
    bbox: [west, south, east, north],
  };
}

/** The rings of a plot of polygons, as snapshots take them. */
export function polygonsOf({ xy, ringStarts, polygonStarts }: Plot): Float64Array[][] {
  return Array.from({ length: polygonStarts.length - 1 }, (_, polygon) =>
    Array.from({ length: polygonStarts[polygon + 1]! - polygonStarts[polygon]! }, (_, i) => {
      const ring = polygonStarts[polygon]! + i;
      return xy.subarray(2 * ringStarts[ring]!, 2 * ringStarts[ring + 1]!);
    }),
  );
}
