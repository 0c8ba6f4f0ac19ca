/**
 * Real numbers as BigInt multiples of 2⁻²⁵⁶: an oracle for the engine's arithmetic that shares
 * nothing with it. Slow, exact to about 75 decimals.
 */
const BITS = 256n;
export const ONE: bigint = 1n << BITS;

/** Exact for |x| ≥ 2⁻²⁰³ and for 0; below, cut off. */
export function toFixedPoint(x: number): bigint {
  if (!Number.isFinite(x)) throw new Error(`not a finite number: ${x}`);
  return toScaled(x, BITS);
}

/** x · 2^bits by the bits of x, what is less than 1 of it cut off: whole for every double from 1074 bits on. */
export function toScaled(x: number, bits: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const own = view.getBigUint64(0);
  const exponent = (own >> 52n) & 0x7ffn;
  const fraction = own & 0xfffffffffffffn;
  const mantissa = exponent === 0n ? fraction : fraction | (1n << 52n);
  const shift = (exponent === 0n ? 1n : exponent) - 1075n + bits;
  const magnitude = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return own >> 63n === 1n ? -magnitude : magnitude;
}

/** The double next to x (its lower bits are cut at 2⁻⁶⁴ relative before rounding). */
export function toNumber(x: bigint, bits: bigint = BITS): number {
  const negative = x < 0n;
  let m = negative ? -x : x;
  let shift = 0;
  while (m >= 1n << 96n) {
    m >>= 32n;
    shift += 32;
  }
  const value = Number(m) * 2 ** (shift - Number(bits));
  return negative ? -value : value;
}

export function mul(a: bigint, b: bigint): bigint {
  return (a * b) >> BITS;
}

export function div(a: bigint, b: bigint): bigint {
  return (a << BITS) / b;
}

export function sqrt(a: bigint): bigint {
  if (a === 0n) return 0n;
  const n = a << BITS;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

export function atan(x: bigint): bigint {
  if (x < 0n) return -atan(-x);
  if (x > ONE) return PI / 2n - atan(div(ONE, x));
  // Halve the angle until the series is short.
  let t = x;
  let doublings = 0n;
  while (t > ONE >> 6n) {
    t = div(t, ONE + sqrt(ONE + mul(t, t)));
    doublings++;
  }
  return sumAtanSeries(t, -1n) << doublings;
}

/** t + sign·t³/3 + t⁵/5 …: atan for −1, atanh for 1. */
function sumAtanSeries(t: bigint, sign: bigint): bigint {
  const square = mul(t, t) * sign;
  let power = t;
  let sum = 0n;
  for (let n = 1n; power !== 0n && power !== -1n; n += 2n) {
    sum += power / n;
    power = mul(power, square);
  }
  return sum;
}

export const PI: bigint = 16n * sumAtanSeries(ONE / 5n, -1n) - 4n * sumAtanSeries(ONE / 239n, -1n);

export function sin(x: bigint): bigint {
  const turns = (x + (x >= 0n ? PI : -PI)) / (2n * PI);
  const r = x - turns * 2n * PI;
  const square = mul(r, r);
  let term = r;
  let sum = 0n;
  for (let n = 1n; term !== 0n && term !== -1n; n += 2n) {
    sum += term;
    term = -mul(term, square) / ((n + 1n) * (n + 2n));
  }
  return sum;
}

export function cos(x: bigint): bigint {
  return sin(x + PI / 2n);
}

export function asin(x: bigint): bigint {
  if (x === ONE) return PI / 2n;
  if (x === -ONE) return -PI / 2n;
  return atan(div(x, sqrt(ONE - mul(x, x))));
}

export function atanh(x: bigint): bigint {
  return sumAtanSeries(x, 1n);
}

/** |computed − exact| in units of the last place of `exact`. */
export function countUlps(computed: number, exact: bigint): number {
  const magnitude = exact < 0n ? -exact : exact;
  const ulp = magnitude.toString(2).length - 53;
  const difference = toFixedPoint(computed) - exact;
  return Math.abs(toNumber(difference) / 2 ** (ulp - Number(BITS)));
}
