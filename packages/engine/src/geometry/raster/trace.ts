import type { WorkMeter } from "../../base/work-meter.ts";
import type { Lattice } from "./lattice.ts";

/** Selected cells: in each row, runs that neither touch nor overlap, from west to east; rows from north to south. */
export interface CellSet {
  /** Row, first column and column after the last of each run. */
  readonly runs: number[];
}

/** Units of work of an edge of cells. */
const EDGE_UNITS = 60;

/** Directions of edges, counter-clockwise. */
const EAST = 0;
const NORTH = 1;
const WEST = 2;
const SOUTH = 3;

/**
 * The outlines of cells as closed rings of corners alone: what is selected lies to the left of each edge, and cells
 * that meet only in a corner are apart.
 *
 * @returns flat `[lon, lat, …]` in degrees
 */
export function traceCellOutlines(cells: CellSet, lattice: Lattice, meter: WorkMeter): Float64Array[] {
  const edges = new CrackEdges();
  edges.addRows(cells.runs, meter);
  return edges.rings().map((corners) => {
    const ring = new Float64Array(corners.length + 2);
    for (let i = 0; i < corners.length; i += 2) {
      ring[i] = lattice.longitude(corners[i]!);
      ring[i + 1] = lattice.latitude(corners[i + 1]!);
    }
    ring[corners.length] = ring[0]!;
    ring[corners.length + 1] = ring[1]!;
    return ring;
  });
}

/** Edges between selected cells and others, from corner to corner of the lattice. */
class CrackEdges {
  readonly #fromX: number[] = [];
  readonly #fromY: number[] = [];
  readonly #toX: number[] = [];
  readonly #toY: number[] = [];
  readonly #directions: number[] = [];
  /** The last edge that leaves each corner, in an open table by the corner; −1: none. */
  #leaving: Int32Array = new Int32Array(256).fill(-1);
  #corners = 0;
  /** The edge that left the corner of each edge before it, or −1. */
  readonly #others: number[] = [];

  get count(): number {
    return this.#directions.length;
  }

  /** Counts what each row adds before the next. */
  addRows(runs: readonly number[], meter: WorkMeter): void {
    let above: number[] = [];
    let aboveRow = Number.NaN;
    for (let i = 0; i < runs.length; ) {
      const row = runs[i]!;
      const present: number[] = [];
      const before = this.count;
      for (; i < runs.length && runs[i] === row; i += 3) present.push(runs[i + 1]!, runs[i + 2]!);
      if (aboveRow !== row - 1) {
        this.#addParallel(aboveRow + 1, above, []);
        above = [];
      }
      this.#addParallel(row, above, present);
      for (let k = 0; k < present.length; k += 2) {
        this.#add(present[k]!, row, present[k]!, row + 1, SOUTH);
        this.#add(present[k + 1]!, row + 1, present[k + 1]!, row, NORTH);
      }
      above = present;
      aboveRow = row;
      meter.add(EDGE_UNITS * (this.count - before));
    }
    const before = this.count;
    this.#addParallel(aboveRow + 1, above, []);
    meter.add(EDGE_UNITS * (this.count - before));
  }

  /** Edges along the line above a row: where one side is selected and the other is not. */
  #addParallel(line: number, above: readonly number[], below: readonly number[]): void {
    let [a, b, x] = [0, 0, 0];
    while (a < above.length || b < below.length) {
      const next = Math.min(above[a] ?? Infinity, below[b] ?? Infinity);
      const isAbove = a % 2 === 1;
      const isBelow = b % 2 === 1;
      if (isAbove !== isBelow && next > x) {
        if (isBelow) this.#add(next, line, x, line, WEST);
        else this.#add(x, line, next, line, EAST);
      }
      if (above[a] === next) a++;
      if (below[b] === next) b++;
      x = next;
    }
  }

  #add(fromX: number, fromY: number, toX: number, toY: number, direction: number): void {
    const edge = this.count;
    this.#fromX.push(fromX);
    this.#fromY.push(fromY);
    this.#toX.push(toX);
    this.#toY.push(toY);
    this.#directions.push(direction);
    const slot = this.#slotOf(fromX, fromY);
    const other = this.#leaving[slot]!;
    this.#others.push(other);
    this.#leaving[slot] = edge;
    if (other === -1 && 2 * ++this.#corners > this.#leaving.length) this.#grow();
  }

  #grow(): void {
    const former = this.#leaving;
    this.#leaving = new Int32Array(4 * former.length).fill(-1);
    for (const edge of former) {
      if (edge >= 0) this.#leaving[this.#slotOf(this.#fromX[edge]!, this.#fromY[edge]!)] = edge;
    }
  }

  /** The slot of a corner, or the free one where it belongs. */
  #slotOf(x: number, y: number): number {
    const slots = this.#leaving;
    const mask = slots.length - 1;
    let hash = Math.imul(x, 0x9e37_79b1) ^ Math.imul(y, 0x85eb_ca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (let edge = slots[slot]!; edge !== -1; edge = slots[slot]!) {
      if (this.#fromX[edge] === x && this.#fromY[edge] === y) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Column and row of each corner of each ring. */
  rings(): number[][] {
    const isTaken = new Uint8Array(this.count);
    const rings: number[][] = [];
    for (let first = 0; first < this.count; first++) {
      if (isTaken[first] === 1) continue;
      const corners: number[] = [];
      let edge = first;
      do {
        isTaken[edge] = 1;
        const next = this.#after(edge);
        if (this.#directions[next] !== this.#directions[edge])
          corners.push(this.#toX[edge]!, this.#toY[edge]!);
        edge = next;
      } while (edge !== first);
      rings.push(corners);
    }
    return rings;
  }

  /** The edge that goes on where one ends; of two the one to the left. */
  #after(edge: number): number {
    const one = this.#leaving[this.#slotOf(this.#toX[edge]!, this.#toY[edge]!)]!;
    const other = this.#others[one]!;
    if (other < 0) return one;
    return this.#directions[one] === ((this.#directions[edge]! + 1) & 3) ? one : other;
  }
}
