import Flatbush from "flatbush";
import type { AreaLayer } from "./layer.ts";

/**
 * A layer's Flatbush read in place, so that a search allocates nothing. The serialized form (version
 * 3, the one `AreaLayer.index` is checked for on open): byte 0 0xfb, byte 1 version · 16 + number
 * type, uint16 node size, uint32 item count, boxes of all nodes (items first, level by level, root
 * last; Float32 × 4), then one index a node: the item, or 4 × the first child.
 */
export interface RingIndex {
  readonly boxes: Float32Array;
  readonly indices: Uint16Array | Uint32Array;
  readonly nodeSize: number;
  /** End of each level in `boxes`, items first. */
  readonly levelEnds: Int32Array;
}

const MAGIC = 0xfb;
const VERSION_AND_FLOAT32 = (3 << 4) + 7;

/** Fails: an index of another version or number type is a bug, the reader has checked it. */
export function ringIndexOf(layer: AreaLayer): RingIndex | undefined {
  if (layer.index === undefined) return undefined;
  return readIndex(layer.index, layer.sourceName);
}

/**
 * An index over boxes of one's own.
 *
 * @param boxOf where in `boxes` the four numbers of each box begin
 */
export function indexBoxes(boxes: Float32Array, boxOf: ArrayLike<number>): RingIndex {
  const tree = new Flatbush(boxOf.length, 16, Float32Array);
  for (let i = 0; i < boxOf.length; i++) {
    const at = boxOf[i]!;
    tree.add(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!);
  }
  tree.finish();
  return readIndex(tree, "a plot");
}

function readIndex({ data, byteOffset }: Flatbush, of: string): RingIndex {
  const header = new DataView(data, byteOffset, 8);
  if (header.getUint8(0) !== MAGIC || header.getUint8(1) !== VERSION_AND_FLOAT32) {
    throw new Error(`the ring index of ${of} is not a Float32 Flatbush of version 3`);
  }
  const nodeSize = header.getUint16(2, true);
  let count = header.getUint32(4, true);
  let nodes = count;
  const ends = [4 * nodes];
  do {
    count = Math.ceil(count / nodeSize);
    nodes += count;
    ends.push(4 * nodes);
  } while (count !== 1);
  const boxes = new Float32Array(data, byteOffset + 8, 4 * nodes);
  const at = byteOffset + 8 + boxes.byteLength;
  const indices = nodes < 16384 ? new Uint16Array(data, at, nodes) : new Uint32Array(data, at, nodes);
  return { boxes, indices, nodeSize, levelEnds: Int32Array.from(ends) };
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

/** Replaces the list by the rings whose boxes meet the closed box, ascending. */
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
  searchNode(index, index.boxes.length - 4, top, west, south, east, north, found);
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
  const end = Math.min(start + 4 * index.nodeSize, index.levelEnds[level]!);
  found.compared += (end - start) >> 2;
  for (let i = start; i < end; i += 4) {
    if (east < boxes[i]! || north < boxes[i + 1]! || west > boxes[i + 2]! || south > boxes[i + 3]!) continue;
    const target = indices[i >> 2]!;
    if (level > 0) {
      searchNode(index, target, level - 1, west, south, east, north, found);
    } else {
      addRing(found, target);
    }
  }
}

export function addRing(list: RingList, ring: number): void {
  if (list.count === list.rings.length) {
    const larger = new Int32Array(2 * list.count);
    larger.set(list.rings);
    list.rings = larger;
  }
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
