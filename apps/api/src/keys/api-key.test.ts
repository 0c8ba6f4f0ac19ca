import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isApiKey, mintApiKey } from "./api-key.ts";
import { apiKeyDigest } from "./api-key-digest.ts";

describe("mintApiKey", () => {
  it("gives the prefix, 32 random and 6 check characters of base62", () => {
    for (const mode of ["live", "test"] as const) {
      const key = mintApiKey(mode, randomBytes);
      expect(key).toMatch(new RegExp(`^gr_${mode}_[0-9A-Za-z]{38}$`));
      expect(isApiKey(key)).toBe(true);
    }
  });

  it("favours no character: bytes that 62 does not divide evenly are drawn again", () => {
    const drawn = [...[248, 255, 0, 61, 62, 247], ...Array.from({ length: 28 }, () => 10)];
    let at = 0;
    const secret = mintApiKey("test", (length) =>
      Uint8Array.from({ length }, () => drawn[at++] ?? 251),
    ).slice(8, 40);
    expect(secret).toBe(`0z0z${"A".repeat(28)}`);
  });

  it("ends in the CRC-32 of what comes before, as another implementation computes it", () => {
    const key = mintApiKey("test", (length) => new Uint8Array(length));
    let crc = 0xffffffff;
    for (const byte of Buffer.from(`gr_test_${"0".repeat(32)}`)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    let value = 0;
    for (const digit of key.slice(-6)) {
      value = value * 62 + "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(digit);
    }
    expect(value).toBe((crc ^ 0xffffffff) >>> 0);
  });
});

describe("isApiKey", () => {
  it("refuses any key with one character changed", () => {
    const key = mintApiKey("test", randomBytes);
    for (let i = 0; i < key.length; i++) {
      const changed = `${key.slice(0, i)}${key[i] === "x" ? "y" : "x"}${key.slice(i + 1)}`;
      expect(isApiKey(changed), changed).toBe(false);
    }
  });
});

describe("apiKeyDigest", () => {
  it("is the HMAC-SHA-256 of the key under the pepper, whatever the length of either", () => {
    for (const length of [0, 1, 32, 63, 64, 65, 200]) {
      const pepper = { version: 1, secret: randomBytes(length) };
      for (const key of [
        "",
        mintApiKey("live", randomBytes),
        "é".repeat(64),
        "k".repeat(64),
        "k".repeat(65),
      ]) {
        const expected = createHmac("sha256", pepper.secret).update(key).digest("hex");
        expect(apiKeyDigest(key, pepper)).toBe(expected);
      }
    }
  });
});
