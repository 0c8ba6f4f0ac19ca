import type { SchemaElement } from "hyparquet";
import { toHex } from "../../bytes.ts";
import { fileDamagedError, type Place } from "../../format-error.ts";
import {
  decodeTextOrUtf8,
  parseJsonValue,
  toRealNumber,
  toWholeNumber,
  withoutTrailingZeros,
} from "../../values.ts";

/** Makes a property of a value as Parquet stores it. */
export type Convert = (raw: unknown, place: Place) => unknown;

/** Most digits behind the point, and bytes of a decimal number; Arrow's largest has 76 and 32. */
const SCALE_LIMIT = 100;
const DECIMAL_BYTES = 64;

/**
 * How a column's values become properties: by the logical type, else the one before it, else the physical. Undefined
 * for bytes that are neither text nor numbers.
 *
 * Fails: `FILE_DAMAGED` for types that contradict themselves.
 */
export function findValueConverter(
  element: SchemaElement,
  encoding: string | undefined,
): Convert | undefined {
  const { type, logical_type: logical, converted_type: converted, name } = element;
  const kind = logical?.type ?? toKind(converted);
  switch (kind) {
    case "DECIMAL": {
      const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
      if (!(scale >= 0 && scale <= SCALE_LIMIT))
        throw fileDamagedError(
          `${scale} digits behind the point in column "${name}"`,
          `at most ${SCALE_LIMIT}`,
        );
      return (raw, place) => formatDecimal(toUnscaledInteger(raw, place), scale);
    }
    case "DATE":
      return type === "INT32" ? (raw) => formatEpochDays(raw as number) : undefined;
    case "TIMESTAMP": {
      const isUtc = logical?.type === "TIMESTAMP" ? logical.isAdjustedToUTC : true;
      const digits = DIGITS[logical?.type === "TIMESTAMP" ? logical.unit : toUnit(converted)];
      return type === "INT64" ? (raw) => formatTimestamp(raw as bigint, digits, isUtc) : undefined;
    }
    case "TIME": {
      const digits = DIGITS[logical?.type === "TIME" ? logical.unit : toUnit(converted)];
      return (raw) => formatTime(BigInt(raw as number | bigint), digits);
    }
    case "INTEGER": {
      const isUnsigned =
        logical?.type === "INTEGER" ? !logical.isSigned : converted?.startsWith("UINT") === true;
      if (!isUnsigned) return type === "INT64" ? (raw) => toWholeNumber(raw as bigint) : (raw) => raw;
      return type === "INT64"
        ? (raw) => toWholeNumber(BigInt.asUintN(64, raw as bigint))
        : (raw) => (raw as number) >>> 0;
    }
    case "STRING":
    case "ENUM":
      return type === "BYTE_ARRAY" ? createTextDecoder(name, encoding) : undefined;
    case "JSON": {
      const text = createTextDecoder(name, encoding);
      return type === "BYTE_ARRAY" ? (raw, place) => parseJsonValue(text(raw, place)) : undefined;
    }
    case "UUID":
      return type === "FIXED_LEN_BYTE_ARRAY" ? (raw) => formatUuid(raw as Uint8Array) : undefined;
    case "FLOAT16":
      return type === "FIXED_LEN_BYTE_ARRAY"
        ? (raw) => toRealNumber(decodeHalfFloat(raw as Uint8Array))
        : undefined;
    default:
      return selectPhysicalConverter(element);
  }
}

function selectPhysicalConverter({ type }: SchemaElement): Convert | undefined {
  switch (type) {
    case "BOOLEAN":
    case "INT32":
      return (raw) => raw;
    case "INT64":
      return (raw) => toWholeNumber(raw as bigint);
    case "INT96":
      return (raw) => formatInt96Timestamp(raw as bigint);
    case "FLOAT":
    case "DOUBLE":
      return (raw) => toRealNumber(raw as number);
    default:
      return undefined;
  }
}

/** The logical type that the type before it stands for. */
function toKind(converted: SchemaElement["converted_type"]): string | undefined {
  if (converted === undefined) return undefined;
  if (converted === "UTF8") return "STRING";
  if (converted.startsWith("TIMESTAMP")) return "TIMESTAMP";
  if (converted.startsWith("TIME")) return "TIME";
  if (converted.startsWith("INT_") || converted.startsWith("UINT_")) return "INTEGER";
  return converted;
}

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

function toUnit(converted: SchemaElement["converted_type"]): keyof typeof DIGITS {
  return converted?.endsWith("MILLIS") === true ? "MILLIS" : "MICROS";
}

function createTextDecoder(
  column: string,
  encoding: string | undefined,
): (raw: unknown, place: Place) => string {
  return (raw, place) => decodeTextOrUtf8(raw as Uint8Array, encoding, { column, place });
}

function toUnscaledInteger(raw: unknown, place: Place): bigint {
  if (!(raw instanceof Uint8Array)) return BigInt(raw as number | bigint);
  if (raw.length > DECIMAL_BYTES)
    throw fileDamagedError(`a number of ${raw.length} bytes`, `at most ${DECIMAL_BYTES}`, place);
  if (raw.length === 0) return 0n;
  return BigInt.asIntN(8 * raw.length, BigInt(`0x${toHex(raw)}`));
}

/** The number, or its text where a double would print another one. */
function formatDecimal(value: bigint, scale: number): number | string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const fraction = withoutTrailingZeros(digits.slice(point));
  const text = `${value < 0n ? "-" : ""}${digits.slice(0, point)}${fraction === "" ? "" : `.${fraction}`}`;
  const number = Number(text);
  return String(number) === text ? number : text;
}

/** Days since 1970 as ISO 8601; the number itself where there is no such day. */
function formatEpochDays(days: number): string | number {
  const day = new Date(days * 86_400_000);
  return Number.isNaN(day.getTime()) ? days : day.toISOString().split("T")[0]!;
}

function formatTimestamp(value: bigint, digits: number, isUtc: boolean): string | number {
  const perSecond = 10n ** BigInt(digits);
  const rest = ((value % perSecond) + perSecond) % perSecond;
  const second = new Date(Number((value - rest) / perSecond) * 1000);
  if (Number.isNaN(second.getTime())) return toWholeNumber(value);
  return second.toISOString().slice(0, -5) + formatSecondFraction(rest, digits) + (isUtc ? "Z" : "");
}

function formatTime(value: bigint, digits: number): string | number {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(value / perSecond);
  if (value < 0n || seconds >= 86_400) return toWholeNumber(value);
  return (
    new Date(seconds * 1000).toISOString().slice(11, 19) + formatSecondFraction(value % perSecond, digits)
  );
}

function formatSecondFraction(rest: bigint, digits: number): string {
  const fraction = withoutTrailingZeros(String(rest).padStart(digits, "0"));
  return fraction === "" ? "" : `.${fraction}`;
}

/** Days by Julius Scaliger's count and nanoseconds of the day, as Impala and Spark wrote times; without a zone. */
function formatInt96Timestamp(value: bigint): string | number {
  const days = (value >> 64n) - 2_440_588n;
  return formatTimestamp(days * 86_400_000_000_000n + BigInt.asUintN(64, value), 9, false);
}

function formatUuid(bytes: Uint8Array): string {
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** IEEE 754 half precision. */
function decodeHalfFloat(bytes: Uint8Array): number {
  const bits = bytes[0]! | (bytes[1]! << 8);
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  const sign = bits >> 15 === 0 ? 1 : -1;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * 2 ** (exponent - 25));
}
