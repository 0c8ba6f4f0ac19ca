import { NODE, type PlotTree } from "../plot-tree.ts";
import { type SearchWork, STEPS_PER_TANGENT } from "../search-work.ts";
import type { ShortestLine } from "../shortest-line.ts";
import type { AreaBox } from "./area-box.ts";
import { Plane } from "./plane.ts";
import {
  TANGENT,
  TANGENT_ERROR,
  writeTangentHeights,
  writeTangentPlace,
  writeTangentPlane,
} from "./tangent.ts";

/**
 * The slab between a chain of a plot and one of an area: what is more than the reach above the highest point of
 * the plot's chain in the slab's direction is out of reach. Without a slab all heights are 0.
 */
export class Slab {
  /** Metres of height of the area's chain a degree of longitude and of latitude. */
  lon = 0;
  lat = 0;
  /** The same of the plot's, and the height of its longitude 0, latitude 0. */
  plotLon = 0;
  plotLat = 0;
  raise = 0;
  /** For chains near each other: metres across the slab per degree of longitude and of latitude. */
  acrossLon = 0;
  acrossLat = 0;
  /** For chains near each other: the plane in which the slab lies. */
  readonly plane: Plane = new Plane();

  readonly #work: SearchWork;
  /** Tangents of the plot's nodes, where placed, and that of the area's leaf at hand. */
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

  /** Turns to another plot. */
  begin(nodeCount: number): void {
    if (this.#tangentPlaced.length < nodeCount) {
      this.#tangents = new Float64Array(2 * TANGENT * nodeCount);
      this.#tangentPlaced = new Uint8Array(2 * nodeCount);
    } else {
      this.#tangentPlaced.fill(0, 0, nodeCount);
    }
  }

  /** Turns to another layer. */
  beginLayer(): void {
    this.#tangentNode = -1;
  }

  /**
   * Lays the slab between chains less than a radian apart.
   *
   * Between their points, chord² ≥ ((M Δφ)² + (p Δλ)²) (1 − g²/24)² for the least M and p and the
   * greatest gap g, so at least the length of (p Δλ, M Δφ) along any direction, shortened so. Heights
   * are that length, linear in longitude and latitude: edges need no allowance for bending.
   */
  setNear(area: AreaBox, plot: PlotTree, plotNode: number, line: ShortestLine): void {
    const { nodes } = plot;
    const node = NODE * plotNode;
    const { plane } = this;
    this.#clear();
    plane.set(area, plot, plotNode);
    if (line.east !== 0 || line.north !== 0) {
      this.turn(line.east, line.north);
    } else {
      this.turn(
        (area.west + area.east - nodes[node]! - nodes[node + 2]!) * plane.east,
        (area.south + area.north - nodes[node + 1]! - nodes[node + 3]!) * plane.north,
      );
    }
  }

  /** Turns the slab of chains near each other to a way in the plane; false where that is none. */
  turn(east: number, north: number): boolean {
    const length = Math.sqrt(east * east + north * north);
    if (!(length > 0)) return false;
    const x = east / length;
    const y = north / length;
    this.lon = this.plotLon = x * this.plane.east;
    this.lat = this.plotLat = y * this.plane.north;
    this.acrossLon = -y * this.plane.east;
    this.acrossLat = x * this.plane.north;
    return true;
  }

  /**
   * Lays the slab between chains far apart. A chord is at least as long as its part along any direction;
   * that of a chain's points, on the plane that touches the ellipsoid in its middle, is linear in
   * longitude and latitude but for the tangent's error, by which the plot's heights are raised.
   * @param areaNode among all of the layer's
   */
  setFar(
    area: AreaBox,
    areaNode: number,
    shift: number,
    plot: PlotTree,
    plotNode: number,
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
      writeTangentPlane(area.west, area.south, area.east, area.north, tangent, 0);
    }
    const from = this.#from;
    const to = this.#to;
    if (line.hasEnds) {
      const { ends } = line;
      writeTangentPlace(tangents, own, ends[0]!, ends[1]!, from);
      writeTangentPlace(tangent, 0, ends[2]!, ends[3]!, to);
    } else {
      writeTangentPlace(tangents, own, tangents[own]!, tangents[own + 1]!, from);
      writeTangentPlace(tangent, 0, tangent[0]!, tangent[1]!, to);
    }
    let x = to[0]! - from[0]!;
    let y = to[1]! - from[1]!;
    let z = to[2]! - from[2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 1)) return;
    x /= length;
    y /= length;
    z /= length;
    writeTangentHeights(tangents, own, x, y, z, from);
    writeTangentHeights(tangent, 0, x, y, z, to);
    this.raise = from[2]! - to[2]! + tangents[own + TANGENT_ERROR]! + tangent[TANGENT_ERROR]!;
    this.plotLon = from[0]!;
    this.plotLat = from[1]!;
    this.lon = to[0]!;
    this.lat = to[1]!;
  }

  #clear(): void {
    this.lon = this.plotLon = 0;
    this.lat = this.plotLat = 0;
    this.raise = 0;
    this.acrossLon = 0;
    this.acrossLat = 0;
  }

  /** Where among the tangents that of a plot's node is, which is written unless it is there. */
  #placeTangent({ nodes }: PlotTree, plotNode: number): number {
    const own = TANGENT * plotNode;
    if (this.#tangentPlaced[plotNode] === 0) {
      this.#tangentPlaced[plotNode] = 1;
      const node = NODE * plotNode;
      writeTangentPlane(
        nodes[node]!,
        nodes[node + 1]!,
        nodes[node + 2]!,
        nodes[node + 3]!,
        this.#tangents,
        own,
      );
    }
    return own;
  }
}
