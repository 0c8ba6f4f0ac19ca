import { toDataView } from "../../file/file-window.ts";
import { fileDamagedError } from "../../format-error.ts";

/** True if this machine stores the least byte of a number first, as a FlatBuffer does. */
const IS_LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes of one FlatBuffer, and where they begin in the file, for errors. */
export interface Buffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly start: number;
}

/**
 * A table of a FlatBuffer, whose offsets are all checked against its bytes when they are followed. Fields are numbered
 * in the order of the schema.
 *
 * Source: "FlatBuffers Internals", https://flatbuffers.dev/internals/.
 */
export class Table {
  readonly #buffer: Buffer;
  readonly #at: number;
  readonly #fields: number;
  readonly #fieldBytes: number;

  private constructor(buffer: Buffer, at: number) {
    this.#buffer = buffer;
    this.#at = at;
    const distance = this.#need(at, 4).getInt32(at, true);
    this.#fields = at - distance;
    this.#fieldBytes = this.#need(this.#fields, 4).getUint16(this.#fields, true);
    this.#need(this.#fields, this.#fieldBytes);
  }

  /** @param start where the bytes begin in the file */
  static rootOf(bytes: Uint8Array, start: number): Table {
    const view = toDataView(bytes);
    const buffer = { bytes, view, start };
    if (bytes.length < 4) throwBufferDamaged(buffer, 0, `${bytes.length} bytes`, "a table");
    return new Table(buffer, view.getUint32(0, true));
  }

  uint8(field: number, absent = 0): number {
    const at = this.#field(field);
    return at === 0 ? absent : this.#need(at, 1).getUint8(at);
  }

  uint16(field: number, absent = 0): number {
    const at = this.#field(field);
    return at === 0 ? absent : this.#need(at, 2).getUint16(at, true);
  }

  int32(field: number, absent = 0): number {
    const at = this.#field(field);
    return at === 0 ? absent : this.#need(at, 4).getInt32(at, true);
  }

  uint64(field: number): bigint {
    const at = this.#field(field);
    return at === 0 ? 0n : this.#need(at, 8).getBigUint64(at, true);
  }

  /** The bytes of a vector of bytes, or of a text. */
  bytes(field: number): Uint8Array | undefined {
    const vector = this.#vector(field, 1);
    return vector && this.#buffer.bytes.subarray(vector.at, vector.at + vector.length);
  }

  /** Where in the file the bytes of a vector begin. */
  placeOf(field: number): number {
    return this.#buffer.start + (this.#vector(field, 1)?.at ?? 0);
  }

  doubles(field: number): Float64Array | undefined {
    const vector = this.#vector(field, 8);
    if (vector === undefined) return undefined;
    const { at, length } = vector;
    const values = new Float64Array(length);
    if (IS_LITTLE) new Uint8Array(values.buffer).set(this.#buffer.bytes.subarray(at, at + 8 * length));
    else for (let i = 0; i < length; i++) values[i] = this.#buffer.view.getFloat64(at + 8 * i, true);
    return values;
  }

  uint32s(field: number): Uint32Array | undefined {
    const vector = this.#vector(field, 4);
    if (vector === undefined) return undefined;
    return Uint32Array.from({ length: vector.length }, (_, i) =>
      this.#buffer.view.getUint32(vector.at + 4 * i, true),
    );
  }

  table(field: number): Table | undefined {
    const at = this.#field(field);
    return at === 0 ? undefined : new Table(this.#buffer, this.#follow(at));
  }

  /** How many tables a vector has; each takes four bytes or more. */
  count(field: number): number {
    return this.#vector(field, 4)?.length ?? 0;
  }

  *tables(field: number): Generator<Table, void> {
    const vector = this.#vector(field, 4);
    for (let i = 0; i < (vector?.length ?? 0); i++)
      yield new Table(this.#buffer, this.#follow(vector!.at + 4 * i));
  }

  /** Throws `FILE_DAMAGED` at this table. */
  fail(found: string, expected: string): never {
    throwBufferDamaged(this.#buffer, this.#at, found, expected);
  }

  /** Where a field stands; 0 where it is absent. */
  #field(field: number): number {
    const entry = 4 + 2 * field;
    if (entry + 2 > this.#fieldBytes) return 0;
    const offset = this.#buffer.view.getUint16(this.#fields + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  #vector(field: number, size: number): { readonly at: number; readonly length: number } | undefined {
    const reference = this.#field(field);
    if (reference === 0) return undefined;
    const at = this.#follow(reference);
    const length = this.#need(at, 4).getUint32(at, true);
    const left = this.#buffer.bytes.length - at - 4;
    if (length * size > left)
      throwBufferDamaged(this.#buffer, at, `${length} values in ${left} bytes`, `${size} bytes for each`);
    return { at: at + 4, length };
  }

  #follow(at: number): number {
    return at + this.#need(at, 4).getUint32(at, true);
  }

  #need(at: number, size: number): DataView {
    const { length } = this.#buffer.bytes;
    if (at < 0 || at + size > length)
      throwBufferDamaged(this.#buffer, this.#at, `an offset to ${at}`, `one within ${length} bytes`);
    return this.#buffer.view;
  }
}

function throwBufferDamaged(buffer: Buffer, at: number, found: string, expected: string): never {
  throw fileDamagedError(found, expected, { byte: buffer.start + at });
}
