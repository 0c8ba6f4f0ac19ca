import { damaged } from "../damaged.ts";

const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const INTEGERS: ReadonlySet<number> = new Set([4, 5, 6]);
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** Most bytes of a number of variable length: 64 bits, seven to a byte. */
const VARINT_BYTES = 10;
/** How deep structures may lie in each other; Parquet's reach 7. */
const DEPTH = 24;

/**
 * Goes over a structure in Thrift's compact protocol, and holds its lengths against the bytes that there are: the
 * parser follows numbers of any length and structures of any depth.
 *
 * @param start where the bytes begin in the file, for errors
 * @returns where the structure ends, or −1 where the bytes end before it
 *
 * Fails: `FILE_DAMAGED`.
 * Source: "Thrift Compact protocol encoding", https://github.com/apache/thrift/blob/master/doc/specs/.
 */
export function endOfStruct(bytes: Uint8Array, from: number, start: number): number {
  const walk = new ThriftWalk(bytes, from, start);
  try {
    walk.struct(0);
    return walk.at;
  } catch (error) {
    if (error === ENDED) return -1;
    throw error;
  }
}

const ENDED: unique symbol = Symbol("the bytes end");

class ThriftWalk {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  at: number;

  constructor(bytes: Uint8Array, from: number, start: number) {
    this.#bytes = bytes;
    this.at = from;
    this.#start = start;
  }

  struct(depth: number): void {
    if (depth > DEPTH) this.#fail(`structures ${depth} deep`, `at most ${DEPTH}`);
    for (;;) {
      const field = this.#byte();
      const type = field & 0x0f;
      if (type === STOP) return;
      if (field >> 4 === 0) this.#varint();
      if (type !== TRUE && type !== FALSE) this.#value(type, depth);
    }
  }

  #value(type: number, depth: number): void {
    if (type === BYTE || type === TRUE || type === FALSE) this.#skip(1);
    else if (INTEGERS.has(type)) this.#varint();
    else if (type === DOUBLE) this.#skip(8);
    else if (type === BINARY) this.#skip(this.#varint());
    else if (type === LIST) this.#list(depth);
    else if (type === STRUCT) this.struct(depth + 1);
    else this.#fail(`a value of type ${type}`, "a type that Parquet uses");
  }

  #list(depth: number): void {
    if (depth > DEPTH) this.#fail(`lists ${depth} deep`, `at most ${DEPTH}`);
    const head = this.#byte();
    const short = head >> 4;
    const count = short === 15 ? this.#varint() : short;
    for (let i = 0; i < count; i++) this.#value(head & 0x0f, depth + 1);
  }

  #varint(): number {
    let value = 0;
    for (let i = 0; i < VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    this.#fail(`a number of more than ${VARINT_BYTES} bytes`, "at most 64 bits");
  }

  #byte(): number {
    this.#skip(1);
    return this.#bytes[this.at - 1]!;
  }

  #skip(length: number): void {
    this.at += length;
    if (this.at > this.#bytes.length) throw ENDED;
  }

  #fail(found: string, expected: string): never {
    throw damaged(found, expected, { byte: this.#start + this.at });
  }
}
