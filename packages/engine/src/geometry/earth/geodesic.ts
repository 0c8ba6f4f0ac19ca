import { atan2, cos, RADIANS_PER_DEGREE, sin } from "./elementary.ts";
import { sumRest } from "./error-free.ts";
import {
  a1Coefficient,
  a3Coefficient,
  c1Coefficient1,
  c1Coefficient2,
  c1Coefficient3,
  c1Coefficient4,
  c1Coefficient5,
  c1Coefficient6,
  c3Coefficient1,
  c3Coefficient2,
  c3Coefficient3,
  c3Coefficient4,
  c3Coefficient5,
  SECOND_ECCENTRICITY_SQUARED,
  sumSineSeries,
  THIRD_FLATTENING,
  TINY,
} from "./geodesic-series.ts";
import { FLATTENING, SEMI_MAJOR_AXIS_METERS, SEMI_MINOR_AXIS_METERS } from "./wgs84.ts";

/**
 * The inverse geodesic problem on the WGS 84 ellipsoid: length of the shortest line between two positions, near or
 * far, including antipodal ones, and its direction on arrival.
 *
 * An instance holds scratch memory and the answer to its last question, so that asking allocates
 * nothing.
 *
 * Error: < 15 nanometres (GeographicLib's, whose series these are).
 * Fails: never, for latitudes in ±90.
 * Source: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), 43–55, whose symbols and
 * equation numbers are used here. The corner cases are treated as in GeographicLib 2.2 (MIT,
 * © 2011–2022 Charles Karney), reduced to an oblate ellipsoid.
 */
export class GeodesicInverse {
  /** Length of the shortest geodesic, metres. */
  meters = 0;
  /** Direction of travel on arrival at position 2: sine and cosine of the azimuth, clockwise from north. */
  sinAzimuth2 = 0;
  cosAzimuth2 = 1;

  // β reduced latitude, α azimuth, σ arc length and λ longitude on the auxiliary sphere (his Fig. 1).
  #sinBeta1 = 0;
  #cosBeta1 = 0;
  #sinBeta2 = 0;
  #cosBeta2 = 0;
  /** √(1 + e'² sin²β) at either end. */
  #stretch1 = 0;
  #stretch2 = 0;
  #sinLambda = 0;
  #cosLambda = 0;
  #sinAlpha1 = 0;
  #cosAlpha1 = 0;
  #sinAlpha2 = 0;
  #cosAlpha2 = 0;
  #sinSigma1 = 0;
  #cosSigma1 = 0;
  #sinSigma2 = 0;
  #cosSigma2 = 0;
  #sigma = 0;
  #epsilon = 0;
  #lambdaExcess = 0;
  #lambdaSlope = 0;
  /** Length and reduced length in units of the polar radius. */
  #length = 0;
  #reducedLength = 0;

  /** Solves from position 1 to position 2 (degrees) and returns {@link meters}. */
  solve(lon1: number, lat1: number, lon2: number, lat2: number): number {
    // The longitude difference is reduced to ±180 and kept with its rounding error.
    const west = wrapTo180(-lon1);
    const east = wrapTo180(lon2);
    const turn = west + east;
    const high = wrapTo180(turn);
    const low = sumRest(east, west, turn);
    const difference = high + low;
    const lonSign = difference < 0 ? -1 : 1;
    const lambdaDegrees = difference * lonSign;
    const lambdaRest = sumRest(low, high, difference) * lonSign;
    this.#setLambda(lambdaDegrees, lambdaRest);

    // Canonical form: 0 ≤ λ ≤ 180, −90 ≤ φ1 ≤ 0, φ1 ≤ φ2 ≤ −φ1.
    let phi1 = coarsenNearZero(lat1);
    let phi2 = coarsenNearZero(lat2);
    const swapped = Math.abs(phi1) < Math.abs(phi2);
    if (swapped) {
      const phi = phi1;
      phi1 = phi2;
      phi2 = phi;
    }
    const latSign = phi1 > 0 ? -1 : 1;
    this.#setLatitudes(phi1 * latSign, phi2 * latSign);

    if (phi1 * latSign === -90 || this.#sinLambda === 0) {
      this.#solveMeridian();
    } else if (this.#sinBeta1 === 0 && 180 - lambdaDegrees - lambdaRest >= FLATTENING * 180) {
      this.#sinAlpha1 = this.#sinAlpha2 = 1;
      this.#cosAlpha1 = this.#cosAlpha2 = 0;
      this.meters = SEMI_MAJOR_AXIS_METERS * (lambdaDegrees * RADIANS_PER_DEGREE);
    } else {
      this.#solveGeneral(lambdaDegrees * RADIANS_PER_DEGREE);
    }
    this.sinAzimuth2 = (swapped ? this.#sinAlpha1 : this.#sinAlpha2) * lonSign;
    this.cosAzimuth2 = swapped ? -this.#cosAlpha1 * latSign : this.#cosAlpha2 * latSign;
    return this.meters;
  }

  /** Sine and cosine of degrees + rest, for 0 ≤ degrees ≤ 180, by exact reduction to ±45°. */
  #setLambda(degrees: number, rest: number): void {
    const quarterTurns = Math.round(degrees / 90);
    const angle = coarsenNearZero(degrees - 90 * quarterTurns + rest) * RADIANS_PER_DEGREE;
    const s = sin(angle);
    const c = cos(angle);
    this.#sinLambda = quarterTurns === 0 ? s : quarterTurns === 1 ? c : -s;
    this.#cosLambda = quarterTurns === 0 ? c : quarterTurns === 1 ? -s : -c;
  }

  /** tan β = (1 − f) tan φ (6), normalised; cos β stays positive at the poles. */
  #setLatitudes(phi1: number, phi2: number): void {
    let s = (1 - FLATTENING) * sinDegrees(phi1);
    let c = cosDegrees(phi1);
    let norm = Math.sqrt(s * s + c * c);
    let sinBeta1 = s / norm;
    const cosBeta1 = Math.max(TINY, c / norm);
    s = (1 - FLATTENING) * sinDegrees(phi2);
    c = cosDegrees(phi2);
    norm = Math.sqrt(s * s + c * c);
    let sinBeta2 = s / norm;
    let cosBeta2 = Math.max(TINY, c / norm);
    if (sinBeta1 === 0) sinBeta1 = 0; // no negative zero
    // |β1| = |β2| to rounding: make it so exactly, in the coordinate that is the less sensitive.
    if (cosBeta1 < -sinBeta1) {
      if (cosBeta2 === cosBeta1) sinBeta2 = sinBeta2 < 0 ? sinBeta1 : -sinBeta1;
    } else if (Math.abs(sinBeta2) === -sinBeta1) {
      cosBeta2 = cosBeta1;
    }
    this.#sinBeta1 = sinBeta1;
    this.#cosBeta1 = cosBeta1;
    this.#sinBeta2 = sinBeta2;
    this.#cosBeta2 = cosBeta2;
    this.#stretch1 = Math.sqrt(1 + SECOND_ECCENTRICITY_SQUARED * sinBeta1 * sinBeta1);
    this.#stretch2 = Math.sqrt(1 + SECOND_ECCENTRICITY_SQUARED * sinBeta2 * sinBeta2);
  }

  /** Both ends on one meridian; on an oblate ellipsoid it is always the shortest line. */
  #solveMeridian(): void {
    this.#sinAlpha1 = this.#sinLambda;
    this.#cosAlpha1 = this.#cosLambda;
    this.#sinAlpha2 = 0;
    this.#cosAlpha2 = 1;
    this.#sinSigma1 = this.#sinBeta1;
    this.#cosSigma1 = this.#cosAlpha1 * this.#cosBeta1;
    this.#sinSigma2 = this.#sinBeta2;
    this.#cosSigma2 = this.#cosBeta2;
    this.#setSigma();
    this.#epsilon = THIRD_FLATTENING;
    this.#measure();
    this.meters = this.#sigma < 3 * TINY || this.#length < 0 ? 0 : this.#length * SEMI_MINOR_AXIS_METERS;
  }

  /** Newton's method for the azimuth α1 that meets the longitude (§4), within a shrinking bracket. */
  #solveGeneral(lambda: number): void {
    const shortSigma = this.#start(lambda);
    if (shortSigma >= 0) {
      this.meters = shortSigma;
      return;
    }
    let sinLow = TINY;
    let cosLow = 1;
    let sinHigh = TINY;
    let cosHigh = -1;
    let nearlyThere = false;
    let bracketClosed = false;
    for (let iteration = 0; ; iteration++) {
      this.#shoot(iteration < NEWTON_STEPS);
      const v = this.#lambdaExcess;
      if (bracketClosed || !(Math.abs(v) >= (nearlyThere ? 8 : 1) * EPSILON) || iteration === ALL_STEPS)
        break;
      const s = this.#sinAlpha1;
      const c = this.#cosAlpha1;
      if (v > 0 && (iteration < NEWTON_STEPS || c / s > cosHigh / sinHigh)) {
        sinHigh = s;
        cosHigh = c;
      } else if (v < 0 && (iteration < NEWTON_STEPS || c / s < cosLow / sinLow)) {
        sinLow = s;
        cosLow = c;
      }
      if (iteration < NEWTON_STEPS && this.#lambdaSlope > 0) {
        const step = -v / this.#lambdaSlope;
        if (Math.abs(step) < Math.PI) {
          const sinStep = sin(step);
          const cosStep = cos(step);
          const next = s * cosStep + c * sinStep;
          if (next > 0) {
            this.#setAlpha1(next, c * cosStep - s * sinStep);
            nearlyThere = Math.abs(v) <= 16 * EPSILON;
            continue;
          }
        }
      }
      this.#setAlpha1((sinLow + sinHigh) / 2, (cosLow + cosHigh) / 2);
      nearlyThere = false;
      bracketClosed =
        Math.abs(sinLow - this.#sinAlpha1) + (cosLow - this.#cosAlpha1) < EPSILON ||
        Math.abs(this.#sinAlpha1 - sinHigh) + (this.#cosAlpha1 - cosHigh) < EPSILON;
    }
    this.#measure();
    this.meters = this.#length * SEMI_MINOR_AXIS_METERS;
  }

  /**
   * First guess of α1 (§5): a great circle, or near the antipode the astroid. Where the line is so
   * short that the great circle of a suitable sphere is exact, returns its length; else −1.
   */
  #start(lambda: number): number {
    const sinBeta1 = this.#sinBeta1;
    const cosBeta1 = this.#cosBeta1;
    const sinBeta2 = this.#sinBeta2;
    const cosBeta2 = this.#cosBeta2;
    const sinBetaGap = sinBeta2 * cosBeta1 - cosBeta2 * sinBeta1;
    const cosBetaGap = cosBeta2 * cosBeta1 + sinBeta2 * sinBeta1;
    const sinBetaSum = sinBeta2 * cosBeta1 + cosBeta2 * sinBeta1;
    const short = cosBetaGap >= 0 && sinBetaGap < 0.5 && cosBeta2 * lambda < 0.5;
    let sinOmega = this.#sinLambda;
    let cosOmega = this.#cosLambda;
    let stretch = 1;
    if (short) {
      const sinSum = sinBeta1 + sinBeta2;
      const cosSum = cosBeta1 + cosBeta2;
      const sinSquared = (sinSum * sinSum) / (sinSum * sinSum + cosSum * cosSum);
      stretch = Math.sqrt(1 + SECOND_ECCENTRICITY_SQUARED * sinSquared);
      const omega = lambda / ((1 - FLATTENING) * stretch);
      sinOmega = sin(omega);
      cosOmega = cos(omega);
    }
    let s = cosBeta2 * sinOmega;
    let c =
      cosOmega >= 0
        ? sinBetaGap + (cosBeta2 * sinBeta1 * (sinOmega * sinOmega)) / (1 + cosOmega)
        : sinBetaSum - (cosBeta2 * sinBeta1 * (sinOmega * sinOmega)) / (1 - cosOmega);
    const sinSigma = Math.sqrt(s * s + c * c);
    const cosSigma = sinBeta1 * sinBeta2 + cosBeta1 * cosBeta2 * cosOmega;
    if (short && sinSigma < SHORT_SIGMA) {
      const s2 = cosBeta1 * sinOmega;
      const c2 =
        sinBetaGap -
        cosBeta1 * sinBeta2 * (cosOmega >= 0 ? (sinOmega * sinOmega) / (1 + cosOmega) : 1 - cosOmega);
      const norm2 = Math.sqrt(s2 * s2 + c2 * c2);
      this.#sinAlpha2 = s2 / norm2;
      this.#cosAlpha2 = c2 / norm2;
      this.#setAlpha1(s, c);
      return atan2(sinSigma, cosSigma) * SEMI_MINOR_AXIS_METERS * stretch;
    }
    if (cosSigma < 0 && sinSigma < 6 * THIRD_FLATTENING * Math.PI * cosBeta1 * cosBeta1) {
      const lambdaBeyond = atan2(-this.#sinLambda, -this.#cosLambda); // λ − π
      const k2 = sinBeta1 * sinBeta1 * SECOND_ECCENTRICITY_SQUARED;
      const epsilon = k2 / (2 * (1 + Math.sqrt(1 + k2)) + k2);
      const lambdaScale = FLATTENING * cosBeta1 * a3Coefficient(epsilon) * Math.PI;
      const x = lambdaBeyond / lambdaScale;
      const y = sinBetaSum / (lambdaScale * cosBeta1);
      if (y > -200 * EPSILON && x > -1 - 1000 * SQRT_EPSILON) {
        s = Math.min(1, -x);
        c = -Math.sqrt(1 - s * s);
      } else {
        const k = solveAstroid(x, y);
        const omega = (lambdaScale * -x * k) / (1 + k);
        const so = sin(omega);
        s = cosBeta2 * so;
        c = sinBetaSum - (cosBeta2 * sinBeta1 * (so * so)) / (1 + cos(omega));
      }
    }
    if (s <= 0) this.#setAlpha1(1, 0);
    else this.#setAlpha1(s, c);
    return -1;
  }

  #setAlpha1(s: number, c: number): void {
    const norm = Math.sqrt(s * s + c * c);
    this.#sinAlpha1 = s / norm;
    this.#cosAlpha1 = c / norm;
  }

  /** Where the geodesic that leaves at α1 crosses the latitude of position 2 (hybrid problem, §4). */
  #shoot(withSlope: boolean): void {
    const sinBeta1 = this.#sinBeta1;
    const cosBeta1 = this.#cosBeta1;
    const sinBeta2 = this.#sinBeta2;
    const cosBeta2 = this.#cosBeta2;
    const sinAlpha1 = this.#sinAlpha1;
    // Leaving the equator due east would break the slope below.
    if (sinBeta1 === 0 && this.#cosAlpha1 === 0) this.#cosAlpha1 = -TINY;
    const cosAlpha1 = this.#cosAlpha1;
    const sinAlpha0 = sinAlpha1 * cosBeta1; // (5)
    const t = sinAlpha1 * sinBeta1;
    const cosAlpha0 = Math.sqrt(cosAlpha1 * cosAlpha1 + t * t);

    const sinOmega1 = sinAlpha0 * sinBeta1;
    const cosOmega1 = cosAlpha1 * cosBeta1;
    let norm = Math.sqrt(sinBeta1 * sinBeta1 + cosOmega1 * cosOmega1);
    this.#sinSigma1 = sinBeta1 / norm;
    this.#cosSigma1 = cosOmega1 / norm;

    this.#sinAlpha2 = cosBeta2 !== cosBeta1 ? sinAlpha0 / cosBeta2 : sinAlpha1;
    const u = cosAlpha1 * cosBeta1;
    this.#cosAlpha2 =
      cosBeta2 !== cosBeta1 || Math.abs(sinBeta2) !== -sinBeta1
        ? Math.sqrt(
            u * u +
              (cosBeta1 < -sinBeta1
                ? (cosBeta2 - cosBeta1) * (cosBeta1 + cosBeta2)
                : (sinBeta1 - sinBeta2) * (sinBeta1 + sinBeta2)),
          ) / cosBeta2 // (45)
        : Math.abs(cosAlpha1);
    const sinOmega2 = sinAlpha0 * sinBeta2;
    const cosOmega2 = this.#cosAlpha2 * cosBeta2;
    norm = Math.sqrt(sinBeta2 * sinBeta2 + cosOmega2 * cosOmega2);
    this.#sinSigma2 = sinBeta2 / norm;
    this.#cosSigma2 = cosOmega2 / norm;
    this.#setSigma();

    const sinOmega = Math.max(0, cosOmega1 * sinOmega2 - sinOmega1 * cosOmega2);
    const cosOmega = cosOmega1 * cosOmega2 + sinOmega1 * sinOmega2;
    const eta = atan2(
      sinOmega * this.#cosLambda - cosOmega * this.#sinLambda,
      cosOmega * this.#cosLambda + sinOmega * this.#sinLambda,
    );
    const k2 = cosAlpha0 * cosAlpha0 * SECOND_ECCENTRICITY_SQUARED; // (9)
    const epsilon = k2 / (2 * (1 + Math.sqrt(1 + k2)) + k2); // (16)
    this.#epsilon = epsilon;
    const c31 = c3Coefficient1(epsilon);
    const c32 = c3Coefficient2(epsilon);
    const c33 = c3Coefficient3(epsilon);
    const c34 = c3Coefficient4(epsilon);
    const c35 = c3Coefficient5(epsilon);
    const b3 =
      sumSineSeries(this.#sinSigma2, this.#cosSigma2, c31, c32, c33, c34, c35, 0) -
      sumSineSeries(this.#sinSigma1, this.#cosSigma1, c31, c32, c33, c34, c35, 0);
    this.#lambdaExcess = eta - FLATTENING * a3Coefficient(epsilon) * sinAlpha0 * (this.#sigma + b3); // (8), (23)
    if (!withSlope) return;
    if (this.#cosAlpha2 === 0) {
      this.#lambdaSlope = (-2 * (1 - FLATTENING) * this.#stretch1) / sinBeta1;
    } else {
      this.#measure();
      this.#lambdaSlope = (this.#reducedLength * (1 - FLATTENING)) / (this.#cosAlpha2 * cosBeta2); // (46)
    }
  }

  /** σ12 from the ends, 0 to π. */
  #setSigma(): void {
    this.#sigma = atan2(
      Math.max(0, this.#cosSigma1 * this.#sinSigma2 - this.#sinSigma1 * this.#cosSigma2),
      this.#cosSigma1 * this.#cosSigma2 + this.#sinSigma1 * this.#sinSigma2,
    );
  }

  /** Length (7) and reduced length (38), in units of b. */
  #measure(): void {
    const e = this.#epsilon;
    const e2 = e * e;
    const e3 = e * e2;
    const e4 = e2 * e2;
    const e5 = e3 * e2;
    const e6 = e3 * e3;
    const sinSigma1 = this.#sinSigma1;
    const cosSigma1 = this.#cosSigma1;
    const sinSigma2 = this.#sinSigma2;
    const cosSigma2 = this.#cosSigma2;
    const A1 = a1Coefficient(e);
    const c11 = c1Coefficient1(e);
    const c12 = c1Coefficient2(e);
    const c13 = c1Coefficient3(e);
    const c14 = c1Coefficient4(e);
    const c15 = c1Coefficient5(e);
    const c16 = c1Coefficient6(e);
    const b1 =
      sumSineSeries(sinSigma2, cosSigma2, c11, c12, c13, c14, c15, c16) -
      sumSineSeries(sinSigma1, cosSigma1, c11, c12, c13, c14, c15, c16);
    // (42)
    const a2 = 1 + ((e2 * (-192 + e2 * (-28 - 11 * e2))) / 256 - e) / (1 + e);
    // (43)
    const c21 = (e * (16 + e2 * (2 + e2))) / 32;
    const c22 = (e2 * (384 + e2 * (64 + 35 * e2))) / 2048;
    const c23 = (e3 * (80 + 15 * e2)) / 768;
    const c24 = (e4 * (35 + 7 * e2)) / 512;
    const c25 = (63 * e5) / 1280;
    const c26 = (77 * e6) / 2048;
    const b2 =
      sumSineSeries(sinSigma2, cosSigma2, c21, c22, c23, c24, c25, c26) -
      sumSineSeries(sinSigma1, cosSigma1, c21, c22, c23, c24, c25, c26);
    this.#length = A1 * (this.#sigma + b1);
    const j = (A1 - a2) * this.#sigma + (A1 * b1 - a2 * b2); // (40)
    this.#reducedLength =
      this.#stretch2 * (cosSigma1 * sinSigma2) -
      this.#stretch1 * (sinSigma1 * cosSigma2) -
      cosSigma1 * cosSigma2 * j;
  }
}

const EPSILON: number = Number.EPSILON;
const SQRT_EPSILON: number = Math.sqrt(EPSILON);
const NEWTON_STEPS = 20;
const ALL_STEPS: number = NEWTON_STEPS + 63;
/** Arc below which the great circle is exact to rounding: 0.1 √ε / √(f/2) with f no less than 0.001. */
const SHORT_SIGMA: number = (0.1 * SQRT_EPSILON) / Math.sqrt((FLATTENING * (1 - FLATTENING / 2)) / 2);

/** The positive root of k⁴ + 2k³ − (x² + y² − 1)k² − 2y²k − y² = 0 (55), solved without cancellation. */
function solveAstroid(x: number, y: number): number {
  const p = x * x;
  const q = y * y;
  const r = (p + q - 1) / 6;
  if (q === 0 && r <= 0) return 0;
  const s = (p * q) / 4;
  const r2 = r * r;
  const r3 = r * r2;
  const discriminant = s * (s + 2 * r3);
  let u = r;
  if (discriminant >= 0) {
    let t3 = s + r3;
    t3 += t3 < 0 ? -Math.sqrt(discriminant) : Math.sqrt(discriminant);
    const t = cubeRoot(t3);
    u += t + (t !== 0 ? r2 / t : 0);
  } else {
    const angle = atan2(Math.sqrt(-discriminant), -(s + r3));
    u += 2 * r * cos(angle / 3);
  }
  const v = Math.sqrt(u * u + q);
  const uv = u < 0 ? q / (v - u) : u + v;
  const w = (uv - q) / (2 * v);
  return uv / (Math.sqrt(uv + w * w) + w);
}

/** Good to a few ulp, which suffices for the first guess it goes into. */
function cubeRoot(x: number): number {
  const a = Math.abs(x);
  if (a === 0) return 0;
  // a = m·8ⁿ with m between ⅛ and 1; Halley's method triples the digits each time.
  let scale = 1;
  let m = a;
  while (m < 0.125) {
    m *= 8;
    scale /= 2;
  }
  while (m >= 1) {
    m /= 8;
    scale *= 2;
  }
  let root = 0.45 + 0.57 * m;
  for (let i = 0; i < 4; i++) {
    const cube = root * root * root;
    root *= (cube + 2 * m) / (2 * cube + m);
  }
  return x < 0 ? -root * scale : root * scale;
}

/** x modulo 360, −180 to 180. */
function wrapTo180(x: number): number {
  const r = x % 360;
  return r < -180 ? r + 360 : r > 180 ? r - 360 : r;
}

/** Drops what is below 2⁻⁵⁷ of a degree (0.7 picometres), so that nothing near 0 is singular. */
function coarsenNearZero(degrees: number): number {
  const a = Math.abs(degrees);
  if (a >= 0.0625) return degrees;
  const coarse = 0.0625 - (0.0625 - a);
  return degrees < 0 ? -coarse : coarse;
}

/** For latitudes: ±90, reduced exactly to ±45. */
function sinDegrees(degrees: number): number {
  if (degrees > 45) return cos((90 - degrees) * RADIANS_PER_DEGREE);
  if (degrees < -45) return -cos((90 + degrees) * RADIANS_PER_DEGREE);
  return sin(degrees * RADIANS_PER_DEGREE);
}

function cosDegrees(degrees: number): number {
  if (degrees > 45) return sin((90 - degrees) * RADIANS_PER_DEGREE);
  if (degrees < -45) return sin((90 + degrees) * RADIANS_PER_DEGREE);
  return cos(degrees * RADIANS_PER_DEGREE);
}
