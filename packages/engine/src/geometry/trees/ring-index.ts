import Flatbush from "flatbush";
import { doubled } from "../../base/doubled.ts";
import { writeBoxUnion } from "../earth/bbox.ts";
import { ceilToCell, floorToCell, formatBox, isSameBox } from "./cells.ts";

/**
 * A packed R-tree over boxes: of the rings of a layer, or of the parts of a plot. Its bytes are those of
 * a Flatbush of version 3 with Int32 boxes and nodes of 16: eight bytes (0xfb, version · 16 + number
 * type, uint16 node size, uint32 item count), the boxes of all nodes (items first, level by level, root
 * last), then one number a node: the item, or 4 × the first child; 16 bits each where there are fewer
 * than 16,384 nodes, else 32. Boxes are in cells (cells.ts).
 */
export interface RingIndex {
  /** The whole index; `Flatbush.from(bytes.buffer, bytes.byteOffset)` opens it too. */
  readonly bytes: Uint8Array;
  /** `[west, south, east, north]` of each node, in cells. */
  readonly boxes: Int32Array;
  readonly indices: Uint16Array | Uint32Array;
  /** End of each level in `boxes`, items first. */
  readonly levelEnds: Int32Array;
}

const NODE_SIZE = 16;
const HEADER_BYTES = 8;
/** The first four bytes, as a little-endian number. */
const SIGNATURE: number = 0xfb + ((3 << 4) + 5) * 256 + NODE_SIZE * 65536;
/** From so many nodes on their numbers take 32 bits. */
const WIDE_FROM = 16384;

/** Bytes of an index over so many boxes; none where there are none. */
export function countRingIndexBytes(count: number): number {
  if (count === 0) return 0;
  const nodes = computeLevelEnds(count).at(-1)! / 4;
  return HEADER_BYTES + nodes * (16 + (nodes < WIDE_FROM ? 2 : 4));
}

/**
 * Builds an index.
 *
 * @param boxes `[west, south, east, north]` of each item in cells, at least one
 */
export function buildRingIndex(boxes: Int32Array): RingIndex {
  const count = boxes.length / 4;
  const tree = new Flatbush(count, NODE_SIZE, Int32Array);
  for (let i = 0; i < boxes.length; i += 4) tree.add(boxes[i]!, boxes[i + 1]!, boxes[i + 2]!, boxes[i + 3]!);
  tree.finish();
  return viewRingIndex(tree.data, tree.byteOffset, count);
}

/**
 * Opens an index in place after checking all of it: a tree of the one shape its count allows, each
 * item once among its leaves, each leaf's box its item's, each node's box the union of its children's.
 *
 * @param count items, at least 1; {@link countRingIndexBytes} of them lie in the buffer from `byteOffset`, a multiple of 4
 * @param itemBoxes where the items' own boxes are
 * @param nodeOf which node of `itemBoxes` is an item's
 * @param refuse called with the first thing that is wrong; must throw
 */
export function openRingIndex(
  buffer: ArrayBufferLike,
  byteOffset: number,
  count: number,
  itemBoxes: Int32Array,
  nodeOf: (item: number) => number,
  refuse: (check: string, found: string, expected: string) => never,
): RingIndex {
  const header = new DataView(buffer, byteOffset, HEADER_BYTES);
  const signature = header.getUint32(0, true);
  const items = header.getUint32(4, true);
  if (signature !== SIGNATURE || items !== count) {
    refuse("index.header", `signature ${signature} and ${items} items`, `${SIGNATURE} and ${count}`);
  }
  const index = viewRingIndex(buffer, byteOffset, count);
  const { boxes, indices, levelEnds } = index;

  const seen = new Uint8Array(count);
  for (let leaf = 0; leaf < count; leaf++) {
    const item = indices[leaf]!;
    if (item >= count || seen[item] === 1) {
      refuse("index.leaf", `ring ${item} at leaf ${leaf}`, `each ring below ${count} once`);
    }
    seen[item] = 1;
    const node = nodeOf(item);
    if (!isSameBox(boxes, leaf, itemBoxes, node)) {
      const expected = `${formatBox(itemBoxes, node)}, its envelope rounded outward`;
      refuse("index.leafBox", `box ${formatBox(boxes, leaf)} for ring ${item}`, expected);
    }
  }

  const union = new Int32Array(4);
  let child = 0;
  for (let level = 1; level < levelEnds.length; level++) {
    const levelEnd = levelEnds[level - 1]! / 4;
    for (let node = levelEnd; node < levelEnds[level]! / 4; node++) {
      if (indices[node] !== child * 4) {
        refuse("index.child", `child position ${indices[node]} at node ${node}`, `${child * 4}`);
      }
      const end = Math.min(child + NODE_SIZE, levelEnd);
      writeBoxUnion(boxes, child, end, union, 0);
      if (!isSameBox(boxes, node, union, 0)) {
        const expected = `${formatBox(union, 0)}, its children's union`;
        refuse("index.nodeBox", `box ${formatBox(boxes, node)} at node ${node}`, expected);
      }
      child = end;
    }
  }
  return index;
}

function viewRingIndex(buffer: ArrayBufferLike, byteOffset: number, count: number): RingIndex {
  const levelEnds = computeLevelEnds(count);
  const nodes = levelEnds.at(-1)! / 4;
  const boxes = new Int32Array(buffer, byteOffset + HEADER_BYTES, 4 * nodes);
  const at = byteOffset + HEADER_BYTES + boxes.byteLength;
  const indices = nodes < WIDE_FROM ? new Uint16Array(buffer, at, nodes) : new Uint32Array(buffer, at, nodes);
  const bytes = new Uint8Array(buffer, byteOffset, HEADER_BYTES + boxes.byteLength + indices.byteLength);
  return { bytes, boxes, indices, levelEnds };
}

function computeLevelEnds(count: number): Int32Array {
  const ends = [4 * count];
  let nodes = count;
  let total = count;
  do {
    nodes = Math.ceil(nodes / NODE_SIZE);
    total += nodes;
    ends.push(4 * total);
  } while (nodes > 1);
  return Int32Array.from(ends);
}

/** The items whose boxes meet the closed box, in degrees, or come within a cell of it; ascending. */
export function findRingsMeetingBox(
  index: RingIndex,
  west: number,
  south: number,
  east: number,
  north: number,
): number[] {
  const found = createRingList();
  searchRings(index, west, south, east, north, found);
  return [...found.rings.subarray(0, found.count)];
}

/** Rings found by a search; grows as needed. */
export interface RingList {
  rings: Int32Array;
  count: number;
  /** Boxes that searches looked at so far; the caller resets it. */
  compared: number;
}

export function createRingList(): RingList {
  return { rings: new Int32Array(64), count: 0, compared: 0 };
}

/** Replaces the list by the rings whose boxes meet the closed box, in degrees, or come within a cell of it; ascending. */
export function searchRings(
  index: RingIndex,
  west: number,
  south: number,
  east: number,
  north: number,
  found: RingList,
): void {
  searchRingsUnsorted(index, west, south, east, north, found);
  sortAscending(found);
}

/** The same in the index's order. */
export function searchRingsUnsorted(
  index: RingIndex,
  west: number,
  south: number,
  east: number,
  north: number,
  found: RingList,
): void {
  found.count = 0;
  const top = index.levelEnds.length - 1;
  const [w, s, e, n] = [floorToCell(west), floorToCell(south), ceilToCell(east), ceilToCell(north)];
  searchNode(index, index.boxes.length - 4, top, w, s, e, n, found);
}

function searchNode(
  index: RingIndex,
  start: number,
  level: number,
  west: number,
  south: number,
  east: number,
  north: number,
  found: RingList,
): void {
  const { boxes, indices } = index;
  const end = Math.min(start + 4 * NODE_SIZE, index.levelEnds[level]!);
  found.compared += (end - start) >> 2;
  for (let i = start; i < end; i += 4) {
    if (((east - boxes[i]!) | (north - boxes[i + 1]!) | (boxes[i + 2]! - west) | (boxes[i + 3]! - south)) < 0)
      continue;
    const target = indices[i >> 2]!;
    if (level > 0) {
      searchNode(index, target, level - 1, west, south, east, north, found);
    } else {
      addRing(found, target);
    }
  }
}

export function addRing(list: RingList, ring: number): void {
  if (list.count === list.rings.length) list.rings = doubled(list.rings);
  list.rings[list.count++] = ring;
}

function sortAscending(list: RingList): void {
  const { rings, count } = list;
  if (count > 40) {
    rings.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const ring = rings[i]!;
    let k = i;
    for (; k > 0 && rings[k - 1]! > ring; k--) rings[k] = rings[k - 1]!;
    rings[k] = ring;
  }
}
