import { doubled } from "../../base/doubled.ts";
import { LeastQueue } from "../../base/least-queue.ts";
import { evaluateSeriesMean } from "../earth/authalic.ts";
import type { RegionExpression } from "./region-expression.ts";

/**
 * Area of a boolean expression of sets within a cell, by a line that sweeps it from west to east and
 * keeps the pieces of boundaries it meets in their order from south to north; a workspace to be reused.
 *
 * Each piece in the order knows the memberships just above it, and whether the expression begins or
 * ends there. Where the order changes (ends, flips of the southern side, crossings), memberships are
 * renewed from the change upward for as long as they differ from what they were.
 *
 * How two pieces lie is read from their heights at the ends of their common longitudes, with at most
 * one crossing between. The invariant is that neighbours lie right by that reading; so heights ascend
 * to within rounding, whatever rounding does to the readings among pieces that all but coincide.
 */
export class CellSweep {
  #count = 0;
  #xl: Float64Array = new Float64Array(64);
  #yl: Float64Array = new Float64Array(64);
  #xr: Float64Array = new Float64Array(64);
  #yr: Float64Array = new Float64Array(64);
  /** Place among the cell's sets. */
  #place: Int32Array = new Int32Array(64);
  readonly #sets: number[] = [];
  readonly #base: boolean[] = [];
  readonly #flipX: number[] = [];
  readonly #flipPlace: number[] = [];

  /** Pieces on the line, from south to north. */
  readonly #order: number[] = [];
  /** Memberships above each piece, 32 to a word. */
  #above: Int32Array = new Int32Array(64);
  #words = 1;
  /** Memberships along the southern side; those the expression is assigned; scratch. */
  #south: Int32Array = new Int32Array(1);
  #assigned: Int32Array = new Int32Array(1);
  #mask: Int32Array = new Int32Array(1);
  /** 1 where the expression begins above the piece, -1 where it ends, and since which longitude. */
  #turn: Int8Array = new Int8Array(64);
  #since: Float64Array = new Float64Array(64);
  /** Lowest and highest place in the order whose memberships are to be renewed. */
  #lowest = Infinity;
  #highest = -1;
  readonly #crossings: LeastQueue = new LeastQueue();
  #expression: RegionExpression | undefined;
  #terms: Float64Array = new Float64Array(0);
  #degree = 0;
  #top = 0;
  #total = 0;
  /** Steps done since {@link begin}. */
  work = 0;

  begin(): void {
    this.#count = 0;
    this.#sets.length = 0;
    this.#base.length = 0;
    this.#flipX.length = 0;
    this.#flipPlace.length = 0;
    this.work = 0;
  }

  /** Adds a set with its membership in the south-west corner; pieces and flips added next are its own. */
  addSet(set: number, inside: boolean): void {
    this.#sets.push(set);
    this.#base.push(inside);
  }

  addFlip(x: number): void {
    this.#flipX.push(x);
    this.#flipPlace.push(this.#sets.length - 1);
  }

  /** xl < xr. */
  addPiece(xl: number, yl: number, xr: number, yr: number): void {
    const k = this.#count++;
    if (k === this.#xl.length) this.#grow();
    this.#xl[k] = xl;
    this.#yl[k] = yl;
    this.#xr[k] = xr;
    this.#yr[k] = yr;
    this.#place[k] = this.#sets.length - 1;
  }

  /**
   * The area. The expression's sets other than those added are assigned, or do not matter; those
   * added are unknown, before and after.
   *
   * @param bottom value of the series at the cell's southern side
   * @param top the same at its northern side
   * @param allowed steps; a negative result says that they did not suffice
   */
  measure(
    expression: RegionExpression,
    west: number,
    east: number,
    bottom: number,
    top: number,
    terms: Float64Array,
    degree: number,
    allowed: number,
  ): number {
    this.#expression = expression;
    this.#terms = terms;
    this.#degree = degree;
    this.#top = top;
    this.#total = 0;
    this.#order.length = 0;
    this.#crossings.clear();
    this.#words = (this.#sets.length + 31) >> 5;
    if (this.#above.length < this.#words * this.#count)
      this.#above = new Int32Array(2 * this.#words * this.#count);
    this.#south = new Int32Array(this.#words);
    this.#assigned = new Int32Array(this.#words);
    this.#mask = new Int32Array(this.#words);
    this.#base.forEach((inside, place) => {
      if (inside) this.#south[place >> 5]! ^= 1 << (place & 31);
      expression.assign(this.#sets[place]!, 0);
    });

    const count = this.#count;
    const xOf = (event: number): number =>
      event < count
        ? this.#xr[event]!
        : event < 2 * count
          ? this.#xl[event - count]!
          : this.#flipX[event - 2 * count]!;
    // At one longitude pieces end before others start.
    const events = Array.from({ length: 2 * count + this.#flipX.length }, (_, event) => event);
    events.sort((a, b) => xOf(a) - xOf(b) || a - b);
    this.work += 4 * events.length;
    let southSince = west;
    let inSouth = this.#truthOf(this.#south, 0);
    for (let e = 0; e < events.length; ) {
      const x = xOf(events[e]!);
      while (this.#crossings.length > 0 && this.#crossings.key <= x) this.#cross();
      let flipped = false;
      for (; e < events.length && xOf(events[e]!) === x; e++) {
        const event = events[e]!;
        if (event < count) {
          this.#end(event, x);
        } else if (event < 2 * count) {
          this.#start(event - count, x);
        } else {
          const place = this.#flipPlace[event - 2 * count]!;
          this.#south[place >> 5]! ^= 1 << (place & 31);
          flipped = true;
        }
      }
      if (flipped) {
        this.#lowest = 0;
        if (inSouth === 1) this.#total += (x - southSince) * (top - bottom);
        southSince = x;
        inSouth = this.#truthOf(this.#south, 0);
      }
      this.#renew(x);
      if (this.work > allowed) break;
    }
    if (inSouth === 1) this.#total += (east - southSince) * (top - bottom);
    for (const set of this.#sets) expression.assign(set, 2);
    return this.work > allowed ? -1 : this.#total;
  }

  #end(k: number, x: number): void {
    const at = this.#order.indexOf(k);
    this.work += 2 + (this.#order.length >> 5);
    this.#settle(k, x);
    this.#order.splice(at, 1);
    this.#touch(at, at);
    this.#check(at - 1, x);
  }

  #start(k: number, x: number): void {
    const order = this.#order;
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBelow(order[middle]!, k, x)) low = middle + 1;
      else high = middle;
    }
    this.work += 4 + (order.length >> 5);
    order.splice(low, 0, k);
    this.#since[k] = x;
    this.#turn[k] = 0;
    this.#touch(low, this.#highest >= low ? this.#highest + 1 : low);
    this.#check(low, x);
    this.#check(low - 1, x);
  }

  /** The next crossing, if its pieces are still neighbours. */
  #cross(): void {
    const { key: x, item: lower, other: upper } = this.#crossings;
    this.#crossings.pop();
    const at = this.#order.indexOf(lower);
    this.work += 4 + (this.#order.length >> 5);
    if (at === -1 || this.#order[at + 1] !== upper) return;
    this.#check(at, x);
    this.#renew(x);
  }

  /** Sees that the pieces at a place in the order and after it lie right, and when they will cross. */
  #check(at: number, x: number): void {
    const order = this.#order;
    if (at < 0 || at + 1 >= order.length) return;
    this.work += 2;
    const lower = order[at]!;
    const upper = order[at + 1]!;
    if (this.#isBelow(lower, upper, x)) {
      const crossing = this.#crossingOf(lower, upper);
      if (crossing > x) this.#crossings.push(crossing, 0, lower, upper);
      return;
    }
    // Each exchange rights one pair and changes no other, so this comes to an end.
    order[at] = upper;
    order[at + 1] = lower;
    this.#touch(at, at + 1);
    this.#check(at, x);
    this.#check(at - 1, x);
    this.#check(at + 1, x);
  }

  #touch(low: number, high: number): void {
    if (low < this.#lowest) this.#lowest = low;
    if (high > this.#highest) this.#highest = high;
  }

  /** Renews memberships where the order changed. */
  #renew(x: number): void {
    const order = this.#order;
    const words = this.#words;
    const mask = this.#mask;
    const above = this.#above;
    let at = this.#lowest;
    if (at < order.length) {
      const from = at > 0 ? above : this.#south;
      const offset = at > 0 ? words * order[at - 1]! : 0;
      for (let w = 0; w < words; w++) mask[w] = from[offset + w]!;
      let truth = this.#truthOf(mask, 0);
      for (; at < order.length; at++) {
        const k = order[at]!;
        const place = this.#place[k]!;
        mask[place >> 5]! ^= 1 << (place & 31);
        let same = at > this.#highest;
        for (let w = 0; w < words; w++) {
          if (above[words * k + w] !== mask[w]) {
            same = false;
            above[words * k + w] = mask[w]!;
          }
        }
        if (same) break;
        this.work += words >> 2;
        const next = this.#truthOf(mask, 0);
        if (next - truth !== this.#turn[k]) {
          this.#settle(k, x);
          this.#turn[k] = next - truth;
        }
        truth = next;
      }
    }
    this.#lowest = Infinity;
    this.#highest = -1;
  }

  /** Adds what a piece has bounded up to x. */
  #settle(k: number, x: number): void {
    const turn = this.#turn[k]!;
    const from = this.#since[k]!;
    this.#since[k] = x;
    if (turn === 0 || from === x) return;
    const mean = evaluateSeriesMean(this.#terms, this.#degree, this.#heightOf(k, from), this.#heightOf(k, x));
    this.#total += turn * (x - from) * (this.#top - mean);
  }

  /** Value of the expression for memberships in a mask; only what differs from the last ones is assigned. */
  #truthOf(mask: Int32Array, offset: number): number {
    const expression = this.#expression!;
    for (let w = 0; w < this.#words; w++) {
      let different = mask[offset + w]! ^ this.#assigned[w]!;
      while (different !== 0) {
        const bit = 31 - Math.clz32(different);
        expression.flip(this.#sets[32 * w + bit]!);
        different ^= 1 << bit;
        this.work++;
      }
      this.#assigned[w] = mask[offset + w]!;
    }
    return expression.value();
  }

  /** True if piece p lies below piece q just east of x. */
  #isBelow(p: number, q: number, x: number): boolean {
    const a = Math.max(this.#xl[p]!, this.#xl[q]!);
    const b = Math.min(this.#xr[p]!, this.#xr[q]!);
    const left = this.#heightOf(p, a) - this.#heightOf(q, a);
    const right = this.#heightOf(p, b) - this.#heightOf(q, b);
    if ((left < 0 && right > 0) || (left > 0 && right < 0)) {
      return x < a + (b - a) * (left / (left - right)) ? left < 0 : right < 0;
    }
    return left + right < 0 || (left + right === 0 && p < q);
  }

  /** Where two pieces cross; -Infinity: nowhere. */
  #crossingOf(p: number, q: number): number {
    const a = Math.max(this.#xl[p]!, this.#xl[q]!);
    const b = Math.min(this.#xr[p]!, this.#xr[q]!);
    const left = this.#heightOf(p, a) - this.#heightOf(q, a);
    const right = this.#heightOf(p, b) - this.#heightOf(q, b);
    const cross = (left < 0 && right > 0) || (left > 0 && right < 0);
    return cross ? a + (b - a) * (left / (left - right)) : -Infinity;
  }

  #heightOf(k: number, x: number): number {
    return heightOnPiece(this.#xl[k]!, this.#yl[k]!, this.#xr[k]!, this.#yr[k]!, x);
  }

  #grow(): void {
    this.#xl = doubled(this.#xl);
    this.#yl = doubled(this.#yl);
    this.#xr = doubled(this.#xr);
    this.#yr = doubled(this.#yr);
    this.#since = doubled(this.#since);
    this.#place = doubled(this.#place);
    this.#turn = doubled(this.#turn);
  }
}

/** Height of a piece above x, from its left end to its right one; at its ends the end's own, to the bit. */
export function heightOnPiece(xl: number, yl: number, xr: number, yr: number, x: number): number {
  if (x === xl) return yl;
  if (x === xr) return yr;
  return x - xl < xr - x ? yl + (yr - yl) * ((x - xl) / (xr - xl)) : yr - (yr - yl) * ((xr - x) / (xr - xl));
}
