import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "./crc32.ts";

describe("crc32", () => {
  it("has the check value of the CRC catalogue, 0xcbf43926 for 123456789", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("agrees with zlib on any bytes, in one piece or in two", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
        const expected = zlibCrc32(bytes);
        expect(crc32(bytes)).toBe(expected);
        expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(expected);
      }),
      { seed: 20_240_613, numRuns: 500 },
    );
  });
});
