import { createLatitudeSeries, ELLIPSOID, signedRingAreaOn } from "../../geometry/earth/authalic.ts";
import { type Bbox, writeBoxUnion } from "../../geometry/earth/bbox.ts";
import { formatBox, isSameBox, writeBox } from "../../geometry/trees/cells.ts";
import { chainNodeCount, computeLeafSpan, FAN_OUT, writeChainTree } from "../../geometry/trees/chain-tree.ts";
import type { AreaLayer } from "../../geometry/trees/layer.ts";
import { countRingIndexBytes, openRingIndex, type RingIndex } from "../../geometry/trees/ring-index.ts";
import { MAX_ABSOLUTE_LATITUDE, MAX_ABSOLUTE_LONGITUDE, MIN_RING_POSITIONS, SECTION } from "../format.ts";
import { createSectionRefuse, type Refuse, throwSnapshotCorrupt } from "./corrupt.ts";
import {
  checkOffsets,
  findFixedSection,
  readFiniteNumbers,
  type SnapshotFileView,
  viewUint32Section,
} from "./sections.ts";

/** The layer of an area source, in place; every count, position, box and node is checked. */
export function readAreaLayer(file: SnapshotFileView, sourceName: string): AreaLayer {
  const { buffer } = file;
  const { rowCount: areaCount, ringCount, positionCount } = file.counts;
  const xy = new Float64Array(
    buffer,
    findFixedSection(file, SECTION.XY, positionCount * 16),
    positionCount * 2,
  );
  const ringStarts = viewUint32Section(file, SECTION.RING_STARTS, ringCount + 1);
  checkOffsets(file, SECTION.RING_STARTS, ringStarts, positionCount);
  const areaRings = viewUint32Section(file, SECTION.AREA_RINGS, areaCount + 1);
  checkOffsets(file, SECTION.AREA_RINGS, areaRings, ringCount);
  const ringAreas = viewUint32Section(file, SECTION.RING_AREAS, ringCount);
  const ringRoles = new Uint8Array(buffer, findFixedSection(file, SECTION.RING_ROLES, ringCount), ringCount);
  checkRingRoles(file, areaRings, ringAreas, ringRoles);
  const chainStarts = viewUint32Section(file, SECTION.CHAIN_STARTS, ringCount + 1);
  checkChainStarts(file, ringStarts, chainStarts);
  const nodeCount = chainStarts[ringCount]!;
  const boxesOffset = findFixedSection(file, SECTION.CHAIN_BOXES, nodeCount * 16);
  const chainBoxes = new Int32Array(buffer, boxesOffset, nodeCount * 4);
  const bbox = checkRings(file, xy, ringStarts, chainStarts, chainBoxes);
  return {
    sourceName,
    areaCount,
    ringCount,
    positionCount,
    xy,
    ringStarts,
    areaRings,
    ringAreas,
    ringRoles,
    chainStarts,
    chainBoxes,
    chainIntegrals: readFiniteNumbers(file, SECTION.CHAIN_INTEGRALS, nodeCount),
    areaSquareMeters: readFiniteNumbers(file, SECTION.AREA_SQUARE_METERS, areaCount),
    index: readRingIndex(file, ringCount, chainStarts, chainBoxes),
    bbox,
  };
}

function checkRingRoles(
  file: SnapshotFileView,
  areaRings: Uint32Array,
  ringAreas: Uint32Array,
  ringRoles: Uint8Array,
): void {
  const { name, counts } = file;
  const refuse: Refuse = createSectionRefuse(name, "RING_ROLES");
  for (let area = 0; area < counts.rowCount; area++) {
    const first = areaRings[area]!;
    for (let ring = first; ring < areaRings[area + 1]!; ring++) {
      if (ringAreas[ring] !== area) {
        throwSnapshotCorrupt(
          "ring.area",
          name,
          "RING_AREAS",
          `area ${ringAreas[ring]} for ring ${ring}`,
          `${area}`,
        );
      }
      const role = ringRoles[ring]!;
      if (role > 1) refuse("ring.role", `role ${role} for ring ${ring}`, "0 (outer) or 1 (hole)");
      if (ring === first && role === 1) {
        refuse("ring.firstRole", `a hole as the first ring of area ${area}`, "an outer ring");
      }
    }
  }
}

/** Checks that rings are long enough, and that each has exactly the chain nodes for its length. */
function checkChainStarts(file: SnapshotFileView, ringStarts: Uint32Array, chainStarts: Uint32Array): void {
  const { name, counts } = file;
  let nodes = 0;
  for (let ring = 0; ring <= counts.ringCount; ring++) {
    if (chainStarts[ring] !== nodes) {
      throwSnapshotCorrupt(
        "chain.starts",
        name,
        "CHAIN_STARTS",
        `${chainStarts[ring]} at ring ${ring}`,
        `${nodes}`,
      );
    }
    if (ring === counts.ringCount) break;
    const positions = ringStarts[ring + 1]! - ringStarts[ring]!;
    if (positions < MIN_RING_POSITIONS) {
      const found = `${positions} positions in ring ${ring}`;
      throwSnapshotCorrupt("ring.positions", name, "RING_STARTS", found, `at least ${MIN_RING_POSITIONS}`);
    }
    nodes += chainNodeCount(positions - 1);
  }
}

/**
 * Checks each ring and the boxes of its chain tree, in one pass over the coordinates.
 *
 * @returns the layer's envelope
 */
function checkRings(
  file: SnapshotFileView,
  xy: Float64Array,
  ringStarts: Uint32Array,
  chainStarts: Uint32Array,
  chainBoxes: Int32Array,
): Bbox | undefined {
  const { name } = file;
  const { ringCount } = file.counts;
  const bbox: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const box = new Int32Array(4);
  for (let ring = 0; ring < ringCount; ring++) {
    const first = ringStarts[ring]!;
    const last = ringStarts[ring + 1]! - 1;
    if (xy[2 * first] !== xy[2 * last] || xy[2 * first + 1] !== xy[2 * last + 1]) {
      throwSnapshotCorrupt(
        "ring.closed",
        name,
        "XY",
        `ring ${ring} that does not end where it begins`,
        "a closed ring",
      );
    }
    const span = computeLeafSpan(last - first);
    let node = chainStarts[ring]!;
    for (let start = first; start < last; start += span, node++) {
      const end = Math.min(start + span, last);
      let west = Infinity;
      let south = Infinity;
      let east = -Infinity;
      let north = -Infinity;
      let products = 0;
      for (let i = start; i <= end; i++) {
        const x = xy[2 * i]!;
        const y = xy[2 * i + 1]!;
        products += x * y;
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
      }
      // The sides pass over what is no number; the products do not.
      const within =
        west >= -MAX_ABSOLUTE_LONGITUDE &&
        east <= MAX_ABSOLUTE_LONGITUDE &&
        south >= -MAX_ABSOLUTE_LATITUDE &&
        north <= MAX_ABSOLUTE_LATITUDE;
      if (!(within && Number.isFinite(products))) throwPositionOutOfRange(name, xy, start, end);
      writeBox(box, 0, west, south, east, north);
      if (!isSameBox(chainBoxes, node, box, 0)) {
        const found = `box ${formatBox(chainBoxes, node)} at leaf ${node}`;
        throwSnapshotCorrupt("chain.leafBox", name, "CHAIN_BOXES", found, formatBox(box, 0));
      }
      if (west < bbox[0]) bbox[0] = west;
      if (south < bbox[1]) bbox[1] = south;
      if (east > bbox[2]) bbox[2] = east;
      if (north > bbox[3]) bbox[3] = north;
    }
    checkInnerChains(file, ring, chainStarts, node, chainBoxes);
  }
  return ringCount === 0 ? undefined : bbox;
}

/** Names the first position out of range, of which there is one. */
function throwPositionOutOfRange(name: string, xy: Float64Array, start: number, end: number): never {
  let i = start;
  while (
    i < end &&
    Math.abs(xy[2 * i]!) <= MAX_ABSOLUTE_LONGITUDE &&
    Math.abs(xy[2 * i + 1]!) <= MAX_ABSOLUTE_LATITUDE
  )
    i++;
  const found = `position ${i} at [${xy[2 * i]}, ${xy[2 * i + 1]}]`;
  const expected = `longitudes within ±${MAX_ABSOLUTE_LONGITUDE}, latitudes within ±${MAX_ABSOLUTE_LATITUDE}`;
  return throwSnapshotCorrupt("position.range", name, "XY", found, expected);
}

/** The levels above the leaves of a ring's chain tree; `node` is the first node above them. */
function checkInnerChains(
  file: SnapshotFileView,
  ring: number,
  chainStarts: Uint32Array,
  firstInner: number,
  chainBoxes: Int32Array,
): void {
  let child = chainStarts[ring]!;
  let levelEnd = firstInner;
  const box = new Int32Array(4);
  for (let node = firstInner; node < chainStarts[ring + 1]!; node++) {
    const end = Math.min(child + FAN_OUT, levelEnd);
    writeBoxUnion(chainBoxes, child, end, box, 0);
    if (!isSameBox(chainBoxes, node, box, 0)) {
      const found = `box ${formatBox(chainBoxes, node)} at node ${node}`;
      throwSnapshotCorrupt("chain.nodeBox", file.name, "CHAIN_BOXES", found, formatBox(box, 0));
    }
    child = end;
    if (child === levelEnd) levelEnd = node + 1;
  }
}

function readRingIndex(
  file: SnapshotFileView,
  ringCount: number,
  chainStarts: Uint32Array,
  chainBoxes: Int32Array,
): RingIndex | undefined {
  const offset = findFixedSection(file, SECTION.RING_INDEX, countRingIndexBytes(ringCount));
  if (ringCount === 0) return undefined;
  const rootOf = (ring: number): number => chainStarts[ring + 1]! - 1;
  const refuse = createSectionRefuse(file.name, "RING_INDEX");
  return openRingIndex(file.buffer, offset, ringCount, chainBoxes, rootOf, refuse);
}

/** Chain integrals and areas follow from the coordinates to the bit. */
export function verifyAreaMeasures(file: SnapshotFileView, layer: AreaLayer): void {
  const { xy, ringStarts, areaRings, chainStarts, chainIntegrals, areaSquareMeters } = layer;
  const series = createLatitudeSeries();
  for (let area = 0; area < layer.areaCount; area++) {
    let squareMeters = 0;
    for (let ring = areaRings[area]!; ring < areaRings[area + 1]!; ring++) {
      const from = ringStarts[ring]!;
      const to = ringStarts[ring + 1]!;
      squareMeters += signedRingAreaOn(ELLIPSOID, xy, from, to, series);
      const count = chainStarts[ring + 1]! - chainStarts[ring]!;
      const integrals = new Float64Array(count);
      writeChainTree(xy, from, to, new Int32Array(4 * count), integrals, ELLIPSOID, series);
      for (const [i, expected] of integrals.entries()) {
        const found = chainIntegrals[chainStarts[ring]! + i]!;
        if (found !== expected) {
          const where = `integral ${found} at node ${i} of ring ${ring}`;
          throwSnapshotCorrupt("content.integral", file.name, "CHAIN_INTEGRALS", where, `${expected}`);
        }
      }
    }
    if (areaSquareMeters[area] !== squareMeters) {
      const found = `${areaSquareMeters[area]} m² for area ${area}`;
      throwSnapshotCorrupt("content.area", file.name, "AREA_SQUARE_METERS", found, `${squareMeters}`);
    }
  }
}
