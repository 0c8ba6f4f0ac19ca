/**
 * SHA-256 (FIPS 180-4), for hosts that hand in none of their own: bytes are added as they come, and
 * the digest is taken once.
 */
export class PureSha256 {
  readonly #state: Int32Array = new Int32Array(FIRST_STATE);
  readonly #block: Uint8Array = new Uint8Array(BLOCK_BYTES);
  readonly #schedule: Int32Array = new Int32Array(ROUNDS);
  #filled = 0;
  #byteLength = 0;

  update(bytes: Uint8Array): this {
    this.#byteLength += bytes.length;
    let done = 0;
    if (this.#filled > 0) {
      done = Math.min(bytes.length, BLOCK_BYTES - this.#filled);
      this.#block.set(bytes.subarray(0, done), this.#filled);
      this.#filled += done;
      if (this.#filled < BLOCK_BYTES) return this;
      this.#compress(this.#block, 0);
    }
    // Whole blocks are read where they lie.
    for (; bytes.length - done >= BLOCK_BYTES; done += BLOCK_BYTES) this.#compress(bytes, done);
    this.#block.set(bytes.subarray(done));
    this.#filled = bytes.length - done;
    return this;
  }

  /** The 32 bytes. Nothing may be added afterwards. */
  digest(): Uint8Array<ArrayBuffer> {
    this.#block[this.#filled++] = 0x80;
    if (this.#filled > LENGTH_AT) {
      this.#block.fill(0, this.#filled);
      this.#compress(this.#block, 0);
      this.#filled = 0;
    }
    this.#block.fill(0, this.#filled);
    const view = new DataView(this.#block.buffer);
    view.setUint32(LENGTH_AT, Math.floor(this.#byteLength / 0x2000_0000));
    view.setUint32(LENGTH_AT + 4, this.#byteLength << 3);
    this.#compress(this.#block, 0);
    const digest = new DataView(new ArrayBuffer(32));
    for (const [i, word] of this.#state.entries()) digest.setInt32(4 * i, word);
    return new Uint8Array(digest.buffer);
  }

  /** FIPS 180-4 §6.2.2, with its letters, on the 64 bytes at an offset. */
  #compress(bytes: Uint8Array, offset: number): void {
    const w = this.#schedule;
    const state = this.#state;
    for (let t = 0, i = offset; t < 16; t++, i += 4) {
      w[t] = (bytes[i]! << 24) | (bytes[i + 1]! << 16) | (bytes[i + 2]! << 8) | bytes[i + 3]!;
    }
    for (let t = 16; t < ROUNDS; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const sigma0 = rotateRight(x, 7) ^ rotateRight(x, 18) ^ (x >>> 3);
      const sigma1 = rotateRight(y, 17) ^ rotateRight(y, 19) ^ (y >>> 10);
      w[t] = (w[t - 16]! + sigma0 + w[t - 7]! + sigma1) | 0;
    }
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let f = state[5]!;
    let g = state[6]!;
    let h = state[7]!;
    for (let t = 0; t < ROUNDS; t++) {
      const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const t1 = (h + sum1 + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[t]! + w[t]!) | 0;
      const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
    state[4]! += e;
    state[5]! += f;
    state[6]! += g;
    state[7]! += h;
  }
}

/** Bytes as lowercase hex digits. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

const BLOCK_BYTES = 64;
const ROUNDS = 64;
/** Where the last block holds the length in bits. */
const LENGTH_AT = 56;
/** First 32 bits of the fractions of the square roots of the first 8 primes (§5.3.3). */
const FIRST_STATE: Int32Array = /* @__PURE__ */ computeRootFractions(8, 2n);
/** The same of the cube roots of the first 64 primes (§4.2.2). */
const ROUND_CONSTANTS: Int32Array = /* @__PURE__ */ computeRootFractions(ROUNDS, 3n);

function rotateRight(word: number, right: number): number {
  return (word >>> right) | (word << (32 - right));
}

function computeRootFractions(count: number, degree: 2n | 3n): Int32Array {
  const fractions = new Int32Array(count);
  for (let prime = 2n, found = 0; found < count; prime++) {
    let divisor = 2n;
    while (prime % divisor !== 0n) divisor++;
    if (divisor !== prime) continue;
    const scaled = prime << (32n * degree);
    let root = 0n;
    for (let bit = 1n << 37n; bit > 0n; bit >>= 1n) {
      const tried = root | bit;
      if ((degree === 2n ? tried * tried : tried * tried * tried) <= scaled) root = tried;
    }
    fractions[found++] = Number(BigInt.asIntN(32, root));
  }
  return fractions;
}
