import {
  Bool,
  type DataType,
  Field,
  Float64,
  Int32,
  List,
  Map_,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  EVIDENCE_MEMBERS,
  formatPropertyValue,
  listResultColumns,
  type ResultRow,
} from "../results/result-columns.ts";

const TYPES = { boolean: new Bool(), real: new Float64(), text: new Utf8() };

const optional = (name: string, type: DataType): Field => new Field(name, type, true);
const struct = (fields: readonly Field[]): Struct => new Struct([...fields]);
const list = (type: DataType): List => new List(optional("element", type));
const entries = struct([new Field("key", new Utf8(), false), optional("value", new Utf8())]);

/** Evidence has the same structs as in Parquet. */
const EVIDENCE = list(
  struct([
    optional("check", new Utf8()),
    optional(
      "items",
      list(
        struct([
          ...Object.entries(EVIDENCE_MEMBERS).map(([name, type]) => optional(name, TYPES[type])),
          optional("properties", new Map_(new Field("key_value", entries as never, false))),
        ]),
      ),
    ),
    optional("total", new Int32()),
  ]),
);

/** A value in the form of its column. */
function toCell(value: ResultRow[number] | undefined): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  return value.map((evidence) => ({ ...evidence, items: evidence.items.map(toStructItem) }));
}

/** The item with every member of the struct: absent ones are null. */
function toStructItem(item: object): object {
  const { properties = null, ...members } = item as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const absent = Object.fromEntries(Object.keys(EVIDENCE_MEMBERS).map((name) => [name, null]));
  const texts =
    properties &&
    new Map(Object.entries(properties).map(([key, value]) => [key, formatPropertyValue(value)]));
  return { ...absent, ...members, properties: texts };
}

/** The mark of the end of an Arrow IPC stream. */
const END: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Results as an Arrow IPC stream, in pieces that can be written one by one. */
export class ResultStream {
  readonly #schema: Schema;
  /** First bytes: the schema with its metadata. */
  readonly head: Uint8Array;
  /** Last bytes. */
  readonly end: Uint8Array = END;

  /** @param checks ids of the ruleset's checks; @param metadata of the schema */
  constructor(checks: readonly string[], metadata: ReadonlyMap<string, string>) {
    const fields = listResultColumns(checks).map((name) =>
      name === "evidence" ? optional(name, EVIDENCE) : optional(name, new Utf8()),
    );
    this.#schema = new Schema(fields, new Map(metadata));
    this.head = this.#encode();
  }

  /** A record batch with a row for each result. */
  batch(rows: readonly ResultRow[]): Uint8Array {
    const children = this.#schema.fields.map(({ type: of }, at) => {
      const values = rows.map((row) => toCell(row[at]));
      return vectorFromArray(values, of).data[0]!;
    });
    const type = new Struct(this.#schema.fields);
    const batch = new RecordBatch(
      this.#schema,
      makeData({ type, length: rows.length, nullCount: 0, children }),
    );
    return this.#encode(batch).subarray(this.head.length);
  }

  /** Encodes the schema, followed by the batch. */
  #encode(batch?: RecordBatch): Uint8Array {
    const writer = new RecordBatchStreamWriter();
    writer.reset(undefined, this.#schema);
    if (batch !== undefined) writer.write(batch);
    return writer.toUint8Array(true);
  }
}
