import { RADIANS_PER_DEGREE, sin } from "../earth/elementary.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "../earth/wgs84.ts";
import type { AreaBox } from "./bounds/area-box.ts";
import { greatestChord } from "./bounds/chord-bounds.ts";
import { LEAST_RADIUS, NODE, type PlotTree } from "./plot-tree.ts";
import { type SearchWork, STEPS_PER_RADII } from "./search-work.ts";

/** How long a line may be and still be of interest: as a geodesic, as a chord, and between the leaves at hand. */
export class Reach {
  /** No longer line is of interest any more; its chord is at most {@link chord}. */
  meters = 0;
  chord = 0;
  chordSquared = 0;

  // The leaves at hand: whether they are far apart; least and greatest radius of the circles that have chord and length
  // of any line of interest between them; the longest such chord.
  far: boolean = false;
  leastRadius: number = LEAST_RADIUS;
  greatestRadius: number = FLATTEST_RADIUS;
  leafChord = 0;

  set(meters: number): void {
    this.meters = meters;
    this.chord = greatestChord(meters, FLATTEST_RADIUS);
    this.chordSquared = this.chord * this.chord;
    this.leafChord =
      this.greatestRadius === FLATTEST_RADIUS ? this.chord : greatestChord(meters, this.greatestRadius);
  }

  /** Turns to leaves that may be near each other, of which nothing is known. */
  setNear(): void {
    this.far = false;
    this.leastRadius = LEAST_RADIUS;
    this.greatestRadius = FLATTEST_RADIUS;
    this.leafChord = this.chord;
  }

  /**
   * Turns to leaves at least {@link FAR_METERS} apart. The radius of a line is 1/k but for
   * {@link RADIUS_ERROR}, k the curvature of the normal section in the middle latitude (Euler),
   * k = w/a · (1 + N (w²/(1 − e²) − 1)), N = (M Δφ (1 − Δφ²/24) / chord)², w² = 1 − e² sin²φ,
   * which grows with N and with w; N lies between what the least and greatest latitude difference and
   * chord make it, and sin²φ changes by no more than φ does.
   * @param square lower bound of the squared chord between the leaves
   */
  setFar(area: AreaBox, { nodes }: PlotTree, plotNode: number, square: number, work: SearchWork): void {
    this.far = true;
    if (this.chord > FARTHEST_FIT) return;
    work.steps += STEPS_PER_RADII;
    const { south, north } = area;
    const plotSouth = nodes[NODE * plotNode + 1]!;
    const plotNorth = nodes[NODE * plotNode + 3]!;
    const s = sin(((south + north + plotSouth + plotNorth) / 4) * RADIANS_PER_DEGREE);
    const change = ((north - south + plotNorth - plotSouth) / 4) * RADIANS_PER_DEGREE;
    const least = 1 - ECCENTRICITY_SQUARED * Math.min(1, s * s + change);
    const greatest = 1 - ECCENTRICITY_SQUARED * Math.max(0, s * s - change);
    const rootOfLeast = Math.sqrt(least);
    const rootOfGreatest = Math.sqrt(greatest);
    const gap = Math.max(0, south - plotNorth, plotSouth - north) * RADIANS_PER_DEGREE;
    const span = Math.max(north - plotSouth, plotNorth - south) * RADIANS_PER_DEGREE;
    const shortNorth = (LEAST_RADIUS / (greatest * rootOfGreatest)) * gap * (1 - (gap * gap) / 24);
    const longNorth = (LEAST_RADIUS / (least * rootOfLeast)) * span;
    const leastShare = Math.min(1, (shortNorth * shortNorth) / this.chordSquared);
    const greatestShare = Math.min(1, (longNorth * longNorth) / square);
    const error = RADIUS_ERROR * this.chordSquared;
    this.greatestRadius =
      ((1 + error) * SEMI_MAJOR_AXIS_METERS) /
      (rootOfLeast * (1 + leastShare * (least / (1 - ECCENTRICITY_SQUARED) - 1)));
    this.leastRadius =
      ((1 - error) * SEMI_MAJOR_AXIS_METERS) /
      (rootOfGreatest * (1 + greatestShare * (greatest / (1 - ECCENTRICITY_SQUARED) - 1)));
    this.leafChord = Math.min(this.chord, greatestChord(this.meters, this.greatestRadius));
  }
}

/** Radius of a circle whose chords are no shorter than those of any geodesic of the same length. */
const FLATTEST_RADIUS = 6_450_000;
/** Metres from which leaves are far apart. */
export const FAR_METERS = 20_000;
/** Chords, metres, up to which {@link RADIUS_ERROR} is known. */
export const FARTHEST_FIT = 1_200_000;
/**
 * By how much the radius that fits a geodesic's chord and length may differ from that of the normal
 * section in the middle, as a share of it for a squared chord in m²: 1.3e-17 measured.
 */
const RADIUS_ERROR = 2.5e-17;
