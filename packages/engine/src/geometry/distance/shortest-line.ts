import { greatestGeodesic, leastGeodesic, ROUNDING } from "./bounds/chord-bounds.ts";
import { EdgeDistance } from "./edge-distance.ts";
import { AXIS, LEAST_RADIUS, NODE, PER_SQUARE, type PlotTree, SAG } from "./plot-tree.ts";
import { FARTHEST_FIT, type Reach } from "./reach.ts";
import { type SearchWork, STEPS_PER_INVERSE, STEPS_PER_REFINEMENT } from "./search-work.ts";

/** The shortest line between a plot and one area so far, and those that may still turn out to be shorter. */
export class ShortestLine {
  /** Metres of the shortest line measured. */
  meters: number = Infinity;
  /** True if an edge of one was found to meet an edge of the other. */
  touched: boolean = false;
  /** Ends of the shortest line considered: longitude and latitude on the plot, on the area. */
  readonly ends: Float64Array = new Float64Array(4);
  hasEnds: boolean = false;
  /** The way between them, in metres; 0 where there are none. */
  east = 0;
  north = 0;

  readonly #reach: Reach;
  readonly #work: SearchWork;
  readonly #exact = new EdgeDistance();
  // Positions and edges that may be the ends of the shortest line, as records of CANDIDATE numbers.
  #count = 0;
  readonly #candidates = new Float64Array(CANDIDATE * MOST_CANDIDATES);

  constructor(reach: Reach, work: SearchWork) {
    this.#reach = reach;
    this.#work = work;
  }

  clear(): void {
    this.meters = Infinity;
    this.touched = false;
    this.hasEnds = false;
    this.east = 0;
    this.north = 0;
    this.#count = 0;
  }

  /**
   * Keeps the line from a position (at `positions[at]`) to an edge if it may be the shortest.
   * @param square of the chord from the position to the edge's
   * @param share of the edge's chord at which it is nearest, below 0 or above 1 beyond its ends
   * @param toArea −1 where the position is the area's
   */
  consider(
    plot: PlotTree,
    square: number,
    share: number,
    positions: Float64Array,
    at: number,
    edges: Float64Array,
    edge: number,
    toArea: 1 | -1,
  ): void {
    const bounds = this.#reach;
    const chord = Math.sqrt(square);
    const sag = edges[edge + SAG]!;
    const error = 2 * plot.frame.errorMeters + ROUNDING;
    let least = chord - sag - error;
    if (least > bounds.leafChord) return;
    const lon = positions[at]!;
    const lat = positions[at + 1]!;
    let from = edge;
    let to = edge + 2;
    if (edges[edge] === edges[edge + 2] && edges[edge + 1] === edges[edge + 3]) {
      if (this.#isCandidate(lon, lat, edges[edge]!, edges[edge + 1]!)) return;
    } else if (share < 0 || share > 1) {
      // Too far beyond an end for its bending to make the edge nearer than that end.
      const perSquare = edges[edge + PER_SQUARE]!;
      const beyond = share < 0 ? -share : share - 1;
      const moved = chord < 50_000 ? 1e-3 : 1e-2 + MOVED_FOOT * chord * chord * chord;
      const bends = 5 * chord * sag * perSquare + (error + moved) * Math.sqrt(perSquare);
      if (chord < FARTHEST_FIT && beyond > bends) {
        from = to = share < 0 ? edge : edge + 2;
        least = chord - error;
        if (least > bounds.leafChord) return;
        if (this.#isCandidate(lon, lat, edges[from]!, edges[from + 1]!)) return;
      }
    }
    if (this.#count === MOST_CANDIDATES) this.#makeRoom();
    const candidates = this.#candidates;
    const c = CANDIDATE * this.#count++;
    candidates[c] = leastGeodesic(least, bounds.greatestRadius);
    candidates[c + 1] = lon;
    candidates[c + 2] = lat;
    candidates[c + 3] = edges[from]!;
    candidates[c + 4] = edges[from + 1]!;
    candidates[c + 5] = edges[to]!;
    candidates[c + 6] = edges[to + 1]!;
    const longest = chord + sag + error;
    const reach = greatestGeodesic(longest, longest <= bounds.chord ? bounds.leastRadius : LEAST_RADIUS);
    if (reach >= bounds.meters) return;
    bounds.set(reach);
    const t = Math.max(0, Math.min(1, share));
    const lonOnEdge = edges[edge]! + t * (edges[edge + 2]! - edges[edge]!);
    const latOnEdge = edges[edge + 1]! + t * (edges[edge + 3]! - edges[edge + 1]!);
    const { ends } = this;
    const position = toArea === 1 ? 0 : 2;
    this.hasEnds = true;
    ends[position] = lon;
    ends[position + 1] = lat;
    ends[2 - position] = lonOnEdge;
    ends[3 - position] = latOnEdge;
    this.east = (lonOnEdge - lon) * plot.nodes[NODE * plot.root + AXIS]! * toArea;
    this.north = (latOnEdge - lat) * plot.meridianRadius * toArea;
  }

  /** Measures the line between a position of the plot and one of the area at once. */
  measurePositions(plot: PlotTree, lon: number, lat: number, areaLon: number, areaLat: number): void {
    const before = this.meters;
    this.#measureLine(lon, lat, areaLon, areaLat, areaLon, areaLat);
    if (this.meters >= before) return;
    const { ends } = this;
    this.hasEnds = true;
    ends[0] = lon;
    ends[1] = lat;
    ends[2] = areaLon;
    ends[3] = areaLat;
    this.east = (areaLon - lon) * plot.nodes[NODE * plot.root + AXIS]!;
    this.north = (areaLat - lat) * plot.meridianRadius;
  }

  /** Measures every candidate within reach, the most promising first, and forgets them. */
  settle(): void {
    const candidates = this.#candidates;
    const end = CANDIDATE * this.#count;
    let nearest = 0;
    for (let c = 0; c < end; c += CANDIDATE) if (candidates[c]! < candidates[nearest]!) nearest = c;
    if (end > 0) this.#measure(nearest);
    for (let c = 0; c < end; c += CANDIDATE) if (c !== nearest) this.#measure(c);
    this.#count = 0;
  }

  /**
   * True if the line between two positions is a candidate already: the pairs of both their edges find it, with the
   * same length to the bit either way.
   */
  #isCandidate(lonA: number, latA: number, lonB: number, latB: number): boolean {
    const candidates = this.#candidates;
    const oldest = Math.max(0, this.#count - 16);
    for (let i = this.#count - 1; i >= oldest; i--) {
      const c = CANDIDATE * i;
      const lon = candidates[c + 3]!;
      const lat = candidates[c + 4]!;
      if (lon !== candidates[c + 5] || lat !== candidates[c + 6]) continue;
      if (lon === lonB && lat === latB && candidates[c + 1] === lonA && candidates[c + 2] === latA)
        return true;
      if (lon === lonA && lat === latA && candidates[c + 1] === lonB && candidates[c + 2] === latB)
        return true;
    }
    return false;
  }

  /** Drops candidates that have come to be out of reach, or measures them if too many are not. */
  #makeRoom(): void {
    const candidates = this.#candidates;
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      if (candidates[CANDIDATE * i]! > this.#reach.meters) continue;
      candidates.copyWithin(CANDIDATE * kept, CANDIDATE * i, CANDIDATE * (i + 1));
      kept++;
    }
    this.#count = kept;
    this.#work.steps += MOST_CANDIDATES;
    if (kept > MOST_CANDIDATES / 2) this.settle();
  }

  #measure(c: number): void {
    const candidates = this.#candidates;
    if (candidates[c]! > this.#reach.meters) return;
    this.#measureLine(
      candidates[c + 1]!,
      candidates[c + 2]!,
      candidates[c + 3]!,
      candidates[c + 4]!,
      candidates[c + 5]!,
      candidates[c + 6]!,
    );
  }

  /** Measures the line from a position to the edge from A to B. */
  #measureLine(lon: number, lat: number, lonA: number, latA: number, lonB: number, latB: number): void {
    const meters =
      (lat === 90 || lat === -90) && (latA === lat || latB === lat)
        ? 0 // a pole is one point at whatever longitude it is written
        : Math.max(APART, this.#exact.meters(lon, lat, lonA, latA, lonB, latB));
    this.#work.steps += STEPS_PER_REFINEMENT + STEPS_PER_INVERSE * this.#exact.inversesSolved;
    this.#exact.inversesSolved = 0;
    if (meters < this.meters) {
      this.meters = meters;
      if (meters < this.#reach.meters) this.#reach.set(meters);
    }
  }
}

/** Metres between the feet of the shortest chord and of the shortest geodesic, for a cubed chord in m³: e²/12R² and as much again. */
const MOVED_FOOT = 2.8e-17;
/** Metres between what does not meet: at least a nanometre, the resolution of coordinates. */
const APART = 1e-9;

/** Numbers of a candidate: its least chord, a position, an edge's ends, which are equal for a position. */
const CANDIDATE = 7;
const MOST_CANDIDATES = 256;
