import { EngineError } from "../../base/errors.ts";
import { dictionaryIndexBytes } from "../format.ts";
import { CHUNK, Chunked } from "./chunked.ts";
import type { Piece, Spill } from "./spill.ts";

/** Texts in order, as the writer collects them: `count + 1` offsets into their joined UTF-8 bytes. */
export class TextTable {
  readonly #offsets: Chunked<Uint32Array>;
  readonly #blob: Chunked<Uint8Array>;

  /**
   * @param spill where the texts go; they are then to be read in order
   * @param kept how many of the first texts, and bytes of them, stay in memory
   */
  constructor(spill?: Spill, kept = { texts: 0, bytes: 0 }) {
    this.#offsets = new Chunked(Uint32Array, spill, Math.ceil((kept.texts + 1) / CHUNK));
    this.#blob = new Chunked(Uint8Array, spill, Math.ceil(kept.bytes / CHUNK));
    this.#offsets.push(0);
  }

  get count(): number {
    return this.#offsets.length - 1;
  }

  get(i: number): Uint8Array {
    return this.#blob.slice(this.#offsets.get(i), this.#offsets.get(i + 1));
  }

  push(utf8: Uint8Array): void {
    const end = this.#blob.length + utf8.length;
    if (end > MAX_BLOB_BYTES) {
      throw new EngineError(
        "VALIDATION_FAILED",
        "one column contains more than 4 GiB of text, which is the limit of a snapshot",
        {
          allowed: MAX_BLOB_BYTES,
        },
      );
    }
    this.#blob.append(utf8);
    this.#offsets.push(end);
  }

  equals(i: number, utf8: Uint8Array): boolean {
    const start = this.#offsets.get(i);
    if (this.#offsets.get(i + 1) - start !== utf8.length) return false;
    return this.#blob.holds(start, utf8);
  }

  /** Bytes of all texts together. */
  get blobLength(): number {
    return this.#blob.length;
  }

  /** The table as a section has it. */
  pieces(): Piece[] {
    return [...this.#offsets.pieces(), ...this.#blob.pieces()];
  }

  offsetPieces(): Piece[] {
    return this.#offsets.pieces();
  }

  blobPieces(): Piece[] {
    return this.#blob.pieces();
  }
}

/**
 * Nullable texts of rows, as the writer collects them: an index a row, and each distinct text once, as long as those
 * are not more than {@link INTERNED}. Texts that come first later are entered each time.
 */
export class TextColumn {
  readonly #spill: Spill | undefined;
  readonly #entries: TextTable;
  #indices: Chunked<Uint8Array> | Chunked<Uint16Array> | Chunked<Uint32Array>;
  #indexBytes: 1 | 2 | 4 = 1;
  /** Open addressing: entry number + 1, or 0. */
  #slots: Uint32Array = new Uint32Array(16);
  /** The hash of the entry in each slot, so that others are seldom compared. */
  #hashes: Uint32Array = new Uint32Array(16);
  /** How many of the first entries are found again. */
  #interned = 0;

  /** @param spill where rows go, and the texts that are not found again */
  constructor(spill?: Spill) {
    this.#spill = spill;
    this.#entries = new TextTable(spill, INTERNED);
    this.#indices = new Chunked(Uint8Array, spill);
  }

  get rowCount(): number {
    return this.#indices.length;
  }

  get entries(): TextTable {
    return this.#entries;
  }

  get(row: number): Uint8Array | null {
    const index = this.#indices.get(row);
    return index === 0 ? null : this.#entries.get(index - 1);
  }

  push(utf8: Uint8Array | null): void {
    const index = utf8 === null ? 0 : this.#intern(utf8) + 1;
    if (dictionaryIndexBytes(this.#entries.count) !== this.#indexBytes) this.#widen();
    this.#indices.push(index);
  }

  pieces(): Piece[] {
    const count = Uint32Array.of(this.#entries.count);
    return [
      new Uint8Array(count.buffer),
      ...this.#entries.offsetPieces(),
      ...this.#indices.pieces(),
      ...this.#entries.blobPieces(),
    ];
  }

  #widen(): void {
    this.#indexBytes = dictionaryIndexBytes(this.#entries.count);
    const narrow = this.#indices;
    const wide: Chunked<Uint16Array> | Chunked<Uint32Array> =
      this.#indexBytes === 2 ? new Chunked(Uint16Array, this.#spill) : new Chunked(Uint32Array, this.#spill);
    for (let row = 0; row < narrow.length; row++) wide.push(narrow.get(row));
    this.#indices = wide;
  }

  /**
   * Entry number of a text. Where texts made to collide fill the probes, a text is entered again
   * rather than sought on: the dictionary may repeat an entry, and the work stays bounded.
   */
  #intern(utf8: Uint8Array): number {
    const { count, blobLength } = this.#entries;
    const isKept =
      count === this.#interned && count < INTERNED.texts && blobLength + utf8.length <= INTERNED.bytes;
    if (isKept && count >= this.#slots.length * 0.75) this.#rehash();
    const mask = this.#slots.length - 1;
    const hash = hashBytes(utf8);
    let slot = hash & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) {
        if (isKept) {
          this.#slots[slot] = count + 1;
          this.#hashes[slot] = hash;
        }
        break;
      }
      if (this.#hashes[slot] === hash && this.#entries.equals(entry, utf8)) return entry;
      slot = (slot + 1) & mask;
    }
    this.#entries.push(utf8);
    if (isKept) this.#interned = count + 1;
    return count;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    this.#hashes = new Uint32Array(this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#interned; entry++) {
      const hash = hashBytes(this.#entries.get(entry));
      let slot = hash & mask;
      for (let probe = 0; probe < MAX_PROBES; probe++) {
        if (this.#slots[slot] === 0) {
          this.#slots[slot] = entry + 1;
          this.#hashes[slot] = hash;
          break;
        }
        slot = (slot + 1) & mask;
      }
    }
  }
}

const MAX_BLOB_BYTES = 0xffff_ffff;
const MAX_PROBES = 256;
/** The first texts of a column, which are found again and stay in memory. */
const INTERNED = { texts: 262_144, bytes: 16_777_216 };

/** FNV-1a, its high bits folded into the low ones that choose the slot. */
function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
