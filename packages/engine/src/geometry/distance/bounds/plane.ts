import { RADIANS_PER_DEGREE } from "../../earth/elementary.ts";
import { AXIS, GREATEST_RADIUS, NODE, type PlotTree } from "../plot-tree.ts";
import type { AreaBox } from "./area-box.ts";
import { ROUNDING } from "./chord-bounds.ts";

/**
 * A plane in which no two points, one in the box of a plot's chain and one in that of an area's, are farther apart
 * than their chord through the earth, and few are much nearer: east and north by longitude and latitude, so that
 * edges are straight in it.
 *
 * Proof. Between such points chord² ≤ (M Δφ)² + (p Δλ)² for the greatest M and p of both boxes, and
 * chord² ≥ ((M Δφ)² + (p Δλ)²) (1 − g²/24)² for the least and the greatest difference g in longitude or latitude
 * (`docs/semantics/distance.md` §3). From the equator on, p falls by M sin φ a radian, so by at most
 * {@link GREATEST_RADIUS} times the greatest latitude; M grows by at most 0.011 M.
 */
export class Plane {
  /** Metres a degree of longitude and of latitude; 0 where there is no such plane. */
  east = 0;
  north = 0;
  /** How many times as long as in the plane a chord may be; Infinity where that is much. */
  stretch: number = Infinity;
  /** By how much less than in the plane a way may lead along an edge, as a share of it; see {@link isBeyond}. */
  #turn = 0;
  #turnPerMeter = 0;

  set(area: AreaBox, plot: PlotTree, plotNode: number): void {
    const { nodes, meridianRadius } = plot;
    const { west, south, east, north } = area;
    const node = NODE * plotNode;
    const plotSouth = nodes[node + 1]!;
    const plotNorth = nodes[node + 3]!;
    this.east = 0;
    this.north = 0;
    this.stretch = Infinity;
    const gap =
      RADIANS_PER_DEGREE *
      Math.max(
        Math.max(east, nodes[node + 2]!) - Math.min(west, nodes[node]!),
        Math.max(north, plotNorth) - Math.min(south, plotSouth),
      );
    if (gap > 1) return;
    // Absolute latitudes, and the distance from the axis at `pole`.
    const pole = plot.poleOf(plotNode);
    const axis = nodes[node + AXIS]!;
    const areaMost = Math.max(-south, north);
    const most = Math.max(areaMost, pole);
    const least = Math.max(0, Math.min(Math.max(south, -north), Math.max(plotSouth, -plotNorth)));
    const fall = GREATEST_RADIUS * Math.min(1, most * RADIANS_PER_DEGREE) * RADIANS_PER_DEGREE;
    const leastAxis = axis - fall * (most - pole);
    if (!(leastAxis > 0)) return;
    const scale = 1 - (gap * gap) / 24;
    this.east = scale * leastAxis * RADIANS_PER_DEGREE;
    this.north = scale * meridianRadius * RADIANS_PER_DEGREE;
    if (gap > WIDEST) return;
    const growth = 1 + 0.011 * (most - plot.leastLat) * RADIANS_PER_DEGREE;
    const stretch = Math.max(growth, (axis + fall * (pole - least)) / leastAxis) / scale;
    if (!(stretch < GREATEST_STRETCH)) return;
    this.stretch = stretch;
    this.#turn = stretch * stretch - 1 + gap * gap;
    this.#turnPerMeter = (0.51 * Math.min(1, most * RADIANS_PER_DEGREE)) / leastAxis;
  }

  /**
   * No chord longer than this belongs to a geodesic as short as that between two points the square of whose
   * distance in the plane is given.
   */
  mostWithin(square: number): number {
    return Math.sqrt(square) * (this.stretch + FLATTENING * square) + ROUNDING;
  }

  /**
   * True if the nearest point of an edge to a position is an end of the edge, on earth as well as in the plane: in the
   * plane the edge leads away from that end by `along` of the distance of `meters`.
   *
   * Proof. With (x, y) the way from the position to a point of the edge and (x′, y′) its derivative in the plane,
   * half the derivative of chord² is r x x′ + q y y′ + t: r and q lie between 1 − g²/6 and the squared stretch, and t,
   * the change of p along the edge, is at most ½ x² y′ sin φ / p. So it is positive where the plane's, x x′ + y y′,
   * exceeds the share ρ of the product of both lengths that is summed here; and that it does all along the edge
   * if it does at its end, for it grows by |(x′, y′)|², the product by less than that for ρ < 1.
   */
  isBeyond(along: number, meters: number): boolean {
    return along > meters * (this.#turn + this.#turnPerMeter * meters) + MOVED_FOOT;
  }
}

/** Metres between the feet of the shortest chord and of the shortest geodesic, up to 200 km; and rounding. */
const MOVED_FOOT = 0.2;
/** Radians of longitude or latitude that boxes may span together to be compared in a plane. */
const WIDEST = 0.02;
/** By how much a plane may shorten what is compared in it. */
const GREATEST_STRETCH = 1.05;
/**
 * By how much geodesics over chords of one length may differ, as a share of it for a squared chord in m²:
 * (1 / LEAST_RADIUS² − 1 / FLATTEST_RADIUS²) / 24 is 3.7e-17, and the chord is up to 1.05 times as long as in the plane.
 */
const FLATTENING = 5e-17;
