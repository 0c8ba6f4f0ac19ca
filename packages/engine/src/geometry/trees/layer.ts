import type { Bbox } from "../earth/bbox.ts";
import type { RingIndex } from "./ring-index.ts";

/**
 * The geometry of an area source as it lies in its snapshot: typed arrays over one buffer, nothing
 * parsed. Rings of an area have consecutive indices; within an area each outer ring is followed by
 * its holes. Edges are straight in longitude and latitude.
 */
export interface AreaLayer {
  readonly sourceName: string;
  /** Areas of the layer. */
  readonly areaCount: number;
  /** Rings of all areas together. */
  readonly ringCount: number;
  /** Number of positions, closing ones included. */
  readonly positionCount: number;
  /** Flat `[lon, lat, …]` in degrees; every ring is closed. Outer rings wind counter-clockwise, holes clockwise. */
  readonly xy: Float64Array;
  /** First position of each ring; `ringCount + 1` entries. */
  readonly ringStarts: Uint32Array;
  /** First ring of each area; `areaCount + 1` entries. */
  readonly areaRings: Uint32Array;
  /** Area each ring belongs to. */
  readonly ringAreas: Uint32Array;
  /** 0 outer ring, 1 hole of the outer ring before it. */
  readonly ringRoles: Uint8Array;
  /**
   * First node of each ring's chain tree in the two arrays below; `ringCount + 1` entries. Ring r has
   * `chainNodeCount(ringStarts[r + 1] - ringStarts[r] - 1)` of them; see geometry/trees/chain-tree.ts.
   */
  readonly chainStarts: Uint32Array;
  /** Envelope of each node, `[west, south, east, north]` in cells (cells.ts); 4 numbers a node. */
  readonly chainBoxes: Int32Array;
  /** Integral along each node's chain, square metres; 1 number a node. */
  readonly chainIntegrals: Float64Array;
  /** Square metres of each whole area: the sum of its rings' signed areas. */
  readonly areaSquareMeters: Float64Array;
  /** Over the rings' envelopes; absent where there are no rings. */
  readonly index: RingIndex | undefined;
  /** Envelope of the whole layer; absent where there are no rings. */
  readonly bbox: Bbox | undefined;
}
