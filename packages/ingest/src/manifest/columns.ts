import type { AttributeValue, ColumnType, SourceManifest } from "@groundrule/engine";
import { parseCalendarDay, toAttribute } from "@groundrule/engine/internal";
import type { Place } from "@groundrule/formats";
import { IngestError } from "../ingest-error.ts";
import { compileDateFormat, type DateParser } from "./date-format.ts";
import { listDeclaredTypes } from "./manifest.ts";

/**
 * Converts a source's cells and members into attribute values, one at a time, and records the columns.
 *
 * A column whose type the manifest declares is converted, and a value that does not fit is refused.
 * In any other column a CSV cell becomes a number or boolean only where its text is exactly how
 * that value is written (`12.5`, not `007`, `1e5` or `2.50`), so that the snapshot writer, which
 * makes a column of mixed types text, gives every cell back as it stood: the type of a column
 * follows from all its values in one pass. A number beyond ±10²⁸⁰ is text there.
 */
export class ColumnReader {
  readonly #types: ReadonlyMap<string, ColumnType>;
  readonly #dates: ReadonlyMap<string, DateParser>;
  readonly #columns = new Set<string>();
  readonly #nested = new Map<string, number>();
  readonly #illFormed = new Map<string, number>();

  /** @param types of columns that the manifest does not declare, where they come */
  constructor(manifest: SourceManifest, types: Readonly<Record<string, ColumnType>> = {}) {
    this.#types = new Map([...Object.entries(types), ...listDeclaredTypes(manifest)]);
    const formats = Object.entries(manifest.date_formats ?? {});
    this.#dates = new Map(formats.map(([column, format]) => [column, compileDateFormat(format)]));
  }

  /** Columns read so far, in the order they first came. */
  get columns(): ReadonlySet<string> {
    return this.#columns;
  }

  /** Columns that contained arrays or objects, stored as JSON text, and how many of their values. */
  get nested(): ReadonlyMap<string, number> {
    return this.#nested;
  }

  /** Columns with half a surrogate pair in a text, replaced by U+FFFD, and how many such values. */
  get illFormed(): ReadonlyMap<string, number> {
    return this.#illFormed;
  }

  /**
   * The value of a CSV cell; an empty one is null.
   *
   * Fails: `VALUE_INVALID` where it does not fit the declared type.
   */
  fromText(column: string, text: string, place: Place): AttributeValue {
    this.#columns.add(column);
    if (text === "") return null;
    const type = this.#types.get(column);
    if (type !== undefined) return this.#convert(column, type, text, place);
    if (text === "true") return true;
    if (text === "false") return false;
    return isCanonicalNumber(text) ? Number(text) : text;
  }

  /**
   * The value of a GeoJSON member. Arrays and objects become their JSON text.
   *
   * Fails: `VALUE_INVALID` where it does not fit the declared type.
   */
  fromJson(column: string, value: unknown, place: Place): AttributeValue {
    this.#columns.add(column);
    if (value === null || value === undefined) return null;
    const flat = this.#flatten(column, value);
    const type = this.#types.get(column);
    return type === undefined ? flat : this.#convert(column, type, flat, place);
  }

  #flatten(column: string, value: unknown): string | number | boolean {
    const attribute = toAttribute(value) as string | number | boolean;
    const flat = typeof attribute === "number" && !isOfColumn(attribute) ? String(attribute) : attribute;
    if (typeof value === "object") incrementCount(this.#nested, column);
    else if (flat !== value && typeof value === "string") incrementCount(this.#illFormed, column);
    return flat;
  }

  #convert(column: string, type: ColumnType, value: string | number | boolean, place: Place): AttributeValue {
    const text = String(value);
    if (type === "string") return text;
    if (text === "") return null;
    if (type === "number") {
      const number = typeof value === "boolean" || !NUMBER.test(text) ? Number.NaN : Number(text);
      if (!Number.isFinite(number)) refuseColumnValue(column, value, "a number", place);
      return isOfColumn(number)
        ? number
        : refuseColumnValue(column, value, `a number within ±${COLUMN_LIMIT}`, place);
    }
    if (type === "boolean") {
      return (
        text === "true" ||
        (text === "false" ? false : refuseColumnValue(column, value, "true or false", place))
      );
    }
    const parser = this.#dates.get(column);
    const day = parser === undefined ? text : parser(text);
    if (day !== undefined && parseCalendarDay(day) !== undefined) return day;
    const expected = parser === undefined ? "a day, YYYY-MM-DD" : "a day in the column's date format";
    return refuseColumnValue(column, value, expected, place);
  }
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** True if the text is how JavaScript writes its number, so that nothing is lost. */
function isCanonicalNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first !== 0x2d && (first < 0x30 || first > 0x39)) return false;
  const number = Number(text);
  return isOfColumn(number) && String(number) === text;
}

/** Most of a column's numbers: four billion of them, each weighted by square metres, still have a finite sum. */
const COLUMN_LIMIT = 1e280;

function isOfColumn(number: number): boolean {
  return Math.abs(number) <= COLUMN_LIMIT;
}

/** True if a number is within ±(2⁵³ − 1), as those of a manifest must be: the catalog is strict JSON. */
export function isOfManifest(number: number): boolean {
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER;
}

/** The rule for a number in a manifest, in words. */
export const MANIFEST_NUMBER: string = `a number within ±${Number.MAX_SAFE_INTEGER}`;

/** Counts one more of `key`. */
export function incrementCount(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function refuseColumnValue(
  column: string,
  value: string | number | boolean,
  expected: string,
  place: Place,
): never {
  const found = JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value);
  throw new IngestError("VALUE_INVALID", `found ${found} in column "${column}", expected ${expected}`, {
    place,
    found,
    expected,
  });
}
