import type { AttributeValue } from "@groundrule/engine";
import type { Spill } from "@groundrule/engine/build";

/**
 * The records of a register so far, by their ids: which row has which id, in about 30 bytes a record besides the id's
 * own, and the content of their columns, as hashes, which go to the spill.
 */
export class RecordTable {
  readonly #columnCount: number;
  readonly #spill: Spill | undefined;
  #count = 0;
  /** The ids' UTF-16 code units, joined, in blocks. */
  readonly #texts: Uint16Array[] = [];
  #textsUsed = BLOCK_UNITS;
  /** For each record: the block of its id, its place there, and its length. */
  #blocks = new Uint32Array(64);
  #places = new Uint32Array(64);
  #lengths = new Uint32Array(64);
  #hashes = new Uint32Array(64);
  /** Open addressing: row + 1, or 0. */
  #slots = new Uint32Array(128);
  /** A hash for each column of the latest records; the full pages are in memory or in the spill. */
  #page: Uint32Array<ArrayBuffer>;
  readonly #pages: (number | Uint32Array<ArrayBuffer>)[] = [];

  constructor(columnCount: number, spill: Spill | undefined) {
    this.#columnCount = columnCount;
    this.#spill = spill;
    this.#page = new Uint32Array(PAGE_RECORDS * columnCount);
  }

  get count(): number {
    return this.#count;
  }

  /** The row of the record with an id. */
  find(id: string): number | undefined {
    const hash = hashText(id);
    const mask = this.#slots.length - 1;
    for (let slot = mixHash(hash) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]! - 1;
      if (row < 0) return undefined;
      if (this.#hashes[row] === hash && this.#hasId(row, id)) return row;
    }
  }

  /** The id of a record. */
  id(row: number): string {
    const place = this.#places[row]!;
    const units = this.#texts[this.#blocks[row]!]!.subarray(place, place + this.#lengths[row]!);
    let id = "";
    for (const unit of units) id += String.fromCharCode(unit);
    return id;
  }

  /** Adds a record, whose id no other has. */
  add(id: string, values: readonly AttributeValue[]): void {
    const row = this.#count++;
    if (row === this.#hashes.length) {
      this.#blocks = doubleCapacity(this.#blocks);
      this.#places = doubleCapacity(this.#places);
      this.#lengths = doubleCapacity(this.#lengths);
      this.#hashes = doubleCapacity(this.#hashes);
    }
    this.#keepText(row, id);
    this.#hashes[row] = hashText(id);
    if (this.#count * 4 > this.#slots.length * 3) this.#rehash();
    else this.#enter(row);
    const within = row % PAGE_RECORDS;
    if (within === 0 && row > 0) this.#turnPage();
    for (let k = 0; k < values.length; k++)
      this.#page[within * this.#columnCount + k] = hashValue(values[k]!);
  }

  /** The columns in which values differ from those of a record, as far as hashes of 32 bits show. */
  differing(row: number, values: readonly AttributeValue[]): number[] {
    const first = this.#computeHashes(row);
    return values.flatMap((value, k) => (hashValue(value) === first[k] ? [] : [k]));
  }

  #computeHashes(row: number): Uint32Array {
    const page = Math.floor(row / PAGE_RECORDS);
    const start = (row % PAGE_RECORDS) * this.#columnCount;
    const kept = this.#pages[page] ?? this.#page;
    if (typeof kept !== "number") return kept.subarray(start, start + this.#columnCount);
    const read = new Uint32Array(this.#columnCount);
    this.#spill!.read(kept + 4 * start, new Uint8Array(read.buffer));
    return read;
  }

  #turnPage(): void {
    this.#pages.push(this.#spill?.write(new Uint8Array(this.#page.buffer)) ?? this.#page);
    this.#page = new Uint32Array(this.#page.length);
  }

  /** Lets go of the ids: the table knows only how many records there are. */
  forget(): void {
    this.#texts.length = 0;
    this.#pages.length = 0;
    const none = new Uint32Array(0);
    [this.#blocks, this.#places, this.#lengths, this.#hashes, this.#page] = [none, none, none, none, none];
    this.#slots = new Uint32Array(1);
  }

  #keepText(row: number, id: string): void {
    if (this.#textsUsed + id.length > (this.#texts.at(-1)?.length ?? 0)) {
      this.#texts.push(new Uint16Array(Math.max(BLOCK_UNITS, id.length)));
      this.#textsUsed = 0;
    }
    const block = this.#texts.at(-1)!;
    for (let k = 0; k < id.length; k++) block[this.#textsUsed + k] = id.charCodeAt(k);
    this.#blocks[row] = this.#texts.length - 1;
    this.#places[row] = this.#textsUsed;
    this.#lengths[row] = id.length;
    this.#textsUsed += id.length;
  }

  #hasId(row: number, id: string): boolean {
    if (this.#lengths[row] !== id.length) return false;
    const block = this.#texts[this.#blocks[row]!]!;
    const place = this.#places[row]!;
    for (let k = 0; k < id.length; k++) if (block[place + k] !== id.charCodeAt(k)) return false;
    return true;
  }

  #enter(row: number): void {
    const mask = this.#slots.length - 1;
    let slot = mixHash(this.#hashes[row]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = row + 1;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let row = 0; row < this.#count; row++) this.#enter(row);
  }
}

/** A set of rows: a bit for each. */
export class RowSet {
  size = 0;
  #bits = new Uint32Array(64);

  has(row: number): boolean {
    return ((this.#bits[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  add(row: number): void {
    if (this.has(row)) return;
    while (row >>> 5 >= this.#bits.length) this.#bits = doubleCapacity(this.#bits);
    this.#bits[row >>> 5]! |= 1 << (row & 31);
    this.size++;
  }
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}

/** The high bits folded into the low ones, which choose the slot. */
function mixHash(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** Hash of the value and its type: a number and its text are different. */
function hashValue(value: AttributeValue): number {
  if (value === null) return 0;
  const text = Object.is(value, -0) ? "-0" : String(value);
  return (hashText(text) ^ (typeof value === "string" ? 0x9e3779b1 : 0x7f4a7c15)) >>> 0;
}

function doubleCapacity(from: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}

const BLOCK_UNITS = 1 << 20;
const PAGE_RECORDS = 1 << 12;
