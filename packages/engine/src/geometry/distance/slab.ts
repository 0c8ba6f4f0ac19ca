import { RADIANS_PER_DEGREE } from "../earth/elementary.ts";
import type { AreaBox } from "./area-box.ts";
import {
  AXIS,
  CHILD_END,
  CHILD_START,
  GREATEST_RADIUS,
  HEIGHT,
  LEAF_EDGES,
  NODE,
  type PlotTree,
  RECORD,
} from "./plot-tree.ts";
import { type SearchWork, STEPS_PER_TANGENT } from "./search-work.ts";
import type { ShortestLine } from "./shortest-line.ts";
import { heightsOn, placeOn, TANGENT, TANGENT_ERROR, writeTangent } from "./tangent.ts";

/**
 * The slab between a leaf of a plot and one of an area: what is more than the reach above the plot's leaf in
 * the slab's direction is out of reach. Without a slab all heights are 0.
 */
export class Slab {
  /** Metres of height a degree of longitude and of latitude. */
  lon = 0;
  lat = 0;
  /** The height at which the slab starts: that of the plot leaf's highest edge. */
  start = 0;
  /** Which of the leaf's edge records that is, from its first. */
  top = 0;

  readonly #work: SearchWork;
  /** Tangents of the plot's leaves, where placed, and that of the area's leaf at hand. */
  #tangents = new Float64Array(0);
  #tangentPlaced = new Uint8Array(0);
  readonly #tangent = new Float64Array(TANGENT);
  #tangentNode = -1;
  #tangentShift = 0;
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);

  constructor(work: SearchWork) {
    this.#work = work;
  }

  /** Turns to the leaves of another plot. */
  begin(leafCount: number): void {
    if (this.#tangentPlaced.length < leafCount) {
      this.#tangents = new Float64Array(2 * TANGENT * leafCount);
      this.#tangentPlaced = new Uint8Array(2 * leafCount);
    } else {
      this.#tangentPlaced.fill(0);
    }
  }

  /** Turns to the leaves of another layer. */
  beginLayer(): void {
    this.#tangentNode = -1;
  }

  /**
   * Lays the slab between leaves less than a radian apart.
   *
   * Between their points, chord² ≥ ((M Δφ)² + (p Δλ)²) (1 − g²/24)² for the least M and p and the
   * greatest gap g, so at least the length of (p Δλ, M Δφ) along any direction, shortened so. Heights
   * are that length, linear in longitude and latitude: edges need no allowance for bending.
   */
  setNear(area: AreaBox, plot: PlotTree, plotNode: number, edges: Float64Array, line: ShortestLine): void {
    const { nodes, meridianRadius } = plot;
    const node = NODE * plotNode;
    const { west, south, east, north } = area;
    const plotWest = nodes[node]!;
    const plotSouth = nodes[node + 1]!;
    const plotEast = nodes[node + 2]!;
    const plotNorth = nodes[node + 3]!;
    const poleward = Math.max(-south, north) - Math.max(-plotSouth, plotNorth);
    const axis = nodes[node + AXIS]! - GREATEST_RADIUS * RADIANS_PER_DEGREE * Math.max(0, poleward);
    const gap =
      Math.max(east - plotWest, plotEast - west, north - plotSouth, plotNorth - south) * RADIANS_PER_DEGREE;
    this.#clear();
    if (axis <= 0 || gap > 1) return;
    const scale = 1 - (gap * gap) / 24;
    let x = line.east;
    let y = line.north;
    if (x === 0 && y === 0) {
      x = (west + east - plotWest - plotEast) * axis;
      y = (south + north - plotSouth - plotNorth) * meridianRadius;
    }
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0)) return;
    this.lon = (x / length) * scale * axis * RADIANS_PER_DEGREE;
    this.lat = (y / length) * scale * meridianRadius * RADIANS_PER_DEGREE;
    this.#setHeights(plot, plotNode, edges, this.lon, this.lat, 0);
  }

  /**
   * Lays the slab between leaves far apart. A chord is at least as long as its part along any direction;
   * that of a leaf's points, on the plane that touches the ellipsoid in its middle, is linear in
   * longitude and latitude but for the tangent's error, by which the plot's heights are raised.
   * @param areaNode among all of the layer's
   */
  setFar(
    area: AreaBox,
    areaNode: number,
    shift: number,
    plot: PlotTree,
    plotNode: number,
    edges: Float64Array,
    line: ShortestLine,
  ): void {
    this.#clear();
    const own = this.#placeTangent(plot, plotNode);
    const tangents = this.#tangents;
    const tangent = this.#tangent;
    if (this.#tangentNode !== areaNode || this.#tangentShift !== shift) {
      this.#tangentNode = areaNode;
      this.#tangentShift = shift;
      this.#work.steps += STEPS_PER_TANGENT;
      writeTangent(area.west, area.south, area.east, area.north, tangent, 0);
    }
    const from = this.#from;
    const to = this.#to;
    if (line.hasEnds) {
      const { ends } = line;
      placeOn(tangents, own, ends[0]!, ends[1]!, from);
      placeOn(tangent, 0, ends[2]!, ends[3]!, to);
    } else {
      placeOn(tangents, own, tangents[own]!, tangents[own + 1]!, from);
      placeOn(tangent, 0, tangent[0]!, tangent[1]!, to);
    }
    let x = to[0]! - from[0]!;
    let y = to[1]! - from[1]!;
    let z = to[2]! - from[2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1)) return;
    x /= length;
    y /= length;
    z /= length;
    heightsOn(tangents, own, x, y, z, from);
    heightsOn(tangent, 0, x, y, z, to);
    const raise = from[2]! - to[2]! + tangents[own + TANGENT_ERROR]! + tangent[TANGENT_ERROR]!;
    this.#setHeights(plot, plotNode, edges, from[0]!, from[1]!, raise);
    this.lon = to[0]!;
    this.lat = to[1]!;
  }

  #clear(): void {
    this.lon = 0;
    this.lat = 0;
    this.start = 0;
    this.top = 0;
  }

  /** Where among the tangents that of a plot's leaf is, which is written unless it is there. */
  #placeTangent({ nodes }: PlotTree, leaf: number): number {
    const own = TANGENT * leaf;
    if (this.#tangentPlaced[leaf] === 0) {
      this.#tangentPlaced[leaf] = 1;
      const node = NODE * leaf;
      writeTangent(nodes[node]!, nodes[node + 1]!, nodes[node + 2]!, nodes[node + 3]!, this.#tangents, own);
    }
    return own;
  }

  /** Writes the height each edge of a plot leaf reaches, and which reaches highest. */
  #setHeights(
    { nodes }: PlotTree,
    plotNode: number,
    edges: Float64Array,
    lon: number,
    lat: number,
    raise: number,
  ): void {
    const node = NODE * plotNode;
    let top = -Infinity;
    let topEdge = 0;
    const start = RECORD * LEAF_EDGES * plotNode;
    const end = start + RECORD * (nodes[node + CHILD_END]! - nodes[node + CHILD_START]!);
    for (let e = start; e < end; e += RECORD) {
      const height =
        Math.max(edges[e]! * lon + edges[e + 1]! * lat, edges[e + 2]! * lon + edges[e + 3]! * lat) + raise;
      edges[e + HEIGHT] = height;
      if (height > top) {
        top = height;
        topEdge = e - start;
      }
    }
    this.start = top;
    this.top = topEdge;
  }
}
