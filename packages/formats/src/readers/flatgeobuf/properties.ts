import { toDataView } from "../../file/file-window.ts";
import { fileDamagedError, type Place } from "../../format-error.ts";
import { decodeTextOrUtf8, parseJsonValue, toRealNumber, toWholeNumber } from "../../values.ts";

/** A column as the header, or a feature, declares it. */
export interface Column {
  readonly name: string;
  /** Code of the type, in the order of the schema. */
  readonly type: number;
}

type ReadFixed = (view: DataView, at: number) => unknown;

/** Types of a fixed size: how many bytes, and how they are read. */
const FIXED: readonly (readonly [size: number, read: ReadFixed])[] = [
  [1, (view, at) => view.getInt8(at)],
  [1, (view, at) => view.getUint8(at)],
  [1, (view, at) => view.getUint8(at) !== 0],
  [2, (view, at) => view.getInt16(at, true)],
  [2, (view, at) => view.getUint16(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [8, (view, at) => toWholeNumber(view.getBigInt64(at, true))],
  [8, (view, at) => toWholeNumber(view.getBigUint64(at, true))],
  [4, (view, at) => toRealNumber(view.getFloat32(at, true))],
  [8, (view, at) => toRealNumber(view.getFloat64(at, true))],
];
const STRING = 11;
const JSON_TEXT = 12;
const DATE_TIME = 13;
/** Bytes are read over: pictures and the like are no attributes. */
export const BINARY = 14;

/** Columns, options and place for reading the properties of a feature. */
export interface PropertiesContext {
  readonly columns: readonly Column[];
  readonly encoding: string | undefined;
  /** Place of the first byte. */
  readonly place: Place & { readonly byte: number };
}

/**
 * Reads the properties of a feature; columns that it does not hold are null.
 *
 * Fails: `FILE_DAMAGED`, `TEXT_NOT_UTF8`.
 */
export function readFeatureProperties(bytes: Uint8Array, context: PropertiesContext): Map<string, unknown> {
  const { columns } = context;
  const view = toDataView(bytes);
  const values = new Map<string, unknown>();
  for (const { name, type } of columns) if (type !== BINARY) values.set(name, null);
  const seen = new Set<number>();
  let at = 0;
  const need = (size: number, what: string): void => {
    if (size > bytes.length - at)
      throwPropertiesDamaged(context, at, `${bytes.length - at} bytes`, `${what} of ${size} bytes`);
  };
  while (at < bytes.length) {
    need(2, "the number of a column");
    const index = view.getUint16(at, true);
    const column = columns[index];
    if (column === undefined)
      throwPropertiesDamaged(context, at, `column ${index}`, `one of ${columns.length}`);
    if (seen.has(index))
      throwPropertiesDamaged(context, at, `column "${column.name}" twice`, "every column once");
    seen.add(index);
    at += 2;
    const fixed = FIXED[column.type];
    if (fixed !== undefined) {
      const [size, read] = fixed;
      need(size, `a value of "${column.name}"`);
      values.set(column.name, read(view, at));
      at += size;
      continue;
    }
    need(4, `the length of "${column.name}"`);
    const length = view.getUint32(at, true);
    at += 4;
    need(length, `a value of "${column.name}"`);
    if (column.type !== BINARY) {
      const text = decodeTextOrUtf8(bytes.subarray(at, at + length), context.encoding, {
        column: column.name,
        place: context.place,
      });
      values.set(column.name, column.type === JSON_TEXT ? parseJsonValue(text) : text);
    }
    at += length;
  }
  return values;
}

/** True if the column type exists. */
export function isColumnType(type: number): boolean {
  return type < FIXED.length || (type >= STRING && type <= BINARY) || type === DATE_TIME;
}

function throwPropertiesDamaged(
  context: PropertiesContext,
  at: number,
  found: string,
  expected: string,
): never {
  throw fileDamagedError(found, expected, { ...context.place, byte: context.place.byte + at });
}
