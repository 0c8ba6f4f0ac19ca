import { parseCalendarDay } from "../../base/calendar-day.ts";
import { EngineError } from "../../base/errors.ts";
import { encodeUtf8 } from "../../base/utf8.ts";
import { CODINGS, type Coding } from "../coded-columns.ts";
import type { ContentColumn } from "../content-digest.ts";
import type { ColumnType } from "../manifest.ts";
import type { AttributeValue } from "../snapshot.ts";
import { Chunked } from "./chunked.ts";
import type { Piece, Spill } from "./spill.ts";
import { TextColumn } from "./text-table.ts";

/**
 * Collects one column's values. Its type is the declared one, else that of its first value; a
 * later value that does not fit makes an undeclared column text, each value so far written as
 * JavaScript writes it (−0 as `-0`). A text is never taken for a number or boolean; one that is
 * exactly a calendar day, `YYYY-MM-DD`, is a date. A column of nulls alone is text.
 *
 * Fails: `VALIDATION_FAILED` for a number that is not finite, and for a value that does not fit
 * the declared type.
 */
export class ColumnBuilder implements ContentColumn {
  readonly name: string;
  readonly #declared: ColumnType | undefined;
  readonly #spill: Spill | undefined;
  #values: ColumnValues;
  #onlyNulls: boolean = true;

  constructor(name: string, declared: ColumnType | undefined, spill?: Spill) {
    this.name = name;
    this.#spill = spill;
    this.#declared = declared;
    this.#values = createColumnValues(declared ?? "string", spill);
  }

  get type(): ColumnType {
    return this.#values.type;
  }

  get rowCount(): number {
    return this.#values.rowCount;
  }

  push(value: AttributeValue): void {
    if (value === null) {
      this.#values.pushNull();
      return;
    }
    const type = typeOfValue(value);
    if (typeof value === "number" && !Number.isFinite(value)) this.#refuse(value, "a finite number");
    if (type !== this.type && this.type !== "string") {
      if (this.#declared !== undefined) this.#refuse(value, `a ${this.#declared}`);
      this.#convert("string");
    } else if (this.#onlyNulls && this.#declared === undefined) {
      this.#convert(type);
    }
    this.#onlyNulls = false;
    this.#values.push(value);
  }

  cell(row: number): number | Uint8Array | null {
    return this.#values.cell(row);
  }

  pieces(): Piece[] {
    return this.#values.pieces();
  }

  #convert(type: ColumnType): void {
    if (type === this.type) return;
    const from = this.#values;
    const to = createColumnValues(type, this.#spill);
    for (let row = 0; row < from.rowCount; row++) {
      const value = from.value(row);
      if (value === null) to.pushNull();
      else to.push(value);
    }
    this.#values = to;
  }

  #refuse(value: AttributeValue, expected: string): never {
    const found = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
    throw new EngineError(
      "VALIDATION_FAILED",
      `row ${this.rowCount} of column "${this.name}" holds ${found}, expected ${expected}`,
      { column: this.name, row: this.rowCount, found: value, expected },
    );
  }
}

/** The values of a column of one type. */
interface ColumnValues {
  readonly type: ColumnType;
  readonly rowCount: number;
  /** @param value of the column's type; a text column takes any */
  push(value: NonNullable<AttributeValue>): void;
  pushNull(): void;
  value(row: number): AttributeValue;
  cell(row: number): number | Uint8Array | null;
  pieces(): Piece[];
}

function createColumnValues(type: ColumnType, spill: Spill | undefined): ColumnValues {
  switch (type) {
    case "number":
      return new NumberValues(spill);
    case "boolean":
    case "date":
      return new CodedValues(type, spill);
    case "string":
      return new TextValues(spill);
  }
}

function typeOfValue(value: NonNullable<AttributeValue>): ColumnType {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return parseCalendarDay(value) === undefined ? "string" : "date";
}

class NumberValues implements ColumnValues {
  readonly type = "number";
  readonly #numbers: Chunked<Float64Array>;
  /** A bit a row, lowest first; 1 is null. */
  readonly #nulls: Chunked<Uint8Array>;

  constructor(spill: Spill | undefined) {
    this.#numbers = new Chunked(Float64Array, spill);
    this.#nulls = new Chunked(Uint8Array, spill);
  }

  get rowCount(): number {
    return this.#numbers.length;
  }

  push(value: NonNullable<AttributeValue>): void {
    if ((this.rowCount & 7) === 0) this.#nulls.push(0);
    this.#numbers.push(value as number);
  }

  pushNull(): void {
    this.push(0);
    const row = this.rowCount - 1;
    this.#nulls.set(row >>> 3, this.#nulls.get(row >>> 3) | (1 << (row & 7)));
  }

  value(row: number): number | null {
    const isNull = (this.#nulls.get(row >>> 3) >>> (row & 7)) & 1;
    return isNull ? null : this.#numbers.get(row);
  }

  cell(row: number): number | null {
    return this.value(row);
  }

  pieces(): Piece[] {
    return [...this.#numbers.pieces(), ...this.#nulls.pieces()];
  }
}

/** Booleans or dates. */
class CodedValues implements ColumnValues {
  readonly type: "boolean" | "date";
  readonly #coding: Coding;
  readonly #codes: Chunked<Uint8Array> | Chunked<Int32Array>;

  constructor(type: "boolean" | "date", spill: Spill | undefined) {
    this.type = type;
    this.#coding = CODINGS[type];
    this.#codes = type === "boolean" ? new Chunked(Uint8Array, spill) : new Chunked(Int32Array, spill);
  }

  get rowCount(): number {
    return this.#codes.length;
  }

  push(value: NonNullable<AttributeValue>): void {
    this.#codes.push(this.#coding.encode(value));
  }

  pushNull(): void {
    this.#codes.push(this.#coding.ofNull);
  }

  value(row: number): boolean | string | null {
    const code = this.cell(row);
    return code === null ? null : this.#coding.decode(code);
  }

  cell(row: number): number | null {
    const code = this.#codes.get(row);
    return code === this.#coding.ofNull ? null : code;
  }

  pieces(): Piece[] {
    return this.#codes.pieces();
  }
}

class TextValues implements ColumnValues {
  readonly type = "string";
  readonly #texts: TextColumn;

  constructor(spill: Spill | undefined) {
    this.#texts = new TextColumn(spill);
  }

  get rowCount(): number {
    return this.#texts.rowCount;
  }

  push(value: NonNullable<AttributeValue>): void {
    this.#texts.push(encodeUtf8(Object.is(value, -0) ? "-0" : String(value)));
  }

  pushNull(): void {
    this.#texts.push(null);
  }

  /** Only nulls are ever read: nothing is converted from text except a column without values. */
  value(row: number): null {
    if (this.#texts.get(row) !== null) throw new Error("a text column cannot become another type");
    return null;
  }

  cell(row: number): Uint8Array | null {
    return this.#texts.get(row);
  }

  pieces(): Piece[] {
    return this.#texts.pieces();
  }
}
