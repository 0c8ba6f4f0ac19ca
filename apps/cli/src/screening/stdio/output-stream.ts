import {
  type Data,
  type Field,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";

/** The mark of the end of an Arrow IPC stream. */
const END: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** An Arrow IPC stream in pieces that can be written one by one. */
export class OutputStream {
  /** First bytes: the schema with its metadata. */
  readonly head: Uint8Array;
  /** Last bytes. */
  readonly end: Uint8Array = END;
  readonly #schema: Schema;

  constructor(fields: readonly Field[], metadata: ReadonlyMap<string, string>) {
    this.#schema = new Schema([...fields], new Map(metadata));
    this.head = this.#encodeStream();
  }

  get fields(): readonly Field[] {
    return this.#schema.fields;
  }

  /** A record batch of so many rows. @param columns one for each field */
  encode(length: number, columns: readonly Data[]): Uint8Array {
    const type = new Struct(this.#schema.fields);
    const data = makeData({ type, length, nullCount: 0, children: [...columns] });
    return this.#encodeStream(new RecordBatch(this.#schema, data)).subarray(this.head.length);
  }

  /** Encodes the schema, followed by the batch. */
  #encodeStream(batch?: RecordBatch): Uint8Array {
    const writer = new RecordBatchStreamWriter();
    writer.reset(undefined, this.#schema);
    if (batch !== undefined) writer.write(batch);
    return writer.toUint8Array(true);
  }
}

const encoder = new TextEncoder();

/** A column of texts in the making. The library's own builder takes many times as long for each value. */
export class TextColumn {
  readonly #values: (string | null)[] = [];

  add(value: string | null): void {
    this.#values.push(value);
  }

  build(): Data<Utf8> {
    const values = this.#values;
    const { length } = values;
    const joined = values.join(""); // null joins as nothing
    const valueOffsets = new Int32Array(length + 1);
    const validity = new Validity(length);
    let data = encoder.encode(joined);
    const isAscii = data.length === joined.length;
    // Other texts are encoded one by one: the halves of two surrogate pairs must not meet.
    if (!isAscii) data = new Uint8Array(3 * joined.length);
    let end = 0;
    for (let i = 0; i < length; i++) {
      const value = values[i]!;
      if (value === null) validity.clear(i);
      else end += isAscii ? value.length : encoder.encodeInto(value, data.subarray(end)).written;
      valueOffsets[i + 1] = end;
    }
    data = data.subarray(0, end);
    return makeData({ type: new Utf8(), length, ...validity.parts, valueOffsets, data });
  }
}

/** A column of numbers in the making. */
export class NumberColumn {
  readonly #values: (number | null)[] = [];

  add(value: number | null): void {
    this.#values.push(value);
  }

  build(): Data<Float64> {
    const length = this.#values.length;
    const data = new Float64Array(length);
    const validity = new Validity(length);
    for (let i = 0; i < length; i++) {
      const value = this.#values[i]!;
      if (value === null) validity.clear(i);
      else data[i] = value;
    }
    return makeData({ type: new Float64(), length, ...validity.parts, data });
  }
}

/** A column of whole numbers in the making, each of which is there. */
export class WholeColumn {
  readonly #values: number[] = [];

  add(value: number): void {
    this.#values.push(value);
  }

  build(): Data<Int32> {
    const data = Int32Array.from(this.#values);
    return makeData({ type: new Int32(), length: data.length, nullCount: 0, data });
  }
}

/** The bitmap of values that are there. */
class Validity {
  #nullCount = 0;
  #nullBitmap: Uint8Array | undefined;
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  clear(i: number): void {
    this.#nullBitmap ??= new Uint8Array(Math.ceil(this.#length / 64) * 8).fill(0xff);
    this.#nullBitmap[i >> 3]! &= ~(1 << (i & 7));
    this.#nullCount++;
  }

  get parts(): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
    return {
      nullCount: this.#nullCount,
      ...(this.#nullBitmap !== undefined && { nullBitmap: this.#nullBitmap }),
    };
  }
}
