import { toDataView } from "../file/file-window.ts";
import { fileDamagedError } from "../format-error.ts";
import { MOST_TINY } from "../limits.ts";

/** True if this machine stores the least byte of a number first. */
const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Reads numbers one after another, each checked against the bytes that are left. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #isLittle = true;
  #tiny = 0;

  constructor(bytes: Uint8Array, from: number) {
    this.#at = from;
    this.#bytes = bytes;
    this.#view = toDataView(bytes);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Reads the byte that determines the order of those that follow. */
  byteOrder(): void {
    this.#need(1, "the byte order of a geometry");
    const order = this.#bytes[this.#at++]!;
    if (order > 1) this.fail(`the byte order ${order}`, "0 or 1", 1);
    this.#isLittle = order === 1;
  }

  uint32(what: string): number {
    this.#need(4, what);
    const value = this.#view.getUint32(this.#at, this.#isLittle);
    this.#at += 4;
    return value;
  }

  /**
   * Reads how many things follow.
   *
   * @param each the fewest bytes that one of them takes
   */
  count(things: string, each: number): number {
    const count = this.uint32(`the number of ${things}`);
    if (count * each > this.left)
      this.fail(`${count} ${things} in ${this.left} bytes`, `${each} bytes for each or more`, 4);
    if (count === 0) this.tiny();
    return count;
  }

  /** Counts what holds next to nothing, and takes many times its bytes once it is read. */
  tiny(): void {
    if (++this.#tiny > MOST_TINY)
      this.fail(`more than ${MOST_TINY} parts or rings with next to nothing in them`, `at most ${MOST_TINY}`);
  }

  /** Reads positions of `width` numbers, and keeps x and y of each, flat. */
  positions(count: number, width: number): Float64Array {
    const size = 8 * width;
    this.#need(count * size, "a position");
    const flat = new Float64Array(2 * count);
    const from = this.#at;
    this.#at += count * size;
    if (width === 2 && this.#isLittle && IS_LITTLE) {
      new Uint8Array(flat.buffer).set(this.#bytes.subarray(from, this.#at));
      return flat;
    }
    for (let i = 0; i < count; i++) {
      flat[2 * i] = this.#view.getFloat64(from + i * size, this.#isLittle);
      flat[2 * i + 1] = this.#view.getFloat64(from + i * size + 8, this.#isLittle);
    }
    return flat;
  }

  /** Throws `FILE_DAMAGED` at the byte `back` before the next one. */
  fail(found: string, expected: string, back = 0): never {
    throw fileDamagedError(found, expected, { byte: this.#at - back });
  }

  #need(length: number, what: string): void {
    if (length > this.left) this.fail(`the end of the bytes`, `${what}, which takes ${length} of them`);
  }
}
