import { createLatitudeSeries, ELLIPSOID, type Surface, signedRingAreaOn } from "../earth/authalic.ts";
import { computeBbox } from "../earth/bbox.ts";
import { chainNodeCount, writeChainTree } from "./chain-tree.ts";
import type { AreaLayer } from "./layer.ts";
import { buildRingIndex } from "./ring-index.ts";

/**
 * A layer in memory, straight from polygons: no snapshot, no attributes.
 *
 * @param areas the polygons of each area; each a list of rings, outer first, flat closed `[lon, lat, …]`, degrees
 */
export function createPolygonLayer(
  sourceName: string,
  areas: readonly (readonly (readonly Float64Array[])[])[],
  surface: Surface = ELLIPSOID,
): AreaLayer {
  const holes = new Set(areas.flatMap((polygons) => polygons.flatMap((rings) => rings.slice(1))));
  const rings = areas.map((polygons) => polygons.flat());
  return createAreaLayer(sourceName, rings, surface, (ring) => holes.has(ring));
}

/**
 * A layer in memory, straight from closed rings.
 *
 * @param areas the rings of each area, flat `[lon, lat, …]`
 * @param isHole whether a ring is a hole; of the outer ring before it, for who tells polygons apart
 */
export function createAreaLayer(
  sourceName: string,
  areas: readonly (readonly Float64Array[])[],
  surface: Surface,
  isHole: (ring: Float64Array) => boolean,
): AreaLayer {
  const rings = areas.flat();
  const areaRings = new Uint32Array(areas.length + 1);
  for (const [area, own] of areas.entries()) areaRings[area + 1] = areaRings[area]! + own.length;
  const ringAreas = Uint32Array.from(areas.flatMap((own, area) => own.map(() => area)));
  const ringRoles = Uint8Array.from(rings, (ring) => (isHole(ring) ? 1 : 0));
  const ringStarts = new Uint32Array(rings.length + 1);
  const chainStarts = new Uint32Array(rings.length + 1);
  for (const [i, ring] of rings.entries()) {
    ringStarts[i + 1] = ringStarts[i]! + ring.length / 2;
    chainStarts[i + 1] = chainStarts[i]! + chainNodeCount(ring.length / 2 - 1);
  }
  const xy = new Float64Array(2 * ringStarts[rings.length]!);
  const nodes = chainStarts[rings.length]!;
  const chainBoxes = new Int32Array(4 * nodes);
  const chainIntegrals = new Float64Array(nodes);
  const areaSquareMeters = new Float64Array(areas.length);
  const envelopes = new Int32Array(4 * rings.length);
  const series = createLatitudeSeries();
  for (const [i, ring] of rings.entries()) {
    const [from, to] = [ringStarts[i]!, ringStarts[i + 1]!];
    const [node, end] = [chainStarts[i]!, chainStarts[i + 1]!];
    xy.set(ring, 2 * from);
    const boxes = chainBoxes.subarray(4 * node, 4 * end);
    writeChainTree(xy, from, to, boxes, chainIntegrals.subarray(node, end), surface, series);
    areaSquareMeters[ringAreas[i]!]! += signedRingAreaOn(surface, xy, from, to, series);
    envelopes.set(boxes.subarray(boxes.length - 4), 4 * i);
  }
  const index = rings.length === 0 ? undefined : buildRingIndex(envelopes);
  return {
    sourceName,
    areaCount: areas.length,
    ringCount: rings.length,
    positionCount: ringStarts[rings.length]!,
    xy,
    ringStarts,
    areaRings,
    ringAreas,
    ringRoles,
    chainStarts,
    chainBoxes,
    chainIntegrals,
    areaSquareMeters,
    index,
    bbox: index === undefined ? undefined : computeBbox(xy),
  };
}
