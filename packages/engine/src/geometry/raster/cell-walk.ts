import { doubled } from "../../base/doubled.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import {
  createLatitudeSeries,
  evaluateSeries,
  evaluateSeriesMean,
  type LatitudeSeries,
  type Surface,
} from "../earth/authalic.ts";
import type { Plot } from "../plot/plot.ts";
import { TILE_CELLS, type Tiling } from "./grid.ts";
import type { Lattice } from "./lattice.ts";
import { type CellRuns, createCellRuns } from "./raster-layer.ts";
import { addSpan, type CellSink, createRowSpans, type RowSpans } from "./row-spans.ts";

/*
 * The share of every cell of a grid in a polygon. With W the integral of authalic.ts, the area of a region is the sum
 * of ∫ x dW along its edges. An edge is cut where it leaves a row and a column of cells. Of a piece that lies in the
 * cell of column c and runs from (x₁, y₁) to (x₂, y₂), with g = W but for a constant and u = x(c + 1) − x,
 *   cover[c]   += g(y₁) − g(y₂)                          opens or closes all cells east of c
 *   partial[c] += u₁ (g(y₁) − ḡ) + u₂ (ḡ − g(y₂))        what lies between the piece and the line east of its cell
 * where ḡ is the mean of g along the piece; then the area in cell c is
 *   partial[c] + width(c) · Σ cover of the columns before c
 * and cells between those that an edge passes are one run. Neighbours use the same cut, so all sums telescope, and no
 * decision is taken: a cut on the wrong side of a line moves an area of rounding size.
 */

/** Units of work of taking up an edge, of a row, of an edge in a row, of a piece of it in a cell, of a cell in doubt. */
const EDGE_UNITS = 12;
const ROW_UNITS = 40;
const ACTIVE_UNITS = 16;
const PIECE_UNITS = 30;
const DOUBT_UNITS = 8;
/** Degrees within which only exact tests distinguish a cut and a line; errors are below a hundredth of it. */
const NEAR = 1e-12;
/** The rounding of a difference of latitudes and of its sum, as a part of a row's height. */
const COVER_ROUNDING = Number.EPSILON;
/** Columns of a plot whose lines are kept: a plot of far parts may reach over millions that none of them has. */
const LINES = 8192;
/** Pieces of a row that are counted together. */
const MOST_UNCOUNTED = 1000;
/** Columns whose sums are kept for the next plot; those of a wider plot are kept in pages, where edges pass. */
const MOST_KEPT = 65_536;
/** Columns of a page, as a power of two. */
const PAGE_SHIFT = 10;
/** Height of a plot up to which one series serves all of its rows. */
const SERIES_DEGREES = 0.5;

/** Walks the cells of one grid after another; not re-entrant. */
export class CellWalk {
  /** Room for the cells that a sink reads; what is in it holds until something else is read. */
  readonly runs: CellRuns = createCellRuns();
  readonly #surface: Surface;
  readonly #series: LatitudeSeries = createLatitudeSeries();
  readonly #spans: RowSpans = createRowSpans();
  /** Northern end, southern end of each edge from the plot's middle. */
  #ends = new Float64Array(4 * 64);
  /** 1 where the edge runs south, −1 where it runs north. */
  #signs = new Int8Array(64);
  /** Position in the plot that the edge begins at. */
  #starts = new Int32Array(64);
  #order = new Int32Array(64);
  #active = new Int32Array(64);
  #activeCount = 0;
  /** By pages of columns of a wide plot, from its first: 1 more than where each lies among the sums; 0: no edge passed. */
  #pages: Int32Array | undefined;
  #pageCount = 0;
  /** By column from the plot's first, or in pages. */
  #partial = new Float64Array(256);
  #cover = new Float64Array(256);
  #isTouched = new Uint8Array(256);
  #touched = new Int32Array(256);
  #touchedCount = 0;
  /** Degrees from the origin of the line west of each column from the plot's first, of as many as {@link LINES}. */
  #lines = new Float64Array(256);
  #lineCount = 0;
  /** Columns of tiles that no edge passes in the present row of tiles. */
  #isWhole = new Uint8Array(16);
  #hasWhole = false;
  /** True if every column touched so far was reported. */
  #isReported: boolean = true;

  #rowOffset = 0;

  #lattice!: Lattice;
  #sink!: CellSink;
  #meter!: WorkMeter;
  #originX = 0;
  #originY = 0;
  #firstColumn = 0;
  /** Centre of the series, degrees from the origin. */
  #center = 0;
  /** The lines of the present row, degrees from the origin; the plot may end between them. */
  #lineNorth = 0;
  #lineSouth = 0;
  /** Degrees of the plot's eastern end, from the origin. */
  #east = 0;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /**
   * Reports every cell that shares area with a polygon, row by row from the north.
   *
   * @param tiling of the grid, where whole tiles are to be told as such
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` as the meter says; as the sink does.
   */
  walk(plot: Plot, lattice: Lattice, tiling: Tiling | undefined, sink: CellSink, meter: WorkMeter): void {
    this.#lattice = lattice;
    this.#sink = sink;
    this.#meter = meter;
    const [west, south, east, north] = plot.bbox;
    this.#originX = (west + east) / 2;
    this.#originY = (south + north) / 2;
    this.#east = east - this.#originX;
    this.#firstColumn = lattice.columnAt(west);
    this.#reserveColumns(lattice.columnAt(east) - this.#firstColumn + 2);
    for (let i = 0; i < this.#lineCount; i++) {
      this.#lines[i] = lattice.longitude(this.#firstColumn + i) - this.#originX;
    }
    const edges = this.#takeUp(plot);
    try {
      this.#walkRows(plot, tiling, edges);
    } finally {
      this.#letGo();
    }
  }

  /** Leaves nothing of a plot behind, however its walk ended: the next one is somebody else's. */
  #letGo(): void {
    this.#pages = undefined;
    if (this.#partial.length > MOST_KEPT) {
      this.#partial = new Float64Array(256);
      this.#cover = new Float64Array(256);
      this.#isTouched = new Uint8Array(256);
    } else if (!this.#isReported) this.#isTouched.fill(0);
    this.#isReported = true;
  }

  #walkRows({ bbox: [, south, , north] }: Plot, tiling: Tiling | undefined, edges: number): void {
    const lattice = this.#lattice;
    const [first, last] = [lattice.rowAt(north), lattice.rowAt(south)];
    const isTall = north - south > SERIES_DEGREES;
    if (!isTall) this.#fit(south, north);
    this.#activeCount = 0;
    let next = 0;
    // Up to where the series serves, of a tall plot; up to where the columns of whole tiles are known.
    let fitsUntil = first;
    let wholeUntil = first;
    this.#hasWhole = false;
    for (let row = first; row <= last; row++) {
      let top = lattice.latitude(row);
      let bottom = lattice.latitude(row + 1);
      if (isTall && row >= fitsUntil) {
        fitsUntil = (row | (TILE_CELLS - 1)) + 1;
        this.#fit(Math.max(south, lattice.latitude(fitsUntil)), Math.min(north, top));
      }
      this.#lineNorth = top - this.#originY;
      this.#lineSouth = bottom - this.#originY;
      if (top > north) top = north;
      if (bottom < south) bottom = south;
      top -= this.#originY;
      bottom -= this.#originY;
      next = this.#activate(top, bottom, next, edges);
      let isTileRow = false;
      if (tiling !== undefined && row >= wholeUntil) {
        const end = row + TILE_CELLS;
        isTileRow =
          ((row + tiling.rowOffset) & (TILE_CELLS - 1)) === 0 &&
          row > first &&
          end <= last &&
          row >= 0 &&
          end <= lattice.grid.rows;
        wholeUntil = isTileRow ? end : row + 1;
        this.#hasWhole = isTileRow;
        if (isTileRow) this.#findWholeTiles(tiling, row, next, edges);
      }
      if (this.#activeCount === 0) {
        if (next >= edges) break;
        // Nothing of the plot lies between here and the next edge to come.
        row = Math.max(row, lattice.rowAt(this.#ends[4 * this.#order[next]! + 1]! + this.#originY) - 2);
        this.#meter.add(ROW_UNITS);
        continue;
      }
      this.#meter.add(ROW_UNITS + ACTIVE_UNITS * this.#activeCount);
      this.#scan(row, top, bottom);
      this.#tell(row, top, bottom, tiling, isTileRow);
    }
  }

  #reserveColumns(count: number): void {
    this.#lineCount = Math.min(count, LINES);
    if (this.#lines.length < this.#lineCount) this.#lines = new Float64Array(LINES);
    if (this.#touched.length > MOST_KEPT) this.#touched = new Int32Array(256);
    if (count > MOST_KEPT) {
      this.#pages = new Int32Array((count >> PAGE_SHIFT) + 1);
      this.#pageCount = 0;
      this.#meter.add(this.#pages.length);
      return;
    }
    this.#meter.add(count);
    if (this.#touched.length < count) this.#touched = new Int32Array(count);
    if (this.#partial.length >= count) return;
    this.#partial = new Float64Array(count);
    this.#cover = new Float64Array(count);
    this.#isTouched = new Uint8Array(count);
  }

  /** Where the sums of a column of a wide plot lie. */
  #placeOf(offset: number, pages: Int32Array): number {
    let page = pages[offset >> PAGE_SHIFT]!;
    if (page === 0) {
      page = ++this.#pageCount;
      pages[offset >> PAGE_SHIFT] = page;
      this.#meter.add(1 << PAGE_SHIFT);
      while (page << PAGE_SHIFT > this.#partial.length) {
        this.#partial = doubled(this.#partial);
        this.#cover = doubled(this.#cover);
        this.#isTouched = doubled(this.#isTouched);
      }
    }
    return ((page - 1) << PAGE_SHIFT) | (offset & ((1 << PAGE_SHIFT) - 1));
  }

  /** The series for latitudes. */
  #fit(south: number, north: number): void {
    const center = (south + north) / 2;
    this.#center = center - this.#originY;
    this.#surface.fit(this.#series, center, Math.max(north - center, 1e-9));
  }

  /** Reads the plot's edges but those along a parallel, northernmost first. @returns how many */
  #takeUp({ xy, ringStarts }: Plot): number {
    const total = xy.length >> 1;
    this.#meter.add(EDGE_UNITS * total);
    if (this.#signs.length < total) {
      this.#ends = new Float64Array(4 * total);
      this.#signs = new Int8Array(total);
      this.#starts = new Int32Array(total);
      this.#order = new Int32Array(total);
      this.#active = new Int32Array(total);
    }
    const ends = this.#ends;
    const [x0, y0] = [this.#originX, this.#originY];
    let count = 0;
    for (let ring = 0; ring + 1 < ringStarts.length; ring++) {
      for (let i = ringStarts[ring]!; i + 1 < ringStarts[ring + 1]!; i++) {
        const ya = xy[2 * i + 1]!;
        const yb = xy[2 * i + 3]!;
        if (ya === yb) continue;
        const north = ya > yb ? i : i + 1;
        const south = ya > yb ? i + 1 : i;
        const at = 4 * count;
        ends[at] = xy[2 * north]! - x0;
        ends[at + 1] = xy[2 * north + 1]! - y0;
        ends[at + 2] = xy[2 * south]! - x0;
        ends[at + 3] = xy[2 * south + 1]! - y0;
        this.#signs[count] = ya > yb ? 1 : -1;
        this.#starts[count] = i;
        this.#order[count] = count;
        count++;
      }
    }
    this.#sortEdges(count);
    return count;
  }

  #sortEdges(count: number): void {
    const ends = this.#ends;
    const order = this.#order;
    if (count > 24) {
      order.subarray(0, count).sort((p, q) => ends[4 * q + 1]! - ends[4 * p + 1]! || p - q);
      return;
    }
    for (let i = 1; i < count; i++) {
      const edge = order[i]!;
      const north = ends[4 * edge + 1]!;
      let j = i - 1;
      while (j >= 0 && ends[4 * order[j]! + 1]! < north) {
        order[j + 1] = order[j]!;
        j--;
      }
      order[j + 1] = edge;
    }
  }

  /** Keeps the edges that reach into a row, and takes in those that begin in it. @returns the next edge to come */
  #activate(top: number, bottom: number, next: number, edges: number): number {
    const ends = this.#ends;
    const active = this.#active;
    let kept = 0;
    for (let i = 0; i < this.#activeCount; i++) {
      const edge = active[i]!;
      if (ends[4 * edge + 3]! < top) active[kept++] = edge;
    }
    let to = next;
    while (to < edges && ends[4 * this.#order[to]! + 1]! > bottom) active[kept++] = this.#order[to++]!;
    this.#activeCount = kept;
    return to;
  }

  /** Adds each piece of each edge in a row to its cell. */
  #scan(row: number, top: number, bottom: number): void {
    const ends = this.#ends;
    const active = this.#active;
    const { terms, degree } = this.#series;
    const [first, plotEast, center] = [this.#firstColumn, this.#east, this.#center];
    const [lineNorth, lineSouth] = [this.#lineNorth, this.#lineSouth];
    const pages = this.#pages;
    let partial = this.#partial;
    let cover = this.#cover;
    let isTouched = this.#isTouched;
    let touched = this.#touched;
    const perDegree = this.#lattice.grid.n / this.#lattice.grid.s;
    let count = 0;
    let pieces = 0;
    this.#isReported = false;
    for (let k = 0; k < this.#activeCount; k++) {
      const edge = active[k]!;
      const at = 4 * edge;
      const xn = ends[at]!;
      const yn = ends[at + 1]!;
      const xs = ends[at + 2]!;
      const ys = ends[at + 3]!;
      const dx = xs - xn;
      const dy = yn - ys;
      let yt = yn;
      let xt = xn;
      if (yt > top) {
        yt = top;
        xt = xn + ((yn - top) / dy) * dx;
      }
      let yu = ys;
      let xu = xs;
      if (yu < bottom) {
        yu = bottom;
        xu = xs - ((bottom - ys) / dy) * dx;
      }
      const low = xn < xs ? xn : xs;
      const high = xn < xs ? xs : xn;
      if (xt < low) xt = low;
      else if (xt > high) xt = high;
      if (xu < low) xu = low;
      else if (xu > high) xu = high;
      const left = xt < xu ? xt : xu;
      const right = xt < xu ? xu : xt;
      // An edge along the earth passes millions of cells in one row: they are counted before.
      pieces += 1 + Math.floor((right - left) * perDegree);
      if (pieces > MOST_UNCOUNTED) {
        this.#meter.add(PIECE_UNITS * pieces);
        pieces = 0;
      }
      let column = this.#columnOf(left);
      let line = this.#lineOf(column + 1);
      const west = this.#lineOf(column);
      // Only here may rounding have chosen a cell: each end is a corner of the plot, or a cut at the row's lines.
      const slope = Math.abs(dx / dy);
      if (
        left - west < NEAR * (1 + slope) ||
        line - left < NEAR * (1 + slope) ||
        this.#isNearLine(right, slope) ||
        Math.abs(yn - lineNorth) < NEAR ||
        Math.abs(ys - lineSouth) < NEAR ||
        Math.abs(yn - lineSouth) < NEAR ||
        Math.abs(ys - lineNorth) < NEAR
      ) {
        this.#reportDoubts(row, edge, xt, yt, slope);
        this.#reportDoubts(row, edge, xu, yu, slope);
      }
      if (line > plotEast) line = plotEast;
      const isSouthward = xt < xu;
      const sign = this.#signs[edge]!;
      const turn = isSouthward ? sign : -sign;
      let x = left;
      let y = isSouthward ? yt : yu;
      const yEnd = isSouthward ? yu : yt;
      let g = evaluateSeries(terms, degree, y - center);
      for (;;) {
        let xNext = right;
        let yNext = yEnd;
        const goesOn = right > line;
        if (goesOn) {
          xNext = line;
          yNext = yn - ((line - xn) / dx) * dy;
          if (isSouthward) {
            if (yNext > y) yNext = y;
            if (yNext < yEnd) yNext = yEnd;
          } else {
            if (yNext < y) yNext = y;
            if (yNext > yEnd) yNext = yEnd;
          }
        }
        let i = column - first;
        if (pages !== undefined) {
          i = this.#placeOf(i, pages);
          partial = this.#partial;
          cover = this.#cover;
          isTouched = this.#isTouched;
          if (count === touched.length) {
            touched = doubled(touched);
            this.#touched = touched;
          }
        }
        if (isTouched[i] === 0) {
          isTouched[i] = 1;
          touched[count++] = column - first;
          partial[i] = 0;
          cover[i] = 0;
        }
        const gNext = evaluateSeries(terms, degree, yNext - center);
        const mean = evaluateSeriesMean(terms, degree, y - center, yNext - center);
        cover[i]! += turn * (g - gNext);
        partial[i]! += turn * ((line - x) * (g - mean) + (line - xNext) * (mean - gNext));
        if (!goesOn) break;
        x = xNext;
        y = yNext;
        g = gNext;
        column++;
        line = this.#lineOf(column + 1);
        if (line > plotEast) line = plotEast;
      }
    }
    this.#touchedCount = count;
    this.#meter.add(PIECE_UNITS * pieces);
    if (count > 32) touched.subarray(0, count).sort();
    else sortFirst(touched, count);
  }

  /** Degrees of the line west of a column, from the origin. */
  #lineOf(column: number): number {
    const i = column - this.#firstColumn;
    return i >= 0 && i < this.#lineCount ? this.#lines[i]! : this.#lattice.longitude(column) - this.#originX;
  }

  /** Column that holds a longitude from the origin. */
  #columnOf(x: number): number {
    let column = this.#lattice.columnNear(x + this.#originX);
    while (this.#lineOf(column) > x) column--;
    while (this.#lineOf(column + 1) <= x) column++;
    return column;
  }

  /** The same as spans, which go to the sink. */
  #tell(row: number, top: number, bottom: number, tiling: Tiling | undefined, isTileRow: boolean): void {
    const first = this.#firstColumn;
    const plotEast = this.#east;
    const { terms, degree } = this.#series;
    const center = this.#center;
    const full = evaluateSeries(terms, degree, top - center) - evaluateSeries(terms, degree, bottom - center);
    const spans = this.#spans;
    const count = this.#touchedCount;
    // Below this a sum of covers is what rounding left of 0, or of a whole row.
    const negligible = COVER_ROUNDING * (2 + count + this.#activeCount) * full;
    spans.count = 0;
    let covers = 0;
    const pages = this.#pages;
    for (let k = 0; k < count; k++) {
      const offset = this.#touched[k]!;
      const i = pages === undefined ? offset : this.#placeOf(offset, pages);
      this.#isTouched[i] = 0;
      const column = first + offset;
      let east = this.#lineOf(column + 1);
      if (east > plotEast) east = plotEast;
      const width = east - this.#lineOf(column);
      addSpan(spans, column, column + 1, 1, covers * width + this.#partial[i]!);
      covers += this.#cover[i]!;
      const next = k + 1 < count ? this.#touched[k + 1]! : offset + 1;
      if (next === offset + 1) continue;
      if (covers <= negligible) {
        if (covers > 0) this.#sink.leaveOut(covers * (this.#lineOf(first + next) - this.#lineOf(column + 1)));
        continue;
      }
      const amount = Math.abs(covers - full) <= negligible ? full : covers;
      if (tiling === undefined || !this.#hasWhole) addSpan(spans, column + 1, first + next, 0, amount);
      else this.#addSpanOfTiles(row, column + 1, first + next, amount, tiling, isTileRow);
    }
    this.#isReported = true;
    if (spans.count > 0) this.#sink.row(row, spans);
  }

  /** Adds a run of cells without the tiles that are reported whole. */
  #addSpanOfTiles(
    row: number,
    from: number,
    to: number,
    amount: number,
    { columnOffset }: Tiling,
    isTileRow: boolean,
  ): void {
    const whole = this.#isWhole;
    const spans = this.#spans;
    let start = from;
    let column = from;
    while (column < to) {
      const tile = (column + columnOffset) >> 8;
      const end = Math.min(to, ((tile + 1) << 8) - columnOffset);
      if (column >= 0 && tile < whole.length && whole[tile] === 1) {
        if (start < column) addSpan(spans, start, column, 0, amount);
        if (isTileRow) this.#sink.tile((row + this.#rowOffset) >> 8, tile);
        start = end;
      }
      column = end;
    }
    if (start < to) addSpan(spans, start, to, 0, amount);
  }

  /** The columns of tiles, wholly on the grid, that no edge passes in the row of tiles that begins with a row. */
  #findWholeTiles(
    { columnOffset, rowOffset, tileColumns }: Tiling,
    row: number,
    next: number,
    edges: number,
  ): void {
    if (this.#isWhole.length < tileColumns) this.#isWhole = new Uint8Array(tileColumns);
    const whole = this.#isWhole;
    this.#rowOffset = rowOffset;
    const { columns } = this.#lattice.grid;
    for (let tile = 0; tile < tileColumns; tile++) {
      const from = tile * TILE_CELLS - columnOffset;
      whole[tile] = from >= 0 && from + TILE_CELLS <= columns ? 1 : 0;
    }
    const bottom = this.#lattice.latitude(row + TILE_CELLS) - this.#originY;
    const top = this.#lattice.latitude(row) - this.#originY;
    for (let i = 0; i < this.#activeCount; i++) this.#markPassed(this.#active[i]!, top, bottom, columnOffset);
    let k = next;
    for (; k < edges && this.#ends[4 * this.#order[k]! + 1]! > bottom; k++) {
      this.#markPassed(this.#order[k]!, top, bottom, columnOffset);
    }
    this.#meter.add(PIECE_UNITS * (this.#activeCount + k - next) + tileColumns);
  }

  /** Marks the columns of tiles that an edge passes between two parallels. */
  #markPassed(edge: number, top: number, bottom: number, columnOffset: number): void {
    const ends = this.#ends;
    const at = 4 * edge;
    const [xn, yn, xs, ys] = [ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!];
    const slope = (xs - xn) / (yn - ys);
    const a = yn > top ? xn + (yn - top) * slope : xn;
    const b = ys < bottom ? xs - (bottom - ys) * slope : xs;
    // A column more on either side: cuts are rounded.
    const first = Math.max(0, (this.#columnOf(Math.min(a, b)) - 1 + columnOffset) >> 8);
    const last = Math.min(this.#isWhole.length - 1, (this.#columnOf(Math.max(a, b)) + 1 + columnOffset) >> 8);
    for (let tile = first; tile <= last; tile++) this.#isWhole[tile] = 0;
  }

  #isNearLine(x: number, slope: number): boolean {
    const { s, n } = this.#lattice.grid;
    const column = this.#columnOf(x);
    const within = x - this.#lineOf(column);
    const near = NEAR * (1 + slope);
    return within < near || s / n - within < near;
  }

  /** Names the cells around an end of an edge's part in a row that is on a line, or nearly. */
  #reportDoubts(row: number, edge: number, x: number, y: number, slope: number): void {
    const ends = this.#ends;
    const [xn, xs] = [ends[4 * edge]!, ends[4 * edge + 2]!];
    const reach = NEAR * (1 + slope);
    const from = this.#columnOf(Math.max(x - reach, Math.min(xn, xs) - NEAR));
    const to = this.#columnOf(Math.min(x + reach, Math.max(xn, xs) + NEAR));
    const north = this.#lineNorth - y < NEAR ? row - 1 : row;
    const south = y - this.#lineSouth < NEAR ? row + 1 : row;
    this.#meter.add(DOUBT_UNITS * (to - from + 1) * (south - north + 1));
    for (let r = north; r <= south; r++) {
      for (let column = from; column <= to; column++) this.#sink.doubt(r, column, this.#starts[edge]!);
    }
  }
}

const WALKS = new Map<Surface, CellWalk>();

/** The walk on a surface: walks are not re-entrant, and one at a time is enough. */
export function getCellWalk(surface: Surface): CellWalk {
  let walk = WALKS.get(surface);
  if (walk === undefined) {
    walk = new CellWalk(surface);
    WALKS.set(surface, walk);
  }
  return walk;
}

function sortFirst(list: Int32Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const value = list[i]!;
    let j = i - 1;
    while (j >= 0 && list[j]! > value) {
      list[j + 1] = list[j]!;
      j--;
    }
    list[j + 1] = value;
  }
}
