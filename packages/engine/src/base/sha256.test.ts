import { createHash } from "node:crypto";
import { createSeededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { PureSha256, toHex } from "./sha256.ts";

const SEED = 20261122;
const hashed = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

it("gives the digests of FIPS 180-4's examples", () => {
  const of = (text: string) => toHex(new PureSha256().update(new TextEncoder().encode(text)).digest());
  expect(of("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

it("gives the host's digest of every length up to three blocks", () => {
  const bytes = Uint8Array.from({ length: 192 }, (_, i) => (i * 37) & 0xff);
  for (let length = 0; length <= bytes.length; length++) {
    const part = bytes.subarray(0, length);
    expect(toHex(new PureSha256().update(part).digest())).toBe(hashed(part));
  }
});

it(`gives the same digest however the bytes are cut (seed ${SEED})`, () => {
  const random = createSeededRandom(SEED);
  const bytes = Uint8Array.from({ length: 100_000 }, () => Math.floor(random.next() * 256));
  const expected = hashed(bytes);
  for (let round = 0; round < 20; round++) {
    const hash = new PureSha256();
    for (let at = 0; at < bytes.length; ) {
      const next = at + 1 + Math.floor(random.next() * 300);
      hash.update(bytes.subarray(at, next));
      at = next;
    }
    expect(toHex(hash.digest())).toBe(expected);
  }
});
