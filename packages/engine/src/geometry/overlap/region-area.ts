import { doubled } from "../../base/doubled.ts";
import { WorkMeter } from "../../base/work-meter.ts";
import { evaluateSeries, evaluateSeriesMean } from "../earth/authalic.ts";
import type { Bbox } from "../earth/bbox.ts";
import type { Plot } from "../plot/plot.ts";
import { findNearRings, openRing, type RingSearch, shiftsToMeet } from "../trees/candidates.ts";
import { CELL_DEGREES } from "../trees/cells.ts";
import { FAN_OUT } from "../trees/chain-tree.ts";
import { getLevelSpan } from "../trees/chains.ts";
import type { AreaLayer } from "../trees/layer.ts";
import { type BoundarySum, heightOfLongEdge } from "./boundary-sum.ts";
import { CellSweep, heightOnPiece } from "./cell-sweep.ts";
import { segmentHeightAt } from "./edge-walk.ts";
import type { Region } from "./region.ts";
import { RegionExpression, UNKNOWN } from "./region-expression.ts";

/*
 * Area of (plot ∩ region), docs/semantics/regions.md. The plot's bbox is halved again and again. A
 * cell holds, of every set (the plot, each area) whose boundary runs through it, the edges as pieces
 * clipped to the cell and the set's membership along the cell's southern side: what it is at the
 * western corner, and the abscissae (flips) where it changes. A set without either is constant in
 * the cell; where the constants decide the expression, or leave it to a single set, the cell is
 * settled in one step, so cells become small only where boundaries that matter run close together.
 * A cell of few pieces is swept from west to east (cell-sweep.ts).
 *
 * For every abscissa the value is a continuous function of the heights at which edges pass it. So
 * no decision here has to be exact: a wrong order of two edges costs the strip between them.
 */

/** Units of work of a step: a piece looked at. */
const UNITS_A_STEP = 9;
/** Steps of a measurement, of an area of the region, and of a ring that is found near the plot. */
const MEASURE_STEPS = 200;
const AREA_STEPS = 8;
const RING_STEPS = 2;
/** Flips of a set in a cell whose sorting counts, and the steps of one. */
const FEW_FLIPS = 64;
const SORT_STEPS = 2;
/** A cell of at most so many pieces, or twice as many as it has sets, is swept. */
const FEW_PIECES = 512;
/** Cells smaller than this share of the bbox are not halved. */
const SMALLEST_CELL = 1 / 1125899906842624;

/**
 * Record of a set in a cell: its number, its membership in the corner, and the positions of its pieces and its flips.
 */
const RECORD = 6;
const SET = 0;
const BASE = 1;
const PIECES = 2;
const PIECES_END = 3;
const FLIPS = 4;
const FLIPS_END = 5;

/** Numbers of a piece, x and y of its left end and of its right end, which is east of it. */
const PIECE = 4;

/** Scratch space that a measurement shares with the other questions of its plot. */
export interface RegionScratch extends RingSearch {
  readonly sum: BoundarySum;
}

/**
 * Measures regions, one at a time; a workspace to be reused. Records, pieces and flips of nested cells
 * lie on stacks, a cell's above those of the cells around it.
 */
export class RegionMeter {
  #records: Int32Array = new Int32Array(64 * RECORD);
  #recordCount = 0;
  #pieces: Float64Array = new Float64Array(1024 * PIECE);
  /** For each piece: 1 where its set lies above it, -1 where below. */
  #signs: Int8Array = new Int8Array(1024);
  #pieceCount = 0;
  #flips: Float64Array = new Float64Array(256);
  #flipCount = 0;
  /** Membership in the corner of the set whose record is being made. */
  #base = 0;
  /** Its first flip. */
  #flipStart = 0;
  /** Western and eastern side of the cell whose record is being made. */
  #west = 0;
  #east = 0;
  /** Sets that became constant in the cells around the present one. */
  readonly #constants: number[] = [];
  #expression: RegionExpression = new RegionExpression({ op: "areas", areas: [] });
  #sum: BoundarySum | undefined;
  #terms: Float64Array = new Float64Array(0);
  #degree = 0;
  /** Height of the bbox in terms of its width. */
  #aspect = 1;
  #smallest = 0;
  /** Meter of the current answer. */
  #meter: WorkMeter = new WorkMeter(Infinity);
  readonly #sweep: CellSweep = new CellSweep();

  /**
   * Area of (plot ∩ region), edges straight in longitude and latitude; nothing is counted twice.
   *
   * Takes polygonal plots that the input check accepts, and areas as snapshots hold them: outer rings
   * counter-clockwise, holes clockwise, no overlapping parts. Areas may overlap one another, be
   * identical, share edges, nest.
   *
   * @param scratch the window of its sum is the plot's bbox, or the one given
   * @param window a box outside of which the region has nothing
   * @param plotArea the plot's own area, given back where the region covers the plot
   * @returns in the unit of the series: square metres on the ellipsoid
   *
   * Error: < 1e-14 of the area of the plot's bbox.
   * Cost: the edges of plot and areas whose boxes meet the plot's bbox, and O((n + k) log n) for the n
   * of them near a boundary of another set, k their crossings.
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` with `counted` and `allowed`.
   */
  measure(
    scratch: RegionScratch,
    plot: Plot,
    window: Bbox | undefined,
    region: Region,
    plotArea: number,
    meter: WorkMeter,
  ): number {
    const { sum } = scratch;
    this.#meter = meter;
    const expression = new RegionExpression(region);
    this.#count(MEASURE_STEPS + AREA_STEPS * expression.areaCount);
    const { west, south, east, north } = sum.window;
    this.#expression = expression;
    this.#sum = sum;
    this.#terms = sum.series.terms;
    this.#degree = sum.series.degree;
    this.#smallest = (east - west) * (north - south) * SMALLEST_CELL;
    this.#aspect = (north - south) / (east - west);
    this.#recordCount = 0;
    this.#pieceCount = 0;
    this.#flipCount = 0;
    this.#constants.length = 0;
    this.#west = west;
    this.#east = east;

    this.#openRecord(0);
    this.#addPlot(plot);
    this.#closeRecord();
    const near = gatherNearRings(scratch, expression, window ?? plot.bbox, (found) =>
      this.#count(RING_STEPS * found),
    );
    for (let i = 0; i < near.length; ) {
      const { set } = near[i]!;
      this.#openRecord(set);
      for (; i < near.length && near[i]!.set === set; i++) {
        const { layer, ring, shift } = near[i]!;
        openRing(sum.area, layer, ring, shift);
        this.#addChain(sum.area.levels - 1, sum.area.levelStarts[sum.area.levels - 1]!);
      }
      this.#closeRecord();
    }
    this.#dropSettled(0);
    const plotAlone = this.#recordCount === 1 && this.#records[SET] === 0;
    if (expression.value() === UNKNOWN && plotAlone && window === undefined) {
      // The plot may occur in the region too: its influence is found by evaluating.
      expression.assign(0, 1);
      return expression.value() === 1 ? plotArea : 0;
    }
    return Math.min(Math.max(this.#settle(west, south, east, north, 0), 0), plotArea);
  }

  #count(steps: number): void {
    this.#meter.add(UNITS_A_STEP * steps);
  }

  // Making the record of the plot's bbox.

  #addPlot({ xy, ringStarts }: Plot): void {
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      this.#addEdges(xy, ringStarts[ring]!, ringStarts[ring + 1]! - 1, 0);
    }
  }

  /** Adds the edges below a node of the opened ring. */
  #addChain(level: number, node: number): void {
    this.#count(1);
    const { area, window, originX, originY } = this.#sum!;
    const { boxes, first, edges, shift, xy } = area;
    const box = 4 * (area.node + node);
    const origin = originX - shift;
    // Boxes are rounded outward and rounding is monotone: a strict comparison here is a true one.
    if (boxes[box]! * CELL_DEGREES - origin > window.east) return;
    if (boxes[box + 2]! * CELL_DEGREES - origin < window.west) return;
    if (boxes[box + 1]! * CELL_DEGREES - originY > window.north) return;
    const index = node - area.levelStarts[level]!;
    const span = getLevelSpan(area, level);
    const start = first + index * span;
    const end = Math.min(start + span, first + edges);
    if (boxes[box + 3]! * CELL_DEGREES - originY < window.south) {
      this.#flip(xy[2 * start]! - origin);
      this.#flip(xy[2 * end]! - origin);
      return;
    }
    if (level === 0) {
      this.#addEdges(xy, start, end, shift);
      return;
    }
    const children = area.levelStarts[level - 1]!;
    const last = Math.min(children + (index + 1) * FAN_OUT, area.levelStarts[level]!);
    for (let child = children + index * FAN_OUT; child < last; child++) this.#addChain(level - 1, child);
  }

  /** Adds the edges from position `start` to position `end` as far as they run through the window. */
  #addEdges(xy: Float64Array, start: number, end: number, shift: number): void {
    const sum = this.#sum!;
    const { west, south, east, north } = sum.window;
    const origin = sum.originX - shift;
    this.#count(end - start);
    for (let i = start; i < end; i++) {
      const x0 = xy[2 * i]! - origin;
      const x1 = xy[2 * i + 2]! - origin;
      if (x0 === x1 || (x0 >= east && x1 >= east) || (x0 <= west && x1 <= west)) continue;
      const y0 = xy[2 * i + 1]! - sum.originY;
      const y1 = xy[2 * i + 3]! - sum.originY;
      if (y0 >= north && y1 >= north) continue;
      const isEastward = x0 < x1;
      const [xl, yl, xr, yr] = isEastward ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
      const isLong = xr - xl + Math.abs(y1 - y0) > sum.longest;
      const heightOf = (x: number): number =>
        isLong && x !== xl && x !== xr
          ? heightOfLongEdge(sum, xy, i, origin, x)
          : segmentHeightAt(xl, yl, xr, yr, x);
      const a = Math.max(xl, west);
      const b = Math.min(xr, east);
      this.#addAbove(south, a, heightOf(a), b, heightOf(b), isEastward ? 1 : -1, north);
    }
  }

  #openRecord(set: number): void {
    this.#base = 0;
    this.#flipStart = this.#flipCount;
    const at = this.#recordCount * RECORD;
    if (at + RECORD > this.#records.length) this.#records = doubled(this.#records);
    this.#records[at + SET] = set;
    this.#records[at + PIECES] = this.#pieceCount;
    this.#records[at + FLIPS] = this.#flipCount;
  }

  /** Keeps the record where the set has a boundary in the cell; else notes that it is constant there. */
  #closeRecord(): void {
    const at = this.#recordCount * RECORD;
    const records = this.#records;
    const set = records[at + SET]!;
    const from = records[at + FLIPS]!;
    if (this.#flipCount > from) {
      const flips = this.#flipCount - from;
      if (flips > FEW_FLIPS) this.#count(SORT_STEPS * flips);
      this.#flipCount = sortAndCancel(this.#flips, from, this.#flipCount);
    }
    if (this.#pieceCount === records[at + PIECES] && this.#flipCount === from) {
      this.#expression.assign(set, this.#base as 0 | 1);
      this.#constants.push(set);
      return;
    }
    this.#expression.assign(set, UNKNOWN);
    records[at + BASE] = this.#base;
    records[at + PIECES_END] = this.#pieceCount;
    records[at + FLIPS_END] = this.#flipCount;
    this.#recordCount++;
  }

  /** The membership changes at x along the southern side. */
  #flip(x: number): void {
    if (x <= this.#west) {
      this.#base ^= 1;
    } else if (x < this.#east) {
      if (this.#flipCount > this.#flipStart && this.#flips[this.#flipCount - 1] === x) {
        this.#flipCount--;
        return;
      }
      if (this.#flipCount === this.#flips.length) this.#flips = doubled(this.#flips);
      this.#flips[this.#flipCount++] = x;
    }
  }

  #push(xl: number, yl: number, xr: number, yr: number, sign: number): void {
    if (!(xl < xr)) return;
    const count = this.#pieceCount++;
    if (count === this.#signs.length) {
      this.#signs = doubled(this.#signs);
      this.#pieces = doubled(this.#pieces);
    }
    const pieces = this.#pieces;
    const p = PIECE * count;
    pieces[p] = xl;
    pieces[p + 1] = yl;
    pieces[p + 2] = xr;
    pieces[p + 3] = yr;
    this.#signs[count] = sign;
  }

  /** Adds what of a piece lies at `south` or above, and below `north`; what lies below flips the southern side. */
  #addAbove(
    south: number,
    xl: number,
    yl: number,
    xr: number,
    yr: number,
    sign: number,
    north: number = Infinity,
  ): void {
    if (yl >= south && yr >= south) {
      this.#addBelow(north, xl, yl, xr, yr, sign);
    } else if (yl <= south && yr <= south) {
      this.#flip(xl);
      this.#flip(xr);
    } else {
      const x = computeCrossingX(south, xl, yl, xr, yr);
      if (yl < south) {
        this.#flip(xl);
        this.#flip(x);
        this.#addBelow(north, x, south, xr, yr, sign);
      } else {
        this.#flip(x);
        this.#flip(xr);
        this.#addBelow(north, xl, yl, x, south, sign);
      }
    }
  }

  /** Adds what of a piece lies below `north`. */
  #addBelow(north: number, xl: number, yl: number, xr: number, yr: number, sign: number): void {
    if (yl >= north && yr >= north) return;
    if (yl <= north && yr <= north) {
      this.#push(xl, yl, xr, yr, sign);
      return;
    }
    const x = computeCrossingX(north, xl, yl, xr, yr);
    if (yl < north) this.#push(xl, yl, x, north, sign);
    else this.#push(x, north, xr, yr, sign);
  }

  // Measuring a cell. `records` of a cell: from the given one to the top of the stack.

  /** Leaves out of the records from `first` on the sets that no longer matter to the expression. */
  #dropSettled(first: number): void {
    const records = this.#records;
    let kept = first;
    for (let r = first; r < this.#recordCount; r++) {
      if (!this.#expression.matters(records[r * RECORD + SET]!)) continue;
      if (kept < r) records.copyWithin(kept * RECORD, r * RECORD, (r + 1) * RECORD);
      kept++;
    }
    this.#recordCount = kept;
  }

  /** Area of the expression in a cell whose records have been made. */
  #settle(west: number, south: number, east: number, north: number, first: number): number {
    const expression = this.#expression;
    if (expression.value() === 0) return 0;
    if (expression.value() === 1) return this.#areaOfCell(west, south, east, north);
    if (this.#recordCount === first + 1) {
      const set = this.#records[first * RECORD + SET]!;
      expression.assign(set, 1);
      const within = expression.value();
      expression.assign(set, 0);
      const without = expression.value();
      expression.assign(set, UNKNOWN);
      const area = within === without ? 0 : this.#areaOfSet(first, west, south, east, north);
      if (without === 0) return area;
      return this.#areaOfCell(west, south, east, north) - area;
    }
    let pieces = 0;
    for (let r = first; r < this.#recordCount; r++) {
      pieces += this.#records[r * RECORD + PIECES_END]! - this.#records[r * RECORD + PIECES]!;
    }
    const few = Math.max(FEW_PIECES, 2 * (this.#recordCount - first));
    if (pieces <= few || (east - west) * (north - south) < this.#smallest) {
      return this.#areaBySweep(first, west, south, east, north);
    }
    return this.#areaOfHalves(first, west, south, east, north);
  }

  #areaOfHalves(first: number, west: number, south: number, east: number, north: number): number {
    // Across the axis that parts the pieces better, else across the longer side.
    const middleX = west + (east - west) / 2;
    const middleY = south + (north - south) / 2;
    const pieces = this.#pieces;
    let toWest = 0;
    let toEast = 0;
    let toSouth = 0;
    let toNorth = 0;
    for (let r = first * RECORD; r < this.#recordCount * RECORD; r += RECORD) {
      for (
        let p = PIECE * this.#records[r + PIECES]!;
        p < PIECE * this.#records[r + PIECES_END]!;
        p += PIECE
      ) {
        if (pieces[p]! < middleX) toWest++;
        if (pieces[p + 2]! > middleX) toEast++;
        if (pieces[p + 1]! < middleY || pieces[p + 3]! < middleY) toSouth++;
        if (pieces[p + 1]! >= middleY || pieces[p + 3]! >= middleY) toNorth++;
      }
    }
    const byX = Math.max(toWest, toEast);
    const byY = Math.max(toSouth, toNorth);
    if (byX < byY || (byX === byY && (east - west) * this.#aspect > north - south)) {
      return (
        this.#areaOfPart(first, west, south, middleX, north, 0) +
        this.#areaOfPart(first, middleX, south, east, north, 1)
      );
    }
    return (
      this.#areaOfPart(first, west, south, east, middleY, 2) +
      this.#areaOfPart(first, west, middleY, east, north, 3)
    );
  }

  /** Area of one half of the cell whose records start at `first`: western, eastern, southern, northern. */
  #areaOfPart(
    first: number,
    west: number,
    south: number,
    east: number,
    north: number,
    half: 0 | 1 | 2 | 3,
  ): number {
    const end = this.#recordCount;
    const pieceCount = this.#pieceCount;
    const flipCount = this.#flipCount;
    const constants = this.#constants.length;
    this.#west = west;
    this.#east = east;
    for (let r = first; r < end; r++) {
      this.#openRecord(this.#records[r * RECORD + SET]!);
      this.#copyPart(r * RECORD, west, south, east, north, half);
      this.#closeRecord();
    }
    this.#dropSettled(end);
    const area = this.#settle(west, south, east, north, end);
    while (this.#constants.length > constants) this.#expression.assign(this.#constants.pop()!, UNKNOWN);
    this.#recordCount = end;
    this.#pieceCount = pieceCount;
    this.#flipCount = flipCount;
    return area;
  }

  #copyPart(
    record: number,
    west: number,
    south: number,
    east: number,
    north: number,
    half: 0 | 1 | 2 | 3,
  ): void {
    const records = this.#records;
    this.#base = records[record + BASE]!;
    this.#count(records[record + PIECES_END]! - records[record + PIECES]! + 1);
    for (let f = records[record + FLIPS]!; f < records[record + FLIPS_END]!; f++) this.#flip(this.#flips[f]!);
    for (let i = records[record + PIECES]!; i < records[record + PIECES_END]!; i++) {
      const sign = this.#signs[i]!;
      const p = PIECE * i;
      const xl = this.#pieces[p]!;
      const yl = this.#pieces[p + 1]!;
      const xr = this.#pieces[p + 2]!;
      const yr = this.#pieces[p + 3]!;
      switch (half) {
        case 0:
          if (xr <= east) this.#push(xl, yl, xr, yr, sign);
          else if (xl < east) this.#push(xl, yl, east, heightOnPiece(xl, yl, xr, yr, east), sign);
          break;
        case 1:
          if (xl >= west) this.#push(xl, yl, xr, yr, sign);
          else if (xr > west) this.#push(west, heightOnPiece(xl, yl, xr, yr, west), xr, yr, sign);
          break;
        case 2:
          this.#addBelow(north, xl, yl, xr, yr, sign);
          break;
        case 3:
          this.#addAbove(south, xl, yl, xr, yr, sign);
      }
    }
  }

  #areaOfCell(west: number, south: number, east: number, north: number): number {
    return (
      (east - west) *
      (evaluateSeries(this.#terms, this.#degree, north) - evaluateSeries(this.#terms, this.#degree, south))
    );
  }

  /** Area of a single set within a cell, from its boundary alone. */
  #areaOfSet(r: number, west: number, south: number, east: number, north: number): number {
    const records = this.#records;
    const at = r * RECORD;
    const terms = this.#terms;
    const degree = this.#degree;
    const top = evaluateSeries(terms, degree, north);
    let base = records[at + BASE]!;
    let from = west;
    let width = 0;
    for (let f = records[at + FLIPS]!; f < records[at + FLIPS_END]!; f++) {
      if (base === 1) width += this.#flips[f]! - from;
      from = this.#flips[f]!;
      base ^= 1;
    }
    if (base === 1) width += east - from;
    let total = width === 0 ? 0 : width * (top - evaluateSeries(terms, degree, south));
    this.#count(records[at + PIECES_END]! - records[at + PIECES]!);
    const pieces = this.#pieces;
    for (let i = records[at + PIECES]!; i < records[at + PIECES_END]!; i++) {
      const p = PIECE * i;
      total +=
        this.#signs[i]! *
        (pieces[p + 2]! - pieces[p]!) *
        (top - evaluateSeriesMean(terms, degree, pieces[p + 1]!, pieces[p + 3]!));
    }
    return total;
  }

  /** Area of the expression within a cell, whatever runs through it. */
  #areaBySweep(first: number, west: number, south: number, east: number, north: number): number {
    const sweep = this.#sweep;
    sweep.begin();
    for (let r = first; r < this.#recordCount; r++) {
      const at = r * RECORD;
      sweep.addSet(this.#records[at + SET]!, this.#records[at + BASE] === 1);
      for (let f = this.#records[at + FLIPS]!; f < this.#records[at + FLIPS_END]!; f++)
        sweep.addFlip(this.#flips[f]!);
      for (let i = this.#records[at + PIECES]!; i < this.#records[at + PIECES_END]!; i++) {
        const p = PIECE * i;
        sweep.addPiece(this.#pieces[p]!, this.#pieces[p + 1]!, this.#pieces[p + 2]!, this.#pieces[p + 3]!);
      }
    }
    const terms = this.#terms;
    const degree = this.#degree;
    const bottom = evaluateSeries(terms, degree, south);
    const top = evaluateSeries(terms, degree, north);
    const left = this.#meter.left / UNITS_A_STEP;
    const area = sweep.measure(this.#expression, west, east, bottom, top, terms, degree, left);
    this.#count(sweep.work);
    return area;
  }
}

/** One ring near the plot, of the area that is set `set`. */
interface NearRing {
  readonly set: number;
  readonly layer: AreaLayer;
  readonly ring: number;
  readonly shift: number;
}

/** Rings of the areas whose envelopes meet the plot's bbox at any multiple of 360°, ordered by set. */
function gatherNearRings(
  search: RingSearch,
  { sets }: RegionExpression,
  bbox: Bbox,
  count: (found: number) => void,
): NearRing[] {
  const near: NearRing[] = [];
  for (const [layer, known] of sets) {
    for (const shift of shiftsToMeet(bbox, layer)) {
      const found = findNearRings(search, layer, bbox, shift);
      count(found.count);
      for (let i = 0; i < found.count; i++) {
        const ring = found.rings[i]!;
        const set = known.get(layer.ringAreas[ring]!);
        if (set !== undefined) near.push({ set, layer, ring, shift });
      }
    }
  }
  return near.sort((a, b) => a.set - b.set || a.shift - b.shift || a.ring - b.ring);
}

/** Sorts flips and leaves out pairs of equal ones, which come to nothing. Returns the new end. */
function sortAndCancel(flips: Float64Array, from: number, to: number): number {
  if (to - from > 1) flips.subarray(from, to).sort();
  let end = from;
  for (let f = from; f < to; f++) {
    if (end > from && flips[end - 1] === flips[f]) end--;
    else flips[end++] = flips[f]!;
  }
  return end;
}

/** Where a piece that passes the height y passes it; never off the piece. */
function computeCrossingX(y: number, xl: number, yl: number, xr: number, yr: number): number {
  return Math.min(Math.max(xl + (xr - xl) * ((y - yl) / (yr - yl)), xl), xr);
}
