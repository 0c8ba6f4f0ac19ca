/** The typed arrays a {@link Chunked} list is made of. */
export type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * A growing list of numbers in chunks of one size. Growing copies nothing (but the first chunk,
 * while it is small), so a list never stands in memory twice.
 */
export class Chunked<T extends Numbers> {
  readonly #make: (length: number) => T;
  readonly #chunks: T[];
  #length = 0;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#chunks = [make(FIRST_CHUNK)];
  }

  get length(): number {
    return this.#length;
  }

  get(index: number): number {
    return this.#chunks[index >>> CHUNK_SHIFT]![index & CHUNK_MASK]!;
  }

  set(index: number, value: number): void {
    this.#chunks[index >>> CHUNK_SHIFT]![index & CHUNK_MASK] = value;
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
      this.#chunks[chunk]!.set(values.subarray(done, done + taken), at);
      this.#length += taken;
      done += taken;
    }
  }

  /** The numbers from `start` to `end`: a view where one chunk holds them, else a copy. */
  slice(start: number, end: number): T {
    const first = start >>> CHUNK_SHIFT;
    if (end <= start) return this.#make(0);
    if ((end - 1) >>> CHUNK_SHIFT === first) {
      const base = first * CHUNK;
      return this.#chunks[first]!.subarray(start - base, end - base) as T;
    }
    const copy = this.#make(end - start);
    for (let i = start; i < end; i++) copy[i - start] = this.get(i);
    return copy;
  }

  /** The list's bytes in order, as views. The list must not grow while they are in use. */
  bytes(): Uint8Array[] {
    const views: Uint8Array[] = [];
    for (let chunk = 0; chunk * CHUNK < this.#length; chunk++) {
      const { buffer, byteOffset, BYTES_PER_ELEMENT } = this.#chunks[chunk]!;
      views.push(
        new Uint8Array(buffer, byteOffset, Math.min(CHUNK, this.#length - chunk * CHUNK) * BYTES_PER_ELEMENT),
      );
    }
    return views;
  }

  #grow(chunk: number): void {
    const old = this.#chunks[chunk];
    const larger = this.#make(chunk > 0 ? CHUNK : Math.min(CHUNK, (old?.length ?? 0) * 2));
    if (old !== undefined) larger.set(old);
    this.#chunks[chunk] = larger;
  }
}

const FIRST_CHUNK = 16;
const CHUNK_SHIFT = 16;
const CHUNK: number = 1 << CHUNK_SHIFT;
const CHUNK_MASK: number = CHUNK - 1;

export function chunkedFloat64(): Chunked<Float64Array> {
  return new Chunked<Float64Array>((length) => new Float64Array(length));
}
export function chunkedInt32(): Chunked<Int32Array> {
  return new Chunked<Int32Array>((length) => new Int32Array(length));
}
export function chunkedUint32(): Chunked<Uint32Array> {
  return new Chunked<Uint32Array>((length) => new Uint32Array(length));
}
export function chunkedUint16(): Chunked<Uint16Array> {
  return new Chunked<Uint16Array>((length) => new Uint16Array(length));
}
export function chunkedUint8(): Chunked<Uint8Array> {
  return new Chunked<Uint8Array>((length) => new Uint8Array(length));
}
