import { ECCENTRICITY_SQUARED, FLATTENING } from "./wgs84.ts";

/*
 * The series of geodesics on the WGS 84 ellipsoid, in powers of ε up to the sixth (C. F. F. Karney,
 * Algorithms for geodesics, J. Geodesy 87 (2013), 43–55, whose equation numbers are given).
 */

export const SECOND_ECCENTRICITY_SQUARED: number =
  ECCENTRICITY_SQUARED / ((1 - FLATTENING) * (1 - FLATTENING));
export const THIRD_FLATTENING: number = FLATTENING / (2 - FLATTENING);
/** A cosine that is not quite 0. */
export const TINY = 1.4916681462400413e-154;

const n = THIRD_FLATTENING;

/** A1 (17). */
export function a1Coefficient(e: number): number {
  const e2 = e * e;
  return 1 + ((e2 * (64 + e2 * (4 + e2))) / 256 + e) / (1 - e);
}

/** C1 (18), the coefficients of sin 2lσ for l = 1 to 6. */
export function c1Coefficient1(e: number): number {
  const e2 = e * e;
  return (e * (-16 + e2 * (6 - e2))) / 32;
}
export function c1Coefficient2(e: number): number {
  const e2 = e * e;
  return (e2 * (-128 + e2 * (64 - 9 * e2))) / 2048;
}
export function c1Coefficient3(e: number): number {
  const e2 = e * e;
  return (e * e2 * (-16 + 9 * e2)) / 768;
}
export function c1Coefficient4(e: number): number {
  const e2 = e * e;
  return (e2 * e2 * (-5 + 3 * e2)) / 512;
}
export function c1Coefficient5(e: number): number {
  const e2 = e * e;
  return (-7 * (e * e2 * e2)) / 1280;
}
export function c1Coefficient6(e: number): number {
  const e3 = e * (e * e);
  return (-7 * (e3 * e3)) / 2048;
}

/** C1' (21), which turns (18) round. */
export function c1RevertedCoefficient1(e: number): number {
  const e2 = e * e;
  return (e * (768 + e2 * (-432 + 205 * e2))) / 1536;
}
export function c1RevertedCoefficient2(e: number): number {
  const e2 = e * e;
  return (e2 * (3840 + e2 * (-4736 + 4005 * e2))) / 12288;
}
export function c1RevertedCoefficient3(e: number): number {
  const e2 = e * e;
  return (e * e2 * (116 - 225 * e2)) / 384;
}
export function c1RevertedCoefficient4(e: number): number {
  const e2 = e * e;
  return (e2 * e2 * (2695 - 7173 * e2)) / 7680;
}
export function c1RevertedCoefficient5(e: number): number {
  const e2 = e * e;
  return (3467 * (e * e2 * e2)) / 7680;
}
export function c1RevertedCoefficient6(e: number): number {
  const e3 = e * (e * e);
  return (38081 * (e3 * e3)) / 61440;
}

/** A3 (24). */
export function a3Coefficient(e: number): number {
  return 1 + e * (A31 + e * (A32 + e * (A33 + e * (A34 + e * A35))));
}
const A31: number = (-1 + n) / 2;
const A32: number = (-2 + n * (-1 + n * 3)) / 8;
const A33: number = (-1 + n * (-3 - n)) / 16;
const A34: number = (-3 - n * 2) / 64;
const A35: number = -3 / 128;

/** C3 (25), the coefficients of sin 2lσ for l = 1 to 5. */
export function c3Coefficient1(e: number): number {
  return e * (C311 + e * (C312 + e * (C313 + e * (C314 + e * C315))));
}
export function c3Coefficient2(e: number): number {
  return e * e * (C322 + e * (C323 + e * (C324 + e * C325)));
}
export function c3Coefficient3(e: number): number {
  return e * e * e * (C333 + e * (C334 + e * C335));
}
export function c3Coefficient4(e: number): number {
  return e * e * e * e * (C344 + e * C345);
}
export function c3Coefficient5(e: number): number {
  return e * e * e * e * e * C355;
}
const C311: number = (1 - n) / 4;
const C312: number = (1 - n * n) / 8;
const C313: number = (3 + n * (3 - n)) / 64;
const C314: number = (5 + n * 2) / 128;
const C315: number = 3 / 128;
const C322: number = (2 + n * (-3 + n)) / 32;
const C323: number = (3 + n * (-2 - n * 3)) / 64;
const C324: number = (3 + n) / 128;
const C325: number = 5 / 256;
const C333: number = (5 + n * (-9 + n * 5)) / 192;
const C334: number = (9 - n * 10) / 384;
const C335: number = 7 / 512;
const C344: number = (7 - n * 14) / 512;
const C345: number = 7 / 512;
const C355: number = 21 / 2560;

/** c1 sin 2x + c2 sin 4x + … + c6 sin 12x by Clenshaw's recurrence. */
export function sumSineSeries(
  sinX: number,
  cosX: number,
  c1: number,
  c2: number,
  c3: number,
  c4: number,
  c5: number,
  c6: number,
): number {
  const twice = 2 * (cosX - sinX) * (cosX + sinX);
  const y5 = twice * c6 + c5;
  const y4 = twice * y5 - c6 + c4;
  const y3 = twice * y4 - y5 + c3;
  const y2 = twice * y3 - y4 + c2;
  const y1 = twice * y2 - y3 + c1;
  return 2 * sinX * cosX * y1;
}
