import { atan2, cos, cosDegrees, RADIANS_PER_DEGREE, sin, sinDegrees } from "./elementary.ts";
import {
  a1Coefficient,
  a3Coefficient,
  c1Coefficient1,
  c1Coefficient2,
  c1Coefficient3,
  c1Coefficient4,
  c1Coefficient5,
  c1Coefficient6,
  c1RevertedCoefficient1,
  c1RevertedCoefficient2,
  c1RevertedCoefficient3,
  c1RevertedCoefficient4,
  c1RevertedCoefficient5,
  c1RevertedCoefficient6,
  c3Coefficient1,
  c3Coefficient2,
  c3Coefficient3,
  c3Coefficient4,
  c3Coefficient5,
  SECOND_ECCENTRICITY_SQUARED,
  sumSineSeries,
  TINY,
} from "./geodesic-series.ts";
import { FLATTENING, SEMI_MINOR_AXIS_METERS } from "./wgs84.ts";

/**
 * The direct geodesic problem on the WGS 84 ellipsoid: where a geodesic arrives that leaves a
 * position in a direction and runs a length. An instance is for one latitude of departure; it holds
 * the answer to its last question, so that asking allocates nothing.
 *
 * Error: < 15 nanometres (GeographicLib's, whose series these are).
 * Fails: never, for latitudes in ±90.
 * Source: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), 43–55, whose symbols and
 * equation numbers are used here.
 */
export class GeodesicDirect {
  /** Latitude of arrival, degrees. */
  latitude = 0;
  /** Longitude of arrival less that of departure, degrees: −180 to 180. */
  longitudeDifference = 0;
  // β reduced latitude, α azimuth, σ arc length, ω and λ longitudes (his Fig. 1).
  readonly #sinBeta1: number;
  readonly #cosBeta1: number;

  /** @param latitude of departure, degrees */
  constructor(latitude: number) {
    // tan β = (1 − f) tan φ (6)
    const scaled = (1 - FLATTENING) * sinDegrees(latitude);
    const cosPhi = cosDegrees(latitude);
    const norm = Math.sqrt(scaled * scaled + cosPhi * cosPhi);
    this.#sinBeta1 = scaled / norm;
    this.#cosBeta1 = Math.max(TINY, cosPhi / norm);
  }

  /**
   * @param sinAlpha1 sine of the direction, clockwise from north
   * @param cosAlpha1 its cosine
   * @param meters less than half round the earth
   */
  solve(sinAlpha1: number, cosAlpha1: number, meters: number): void {
    const sinBeta1 = this.#sinBeta1;
    const cosBeta1 = this.#cosBeta1;
    const sinAlpha0 = sinAlpha1 * cosBeta1; // (5)
    const t = sinAlpha1 * sinBeta1;
    const cosAlpha0 = Math.sqrt(cosAlpha1 * cosAlpha1 + t * t);

    // For a geodesic along the equator, σ counts from its start.
    const sinOmega1 = sinAlpha0 * sinBeta1;
    const cosOmega1 = sinBeta1 === 0 && cosAlpha1 === 0 ? 1 : cosAlpha1 * cosBeta1;
    const norm1 = Math.sqrt(sinBeta1 * sinBeta1 + cosOmega1 * cosOmega1);
    const sinSigma1 = sinBeta1 / norm1;
    const cosSigma1 = cosOmega1 / norm1;

    const k2 = cosAlpha0 * cosAlpha0 * SECOND_ECCENTRICITY_SQUARED; // (9)
    const e = k2 / (2 * (1 + Math.sqrt(1 + k2)) + k2); // (16)

    // From length to σ: τ = s / (b A1), then (20).
    const b1 = sumSineSeries(
      sinSigma1,
      cosSigma1,
      c1Coefficient1(e),
      c1Coefficient2(e),
      c1Coefficient3(e),
      c1Coefficient4(e),
      c1Coefficient5(e),
      c1Coefficient6(e),
    );
    const tau = meters / (SEMI_MINOR_AXIS_METERS * a1Coefficient(e));
    const sinB = sin(b1);
    const cosB = cos(b1);
    const sinTau = sin(tau);
    const cosTau = cos(tau);
    const sinTau1 = sinSigma1 * cosB + cosSigma1 * sinB;
    const cosTau1 = cosSigma1 * cosB - sinSigma1 * sinB;
    const sinTau2 = sinTau1 * cosTau + cosTau1 * sinTau;
    const cosTau2 = cosTau1 * cosTau - sinTau1 * sinTau;
    const sigma =
      tau +
      b1 +
      sumSineSeries(
        sinTau2,
        cosTau2,
        c1RevertedCoefficient1(e),
        c1RevertedCoefficient2(e),
        c1RevertedCoefficient3(e),
        c1RevertedCoefficient4(e),
        c1RevertedCoefficient5(e),
        c1RevertedCoefficient6(e),
      );
    const sinSigma = sin(sigma);
    const cosSigma = cos(sigma);
    const sinSigma2 = sinSigma1 * cosSigma + cosSigma1 * sinSigma;
    const cosSigma2 = cosSigma1 * cosSigma - sinSigma1 * sinSigma;

    const sinBeta2 = cosAlpha0 * sinSigma2;
    const across = cosAlpha0 * cosSigma2;
    const cosBeta2 = Math.sqrt(sinAlpha0 * sinAlpha0 + across * across);
    this.latitude = atan2(sinBeta2, (1 - FLATTENING) * cosBeta2) / RADIANS_PER_DEGREE;

    const sinOmega2 = sinAlpha0 * sinSigma2;
    const omega = atan2(
      sinOmega2 * cosOmega1 - cosSigma2 * sinOmega1,
      cosSigma2 * cosOmega1 + sinOmega2 * sinOmega1,
    );
    const c31 = c3Coefficient1(e);
    const c32 = c3Coefficient2(e);
    const c33 = c3Coefficient3(e);
    const c34 = c3Coefficient4(e);
    const c35 = c3Coefficient5(e);
    const b3 =
      sumSineSeries(sinSigma2, cosSigma2, c31, c32, c33, c34, c35, 0) -
      sumSineSeries(sinSigma1, cosSigma1, c31, c32, c33, c34, c35, 0);
    const lambda = omega - FLATTENING * a3Coefficient(e) * sinAlpha0 * (sigma + b3); // (8), (23)
    this.longitudeDifference = lambda / RADIANS_PER_DEGREE;
  }
}
