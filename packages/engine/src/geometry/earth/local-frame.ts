import { cos, RADIANS_PER_DEGREE, sin } from "./elementary.ts";
import { ECCENTRICITY_SQUARED, SEMI_MAJOR_AXIS_METERS } from "./wgs84.ts";

/**
 * Straight-line coordinates around a centre on the WGS 84 ellipsoid: metres east, north and up in
 * the plane that touches it there. Distances between placed positions are chords through the earth.
 *
 * Within about 300 km positions are placed by polynomials, with an error bound that grows with the
 * radius; beyond, by sines and cosines.
 */
export class LocalFrame {
  /** No placed position within the radius is farther than this from its true place, metres. */
  errorMeters = 0;

  #lon = 0;
  #lat = 0;
  #sinLat = 0;
  #cosLat = 1;
  #p = 0;
  #z = 0;
  #near: boolean = true;
  // The meridian ellipse as north(t) and up(t), t radians of latitude from the centre.
  #n1 = 0;
  #n2 = 0;
  #n3 = 0;
  #n4 = 0;
  #n5 = 0;
  #u2 = 0;
  #u3 = 0;
  #u4 = 0;
  #u5 = 0;

  /** Sets centre and radius: no position will be placed farther off than these spans (all in degrees). */
  set(lon: number, lat: number, lonRadius: number, latRadius: number): void {
    const phi = lat * RADIANS_PER_DEGREE;
    const s = sin(phi);
    const c = cos(phi);
    const w2 = 1 - ECCENTRICITY_SQUARED * s * s;
    const normal = SEMI_MAJOR_AXIS_METERS / Math.sqrt(w2);
    this.#lon = lon;
    this.#lat = lat;
    this.#sinLat = s;
    this.#cosLat = c;
    this.#p = normal * c;
    this.#z = normal * (1 - ECCENTRICITY_SQUARED) * s;

    // Radius of the meridian M(φ) and its first two derivatives; north = ∫ M cos t, up = −∫ M sin t.
    const m0 = (normal * (1 - ECCENTRICITY_SQUARED)) / w2;
    const q = (ECCENTRICITY_SQUARED * s * c) / w2;
    const m1 = 3 * m0 * q;
    const m2 = 3 * m0 * ((ECCENTRICITY_SQUARED * (c * c - s * s)) / w2 + 5 * q * q);
    this.#n1 = m0;
    this.#n2 = m1 / 2;
    this.#n3 = (m2 - m0) / 6;
    this.#n4 = -m1 / 8;
    this.#n5 = (m0 - 6 * m2) / 120;
    this.#u2 = -m0 / 2;
    this.#u3 = -m1 / 3;
    this.#u4 = (m0 - 3 * m2) / 24;
    this.#u5 = m1 / 30;

    const t = latRadius * RADIANS_PER_DEGREE;
    const l = lonRadius * RADIANS_PER_DEGREE;
    this.#near = t <= 0.05 && l <= 0.15;
    this.errorMeters = this.#near
      ? 1e-8 + 12_000 * t * t * t * t + 1_300 * (l * l * l) * (l * l * l) * l
      : 2e-8;
  }

  /** Writes east, north and up of a position (degrees) at `out[at…at + 2]`. */
  place(lon: number, lat: number, out: Float64Array, at: number): void {
    const l = (lon - this.#lon) * RADIANS_PER_DEGREE;
    let north: number;
    let up: number;
    let sinLon: number;
    let versine: number;
    if (this.#near) {
      const t = (lat - this.#lat) * RADIANS_PER_DEGREE;
      north = t * (this.#n1 + t * (this.#n2 + t * (this.#n3 + t * (this.#n4 + t * this.#n5))));
      up = t * t * (this.#u2 + t * (this.#u3 + t * (this.#u4 + t * this.#u5)));
      const l2 = l * l;
      sinLon = l * (1 - l2 * (1 / 6 - l2 / 120));
      versine = l2 * (1 / 2 - l2 * (1 / 24 - l2 / 720));
    } else {
      const phi = lat * RADIANS_PER_DEGREE;
      const s = sin(phi);
      const normal = SEMI_MAJOR_AXIS_METERS / Math.sqrt(1 - ECCENTRICITY_SQUARED * s * s);
      const dp = normal * cos(phi) - this.#p;
      const dz = normal * (1 - ECCENTRICITY_SQUARED) * s - this.#z;
      north = dz * this.#cosLat - dp * this.#sinLat;
      up = dz * this.#sinLat + dp * this.#cosLat;
      const half = sin(l / 2);
      sinLon = sin(l);
      versine = 2 * half * half;
    }
    // p2, the distance from the axis, and what turning by l takes off it.
    const p2 = this.#p + up * this.#cosLat - north * this.#sinLat;
    const off = p2 * versine;
    out[at] = p2 * sinLon;
    out[at + 1] = north + off * this.#sinLat;
    out[at + 2] = up - off * this.#cosLat;
  }
}
