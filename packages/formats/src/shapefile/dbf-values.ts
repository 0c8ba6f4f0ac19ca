import { toDataView } from "../file/file-window.ts";
import { isDecimal } from "../values.ts";
import type { TextDecoding } from "./encodings.ts";

/** A field of a table of dBase. */
export interface DbfField {
  readonly name: string;
  /** C text, N and F numbers as text, D date, L logical, I and + whole numbers, O double, B double. */
  readonly type: string;
  /** Where it starts in a row. */
  readonly start: number;
  readonly length: number;
  readonly decimals: number;
}

/** A value, or the encoding in which its bytes are no text. */
export type Cell = string | number | boolean | null | { readonly encoding: string };

/**
 * Returns the function that reads a field from the bytes of a row. Numbers that a double cannot hold stay text, and so
 * does a text that does not fit the field's type: nothing is lost, and a reader that needs a number reports it.
 *
 * @param version the first byte of the table: FoxPro and dBase 7 write numbers each in their way
 */
export function createCellReader(
  { type, start, length }: DbfField,
  version: number,
  decoding: TextDecoding,
): (row: Uint8Array) => Cell {
  const isSeven = (version & 7) === 4;
  const binary = (read: (view: DataView) => Cell) => (row: Uint8Array) =>
    read(toDataView(row.subarray(start, start + length)));
  const text = (toValue: (text: string) => Cell) => (row: Uint8Array) => {
    const found = decodeTextCell(row.subarray(start, start + length), decoding);
    return typeof found === "string" ? toValue(found) : found;
  };
  switch (type) {
    case "I":
    case "+":
      return binary((view) => (isSeven ? view.getUint32(0) - 2 ** 31 : view.getInt32(0, true)));
    case "O":
      return binary(decodeOrderedDouble);
    case "B":
      // In FoxPro a double; elsewhere the number of a block in another file, as text.
      return length === 8 ? binary((view) => toFiniteCell(view.getFloat64(0, true))) : text(toNumber);
    case "N":
    case "F":
      return text(toNumber);
    case "D":
      return text(toDate);
    case "L":
      return text(toLogical);
    default:
      return text((value) => (value === "" ? null : value));
  }
}

const ascii = new TextDecoder("utf-8", { ignoreBOM: true });

/** Without the spaces and zeros that fill the field; leading spaces belong to the text. */
function decodeTextCell(bytes: Uint8Array, decoding: TextDecoding): Cell {
  let end = bytes.indexOf(0);
  if (end === -1) end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0x20) end--;
  const filled = bytes.subarray(0, end);
  if (isAscii(filled)) return ascii.decode(filled);
  return decoding.decode(filled, end === bytes.length) ?? { encoding: decoding.name };
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 0x80) return false;
  return true;
}

/** Asterisks fill the field of a number that did not fit; blanks stand for none. */
function toNumber(text: string): Cell {
  const written = text.trim();
  if (written === "" || /^\*+$/.test(written)) return null;
  if (!isDecimal(written)) return written;
  const value = Number(written);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    ? value
    : written;
}

function toDate(text: string): Cell {
  const written = text.trim();
  if (written === "" || /^0+$/.test(written)) return null;
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(written) ?? [];
  return year === undefined ? written : `${year}-${month}-${day}`;
}

function toLogical(text: string): Cell {
  const written = text.trim();
  if (/^[YyTt]$/.test(written)) return true;
  if (/^[NnFf]$/.test(written)) return false;
  return written === "" || written === "?" ? null : written;
}

function toFiniteCell(value: number): Cell {
  return Number.isFinite(value) ? value : null;
}

/** dBase 7 turns the sign bit of doubles, and all bits of negative ones, so that they sort as bytes. */
function decodeOrderedDouble(view: DataView): Cell {
  const bits = view.getBigUint64(0);
  const turned = new DataView(new ArrayBuffer(8));
  const sign = 1n << 63n;
  turned.setBigUint64(0, (bits & sign) !== 0n ? bits ^ sign : ~bits & (sign | (sign - 1n)));
  return toFiniteCell(turned.getFloat64(0));
}
