import type { SchemaElement } from "hyparquet";
import { describe, expect, it } from "vitest";
import { findValueConverter } from "./convert.ts";

function convert(element: Omit<SchemaElement, "name">, raw: unknown): unknown {
  return findValueConverter({ name: "x", ...element }, undefined)?.(raw, {});
}

const utc = { type: "TIMESTAMP", isAdjustedToUTC: true } as const;

describe("converterOf", () => {
  it("writes days and times as ISO 8601, to the last digit, and what is no such time as its number", () => {
    const day = { type: "INT32", converted_type: "DATE" } as const;
    expect(convert(day, 19_000)).toBe("2022-01-08");
    expect(convert(day, -719_528)).toBe("0000-01-01");
    expect(convert(day, 2 ** 31 - 1)).toBe(2 ** 31 - 1);
    const milli = { type: "INT64", converted_type: "TIMESTAMP_MILLIS" } as const;
    expect(convert(milli, 1n)).toBe("1970-01-01T00:00:00.001Z");
    expect(convert(milli, -1n)).toBe("1969-12-31T23:59:59.999Z");
    expect(convert(milli, 2n ** 62n)).toBe("4611686018427387904");
    const local = { ...utc, isAdjustedToUTC: false, unit: "MICROS" } as const;
    expect(convert({ type: "INT64", logical_type: local }, 1_700_000_000_123_456n)).toBe(
      "2023-11-14T22:13:20.123456",
    );
    const nano = { type: "INT64", logical_type: { ...utc, unit: "NANOS" } } as const;
    expect(convert(nano, -1n)).toBe("1969-12-31T23:59:59.999999999Z");
    expect(convert(nano, 2n ** 62n)).toBe("2116-02-20T23:53:38.427387904Z");
    expect(convert({ type: "INT32", converted_type: "TIME_MILLIS" }, 86_399_999)).toBe("23:59:59.999");
    expect(convert({ type: "INT96" }, (2_440_589n << 64n) | 1_000_000_000n)).toBe("1970-01-02T00:00:01");
  });

  it("keeps every digit of decimals and of integers beyond 2^53", () => {
    const cents = { type: "INT64", converted_type: "DECIMAL", scale: 2, precision: 18 } as const;
    expect(convert(cents, 24_906n)).toBe(249.06);
    expect(convert(cents, -5n)).toBe(-0.05);
    expect(convert(cents, 100n)).toBe(1);
    expect(convert(cents, 123_456_789_012_345_678n)).toBe("1234567890123456.78");
    const bytes = {
      type: "FIXED_LEN_BYTE_ARRAY",
      type_length: 3,
      converted_type: "DECIMAL",
      scale: 1,
    } as const;
    expect(convert(bytes, Uint8Array.of(0xff, 0xff, 0xfe))).toBe(-0.2);
    expect(convert(bytes, new Uint8Array(0))).toBe(0);
    expect(() => convert(bytes, new Uint8Array(1 << 20))).toThrow(
      "found a number of 1048576 bytes, expected at most 64",
    );
    expect(() => convert({ ...cents, scale: 2 ** 30 }, 1n)).toThrow("digits behind the point");
    expect(convert({ type: "INT64" }, 2n ** 60n)).toBe("1152921504606846976");
    expect(convert({ type: "INT64", converted_type: "UINT_64" }, -1n)).toBe("18446744073709551615");
    expect(convert({ type: "INT32", converted_type: "UINT_32" }, -1)).toBe(4_294_967_295);
    expect(convert({ type: "INT32", converted_type: "INT_8" }, -5)).toBe(-5);
  });

  it("reads text, JSON and identifiers, and no bytes without a type", () => {
    const text = Buffer.from('{"a":[12345678901234567890]}');
    expect(convert({ type: "BYTE_ARRAY", converted_type: "UTF8" }, text)).toBe(String(text));
    expect(convert({ type: "BYTE_ARRAY", logical_type: { type: "JSON" } }, text)).toEqual({
      a: ["12345678901234567890"],
    });
    const uuid = Uint8Array.from({ length: 16 }, (_, i) => i);
    expect(convert({ type: "FIXED_LEN_BYTE_ARRAY", logical_type: { type: "UUID" } }, uuid)).toBe(
      "00010203-0405-0607-0809-0a0b0c0d0e0f",
    );
    expect(
      convert({ type: "FIXED_LEN_BYTE_ARRAY", logical_type: { type: "FLOAT16" } }, Uint8Array.of(0, 0x3e)),
    ).toBe(1.5);
    expect(convert({ type: "BYTE_ARRAY" }, text)).toBeUndefined();
    expect(
      convert({ type: "FIXED_LEN_BYTE_ARRAY", type_length: 12, converted_type: "INTERVAL" }, text),
    ).toBeUndefined();
    expect(convert({ type: "DOUBLE" }, Number.NaN)).toBeNull();
    expect(convert({ type: "FLOAT" }, Number.NEGATIVE_INFINITY)).toBe("-Infinity");
    expect(() => convert({ type: "BYTE_ARRAY", converted_type: "UTF8" }, Uint8Array.of(0xff))).toThrow(
      "not UTF-8",
    );
  });
});
