import {
  Field,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import type { LineError } from "../../line-error.ts";
import type { CompactVerdict } from "../compact.ts";

/** What is answered of one plot. */
export type ResultRow =
  | { readonly id: string | null; readonly answer: CompactVerdict }
  | { readonly id: string | null; readonly error: LineError };

type Column = (row: ResultRow) => string | null;

const ofAnswer =
  (name: keyof CompactVerdict): Column =>
  (row) =>
    "answer" in row ? row.answer[name] : null;

const ofError =
  (name: "code" | "message"): Column =>
  (row) =>
    "error" in row ? row.error[name] : null;

/** The columns of results in their order; all are text. */
const COLUMNS: Readonly<Record<string, Column>> = {
  id: (row) => row.id,
  verdict: ofAnswer("verdict"),
  at_least: ofAnswer("at_least"),
  digest: ofAnswer("digest"),
  checks: ofAnswer("checks"),
  evidence: ofAnswer("evidence"),
  error_code: ofError("code"),
  error_message: ofError("message"),
};

/** The mark of the end of an Arrow IPC stream. */
const END: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** Results as an Arrow IPC stream, in pieces that can be written as they come. */
export class ResultStream {
  readonly #schema: Schema;
  /** What comes first: the schema with its metadata. */
  readonly head: Uint8Array;
  /** What comes last. */
  readonly end: Uint8Array = END;

  /** @param metadata of the schema */
  constructor(metadata: ReadonlyMap<string, string>) {
    const fields = Object.keys(COLUMNS).map((name) => new Field(name, new Utf8(), true));
    this.#schema = new Schema(fields, new Map(metadata));
    this.head = this.#encode();
  }

  /** A record batch with a row for each result. */
  batch(rows: readonly ResultRow[]): Uint8Array {
    const children = Object.values(COLUMNS).map(
      (column) => vectorFromArray(rows.map(column), new Utf8()).data[0]!,
    );
    const type = new Struct(this.#schema.fields);
    const batch = new RecordBatch(
      this.#schema,
      makeData({ type, length: rows.length, nullCount: 0, children }),
    );
    return this.#encode(batch).subarray(this.head.length);
  }

  /** The schema, and the batch behind it. */
  #encode(batch?: RecordBatch): Uint8Array {
    const writer = new RecordBatchStreamWriter();
    writer.reset(undefined, this.#schema);
    if (batch !== undefined) writer.write(batch);
    return writer.toUint8Array(true);
  }
}
