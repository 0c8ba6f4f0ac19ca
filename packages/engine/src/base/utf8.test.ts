import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const SEED = 20_261_124;

describe(`UTF-8 (seed ${SEED})`, () => {
  it("is read as the host reads it, whatever the bytes", () => {
    const random = createSeededRandom(SEED);
    const host = new TextDecoder("utf-8", { ignoreBOM: true });
    const edges = [
      0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff,
    ];
    for (let k = 0; k < 50_000; k++) {
      const bytes = Uint8Array.from({ length: random.integer(40) }, () =>
        random.integer(3) === 0 ? 0x41 + random.integer(26) : edges[random.integer(edges.length)]!,
      );
      const start = random.integer(bytes.length + 1);
      const end = start + random.integer(bytes.length - start + 1);
      expect(decodeUtf8(bytes, start, end)).toBe(host.decode(bytes.subarray(start, end)));
    }
  });

  it("is written as the host writes it", () => {
    for (const text of [
      "",
      "plain",
      "São Paulo",
      "\u0000x",
      "\ud800",
      "😀",
      "x".repeat(100),
      `${"x".repeat(31)}é`,
    ]) {
      expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text));
      expect(decodeUtf8(encodeUtf8(text), 0, encodeUtf8(text).length)).toBe(text.toWellFormed());
    }
  });
});
