import type { AreaLayer } from "../snapshot/layer.ts";
import { type BoundarySum, HIGH, heightOfPiece, LOW, loadPieces, strip, XL, XR } from "./boundary-sum.ts";
import { findRings, openRing, shiftsToMeet, type Workspace } from "./candidates.ts";
import { FAN_OUT } from "./chain-tree.ts";
import { type Chains, createChains, sideOfRing } from "./chains.ts";
import type { AreaRef, Region } from "./kernel.ts";
import { type Edges, forEachNearPair } from "./near-edges.ts";
import type { Plot } from "./plot.ts";
import { WorkMeter } from "./work-meter.ts";

/*
 * The area of a region made of many areas, within a plot, nothing counted twice.
 *
 * The edges of the plot and of all its areas that come near the plot are cut by vertical lines
 * through every end and every crossing. Between two lines no edges cross: from below upward each
 * one flips the membership of its own set, and where the region begins or ends the strip below the
 * edge is subtracted or added. A crossing missed or an order mistaken by rounding costs the sliver
 * it is about, never a region.
 */

/** Most steps of one question; part of the semantics version. */
const ALLOWED_STEPS = 20_000_000;

/** A region with its areas numbered; `sets` holds the numbers of those counted as a union. */
type Expression =
  | { readonly op: "areas"; readonly sets: readonly number[] }
  | { readonly op: "union" | "intersection" | "difference"; readonly operands: readonly Expression[] };

/** Pieces of edges from left to right in local coordinates, each with the set it bounds; set 0 is the plot. */
interface Pieces {
  xl: number[];
  yl: number[];
  xr: number[];
  yr: number[];
  set: number[];
}

/** Where a set's membership below the frame changes, from left to right. */
interface Toggle {
  readonly x: number;
  readonly set: number;
}

/** Receives the trapezoids a region consists of: left and right side, heights of its lower and upper side there. */
export type Trapezoids = (
  x0: number,
  x1: number,
  low0: number,
  low1: number,
  high0: number,
  high1: number,
) => void;

/**
 * Square metres of region ∩ plot, and where asked its trapezoids in degrees. The sum's window is the plot's bbox.
 * Fails: `GEOMETRY_TOO_COMPLEX` beyond the allowed steps.
 */
export function regionArea(workspace: Workspace, plot: Plot, region: Region, emit?: Trapezoids): number {
  const { sum } = workspace;
  const refs: AreaRef[] = [];
  const expression = numbered(region, refs, new Map());
  const meter = new WorkMeter(ALLOWED_STEPS);

  // The frame reaches a little beyond the plot, so that no edge of the plot lies on it.
  const [west, south, east, north] = plot.bbox;
  const margin = 0.0123456789 * (east - west + (north - south)) + 1e-9;
  const frame = { west: west - margin, south: south - margin, east: east + margin, north: north + margin };

  const pieces: Pieces = { xl: [], yl: [], xr: [], yr: [], set: [] };
  const toggles: Toggle[] = [];
  const inside: boolean[] = new Array<boolean>(refs.length + 1).fill(false);
  const chains = createChains();
  for (const [k, { layer, area }] of refs.entries()) {
    for (const shift of shiftsToMeet(plot.bbox, layer)) {
      gather(workspace, layer, area, shift, frame, k + 1, pieces, toggles, inside, chains, meter);
    }
  }
  for (let r = 0; r + 1 < plot.ringStarts.length; r++) {
    addEdges(
      sum,
      plot.xy,
      plot.ringStarts[r]!,
      plot.ringStarts[r + 1]! - 1,
      0,
      frame,
      0,
      pieces,
      toggles,
      meter,
    );
  }
  return sumOverSlabs(sum, pieces, toggles, inside, expression, meter, emit);
}

function numbered(region: Region, refs: AreaRef[], numbers: Map<AreaLayer, Map<number, number>>): Expression {
  if (region.op !== "areas") {
    return { op: region.op, operands: region.operands.map((operand) => numbered(operand, refs, numbers)) };
  }
  const sets = region.areas.map((ref) => {
    const ofLayer = numbers.get(ref.layer) ?? new Map<number, number>();
    numbers.set(ref.layer, ofLayer);
    let set = ofLayer.get(ref.area);
    if (set === undefined) {
      refs.push(ref);
      set = refs.length;
      ofLayer.set(ref.area, set);
    }
    return set;
  });
  return { op: "areas", sets };
}

function holds(expression: Expression, inside: readonly boolean[]): boolean {
  switch (expression.op) {
    case "areas":
      return expression.sets.some((set) => inside[set]!);
    case "union":
      return expression.operands.some((operand) => holds(operand, inside));
    case "intersection":
      return expression.operands.length > 0 && expression.operands.every((operand) => holds(operand, inside));
    case "difference":
      return (
        expression.operands.every((operand, i) => holds(operand, inside) === (i === 0)) &&
        expression.operands.length > 0
      );
  }
}

interface Frame {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Adds the edges of an area's rings that come into the frame, and its membership at the frame's south-west corner. */
function gather(
  workspace: Workspace,
  layer: AreaLayer,
  area: number,
  shift: number,
  frame: Frame,
  set: number,
  pieces: Pieces,
  toggles: Toggle[],
  inside: boolean[],
  chains: Chains,
  meter: WorkMeter,
): void {
  const { sum } = workspace;
  const found = findRings(workspace, layer, [frame.west, frame.south, frame.east, frame.north], shift);
  for (let i = 0; i < found.count; i++) {
    const ring = found.rings[i]!;
    if (layer.ringAreas[ring] !== area) continue;
    openRing(chains, layer, ring, shift);
    // A corner on the boundary counts either way: only slivers as thin as rounding hang on it.
    if (sideOfRing(chains, frame.west, frame.south) === 1) inside[set] = !inside[set];
    const visit = (level: number, node: number): void => {
      meter.add(1);
      const { boxes } = chains;
      const box = 4 * (chains.node + node);
      if (boxes[box]! + shift > frame.east || boxes[box + 2]! + shift < frame.west) return;
      if (boxes[box + 1]! > frame.north || boxes[box + 3]! < frame.south) return;
      const index = node - chains.levelStarts[level]!;
      if (level === 0) {
        const start = chains.first + index * chains.leaf;
        const end = Math.min(start + chains.leaf, chains.first + chains.edges);
        addEdges(sum, chains.xy, start, end, shift, frame, set, pieces, toggles, meter);
        return;
      }
      const below = chains.levelStarts[level - 1]!;
      const last = Math.min(below + (index + 1) * FAN_OUT, chains.levelStarts[level]!);
      for (let child = below + index * FAN_OUT; child < last; child++) visit(level - 1, child);
    };
    visit(chains.levels - 1, chains.levelStarts[chains.levels - 1]!);
  }
}

/** Clips the edges between two positions to the frame; where one crosses its southern side, the membership below changes. */
function addEdges(
  sum: BoundarySum,
  xy: Float64Array,
  start: number,
  end: number,
  shift: number,
  frame: Frame,
  set: number,
  pieces: Pieces,
  toggles: Toggle[],
  meter: WorkMeter,
): void {
  const west = frame.west - sum.originX;
  const east = frame.east - sum.originX;
  const south = frame.south - sum.originY;
  const north = frame.north - sum.originY;
  const one = sum.areaPieces;
  meter.add(end - start);
  for (let i = start; i < end; i++) {
    loadPieces(sum, xy, i, 1, shift, one);
    let a = Math.max(one[XL]!, west);
    let b = Math.min(one[XR]!, east);
    if (!(a < b)) {
      // An upright edge bounds no strip, but where it crosses the southern side it parts what lies below.
      const upright = a === b && one[XL] === one[XR];
      if (upright && one[LOW]! < south && one[HIGH]! >= south) toggles.push({ x: a, set });
      continue;
    }
    let ya = heightOfPiece(one, 0, a);
    let yb = heightOfPiece(one, 0, b);
    if (ya < south !== yb < south) {
      const x = a + (b - a) * ((south - ya) / (yb - ya));
      toggles.push({ x, set });
      if (ya < south) [a, ya] = [x, south];
      else [b, yb] = [x, south];
    } else if (ya < south) {
      continue;
    }
    if (ya > north || yb > north) {
      if (ya >= north && yb >= north) continue;
      const x = a + (b - a) * ((north - ya) / (yb - ya));
      if (ya > north) [a, ya] = [x, north];
      else [b, yb] = [x, north];
    }
    if (!(a < b)) continue;
    pieces.xl.push(a);
    pieces.yl.push(ya);
    pieces.xr.push(b);
    pieces.yr.push(yb);
    pieces.set.push(set);
  }
}

function sumOverSlabs(
  sum: BoundarySum,
  pieces: Pieces,
  toggles: Toggle[],
  inside: boolean[],
  expression: Expression,
  meter: WorkMeter,
  emit: Trapezoids | undefined,
): number {
  const { xl, yl, xr, yr, set } = pieces;
  const count = xl.length;
  const at = (p: number, x: number): number => {
    if (x === xl[p]) return yl[p]!;
    if (x === xr[p]) return yr[p]!;
    const share = (x - xl[p]!) / (xr[p]! - xl[p]!);
    return share < 0.5 ? yl[p]! + (yr[p]! - yl[p]!) * share : yr[p]! - (yr[p]! - yl[p]!) * (1 - share);
  };
  const lines = [...xl, ...xr, ...toggles.map(({ x }) => x)];
  const edges: Edges = {
    count,
    x0: Float64Array.from(xl),
    y0: Float64Array.from(yl),
    x1: Float64Array.from(xr),
    y1: Float64Array.from(yr),
  };
  forEachNearPair(edges, meter, (p, q) => {
    const a = Math.max(xl[p]!, xl[q]!);
    const b = Math.min(xr[p]!, xr[q]!);
    if (!(a < b)) return;
    const da = at(p, a) - at(q, a);
    const db = at(p, b) - at(q, b);
    if ((da > 0 && db < 0) || (da < 0 && db > 0)) lines.push(a + (b - a) * (da / (da - db)));
  });
  const xs = Float64Array.from(lines).sort();
  toggles.sort((p, q) => p.x - q.x);
  const byLeft = Array.from({ length: count }, (_, p) => p).sort((p, q) => xl[p]! - xl[q]!);
  meter.add(16 * (lines.length + count));

  const active: number[] = [];
  const heights = new Float64Array(count);
  let next = 0;
  let nextToggle = 0;
  let total = 0;
  for (let k = 0; k + 1 < xs.length; k++) {
    const [x0, x1] = [xs[k]!, xs[k + 1]!];
    for (; nextToggle < toggles.length && toggles[nextToggle]!.x <= x0; nextToggle++) {
      const toggled = toggles[nextToggle]!.set;
      inside[toggled] = !inside[toggled];
    }
    if (x0 === x1) continue;
    let kept = 0;
    for (const p of active) if (xr[p]! > x0) active[kept++] = p;
    active.length = kept;
    for (; next < count && xl[byLeft[next]!]! <= x0; next++) {
      if (xr[byLeft[next]!]! > x0) active.push(byLeft[next]!);
    }
    meter.add(4 * active.length);
    const middle = x0 + (x1 - x0) / 2;
    for (const p of active) heights[p] = at(p, middle);
    sortByHeight(active, heights);

    const member = inside.slice();
    let within = false;
    let entered = 0;
    for (const p of active) {
      member[set[p]!] = !member[set[p]!];
      const now = member[0]! && holds(expression, member);
      if (now === within) continue;
      const below = strip(sum, x0, at(p, x0), x1, at(p, x1));
      total += now ? -below : below;
      within = now;
      if (now) entered = p;
      else if (emit !== undefined) {
        const { originX, originY } = sum;
        emit(
          originX + x0,
          originX + x1,
          originY + at(entered, x0),
          originY + at(entered, x1),
          originY + at(p, x0),
          originY + at(p, x1),
        );
      }
    }
  }
  return Math.max(0, total);
}

/** Insertion sort: from one slab to the next little changes. */
function sortByHeight(active: number[], heights: Float64Array): void {
  for (let i = 1; i < active.length; i++) {
    const p = active[i]!;
    let k = i;
    for (; k > 0 && heights[active[k - 1]!]! > heights[p]!; k--) active[k] = active[k - 1]!;
    active[k] = p;
  }
}
