import {
  createLatitudeSeries,
  ELLIPSOID,
  evaluateSeriesMean,
  type LatitudeSeries,
  type Surface,
} from "../earth/authalic.ts";
import { computeBbox, writeBoxUnion } from "../earth/bbox.ts";
import { writeBox } from "./cells.ts";

/*
 * The chain tree of a ring: an implicit tree in ring order. A leaf is a chain of LEAF_EDGES
 * consecutive edges, an inner node FAN_OUT consecutive nodes of the level below, the root the whole
 * ring; a ring of at most SINGLE_NODE_EDGES has its root alone, which keeps small rings small. Levels lie one after another, leaves first, root last. Because a node is a chain, its end
 * vertices are read from the ring itself, and whatever is settled by a node costs O(1).
 *
 * A node holds its envelope, [west, south, east, north] in cells (cells.ts), and its integral
 *   ∫ (W(φ) − W(φ₁)) dλ   along the chain, φ₁ the latitude of its first vertex,
 * square metres (W as in authalic.ts, longitude in degrees). Sums relative to a node lose nothing
 * to cancellation, unlike running sums along the ring.
 */

/** Edges of a leaf. */
export const LEAF_EDGES = 16;
/** Most edges of a ring that has a single node. */
export const SINGLE_NODE_EDGES = 98;
/** Nodes below an inner node. */
export const FAN_OUT = 8;
/** Most levels a tree can have: 16 · 8⁹ edges exceed any index. */
export const MAX_LEVELS = 11;
/** Edges below a node of each level, where there are several levels. */
export const LEVEL_SPANS: readonly number[] = computeLevelSpans();

function computeLevelSpans(): number[] {
  const spans = [LEAF_EDGES];
  while (spans.length < MAX_LEVELS) spans.push(FAN_OUT * spans.at(-1)!);
  return spans;
}

/** Number of nodes in the chain tree of a ring of `edgeCount` edges, at least 1. */
export function chainNodeCount(edgeCount: number): number {
  let count = Math.ceil(edgeCount / computeLeafSpan(edgeCount));
  let total = count;
  while (count > 1) {
    count = Math.ceil(count / FAN_OUT);
    total += count;
  }
  return total;
}

/** Edges of each leaf (the last may have fewer) in the tree of a ring of `edgeCount` edges. */
export function computeLeafSpan(edgeCount: number): number {
  return edgeCount <= SINGLE_NODE_EDGES ? SINGLE_NODE_EDGES : LEAF_EDGES;
}

/**
 * Writes the chain tree of one ring (or line).
 *
 * @param xy flat `[lon, lat, …]` in degrees
 * @param from first position
 * @param to one past the last; at least two positions
 * @param boxes receives 4 numbers a node
 * @param integrals receives 1 number a node
 * Error: an integral is off by < 1e-15 of (its envelope's area · number of levels).
 */
export function writeChainTree(
  xy: Float64Array,
  from: number,
  to: number,
  boxes: Int32Array,
  integrals: Float64Array,
  surface: Surface = ELLIPSOID,
  series: LatitudeSeries = createLatitudeSeries(),
): void {
  const last = to - 1;
  const leaf = computeLeafSpan(last - from);
  let node = 0;
  for (let start = from; start < last; start += leaf, node++) {
    writeLeafNode(xy, start, Math.min(start + leaf, last), boxes, integrals, node, surface, series);
  }
  let levelStart = 0;
  let levelCount = node;
  let span = leaf;
  while (levelCount > 1) {
    const nextStart = levelStart + levelCount;
    for (let first = 0; first < levelCount; first += FAN_OUT, node++) {
      writeInnerNode(
        xy,
        from,
        last,
        boxes,
        integrals,
        levelStart,
        first,
        Math.min(first + FAN_OUT, levelCount),
        span,
        node,
        surface,
      );
    }
    levelStart = nextStart;
    levelCount = node - nextStart;
    span *= FAN_OUT;
  }
}

function writeLeafNode(
  xy: Float64Array,
  start: number,
  end: number,
  boxes: Int32Array,
  integrals: Float64Array,
  node: number,
  surface: Surface,
  series: LatitudeSeries,
): void {
  const [west, south, east, north] = computeBbox(xy, start, end + 1);
  writeBox(boxes, node, west, south, east, north);

  const y0 = xy[2 * start + 1]!;
  surface.fit(series, y0, Math.max(north - y0, y0 - south));
  let sum = 0;
  let a = 0;
  for (let i = start; i < end; i++) {
    const b = xy[2 * i + 3]! - y0;
    sum += (xy[2 * i + 2]! - xy[2 * i]!) * evaluateSeriesMean(series.terms, series.degree, a, b);
    a = b;
  }
  integrals[node] = sum;
}

function writeInnerNode(
  xy: Float64Array,
  from: number,
  last: number,
  boxes: Int32Array,
  integrals: Float64Array,
  levelStart: number,
  first: number,
  end: number,
  span: number,
  node: number,
  surface: Surface,
): void {
  let sum = 0;
  const y0 = xy[2 * (from + first * span) + 1]!;
  for (let i = first; i < end; i++) {
    const child = levelStart + i;
    const start = from + i * span;
    const width = xy[2 * Math.min(start + span, last)]! - xy[2 * start]!;
    sum += integrals[child]! + (width === 0 ? 0 : surface.zoneDifference(y0, xy[2 * start + 1]!) * width);
  }
  writeBoxUnion(boxes, levelStart + first, levelStart + end, boxes, node);
  integrals[node] = sum;
}
