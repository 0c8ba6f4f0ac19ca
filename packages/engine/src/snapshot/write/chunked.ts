import type { Piece, Spill } from "./spill.ts";

/** The typed arrays a {@link Chunked} list is made of. */
export type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * A growing list of numbers in chunks of one size. Growing copies nothing (but the first chunk, while it is small), so
 * a list is never in memory twice.
 *
 * With a spill the full chunks leave the memory, but for the first `kept` of them; of the others the one that was read
 * last is at hand, so such a list is to be read in order.
 */
export class Chunked<T extends Numbers> {
  readonly #Array: new (
    length: number,
  ) => T;
  readonly #spill: Spill | undefined;
  readonly #kept: number;
  /** Those that left the memory are undefined. */
  readonly #chunks: (T | undefined)[];
  readonly #places: number[] = [];
  #length = 0;
  #readChunk = -1;
  #read: T | undefined;

  constructor(OfNumbers: new (length: number) => T, spill?: Spill, kept = 0) {
    this.#Array = OfNumbers;
    this.#spill = spill;
    this.#kept = kept;
    this.#chunks = [new OfNumbers(FIRST_CHUNK)];
  }

  get length(): number {
    return this.#length;
  }

  get(index: number): number {
    return (this.#chunks[index >>> CHUNK_SHIFT] ?? this.#again(index >>> CHUNK_SHIFT))[index & CHUNK_MASK]!;
  }

  set(index: number, value: number): void {
    const chunk = this.#chunks[index >>> CHUNK_SHIFT];
    if (chunk === undefined) throw new Error(`number ${index} has left the memory`);
    chunk[index & CHUNK_MASK] = value;
  }

  push(value: number): void {
    const index = this.#length++;
    const chunk = index >>> CHUNK_SHIFT;
    if ((index & CHUNK_MASK) >= (this.#chunks[chunk]?.length ?? 0)) this.#grow(chunk);
    this.#chunks[chunk]![index & CHUNK_MASK] = value;
  }

  append(values: T): void {
    for (let done = 0; done < values.length; ) {
      const chunk = this.#length >>> CHUNK_SHIFT;
      const at = this.#length & CHUNK_MASK;
      const taken = Math.min(values.length - done, CHUNK - at);
      while (at + taken > (this.#chunks[chunk]?.length ?? 0)) this.#grow(chunk);
      const target = this.#chunks[chunk]!;
      if (taken <= SHORT) for (let k = 0; k < taken; k++) target[at + k] = values[done + k]!;
      else target.set(taken === values.length ? values : values.subarray(done, done + taken), at);
      this.#length += taken;
      done += taken;
    }
  }

  /** The numbers from `start` to `end`: a view where one chunk holds them, else a copy. */
  slice(start: number, end: number): T {
    const first = start >>> CHUNK_SHIFT;
    if (end <= start) return new this.#Array(0);
    if ((end - 1) >>> CHUNK_SHIFT === first) {
      const base = first * CHUNK;
      return (this.#chunks[first] ?? this.#again(first)).subarray(start - base, end - base) as T;
    }
    const copy = new this.#Array(end - start);
    for (let i = start; i < end; i++) copy[i - start] = this.get(i);
    return copy;
  }

  /** True if these numbers are stored from a place on. */
  holds(start: number, values: T): boolean {
    for (let k = 0; k < values.length; ) {
      const chunk = (start + k) >>> CHUNK_SHIFT;
      const stored = this.#chunks[chunk] ?? this.#again(chunk);
      const offset = start - chunk * CHUNK;
      const stop = Math.min(values.length, CHUNK - offset);
      for (; k < stop; k++) if (stored[offset + k] !== values[k]) return false;
    }
    return true;
  }

  /** The bytes of a list without a spill, in order, as views. The list must not grow while they are in use. */
  bytes(): Uint8Array[] {
    return this.pieces().map((piece) => {
      if (typeof piece === "function") throw new Error("the list has left the memory");
      return piece;
    });
  }

  /** The list's bytes in order. The list must not grow while they are in use. */
  pieces(): Piece[] {
    const pieces: Piece[] = [];
    for (let chunk = 0; chunk * CHUNK < this.#length; chunk++) {
      const stored = this.#chunks[chunk];
      const count = Math.min(CHUNK, this.#length - chunk * CHUNK);
      pieces.push(
        stored === undefined ? () => viewBytes(this.#again(chunk), count) : viewBytes(stored, count),
      );
    }
    return pieces;
  }

  #grow(chunk: number): void {
    const old = this.#chunks[chunk];
    const larger = new this.#Array(chunk > 0 ? CHUNK : Math.min(CHUNK, (old?.length ?? 0) * 2));
    if (old !== undefined) larger.set(old);
    this.#chunks[chunk] = larger;
    const full = this.#chunks[chunk - 1];
    if (this.#spill === undefined || full === undefined || chunk - 1 < this.#kept) return;
    this.#places[chunk - 1] = this.#spill.write(viewBytes(full, CHUNK));
    this.#chunks[chunk - 1] = undefined;
  }

  /** A chunk that left the memory. Each time in an array of its own: views of the one before may be in use. */
  #again(chunk: number): T {
    if (this.#readChunk !== chunk || this.#read === undefined) {
      const place = this.#places[chunk];
      if (place === undefined) throw new RangeError(`chunk ${chunk} is out of range`);
      this.#read = new this.#Array(CHUNK);
      this.#readChunk = chunk;
      this.#spill!.read(place, viewBytes(this.#read, CHUNK));
    }
    return this.#read;
  }
}

function viewBytes({ buffer, byteOffset, BYTES_PER_ELEMENT }: Numbers, count: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset, count * BYTES_PER_ELEMENT);
}

/** Up to this many numbers a loop copies faster than a call. */
const SHORT = 48;
const FIRST_CHUNK = 16;
const CHUNK_SHIFT = 16;
/** Numbers of a chunk. */
export const CHUNK: number = 1 << CHUNK_SHIFT;
const CHUNK_MASK: number = CHUNK - 1;
