import { formatCalendarDay } from "../../base/calendar-day.ts";
import { compareUtf8, decodeUtf8 } from "../../base/utf8.ts";
import { CODINGS, type Coding } from "../coded-columns.ts";
import type { ContentColumn } from "../content-digest.ts";
import { NULL_DAY } from "../format.ts";
import type { ColumnType } from "../manifest.ts";
import type { Attributes, AttributeValue, ColumnSummary } from "../snapshot.ts";

/** Texts in an opened snapshot: `count + 1` checked offsets into their joined UTF-8 bytes. */
export class StoredTexts {
  readonly count: number;
  readonly offsets: Uint32Array;
  readonly blob: Uint8Array;

  constructor(offsets: Uint32Array, blob: Uint8Array) {
    this.count = offsets.length - 1;
    this.offsets = offsets;
    this.blob = blob;
  }

  text(i: number): string {
    return decodeUtf8(this.blob, this.offsets[i]!, this.offsets[i + 1]!);
  }

  utf8(i: number): Uint8Array {
    return this.blob.subarray(this.offsets[i]!, this.offsets[i + 1]!);
  }

  /** The order of two of the texts, by {@link compareUtf8}. */
  compare(a: number, b: number): number {
    const { blob, offsets } = this;
    return compareUtf8(blob, offsets[a]!, offsets[a + 1]!, blob, offsets[b]!, offsets[b + 1]!);
  }
}

/** A column of an opened snapshot; a value is decoded when it is needed. */
export interface StoredColumn {
  value(row: number): AttributeValue;
  cell: ContentColumn["cell"];
  summary(): ColumnSummary;
}

export class StoredNumbers implements StoredColumn {
  readonly #numbers: Float64Array;
  readonly #nulls: Uint8Array;

  constructor(numbers: Float64Array, nulls: Uint8Array) {
    this.#numbers = numbers;
    this.#nulls = nulls;
  }

  value(row: number): number | null {
    const isNull = (this.#nulls[row >>> 3]! >>> (row & 7)) & 1;
    return isNull ? null : this.#numbers[row]!;
  }

  cell(row: number): number | null {
    return this.value(row);
  }

  summary(): ColumnSummary {
    let nullCount = 0;
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let row = 0; row < this.#numbers.length; row++) {
      const value = this.value(row);
      if (value === null) nullCount++;
      else {
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
    }
    return { nullCount, ...(least <= greatest && { range: { least, greatest } }) };
  }
}

/** Booleans or dates. */
export class StoredCodes implements StoredColumn {
  readonly #codes: Uint8Array | Int32Array;
  readonly #coding: Coding;

  constructor(codes: Uint8Array | Int32Array, coding: Coding) {
    this.#codes = codes;
    this.#coding = coding;
  }

  value(row: number): boolean | string | null {
    const code = this.cell(row);
    return code === null ? null : this.#coding.decode(code);
  }

  cell(row: number): number | null {
    const code = this.#codes[row]!;
    return code === this.#coding.ofNull ? null : code;
  }

  summary(): ColumnSummary {
    const nullCount = countItemsEqual(this.#codes, this.#coding.ofNull);
    if (this.#coding !== CODINGS.date || nullCount === this.#codes.length) return { nullCount };
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (const day of this.#codes) {
      if (day === NULL_DAY) continue;
      if (day < least) least = day;
      if (day > greatest) greatest = day;
    }
    return { nullCount, range: { least: formatCalendarDay(least), greatest: formatCalendarDay(greatest) } };
  }
}

/** Most texts of a column that are kept once they are decoded. */
const KEPT_TEXTS = 64;

export class StoredTextColumn implements StoredColumn {
  readonly entries: StoredTexts;
  /** Entry number + 1 of each row; 0 is null. */
  readonly #indices: Uint8Array | Uint16Array | Uint32Array;
  /** The texts decoded so far, where there are few: then many rows share them. */
  readonly #decoded: (string | undefined)[] | undefined;

  constructor(entries: StoredTexts, indices: Uint8Array | Uint16Array | Uint32Array) {
    this.entries = entries;
    this.#indices = indices;
    this.#decoded = entries.count <= KEPT_TEXTS ? [] : undefined;
  }

  value(row: number): string | null {
    const index = this.#indices[row]!;
    if (index === 0) return null;
    if (this.#decoded === undefined) return this.entries.text(index - 1);
    let text = this.#decoded[index];
    if (text === undefined) {
      text = this.entries.text(index - 1);
      this.#decoded[index] = text;
    }
    return text;
  }

  cell(row: number): Uint8Array | null {
    const index = this.#indices[row]!;
    return index === 0 ? null : this.entries.utf8(index - 1);
  }

  /** Number of the row's entry; -1 is null. */
  entryOf(row: number): number {
    return this.#indices[row]! - 1;
  }

  /** Every entry is some row's: the reader has made sure of it. */
  summary(): ColumnSummary {
    const { entries } = this;
    return {
      nullCount: countItemsEqual(this.#indices, 0),
      textCount: entries.count,
      texts: () => new Set(Array.from({ length: entries.count }, (_, i) => entries.text(i))),
    };
  }
}

function countItemsEqual(items: Uint8Array | Uint16Array | Uint32Array | Int32Array, wanted: number): number {
  let count = 0;
  for (const item of items) if (item === wanted) count++;
  return count;
}

/** The attributes of an opened snapshot's rows. */
export class StoredAttributes implements Attributes {
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly #ids: StoredTexts;
  readonly #names: StoredTextColumn;
  readonly #countries: StoredTextColumn | undefined;
  readonly #values: readonly StoredColumn[];

  constructor(
    ids: StoredTexts,
    names: StoredTextColumn,
    countries: StoredTextColumn | undefined,
    columns: readonly { readonly name: string; readonly type: ColumnType; readonly values: StoredColumn }[],
  ) {
    this.rowCount = ids.count;
    this.columns = columns.map(({ name, type }) => ({ name, type }));
    this.#ids = ids;
    this.#names = names;
    this.#countries = countries;
    this.#values = columns.map(({ values }) => values);
  }

  id(row: number): string {
    return this.#ids.text(this.#checked(row));
  }

  name(row: number): string | null {
    return this.#names.value(this.#checked(row));
  }

  countryIso3(row: number): string | null {
    return this.#countries?.value(this.#checked(row)) ?? null;
  }

  value(row: number, column: number): AttributeValue {
    return this.#column(column).value(this.#checked(row));
  }

  properties(row: number): Record<string, AttributeValue> {
    const properties: Record<string, AttributeValue> = Object.create(null);
    const { columns } = this;
    const checked = this.#checked(row);
    for (let c = 0; c < columns.length; c++) properties[columns[c]!.name] = this.#values[c]!.value(checked);
    return properties;
  }

  summary(column: number | "name" | "country_iso3"): ColumnSummary {
    if (column === "name") return this.#names.summary();
    if (column === "country_iso3") return this.#countries?.summary() ?? { nullCount: this.rowCount };
    return this.#column(column).summary();
  }

  #column(column: number): StoredColumn {
    const values = this.#values[column];
    if (values === undefined) throw new RangeError(`column ${column} is out of range`);
    return values;
  }

  #checked(row: number): number {
    if (!(row >= 0 && row < this.rowCount)) throw new RangeError(`row ${row} is out of range`);
    return row;
  }
}
