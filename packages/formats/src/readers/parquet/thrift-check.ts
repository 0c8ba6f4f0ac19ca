import { fileDamagedError } from "../../format-error.ts";

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

/** Most fields of a structure; Parquet's have 17. */
const FIELDS = 64;
/**
 * Most structures and lists: so many, and one for each ten bytes. Writers need some twenty bytes for one, a structure
 * can be one byte long, and the parser makes 200 bytes of it.
 */
const FREE_STRUCTURES = 20_000;
const STRUCTURE_BYTES = 10;
const MOST_STRUCTURES = 1_000_000;
/** Most items of lists that are no structures: so many, and one for each four bytes. */
const FREE_ITEMS = 100_000;
const ITEM_BYTES = 4;

/**
 * Goes over a structure in Thrift's compact protocol, and holds its lengths and counts against the bytes that there
 * are: the parser follows numbers of any length and structures of any depth, and takes much memory for few bytes.
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
  readonly #mostStructures: number;
  readonly #mostItems: number;
  #structures = 0;
  #items = 0;
  at: number;

  constructor(bytes: Uint8Array, from: number, start: number) {
    this.#bytes = bytes;
    this.at = from;
    this.#start = start;
    const structures = FREE_STRUCTURES + Math.floor(bytes.length / STRUCTURE_BYTES);
    this.#mostStructures = Math.min(structures, MOST_STRUCTURES);
    this.#mostItems = FREE_ITEMS + Math.floor(bytes.length / ITEM_BYTES);
  }

  struct(depth: number): void {
    if (depth > DEPTH) this.#fail(`structures ${depth} deep`, `at most ${DEPTH}`);
    this.#countStructure();
    for (let fields = 0; ; fields++) {
      const field = this.#byte();
      const type = field & 0x0f;
      if (type === STOP) return;
      if (fields === FIELDS) this.#fail(`a structure of more than ${FIELDS} fields`, `at most ${FIELDS}`);
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
    const type = head & 0x0f;
    this.#countStructure();
    if (type !== STRUCT && type !== LIST) {
      this.#items += count;
      if (this.#items > this.#mostItems)
        this.#fail(`lists of ${this.#items} values`, `at most ${this.#mostItems} in so many bytes`);
    }
    for (let i = 0; i < count; i++) this.#value(type, depth + 1);
  }

  #countStructure(): void {
    if (++this.#structures <= this.#mostStructures) return;
    const most = this.#mostStructures;
    this.#fail(`more than ${most} structures`, `at most ${most} in ${this.#bytes.length} bytes`);
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
    throw fileDamagedError(found, expected, { byte: this.#start + this.at });
  }
}
