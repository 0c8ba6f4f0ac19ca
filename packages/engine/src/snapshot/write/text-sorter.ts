import { compareUtf8 } from "../../base/utf8.ts";
import { MemorySpill, type Spill } from "./spill.ts";

/** An entry to sort: by text, number and second text, or by text, second text and number. */
export interface SortedEntry {
  readonly text: Uint8Array;
  readonly number: number;
  readonly second: Uint8Array;
  /** Comes along. */
  readonly payload: Uint8Array;
}

/**
 * Sorts entries in bounded memory, each group by itself: those that fill {@link RUN_BYTES} are sorted and written to
 * the spill as a run, and runs are merged as the entries are read.
 */
export class TextSorter {
  readonly #spill: Spill;
  readonly #isNumberFirst: boolean;
  #bytes = new Uint8Array(1 << 12);
  #used = 0;
  /** Four numbers an entry: group, number, and where the text and the second text end. */
  #fields = new Uint32Array(1 << 8);
  /** Where each entry begins, and the end of the last. */
  #starts = new Uint32Array(1 << 6);
  #count = 0;
  readonly #segments = new Map<number, Segment[]>();

  /** @param order what decides where texts are equal: the number, then the second text; or these two turned about */
  constructor(order: "number first" | "second first", spill: Spill = new MemorySpill()) {
    this.#spill = spill;
    this.#isNumberFirst = order === "number first";
  }

  add(group: number, text: Uint8Array, number: number, second: Uint8Array, payload: Uint8Array): void {
    const length = text.length + second.length + payload.length;
    if (this.#used + length > RUN_BYTES && this.#count > 0) this.#writeRun();
    if (this.#used + length > this.#bytes.length) {
      this.#bytes = copyIntoLarger(
        this.#bytes,
        new Uint8Array(Math.max(this.#used + length, 2 * this.#bytes.length)),
      );
    }
    if (this.#count + 2 > this.#starts.length) {
      this.#starts = copyIntoLarger(this.#starts, new Uint32Array(2 * this.#starts.length));
      this.#fields = copyIntoLarger(this.#fields, new Uint32Array(2 * this.#fields.length));
    }
    const field = 4 * this.#count++;
    this.#fields[field] = group;
    this.#fields[field + 1] = number;
    this.#fields[field + 2] = this.#take(text);
    this.#fields[field + 3] = this.#take(second);
    this.#starts[this.#count] = this.#take(payload);
  }

  /** Hands on the entries of a group, in order. Their bytes are valid until the next one. Nothing is added afterwards. */
  read(group: number, take: (entry: SortedEntry) => void): void {
    if (this.#count > 0) this.#writeRun();
    this.#bytes = new Uint8Array(0);
    const readers = (this.#segments.get(group) ?? [])
      .map((segment) => new SegmentReader(segment, this.#spill))
      .filter((reader) => reader.next());
    const precedes = (a: SegmentReader, b: SegmentReader): boolean => this.#compare(a, b) < 0;
    for (let k = readers.length >> 1; k-- > 0; ) sinkInHeap(readers, k, precedes);
    while (readers.length > 0) {
      const first = readers[0]!;
      take(first);
      if (!first.next()) {
        const last = readers.pop()!;
        if (last === first) return;
        readers[0] = last;
      }
      sinkInHeap(readers, 0, precedes);
    }
  }

  #take(bytes: Uint8Array): number {
    const at = this.#used;
    if (bytes.length > SHORT) this.#bytes.set(bytes, at);
    else for (let k = 0; k < bytes.length; k++) this.#bytes[at + k] = bytes[k]!;
    this.#used = at + bytes.length;
    return this.#used;
  }

  #compare(a: SegmentReader, b: SegmentReader): number {
    const byText = compareBytes(a.text, b.text);
    if (byText !== 0) return byText;
    const bySecond = compareBytes(a.second, b.second);
    return this.#isNumberFirst ? a.number - b.number || bySecond : bySecond || a.number - b.number;
  }

  #compareAt(a: number, b: number): number {
    const [bytes, fields, starts] = [this.#bytes, this.#fields, this.#starts];
    const [m, n] = [4 * a, 4 * b];
    const byText = compareUtf8(bytes, starts[a]!, fields[m + 2]!, bytes, starts[b]!, fields[n + 2]!);
    if (byText !== 0) return byText;
    const byNumber = fields[m + 1]! - fields[n + 1]!;
    if (this.#isNumberFirst && byNumber !== 0) return byNumber;
    return (
      compareUtf8(bytes, fields[m + 2]!, fields[m + 3]!, bytes, fields[n + 2]!, fields[n + 3]!) || byNumber
    );
  }

  #writeRun(): void {
    const [bytes, fields, starts] = [this.#bytes, this.#fields, this.#starts];
    const order = this.#sorted();
    const run = new Uint8Array(this.#used + ENTRY_HEAD * this.#count);
    const view = new DataView(run.buffer);
    const segments: { readonly group: number; readonly start: number }[] = [];
    let at = 0;
    for (const i of order) {
      const [start, end, field] = [starts[i]!, starts[i + 1]!, 4 * i];
      if (segments.at(-1)?.group !== fields[field]!) segments.push({ group: fields[field]!, start: at });
      view.setUint32(at, fields[field + 1]!, true);
      view.setUint32(at + 4, fields[field + 2]! - start, true);
      view.setUint32(at + 8, fields[field + 3]! - start, true);
      view.setUint32(at + 12, end - start, true);
      at += ENTRY_HEAD;
      for (let k = start; k < end; k++) run[at++] = bytes[k]!;
    }
    const place = this.#spill.write(run);
    for (const [s, { group, start }] of segments.entries()) {
      const segment = { place: place + start, byteLength: (segments[s + 1]?.start ?? at) - start };
      const known = this.#segments.get(group);
      if (known === undefined) this.#segments.set(group, [segment]);
      else known.push(segment);
    }
    this.#count = 0;
    this.#used = 0;
  }

  /** The entries in memory, in order: by group and the first eight bytes digit by digit, then by comparing. */
  #sorted(): Uint32Array {
    const count = this.#count;
    const groups = new Uint32Array(count);
    const high = new Uint32Array(count);
    const low = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const [start, end] = [this.#starts[i]!, this.#fields[4 * i + 2]!];
      groups[i] = this.#fields[4 * i]!;
      high[i] = readOrderedWord(this.#bytes, start, end);
      low[i] = readOrderedWord(this.#bytes, start + 4, end);
    }
    let order = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[i] = i;
    for (const keys of [low, high, groups]) order = sortByKeys(keys, order);
    const compare = (a: number, b: number): number => this.#compareAt(a, b);
    for (let start = 0; start < count; ) {
      const first = order[start]!;
      let end = start + 1;
      for (; end < count; end++) {
        const other = order[end]!;
        if (low[other] !== low[first] || high[other] !== high[first] || groups[other] !== groups[first])
          break;
      }
      if (end - start > 1) order.subarray(start, end).sort(compare);
      start = end;
    }
    return order;
  }
}

interface Segment {
  readonly place: number;
  readonly byteLength: number;
}

/** Reads the entries of a group in one run, one after another. */
class SegmentReader implements SortedEntry {
  number = 0;
  text: Uint8Array = NOTHING;
  second: Uint8Array = NOTHING;
  payload: Uint8Array = NOTHING;
  readonly #spill: Spill;
  #place: number;
  #left: number;
  #block: Uint8Array = NOTHING;
  #at = 0;

  constructor({ place, byteLength }: Segment, spill: Spill) {
    this.#spill = spill;
    this.#place = place;
    this.#left = byteLength;
  }

  next(): boolean {
    if (this.#at === this.#block.length && this.#left === 0) return false;
    if (this.#block.length - this.#at < ENTRY_HEAD) this.#fill(ENTRY_HEAD);
    const textEnd = readU32(this.#block, this.#at + 4);
    const secondEnd = readU32(this.#block, this.#at + 8);
    const end = readU32(this.#block, this.#at + 12);
    if (this.#block.length - this.#at < ENTRY_HEAD + end) this.#fill(ENTRY_HEAD + end);
    const start = this.#at + ENTRY_HEAD;
    this.number = readU32(this.#block, this.#at);
    this.text = this.#block.subarray(start, start + textEnd);
    this.second = this.#block.subarray(start + textEnd, start + secondEnd);
    this.payload = this.#block.subarray(start + secondEnd, start + end);
    this.#at = start + end;
    return true;
  }

  /** Reads on, so that at least `needed` bytes are at hand. */
  #fill(needed: number): void {
    const rest = this.#block.subarray(this.#at);
    const length = Math.min(rest.length + this.#left, Math.max(needed, BLOCK_BYTES));
    const block = new Uint8Array(length);
    block.set(rest);
    this.#spill.read(this.#place, block.subarray(rest.length));
    this.#place += length - rest.length;
    this.#left -= length - rest.length;
    this.#block = block;
    this.#at = 0;
  }
}

/** Puts the item at `k` where it belongs in a heap whose other items are in place. */
function sinkInHeap<Item>(heap: Item[], k: number, precedes: (a: Item, b: Item) => boolean): void {
  const item = heap[k]!;
  for (;;) {
    let child = 2 * k + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && precedes(heap[child + 1]!, heap[child]!)) child++;
    if (!precedes(heap[child]!, item)) break;
    heap[k] = heap[child]!;
    k = child;
  }
  heap[k] = item;
}

/** Sorts the items by their keys, 16 bits at a time from the lowest; those of one key stay in their order. */
function sortByKeys(keys: Uint32Array, items: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  let from = items;
  for (const shift of [0, 16]) {
    const ends = new Uint32Array(65_536);
    for (const item of from) ends[(keys[item]! >>> shift) & 65_535]!++;
    if (ends[(keys[from[0]!]! >>> shift) & 65_535] === from.length) continue;
    for (let digit = 0, end = 0; digit < ends.length; digit++) {
      const start = end;
      end += ends[digit]!;
      ends[digit] = start;
    }
    const to = new Uint32Array(from.length);
    for (const item of from) to[ends[(keys[item]! >>> shift) & 65_535]!++] = item;
    from = to;
  }
  return from;
}

/** Four bytes as a number that orders them as {@link compareUtf8} does; 0 beyond the end. */
function readOrderedWord(bytes: Uint8Array, at: number, end: number): number {
  let word = 0;
  for (let k = at; k < at + 4; k++) {
    const byte = k < end ? bytes[k]! : 0;
    // EE and EF come after the lead bytes of four, F0 and above.
    word = (word << 8) | (byte < 0xee ? byte : byte < 0xf0 ? byte + 16 : byte - 2);
  }
  return word >>> 0;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareUtf8(a, 0, a.length, b, 0, b.length);
}

function readU32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

function copyIntoLarger<Numbers extends Uint8Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

const NOTHING = new Uint8Array(0);
/** Number, and where text, second text and payload end. */
const ENTRY_HEAD = 16;
/** Texts that are sorted at a time. */
const RUN_BYTES = 16_777_216;
/** Bytes by which a run is read. */
const BLOCK_BYTES = 131_072;
/** Up to this many bytes a loop copies faster than a call. */
const SHORT = 48;
