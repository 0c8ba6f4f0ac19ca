import { doubled } from "../../../base/doubled.ts";

/** A point that edges i < j share. */
export interface Meeting {
  readonly i: number;
  readonly j: number;
  readonly x: number;
  readonly y: number;
}

/** How rings a < b that meet run off each other. */
export const A_INSIDE_B = 0;
export const A_OUTSIDE_B = 1;
export const B_INSIDE_A = 2;
export const B_OUTSIDE_A = 3;

/** How a ring lies to another, as far as is known from where they meet; apart: they meet nowhere. */
export type Side = "apart" | "along" | "inside" | "outside" | "both";

/** For pairs of rings a < b that meet: where each first runs off to which side of the other, if anywhere. */
export class RingTouches {
  /** Pairs so far, numbered in the order in which they were come upon. */
  count = 0;
  /** By the hash of its rings, the number of a pair. */
  #slots = new Int32Array(64).fill(-1);
  /** Two rings a pair. */
  #rings = new Int32Array(64);
  /** For pair p and way w, number 4p + w: the first meeting there, −1 for none. */
  #first = new Int32Array(128);
  #meetingCount = 0;
  /** Four numbers a meeting: its edges, its longitude and its latitude. */
  #meetings = new Float64Array(128);

  /** The number of a pair, a new one if it was not met before. */
  pairOf(a: number, b: number): number {
    const slot = this.#slotOf(a, b);
    const known = this.#slots[slot]!;
    if (known !== -1) return known;
    const pair = this.count++;
    if (2 * pair === this.#rings.length) {
      this.#rings = doubled(this.#rings);
      this.#first = doubled(this.#first);
    }
    this.#rings[2 * pair] = a;
    this.#rings[2 * pair + 1] = b;
    this.#first.fill(-1, 4 * pair, 4 * pair + 4);
    if (2 * this.count > this.#slots.length) this.#growSlots();
    else this.#slots[slot] = pair;
    return pair;
  }

  /** Notes that a pair runs off each other in a way where edges i < j share (x, y). */
  note(pair: number, way: number, i: number, j: number, x: number, y: number): void {
    let at = this.#first[4 * pair + way]!;
    if (at === -1) {
      at = 4 * this.#meetingCount++;
      if (at === this.#meetings.length) this.#meetings = doubled(this.#meetings);
      this.#first[4 * pair + way] = at;
    } else if (!this.#isBefore(i, j, x, y, at)) return;
    const meetings = this.#meetings;
    meetings[at] = i;
    meetings[at + 1] = j;
    meetings[at + 2] = x;
    meetings[at + 3] = y;
  }

  /** On which side of ring b ring a runs off; they may be passed in in any order. */
  sideOf(a: number, b: number): Side {
    const pair = this.#slots[this.#slotOf(Math.min(a, b), Math.max(a, b))]!;
    if (pair === -1) return "apart";
    const inside = this.#first[4 * pair + (a < b ? A_INSIDE_B : B_INSIDE_A)] !== -1;
    const outside = this.#first[4 * pair + (a < b ? A_OUTSIDE_B : B_OUTSIDE_A)] !== -1;
    if (inside) return outside ? "both" : "inside";
    return outside ? "outside" : "along";
  }

  /** Two rings a pair. */
  get rings(): Int32Array {
    return this.#rings.subarray(0, 2 * this.count);
  }

  /** Visits the pairs of which one ring lies on both sides of the other, and where that is first known. */
  forEachCrossing(visit: (a: number, b: number, meeting: Meeting) => void): void {
    for (let pair = 0; pair < this.count; pair++) {
      const change =
        this.#laterOf(4 * pair + A_INSIDE_B, 4 * pair + A_OUTSIDE_B) ??
        this.#laterOf(4 * pair + B_INSIDE_A, 4 * pair + B_OUTSIDE_A);
      if (change !== undefined) visit(this.#rings[2 * pair]!, this.#rings[2 * pair + 1]!, change);
    }
  }

  /** Where both are known by, or nothing if one is not. */
  #laterOf(p: number, q: number): Meeting | undefined {
    const [one, other] = [this.#first[p]!, this.#first[q]!];
    if (one === -1 || other === -1) return undefined;
    const meetingAt = (at: number): Meeting => {
      const [i, j, x, y] = this.#meetings.subarray(at, at + 4) as unknown as [number, number, number, number];
      return { i, j, x, y };
    };
    const { i, j, x, y } = meetingAt(one);
    return this.#isBefore(i, j, x, y, other) ? meetingAt(other) : { i, j, x, y };
  }

  /** True if edges i < j that share (x, y) come before a meeting in the order of edges. */
  #isBefore(i: number, j: number, x: number, y: number, at: number): boolean {
    const meetings = this.#meetings;
    return (i - meetings[at]! || j - meetings[at + 1]! || x - meetings[at + 2]! || y - meetings[at + 3]!) < 0;
  }

  #slotOf(a: number, b: number): number {
    const mask = this.#slots.length - 1;
    let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (let pair = this.#slots[slot]!; pair !== -1; pair = this.#slots[slot]!) {
      if (this.#rings[2 * pair] === a && this.#rings[2 * pair + 1] === b) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let pair = 0; pair < this.count; pair++) {
      this.#slots[this.#slotOf(this.#rings[2 * pair]!, this.#rings[2 * pair + 1]!)] = pair;
    }
  }
}
