import type { WorkMeter } from "../../base/work-meter.ts";
import { createLatitudeSeries, ELLIPSOID } from "../earth/authalic.ts";
import type { Bbox } from "../earth/bbox.ts";
import type { Plot } from "../plot/plot.ts";
import { growBox, openRing, ringMeetsBox, shiftsToMeet } from "./candidates.ts";
import { toDegreesBox } from "./cells.ts";
import { chainNodeCount, writeChainTree } from "./chain-tree.ts";
import { type Chains, createChains, openChains, type Side, sideOfMiddle } from "./chains.ts";
import type { AreaLayer } from "./layer.ts";

/** The rings (or lines) of a plot, or those of an area near it, each with its tree, in the plot's longitudes. */
export interface Boundary {
  readonly rings: readonly Chains[];
  readonly bbox: Bbox;
  /** True if some of the area, or of the plot, was not gathered: it lies outside the other set. */
  readonly partial: boolean;
  /** For each ring, its number in the plot or layer, and the degrees added to its longitudes. */
  readonly origins: readonly { readonly ring: number; readonly shift: number }[];
  /** True if it may meet itself a turn further on. */
  readonly wraps: boolean;
}

/** Units of work of a node or an edge looked at, of an edge that is given a tree, of a ring that is taken up, and of one that is opened anew. */
const UNITS_A_STEP = 3;
const TREE_UNITS = 16;
const RING_UNITS = 400;
const OPENED_UNITS = 800;

/**
 * @param only the rings that are wanted, default all. Left out may be those that are apart from all that is compared
 */
export function buildPlotBoundary(plot: Plot, meter: WorkMeter, only?: readonly number[]): Boundary {
  const count = plot.ringStarts.length - 1;
  const wanted = only ?? Array.from({ length: count }, (_, ring) => ring);
  const rings = wanted.map((ring) => {
    const [from, to] = [plot.ringStarts[ring]!, plot.ringStarts[ring + 1]!];
    meter.add(OPENED_UNITS + TREE_UNITS * (to - from));
    return buildRingChains(plot.xy, from, to);
  });
  const origins = wanted.map((ring) => ({ ring, shift: 0 }));
  const wraps = plot.dimension === "polygon" && plot.bbox[2] - plot.bbox[0] >= 360;
  return { rings, bbox: plot.bbox, partial: wanted.length < count, origins, wraps };
}

/**
 * An area's rings near a plot. Rings that must be shifted are copied, their longitudes rounded where
 * the shifted ones are no doubles: by at most 3e-14°, three nanometres.
 */
export function buildAreaBoundary(layer: AreaLayer, area: number, bbox: Bbox, meter: WorkMeter): Boundary {
  const rings: Chains[] = [];
  const origins: { ring: number; shift: number }[] = [];
  const gathered = new Set<number>();
  const own: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const shift of shiftsToMeet(bbox, layer)) {
    meter.add(layer.areaRings[area + 1]! - layer.areaRings[area]!);
    for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
      if (!ringMeetsBox(layer, ring, bbox[0] - shift, bbox[1], bbox[2] - shift, bbox[3])) continue;
      gathered.add(ring);
      origins.push({ ring, shift });
      meter.add(RING_UNITS);
      if (shift === 0) {
        const chains = createChains();
        openRing(chains, layer, ring, 0);
        rings.push(chains);
      } else {
        const xy = layer.xy.slice(2 * layer.ringStarts[ring]!, 2 * layer.ringStarts[ring + 1]!);
        for (let k = 0; k < xy.length; k += 2) xy[k]! += shift;
        meter.add(TREE_UNITS * (xy.length / 2));
        rings.push(buildRingChains(xy, 0, xy.length / 2));
      }
    }
  }
  for (const { boxes, node, levels, levelStarts } of rings) {
    const root = 4 * (node + levelStarts[levels - 1]!);
    growBox(own, toDegreesBox(boxes, root));
  }
  const partial = gathered.size < layer.areaRings[area + 1]! - layer.areaRings[area]!;
  const wraps = origins.some(({ shift }) => shift !== origins[0]!.shift);
  return { rings, bbox: own, partial, origins, wraps };
}

/** A ring of its own, with a tree. */
function buildRingChains(xy: Float64Array, from: number, to: number): Chains {
  const nodes = chainNodeCount(to - from - 1);
  const boxes = new Int32Array(4 * nodes);
  const integrals = new Float64Array(nodes);
  writeChainTree(xy, from, to, boxes, integrals, ELLIPSOID, createLatitudeSeries());
  const chains = createChains();
  openChains(chains, xy, from, to, boxes, integrals, 0, 0);
  return chains;
}

/**
 * Meters the work in the boundary's rings since the last call. Fails: `GEOMETRY_TOO_COMPLEX` beyond the meter's limit.
 */
export function meterBoundaryWork(boundary: Boundary, meter: WorkMeter): void {
  for (const ring of boundary.rings) if (ring.work > 0) meterRingWork(ring, meter);
}

/** The same of one ring. */
export function meterRingWork(ring: Chains, meter: WorkMeter): void {
  meter.add(UNITS_A_STEP * ring.work);
  ring.work = 0;
}

/** Side of the middle of p and q with respect to all rings together, even-odd. Exact. */
export function sideOfBoundary(
  boundary: Boundary,
  px: number,
  py: number,
  qx: number,
  qy: number,
  meter: WorkMeter,
): Side {
  meterBoundaryWork(boundary, meter);
  let inside = 0;
  for (const ring of boundary.rings) {
    const side = sideOfMiddle(ring, px, py, qx, qy);
    if (side === 2) return 2;
    inside ^= side;
  }
  return inside as Side;
}
