import type { PatternMeter } from "../../base/pattern-meter.ts";
import { GRAM_BYTES, readGram } from "../grams.ts";
import type { GramIndex } from "./gram-index.ts";

/** A search among the values of a scheme. */
export interface GramQuestion {
  /** The scheme's number, the place of its first identifier, and how many it has. */
  readonly scheme: number;
  readonly start: number;
  readonly count: number;
  /** The parts of the pattern. The first begins a value, the last ends it; either may be empty. */
  readonly pieces: readonly Uint8Array[];
  /** True if the identifier, which may be any of the scheme's, matches. */
  readonly matches: (identifier: number) => boolean;
}

/**
 * The first `limit` identifiers that match, in the order of answers.
 *
 * Every value that matches holds all grams of the pieces; the rarest lead the search:
 *
 * 1. Where a large share of the values holds even these, the first values of all are tried one by one.
 * 2. The values are then taken in windows. In each, the values that hold the rarest grams are read, those that lack
 *    another gram are dropped as long as that is cheaper than trying them, and the others are tried.
 * 3. The search ends as soon as it has found enough. A window without a find makes the next one larger.
 *
 * Fails: `PATTERN_TOO_COMPLEX` as the meter says.
 */
export function findByGrams(
  index: GramIndex,
  question: GramQuestion,
  limit: number,
  meter: PatternMeter,
): number[] {
  const { start, count, matches } = question;
  const found: number[] = [];
  const wanted = findHoldersOfPieces(index, question, meter);
  if (limit === 0 || wanted === undefined) return found;
  const [rarest, ...others] = wanted;
  const trial = TRIAL_UNITS + PIECE_UNITS * question.pieces.length;
  const tryRank = (rank: number): void => {
    meter.add(trial);
    const identifier = index.order[start + rank]!;
    if (matches(identifier)) found.push(identifier);
  };

  let from = rarest!.byteLength > count / SHARE_TRIED ? Math.min(count, RANKS_TRIED) : 0;
  for (let rank = 0; rank < from && found.length < limit; rank++) tryRank(rank);
  const expected = Math.ceil((WINDOW_RANKS * count) / rarest!.byteLength);
  for (let window = expected; from < count && found.length < limit; ) {
    const end = Math.min(count, from + window);
    let ranks = rarest!.between(from, end);
    for (const other of others) {
      if (ranks.length * trial <= other.costTo(end)) break;
      ranks = intersectRanks(ranks, other.between(from, end));
    }
    for (let i = 0; i < ranks.length && found.length < limit; i++) tryRank(ranks[i]!);
    from = end;
    window = Math.max(expected, Math.min(MAX_WINDOW, window * 4));
  }
  return found;
}

/**
 * The lists of identifiers that contain each run of bytes required by a match, rarest first; undefined if a run occurs
 * in no identifier.
 */
function findHoldersOfPieces(
  index: GramIndex,
  { scheme, count, pieces }: GramQuestion,
  meter: PatternMeter,
): Holders[] | undefined {
  // By the least gram of a run, how many of its bytes are known. A run with more known bytes implies one with fewer.
  const runs = new Map<number, number>();
  for (const [p, bytes] of pieces.entries()) {
    // A value ends with the last piece, so nothing but zeros follows it; what follows another piece is open.
    const isLast = p === pieces.length - 1;
    const stop = isLast ? bytes.length : Math.max(bytes.length - GRAM_BYTES + 1, Math.min(bytes.length, 1));
    for (let at = 0; at < stop; at++) {
      const least = readGram(bytes, at, bytes.length);
      const known = isLast ? GRAM_BYTES : Math.min(GRAM_BYTES, bytes.length);
      runs.set(least, Math.max(runs.get(least) ?? 0, known));
    }
  }
  const wanted: Holders[] = [];
  for (const [least, known] of runs) {
    const greatest = known === GRAM_BYTES ? least : (least | (0xffff_ffff >>> (8 * known))) >>> 0;
    const first = findGramLowerBound(index, scheme, least);
    const end =
      greatest === 0xffff_ffff
        ? index.schemeStarts[scheme + 1]!
        : findGramLowerBound(index, scheme, greatest + 1);
    meter.add(BOUND_UNITS);
    if (first === end) return undefined;
    wanted.push(new Holders(index, first, end, count, meter));
  }
  return wanted.sort((a, b) => a.byteLength - b.byteLength);
}

/** The first gram of a scheme that is not below `wanted`. */
export function findGramLowerBound(
  { grams, schemeStarts }: GramIndex,
  scheme: number,
  wanted: number,
): number {
  let low = schemeStarts[scheme]!;
  let high = schemeStarts[scheme + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (grams[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The common entries of two lists of ascending ranks. */
function intersectRanks(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    const [x, y] = [a[i]!, b[k]!];
    if (x === y) both[count++] = x;
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return both.subarray(0, count);
}

/** The values that hold one of some neighbouring grams, read once from the first rank to the last. */
class Holders {
  /** Bytes of the postings: at least one for each value of each gram. */
  readonly byteLength: number;
  readonly #index: GramIndex;
  readonly #firstGram: number;
  readonly #gramCount: number;
  /** Values of the scheme. */
  readonly #count: number;
  readonly #meter: PatternMeter;
  /**
   * For each gram: the next rank, which is `#count` at the list's end, and where the list continues. Created at the
   * first use.
   */
  #next: Uint32Array | undefined;
  #at: Uint32Array = NOTHING;
  /** The rank up to which the lists were read. */
  #read = 0;
  #ranks: Uint32Array = NOTHING;

  constructor(index: GramIndex, firstGram: number, endGram: number, count: number, meter: PatternMeter) {
    this.byteLength = index.offsets[endGram]! - index.offsets[firstGram]!;
    this.#index = index;
    this.#firstGram = firstGram;
    this.#gramCount = endGram - firstGram;
    this.#count = count;
    this.#meter = meter;
  }

  /** About how many units it takes to read on to a rank. */
  costTo(end: number): number {
    const begin = this.#next === undefined ? BEGIN_UNITS : 1;
    return (this.byteLength * (end - this.#read)) / this.#count + this.#gramCount * begin;
  }

  /**
   * The ranks in `[from, end)`, ascending, each once. Later calls must be for greater ones. Valid until the next call.
   */
  between(from: number, end: number): Uint32Array {
    this.#next ??= this.#begin();
    this.#read = end;
    this.#meter.add(this.#gramCount);
    if (this.#gramCount === 1) {
      const count = this.#readList(0, from, end, undefined);
      return this.#ranks.subarray(0, count);
    }
    const bits = new Uint32Array((end - from + 31) >>> 5);
    this.#meter.add(bits.length >>> 2);
    let most = 0;
    for (let k = 0; k < this.#gramCount; k++) {
      if (this.#next[k]! < end) most += this.#readList(k, from, end, bits);
    }
    return collectRanks(bits, from, Math.min(most, end - from));
  }

  #begin(): Uint32Array {
    const { offsets } = this.#index;
    this.#at = offsets.slice(this.#firstGram, this.#firstGram + this.#gramCount);
    const next = new Uint32Array(this.#gramCount);
    for (let k = 0; k < this.#gramCount; k++) {
      // The first gap counts from −1, that is, from the end of a rank before the first.
      next[k] = this.#following(k, 0, offsets[this.#firstGram + k + 1]!);
    }
    this.#meter.add(this.#gramCount * BEGIN_UNITS);
    return next;
  }

  /** The rank that the next gap of a list leads to from `base`; `#count` where the list ends or leaves the scheme. */
  #following(k: number, base: number, stop: number): number {
    const { postings } = this.#index;
    let at = this.#at[k]!;
    if (at >= stop) return this.#count;
    let byte = postings[at++]!;
    let gap = byte & 127;
    for (let shift = 7; byte > 127 && at < stop && shift < 35; shift += 7) {
      byte = postings[at++]!;
      gap |= (byte & 127) << shift;
    }
    this.#at[k] = at;
    return Math.min(base + (gap >>> 0), this.#count);
  }

  /**
   * Reads a list up to rank `end`; of its ranks those from `from` on go to `bits`, else to `#ranks`.
   *
   * @returns how many those are
   */
  #readList(k: number, from: number, end: number, bits: Uint32Array | undefined): number {
    const begun = this.#at[k]!;
    const stop = this.#index.offsets[this.#firstGram + k + 1]!;
    if (bits === undefined) this.#ranks = new Uint32Array(Math.min(end - from, stop - begun + 1));
    const { postings } = this.#index;
    const ranks = this.#ranks;
    let count = 0;
    let rank = this.#next![k]!;
    let at = begun;
    while (rank < end) {
      if (rank >= from) {
        if (bits === undefined) ranks[count] = rank;
        else bits[(rank - from) >>> 5]! |= 1 << ((rank - from) & 31);
        count++;
      }
      if (at < stop && postings[at]! < 128) rank = Math.min(rank + 1 + postings[at++]!, this.#count);
      else {
        this.#at[k] = at;
        rank = this.#following(k, rank + 1, stop);
        at = this.#at[k]!;
      }
    }
    this.#at[k] = at;
    this.#next![k] = rank;
    this.#meter.add(at - begun + LIST_UNITS);
    return count;
  }
}

/** The ranks whose bits are set, `most` of them at most, the lowest bit standing for `from`. */
function collectRanks(bits: Uint32Array, from: number, most: number): Uint32Array {
  const ranks = new Uint32Array(most);
  let count = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let left = bits[word]!; left !== 0; left &= left - 1) {
      ranks[count++] = from + 32 * word + 31 - Math.clz32(left & -left);
    }
  }
  return ranks.subarray(0, count);
}

const NOTHING = new Uint32Array(0);
/** Cost of trying a value: three accesses to memory, far from each other, and a comparison. */
const TRIAL_UNITS = 64;
/** Additional cost for each piece. */
const PIECE_UNITS = 32;
/** Cost of finding the grams of a run, and of beginning a list. */
const BOUND_UNITS = 32;
const BEGIN_UNITS = 16;
/** Cost of moving to another list. */
const LIST_UNITS = 8;
/** The first so many values are tried one by one where at least one value in {@link SHARE_TRIED} can match. */
const RANKS_TRIED = 2_048;
const SHARE_TRIED = 32;
/** Values of the rarest grams that a window should contain, and the greatest window. */
const WINDOW_RANKS = 256;
const MAX_WINDOW = 262_144;
