import zlib from "node:zlib";
import type { KeyMode } from "../ledger/scope.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^gr_(?:live|test)_[0-9A-Za-z]{38}$/;

/**
 * Mints an API key: `gr_live_` or `gr_test_`, 32 random base62 characters (190 bits), and the CRC-32 of all before it
 * in six base62 characters, so that a mistyped key is refused without a look-up and a leaked one is recognised by
 * scanners.
 *
 * @param random returns that many bytes from a cryptographically secure source
 */
export function mintApiKey(mode: KeyMode, random: (length: number) => Uint8Array): string {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH)) {
      // 248 is the greatest multiple of 62 in a byte; bytes past it would favour the first letters.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62];
    }
  }
  const unchecked = `gr_${mode}_${secret}`;
  return unchecked + computeKeyChecksum(unchecked);
}

/** True if a text has the form of an API key and its checksum is right. */
export function isApiKey(text: string): boolean {
  return (
    KEY.test(text) && computeKeyChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  );
}

/** True if a text contains what may be an API key, even mistyped or truncated. */
export function containsApiKey(text: string): boolean {
  return LIKE_A_KEY.test(text);
}

/** Returns the text with everything that may be an API key replaced. */
export function hideApiKeys(text: string): string {
  return text.replace(LIKE_KEYS, "$1[hidden]");
}

const LIKE_A_KEY = /gr_(?:live|test)_/i;
const LIKE_KEYS = /(gr_(?:live|test)_)[0-9A-Za-z]+/gi;

function computeKeyChecksum(text: string): string {
  let rest = zlib.crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
