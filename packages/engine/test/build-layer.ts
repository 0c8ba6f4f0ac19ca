import type { Polygons } from "@groundrule/testing/shapes";
import {
  createLatitudeSeries,
  ELLIPSOID,
  type Surface,
  signedRingAreaOn,
} from "../src/geometry/earth/authalic.ts";
import { chainNodeCount, writeChainTree } from "../src/geometry/trees/chain-tree.ts";
import type { AreaLayer } from "../src/geometry/trees/layer.ts";
import { buildRingIndex } from "../src/geometry/trees/ring-index.ts";

/** A layer in memory, straight from polygons: no snapshot, no attributes, any surface. */
export function buildLayer(areas: readonly Polygons[], surface: Surface = ELLIPSOID): AreaLayer {
  const rings: { ring: Float64Array; area: number; role: number }[] = [];
  const areaRings = new Uint32Array(areas.length + 1);
  areas.forEach((polygons, area) => {
    for (const polygon of polygons)
      for (const [i, ring] of polygon.entries()) rings.push({ ring, area, role: i === 0 ? 0 : 1 });
    areaRings[area + 1] = rings.length;
  });
  const ringStarts = new Uint32Array(rings.length + 1);
  const chainStarts = new Uint32Array(rings.length + 1);
  rings.forEach(({ ring }, i) => {
    ringStarts[i + 1] = ringStarts[i]! + ring.length / 2;
    chainStarts[i + 1] = chainStarts[i]! + chainNodeCount(ring.length / 2 - 1);
  });
  const xy = new Float64Array(2 * ringStarts[rings.length]!);
  const nodes = chainStarts[rings.length]!;
  const chainBoxes = new Int32Array(4 * nodes);
  const chainIntegrals = new Float64Array(nodes);
  const areaSquareMeters = new Float64Array(areas.length);
  const series = createLatitudeSeries();
  const envelopes = new Int32Array(4 * rings.length);
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  rings.forEach(({ ring, area }, i) => {
    const [from, to] = [ringStarts[i]!, ringStarts[i + 1]!];
    xy.set(ring, 2 * from);
    const [a, b] = [chainStarts[i]!, chainStarts[i + 1]!];
    writeChainTree(
      xy,
      from,
      to,
      chainBoxes.subarray(4 * a, 4 * b),
      chainIntegrals.subarray(a, b),
      surface,
      series,
    );
    areaSquareMeters[area]! += signedRingAreaOn(surface, xy, from, to, series);
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let k = 0; k < ring.length; k += 2) {
      west = Math.min(west, ring[k]!);
      east = Math.max(east, ring[k]!);
      south = Math.min(south, ring[k + 1]!);
      north = Math.max(north, ring[k + 1]!);
    }
    envelopes.set(chainBoxes.subarray(4 * (b - 1), 4 * b), 4 * i);
    bbox[0] = Math.min(bbox[0], west);
    bbox[1] = Math.min(bbox[1], south);
    bbox[2] = Math.max(bbox[2], east);
    bbox[3] = Math.max(bbox[3], north);
  });
  const index = rings.length === 0 ? undefined : buildRingIndex(envelopes);
  return {
    sourceName: "test",
    areaCount: areas.length,
    ringCount: rings.length,
    positionCount: ringStarts[rings.length]!,
    xy,
    ringStarts,
    areaRings,
    ringAreas: Uint32Array.from(rings, ({ area }) => area),
    ringRoles: Uint8Array.from(rings, ({ role }) => role),
    chainStarts,
    chainBoxes,
    chainIntegrals,
    areaSquareMeters,
    index,
    bbox: index === undefined ? undefined : bbox,
  };
}
