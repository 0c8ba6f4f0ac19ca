import {
  Bool,
  DataType,
  Field,
  Float64,
  Int32,
  List,
  Map_,
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
import { OutputStream, TextColumn } from "./output-stream.ts";

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

/** Results as an Arrow IPC stream. */
export class ResultStream extends OutputStream {
  /**
   * @param checks ids of the ruleset's checks
   * @param metadata of the schema
   * @param isRecorded true if a last column `record` holds the record of each plot
   */
  constructor(checks: readonly string[], metadata: ReadonlyMap<string, string>, isRecorded = false) {
    const fields = [...listResultColumns(checks), ...(isRecorded ? ["record"] : [])].map((name) =>
      name === "evidence" ? optional(name, EVIDENCE) : optional(name, new Utf8()),
    );
    super(fields, metadata);
  }

  /** A record batch with a row for each result. */
  batch(rows: readonly ResultRow[]): Uint8Array {
    const children = this.fields.map(({ type: of }, at) => {
      if (!DataType.isUtf8(of))
        return vectorFromArray(
          rows.map((row) => toCell(row[at])),
          of,
        ).data[0]!;
      const texts = new TextColumn();
      for (const row of rows) texts.add((row[at] ?? null) as string | null);
      return texts.build();
    });
    return this.encode(rows.length, children);
  }
}
