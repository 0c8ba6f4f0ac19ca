import { crc32, zstdCompressSync } from "node:zlib";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../../test/local-bytes.ts";
import {
  createParquetByHand,
  encodeDataPage,
  encodeThriftStruct,
  ZSTD,
} from "../../../test/parquet-by-hand.ts";
import { catchFormatError } from "../../../test/reading.ts";
import { encodeWkb } from "../../../test/wkb-encoder.ts";
import { decodePageValues } from "./decode-values.ts";
import { readHybridNumbers } from "./hybrid.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { reader as geoparquetReader } from "./reader.ts";
import { endOfStruct } from "./thrift-check.ts";

const POINT = encodeWkb({ type: "Point", coordinates: [1, 2] });
/** The point's bytes as a value of a plain page. */
const VALUE = [...encodeLength(POINT.length), ...POINT];

function encodeLength(length: number): number[] {
  return [...new Uint8Array(Uint32Array.of(length).buffer)];
}

async function read(bytes: Uint8Array): Promise<number> {
  const table = await geoparquetReader.open(toLocalFile(bytes), {});
  let count = 0;
  for await (const { fault } of table.features()) {
    if (fault !== undefined) throw new Error(fault.message);
    count++;
  }
  return count;
}

const refusal = (bytes: Uint8Array) => catchFormatError(read(bytes));

describe("a Parquet whose pages lie", () => {
  it("is read where they do not", async () => {
    expect(await read(createParquetByHand(encodeDataPage(VALUE, { values: 1 }), { values: 1n }))).toBe(1);
    const packed = zstdCompressSync(Uint8Array.from(VALUE));
    const page = encodeDataPage(packed, { values: 1, size: VALUE.length });
    expect(await read(createParquetByHand(page, { values: 1n, codec: ZSTD }))).toBe(1);
    const sum = crc32(Uint8Array.from(VALUE));
    expect(
      await read(createParquetByHand(encodeDataPage(VALUE, { values: 1, crc: sum }), { values: 1n })),
    ).toBe(1);
    // A hundred thousand nulls take a few bytes, and are true.
    const nulls = [...encodeLength(4), 0xc0, 0x9a, 0x0c, 0];
    const many = createParquetByHand(encodeDataPage(nulls, { values: 100_000 }), {
      values: 100_000n,
      optional: true,
    });
    expect(await read(many)).toBe(100_000);
  });

  it("is refused with what was found, where", async () => {
    const huge = 2 ** 31 - 1;
    const run = [...encodeLength(6), 0xfe, 0xff, 0xff, 0xff, 0x0f, 1];
    const cases: [Uint8Array, RegExp][] = [
      [createParquetByHand(encodeDataPage(VALUE, { values: 2 }), { values: 1n }), /found what does not read as a page \(2 values where 1 are left/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1 }), { values: 2n }), /found the end of the column in column "geometry"/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1 }), { values: 1n, rows: 2n }), /^row 2: found the end of column "geometry", expected 1 more/],
      [createParquetByHand([...encodeDataPage(VALUE, { values: 1 }), ...encodeDataPage(VALUE, { values: 1 })], { values: 2n, rows: 1n }), /^row 1: found more values in column "geometry", expected 1 in/],
      [createParquetByHand(encodeDataPage(VALUE, { values: huge }), { values: BigInt(huge) }), /found pages that take \d+ bytes at once, expected at most 1073741824; write/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1e6 }), { values: 1_000_000n }), /1000000 values in 25 bytes/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1, packed: huge }), { values: 1n }), /found a page of 2147483647 bytes in column "geometry", expected at most 25/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1, size: huge }), { values: 1n, codec: ZSTD }), /found a page of 25 bytes that unpacks to 2147483647/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1, size: 2 ** 26 }), { values: 1n, codec: ZSTD }), /what does not read as a page/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1, size: 30 }), { values: 1n }), /25 bytes where the header says 30/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1, size: -5 }), { values: 1n }), /found a page that unpacks to -5 bytes/],
      [createParquetByHand(encodeDataPage(VALUE, { values: -1 }), { values: 1n }), /-1 values/],
      [createParquetByHand(encodeDataPage([...encodeLength(99), 1, 2], { values: 1 }), { values: 1n }), /what does not read as a page \(Invalid typed array length: 99/],
      [createParquetByHand(encodeDataPage([3, ...run], { values: 1, encoding: 8 }), { values: 1n }), /a dictionary that is not there/],
      [createParquetByHand(encodeDataPage(run, { values: 1e6 }), { values: 1_000_000n, optional: true }), /1000000 values in 0 bytes/],
      [createParquetByHand(encodeDataPage(VALUE, { values: 1, encoding: 99 }), { values: 1n }), /the encoding undefined/],
      [
        createParquetByHand(encodeDataPage(VALUE, { values: 1, crc: 5 }), { values: 1n }),
        /found a page of the checksum \d+ in column "geometry", expected 5, as its header says/,
      ],
    ]; // biome-ignore format: a table
    for (const [bytes, message] of cases) expect((await refusal(bytes)).message).toMatch(message);
  });

  it("holds texts that share beginnings against the budget before it makes them", () => {
    const budget = new MemoryBudget(1 << 20);
    // 5,000 texts, each the last one and one more byte: 12.5 MB from some kilobytes.
    const count = 5_000;
    const constant = (first: number, step: number): number[] => [
      ...[0x80, 0x80, 0x04, 1],
      ...[(count & 0x7f) | 0x80, count >> 7],
      first * 2,
      step * 2,
      0,
    ];
    const body = Uint8Array.from([...constant(0, 1), ...constant(1, 0), ...new Uint8Array(count)]);
    const values = { bytes: body, from: 0, count, encoding: "DELTA_BYTE_ARRAY", type: "BYTE_ARRAY" } as const;
    const rest = { typeLength: undefined, dictionary: undefined };
    expect(() => decodePageValues({ ...values, ...rest, budget })).toThrow(
      /pages that take 1250\d+ bytes at once/,
    );
    const wide = decodePageValues({ ...values, ...rest, budget: new MemoryBudget(1 << 24) }) as Uint8Array[];
    expect(wide.map((text) => text.length)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    const parts = Uint8Array.from([0x80, 1, 0xff, 0xff, 0xff, 0x7f, 5, 0]);
    for (const type of ["INT32", "INT64"] as const)
      expect(() =>
        decodePageValues({ ...values, ...rest, budget, bytes: parts, type, encoding: "DELTA_BINARY_PACKED" }),
      ).toThrow(/blocks of 128 differences in 268435455 parts/);
  });
});

describe("readHybrid", () => {
  it("reads what an encoder of its own wrote", () => {
    const random = createSeededRandom(93);
    for (let i = 0; i < 400; i++) {
      const width = 1 + random.integer(32);
      const values: number[] = [];
      const bytes: number[] = [];
      for (let runs = 1 + random.integer(6); runs > 0; runs--) {
        const draw = (): number => Math.floor(random.next() * 2 ** width);
        if (random.integer(2) === 0) {
          const [count, value] = [1 + random.integer(200), draw()];
          bytes.push(...encodeVarint(2 * count));
          for (let b = 0; b < Math.ceil(width / 8); b++) bytes.push(Math.floor(value / 2 ** (8 * b)) & 0xff);
          for (let k = 0; k < count; k++) values.push(value);
        } else {
          const group = Array.from({ length: 8 * (1 + random.integer(4)) }, draw);
          bytes.push(...encodeVarint(2 * (group.length / 8) + 1));
          let bits = 0n;
          for (const [k, value] of group.entries()) bits |= BigInt(value) << BigInt(k * width);
          for (let b = 0; b < (group.length * width) / 8; b++)
            bytes.push(Number((bits >> BigInt(8 * b)) & 0xffn));
          values.push(...group);
        }
      }
      const packed = Uint8Array.from(bytes);
      const out = new Uint32Array(values.length);
      readHybridNumbers(packed, 0, packed.length, width, out);
      expect(Array.from(out)).toEqual(values);
      expect(() =>
        readHybridNumbers(packed, 0, packed.length, width, new Uint32Array(values.length + 1)),
      ).toThrow(RangeError);
      expect(() =>
        readHybridNumbers(packed, 0, packed.length - 1, width, new Uint32Array(values.length)),
      ).toThrow(RangeError);
    }
  });
});

function encodeVarint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...encodeVarint(value >> 7)];
}

describe("endOfStruct", () => {
  it("finds the end, and none in what is cut", () => {
    const bytes = Uint8Array.from(
      encodeThriftStruct({ 1: 5, 3: [1n, 2n ** 63n - 1n], 4: { 2: "text", 3: [{ 1: 1 }] } }),
    );
    expect(endOfStruct(Uint8Array.of(...bytes, 9, 9), 0, 0)).toBe(bytes.length);
    for (let length = 0; length < bytes.length; length++)
      expect(endOfStruct(bytes.subarray(0, length), 0, 0)).toBe(-1);
  });

  it("refuses numbers without an end, depth, and types that Parquet does not use", () => {
    const number = new Uint8Array(1 << 16).fill(0xff);
    number[0] = 0x16;
    expect(() => endOfStruct(number, 0, 100)).toThrow(
      "byte 111: found a number of more than 10 bytes, expected at most 64 bits",
    );
    expect(() => endOfStruct(new Uint8Array(1 << 16).fill(0x1c), 0, 0)).toThrow("found structures 25 deep");
    expect(() => endOfStruct(new Uint8Array(1 << 16).fill(0x19), 0, 0)).toThrow("found lists 25 deep");
    expect(() => endOfStruct(Uint8Array.of(0x1b, 0), 0, 0)).toThrow("found a value of type 11");
    const encodeListHeader = (type: number, item: number) =>
      Buffer.concat([
        Uint8Array.of(0x19, 0xf0 | type, 0xff, 0xff, 0x1f),
        new Uint8Array(2 ** 19).fill(item),
        Uint8Array.of(0),
      ]);
    const structures = /found more than 72429 structures, expected at most 72429 in 524294 bytes$/;
    expect(() => endOfStruct(encodeListHeader(12, 0), 0, 0)).toThrow(structures);
    expect(() => endOfStruct(encodeListHeader(9, 0), 0, 0)).toThrow(structures);
    expect(() => endOfStruct(encodeListHeader(5, 0), 0, 0)).toThrow(
      "found lists of 524287 values, expected at most",
    );
    expect(() => endOfStruct(new Uint8Array(66).fill(0x11), 0, 0)).toThrow(
      "a structure of more than 64 fields",
    );
  });
});
