import { productRoundingError } from "./error-free.ts";

/**
 * Elementary functions that give the same bits on every host: built from + − × ÷ and `Math.sqrt`
 * alone, which the language fixes to the bit, unlike its own `Math.sin` and kin.
 *
 * The polynomials and the splitting of constants are those of fdlibm (Sun Microsystems, 1993,
 * freely usable); reductions are written anew without access to the bits of a number.
 */

const PI_HI = Math.PI;
const PI_LO = 1.2246467991473532e-16;
const HALF_PI_HI: number = Math.PI / 2;
const HALF_PI_LO = 6.123233995736766e-17;
const TWO_TO_600 = 4.149515568880993e180;
const TWO_TO_MINUS_600 = 2.409919865102884e-181;
const QUARTER_PI: number = Math.PI / 4;

/** Degrees to radians. */
export const RADIANS_PER_DEGREE = 0.017453292519943295;

/**
 * Sine of an angle in radians.
 * Error: < 0.8 ulp measured. Fails: an angle beyond ±1e5 is a bug (geographic angles are far below).
 */
export function sin(x: number): number {
  return x <= QUARTER_PI && x >= -QUARTER_PI ? kernelSin(x, 0) : sinWithQuarterTurns(x, 0);
}

/** Cosine of an angle in radians; error and failure as for {@link sin}. */
export function cos(x: number): number {
  return x <= QUARTER_PI && x >= -QUARTER_PI ? kernelCos(x, 0) : sinWithQuarterTurns(x, 1);
}

/**
 * Sine of an angle in degrees, −180 to 180: full relative accuracy at every multiple of 90 too,
 * because what is left to the next one is taken before the rounding to radians. Error: < 2 ulp.
 */
export function sinDegrees(degrees: number): number {
  const a = degrees < 0 ? -degrees : degrees;
  const s =
    a <= 45
      ? sin(a * RADIANS_PER_DEGREE)
      : a <= 135
        ? cos((90 - a) * RADIANS_PER_DEGREE)
        : sin((180 - a) * RADIANS_PER_DEGREE);
  return degrees < 0 ? -s : s;
}

/** Cosine of an angle in degrees; range and error as for {@link sinDegrees}. */
export function cosDegrees(degrees: number): number {
  const a = degrees < 0 ? -degrees : degrees;
  return a <= 45
    ? cos(a * RADIANS_PER_DEGREE)
    : a <= 135
      ? sin((90 - a) * RADIANS_PER_DEGREE)
      : -cos((180 - a) * RADIANS_PER_DEGREE);
}

/** sin(x + quarterTurns·π/2): takes n·π/2 away in three parts of 33 bits, so that each product is exact. */
function sinWithQuarterTurns(x: number, quarterTurns: number): number {
  if (!(x <= 1e5 && x >= -1e5)) throw new Error(`angle out of range: ${x}`);
  const n = Math.round(x * 0.6366197723675814);
  const r1 = x - n * 1.5707963267341256;
  const w2 = n * 6.077100506303966e-11;
  const r2 = r1 - w2;
  const w3 = n * 2.0222662487111665e-21;
  const r3 = r2 - w3;
  const rest = r1 - r2 - w2 + (r2 - r3 - w3) - n * 8.4784276603689e-32;
  const hi = r3 + rest;
  const lo = r3 - hi + rest;
  switch ((n + quarterTurns) & 3) {
    case 0:
      return kernelSin(hi, lo);
    case 1:
      return kernelCos(hi, lo);
    case 2:
      return -kernelSin(hi, lo);
    default:
      return -kernelCos(hi, lo);
  }
}

/** sin(x + y) for |x| ≤ π/4 and a tail y below an ulp of x. */
function kernelSin(x: number, y: number): number {
  const z = x * x;
  const r =
    0.00833333333332249 +
    z *
      (-0.0001984126982985795 +
        z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
  const v = z * x;
  return x - (z * (0.5 * y - v * r) - y - v * -0.16666666666666632);
}

/** cos(x + y) for |x| ≤ π/4 and a tail y below an ulp of x. */
function kernelCos(x: number, y: number): number {
  const z = x * x;
  const r =
    z *
    (0.0416666666666666 +
      z *
        (-0.001388888888887411 +
          z *
            (2.480158728947673e-5 +
              z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11)))));
  const half = 0.5 * z;
  const head = 1 - half;
  return head + (1 - head - half + (z * r - x * y));
}

/**
 * Angle of the vector (x, y) in radians, −π to π, with the signs of zero and the infinities as
 * IEEE 754 wants them. Error: < 0.9 ulp measured.
 */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (y === 0) return x > 0 || (x === 0 && 1 / x > 0) ? y : 1 / y < 0 ? -PI_HI : PI_HI;
  let ax = x < 0 ? -x : x;
  let ay = y < 0 ? -y : y;
  if (ax === Infinity && ay === Infinity) ax = ay = 1;
  // Powers of two keep both clear of overflow and underflow in what follows.
  if (ax > 1e150 || ay > 1e150) {
    ax *= TWO_TO_MINUS_600;
    ay *= TWO_TO_MINUS_600;
  } else if (ax < 1e-150 && ay < 1e-150) {
    ax *= TWO_TO_600;
    ay *= TWO_TO_600;
  }
  const steep = ay > ax;
  const small = steep ? ax : ay;
  const large = steep ? ay : ax;
  // angle = base ± (u + du), where tan(base) = 0, 1/2 or 1 takes most of the ratio away.
  let u = small / large;
  let du = 0;
  let hi = 0;
  let lo = 0;
  if (u < 0.4375) {
    if (large !== Infinity && u > 1e-100) du = quotientRoundingError(small, large, u);
  } else if (u < 0.6875) {
    u = (2 * small - large) / (2 * large + small);
    hi = 0.4636476090008061;
    lo = 2.2698777452961687e-17;
  } else {
    u = (small - large) / (small + large);
    hi = QUARTER_PI;
    lo = 3.061616997868383e-17;
  }
  const z = u * u;
  const w = z * z;
  const odd =
    z *
    (0.3333333333333293 +
      w *
        (0.14285714272503466 +
          w *
            (0.09090887133436507 +
              w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782)))));
  const even =
    w *
    (-0.19999999999876483 +
      w *
        (-0.11111110405462356 +
          w * (-0.0769187620504483 + w * (-0.058335701337905735 + w * -0.036531572744216916))));
  let tail = du - u * (odd + even);
  if (steep) {
    // π/2 − (hi + u)
    const sum = HALF_PI_HI - hi;
    lo = HALF_PI_HI - sum - hi + (HALF_PI_LO - lo);
    hi = sum;
    u = -u;
    tail = -tail;
  }
  if (x < 0) {
    const sum = PI_HI - hi;
    lo = PI_HI - sum - hi + (PI_LO - lo);
    hi = sum;
    u = -u;
    tail = -tail;
  }
  const angle = hi + (u + (lo + tail));
  return y < 0 ? -angle : angle;
}

/** Arc sine in radians; NaN outside −1 to 1. Error: < 0.8 ulp measured. */
export function asin(x: number): number {
  const a = x < 0 ? -x : x;
  if (!(a <= 1)) return NaN;
  if (a === 1) return x * HALF_PI_HI;
  if (a < 0.5) return a < 1e-9 ? x : x + x * asinRatio(x * x);
  const w = 1 - a;
  const t = w * 0.5;
  const ratio = asinRatio(t);
  const s = Math.sqrt(t);
  let angle: number;
  if (a >= 0.975) {
    angle = HALF_PI_HI - (2 * (s + s * ratio) - HALF_PI_LO);
  } else {
    const head = upperHalf(s);
    const c = (t - head * head) / (s + head);
    const p = 2 * s * ratio - (HALF_PI_LO - 2 * c);
    const q = QUARTER_PI - 2 * head;
    angle = QUARTER_PI - (p - q);
  }
  return x > 0 ? angle : -angle;
}

/** (y − q·x) / x, the rest of the rounded quotient q = y / x. */
function quotientRoundingError(y: number, x: number, q: number): number {
  const product = q * x;
  return (y - product - productRoundingError(q, x, product)) / x;
}

/** The upper 26 bits of x (Veltkamp's splitting). */
function upperHalf(x: number): number {
  const c = 134217729 * x;
  return c - (c - x);
}

/** (asin(√z) / √z − 1), for 0 ≤ z ≤ ¼. */
function asinRatio(z: number): number {
  const p =
    z *
    (0.16666666666666666 +
      z *
        (-0.3255658186224009 +
          z *
            (0.20121253213486293 +
              z * (-0.04005553450067941 + z * (0.0007915349942898145 + z * 3.479331075960212e-5)))));
  const q =
    1 +
    z * (-2.403394911734414 + z * (2.0209457602335057 + z * (-0.6882839716054533 + z * 0.07703815055590194)));
  return p / q;
}
