import { doubled } from "../../../base/doubled.ts";
import type { Bbox } from "../../earth/bbox.ts";
import { compareShifted } from "../../earth/predicates.ts";
import { CELLS_A_DEGREE, ceilToCell, floorToCell } from "../../trees/cells.ts";
import { FAN_OUT, LEAF_EDGES } from "../../trees/chain-tree.ts";
import { type Chains, getLevelSpan } from "../../trees/chains.ts";

/** Numbers of a gathered chain: first and last position, node among the layer's, its level, ring. */
export const CHAIN = 5;

/**
 * The part of an area's rings that can matter to a box: chains near it, and runs of edges above it. All other edges
 * are strictly west, east or south of the box, and add nothing to the double sum.
 */
export interface Gathered {
  /** The box in the area's longitudes; and in cells, rounded outward. */
  west: number;
  south: number;
  east: number;
  north: number;
  cellWest: number;
  cellSouth: number;
  cellEast: number;
  cellNorth: number;
  /** Inner nodes smaller than this, width and height in cells, are gathered whole. */
  settle: number;
  /** Runs: the first and last position of each; and where the last one of the ring at hand ends, or −1. */
  runs: number;
  runList: Int32Array;
  runEnd: number;
  /** Chains of consecutive edges, none of them strictly beyond a side, {@link CHAIN} numbers each; the node is −1 where they are none. */
  chains: number;
  chainList: Int32Array;
  /** The ring at hand. */
  ring: number;
}

export function createGatheredList(): Gathered {
  return {
    west: 0,
    south: 0,
    east: 0,
    north: 0,
    cellWest: 0,
    cellSouth: 0,
    cellEast: 0,
    cellNorth: 0,
    settle: 0,
    runs: 0,
    runList: new Int32Array(64),
    runEnd: -1,
    chains: 0,
    chainList: new Int32Array(64 * CHAIN),
    ring: 0,
  };
}

/** Empties the list, and sets the box; `shift` is what the area's longitudes are shifted by. */
export function beginGathering(gathered: Gathered, bbox: Bbox, shift: number): void {
  const [west, south, east, north] = bbox;
  gathered.runs = 0;
  gathered.chains = 0;
  gathered.west = west - shift;
  gathered.south = south;
  gathered.east = east - shift;
  gathered.north = north;
  gathered.cellWest = floorToCell(west - shift);
  gathered.cellSouth = floorToCell(south);
  gathered.cellEast = ceilToCell(east - shift);
  gathered.cellNorth = ceilToCell(north);
  gathered.settle = Math.floor(((east - west + (north - south)) / 4) * CELLS_A_DEGREE);
}

/** Adds the opened ring's runs and chains. */
export function gatherRing(gathered: Gathered, area: Chains, ring: number): void {
  gathered.ring = ring;
  gathered.runEnd = -1;
  const root = area.levelStarts[area.levels - 1]!;
  gatherNodes(gathered, area, area.levels - 1, root, root + 1);
}

/** Adds what is below a node of an inner level, of the ring at hand, which is opened. */
export function gatherBelowNode(gathered: Gathered, area: Chains, level: number, node: number): void {
  gathered.runEnd = -1;
  const index = node - area.node - area.levelStarts[level]!;
  const children = area.levelStarts[level - 1]! + index * FAN_OUT;
  const end = Math.min(children + FAN_OUT, area.levelStarts[level]!);
  gatherNodes(gathered, area, level - 1, children, end);
}

/** True if a position of a box with no chain near it lies inside the rings gathered from. Exact. */
export function runsCover(gathered: Gathered, area: Chains, x: number): boolean {
  const { xy, shift } = area;
  const { runList } = gathered;
  let inside = false;
  for (let r = 0; r < 2 * gathered.runs; r += 2) {
    const from = compareShifted(xy[2 * runList[r]!]!, shift, x) > 0;
    const to = compareShifted(xy[2 * runList[r + 1]!]!, shift, x) > 0;
    if (from !== to) inside = !inside;
  }
  return inside;
}

/** Adds consecutive nodes of one level. */
function gatherNodes(gathered: Gathered, area: Chains, level: number, first: number, last: number): void {
  const { levelStarts, boxes } = area;
  const { cellWest, cellSouth, cellEast, cellNorth, settle } = gathered;
  area.work += last - first;
  for (let node = first, box = 4 * (area.node + first); node < last; node++, box += 4) {
    if (((cellEast - boxes[box]!) | (boxes[box + 2]! - cellWest) | (boxes[box + 3]! - cellSouth)) < 0)
      continue;
    const index = node - levelStarts[level]!;
    const above = cellNorth < boxes[box + 1]!;
    if (level > 0 && !above) {
      if (boxes[box + 2]! - boxes[box]! + (boxes[box + 3]! - boxes[box + 1]!) >= settle) {
        const children = levelStarts[level - 1]! + index * FAN_OUT;
        const end = levelStarts[level]!;
        gatherNodes(gathered, area, level - 1, children, children + FAN_OUT < end ? children + FAN_OUT : end);
        continue;
      }
    }
    const start = area.first + index * getLevelSpan(area, level);
    const end = Math.min(start + getLevelSpan(area, level), area.first + area.edges);
    if (above) addRun(gathered, start, end);
    else if (level > 0) addChain(gathered, start, end, area.node + node, level);
    else gatherLeafEdges(gathered, area, start, end, area.node + node);
  }
}

/** Adds the edges of a leaf. Signs decide, without branches, on which side the edges are. */
function gatherLeafEdges(gathered: Gathered, area: Chains, start: number, end: number, node: number): void {
  const chainNode = end - start <= LEAF_EDGES ? node : -1;
  const { xy } = area;
  const { west, south, east, north } = gathered;
  area.work += end - start;
  let first = -1;
  // Distances from the four sides in cells, rounded towards 0: negative only strictly outside.
  let w0 = ((xy[2 * start]! - west) * CELLS_A_DEGREE) | 0;
  let e0 = ((east - xy[2 * start]!) * CELLS_A_DEGREE) | 0;
  let s0 = ((xy[2 * start + 1]! - south) * CELLS_A_DEGREE) | 0;
  let n0 = ((north - xy[2 * start + 1]!) * CELLS_A_DEGREE) | 0;
  for (let i = start; i < end; i++) {
    const x = xy[2 * i + 2]!;
    const y = xy[2 * i + 3]!;
    const w1 = ((x - west) * CELLS_A_DEGREE) | 0;
    const e1 = ((east - x) * CELLS_A_DEGREE) | 0;
    const s1 = ((y - south) * CELLS_A_DEGREE) | 0;
    const n1 = ((north - y) * CELLS_A_DEGREE) | 0;
    const beyond = (w0 & w1) | (e0 & e1) | (s0 & s1);
    const above = n0 & n1;
    w0 = w1;
    e0 = e1;
    s0 = s1;
    n0 = n1;
    if ((beyond | above) < 0) {
      if (first >= 0) {
        addChain(gathered, first, i, -1, 0);
        first = -1;
      }
      if (beyond >= 0) addRun(gathered, i, i + 1);
    } else if (first < 0) {
      first = i;
    } else if (i + 1 - first === LEAF_EDGES) {
      addChain(gathered, first, i + 1, first === start ? chainNode : -1, 0);
      first = -1;
    }
  }
  if (first >= 0) addChain(gathered, first, end, first === start ? chainNode : -1, 0);
}

/** Runs that follow each other are one. */
function addRun(gathered: Gathered, start: number, end: number): void {
  if (gathered.runEnd === start) {
    gathered.runList[2 * gathered.runs - 1] = end;
  } else {
    if (2 * gathered.runs === gathered.runList.length) gathered.runList = doubled(gathered.runList);
    gathered.runList[2 * gathered.runs] = start;
    gathered.runList[2 * gathered.runs + 1] = end;
    gathered.runs++;
  }
  gathered.runEnd = end;
}

function addChain(gathered: Gathered, start: number, end: number, node: number, level: number): void {
  const at = CHAIN * gathered.chains++;
  if (at === gathered.chainList.length) gathered.chainList = doubled(gathered.chainList);
  const list = gathered.chainList;
  list[at] = start;
  list[at + 1] = end;
  list[at + 2] = node;
  list[at + 3] = level;
  list[at + 4] = gathered.ring;
}
