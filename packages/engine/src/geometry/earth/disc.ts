import { signedRingArea } from "./authalic.ts";
import { cosDegrees, sinDegrees } from "./elementary.ts";
import { GeodesicDirect } from "./geodesic-direct.ts";

/** Vertices of a disc, at directions of 5.625° from one to the next. */
export const DISC_VERTICES = 64;

/**
 * Largest difference in square metres between the area of a disc and the requested area: a tenth of the step in which
 * areas are printed. Rounded positions at ±540° leave an uncertainty of 0.0002 m² for the largest disc.
 */
const TOLERANCE_SQUARE_METERS = 0.001;

/**
 * The disc of an area around a position: a polygon of 64 vertices, each at the end of a geodesic of
 * one length from the centre, whose own area on the ellipsoid is as asked within 0.001 m². Its edges
 * are straight in longitude and latitude, like those of every input.
 *
 * @param longitude of the centre, degrees
 * @param latitude of the centre, degrees, −89 to 89
 * @param squareMeters 1 to 1e9
 * @returns flat `[lon, lat, …]`, 65 positions, the last equal to the first; counter-clockwise from
 *   the vertex due north. Longitudes run on past ±180.
 *
 * Fails: an area or a latitude out of range is a bug.
 */
export function buildDiscRing(longitude: number, latitude: number, squareMeters: number): Float64Array {
  // A disc of the greatest area is 18 km wide to each side, so none reaches a pole.
  if (!(Math.abs(latitude) <= 89 && squareMeters >= 1 && squareMeters <= 1e9)) {
    throw new Error(`no disc of ${squareMeters} m² at latitude ${latitude}`);
  }
  // On a sphere a circle of radius r has the area πr² (1 − r²/12R² + …).
  const planeSquared = squareMeters / UNIT_AREA;
  let radiusMeters = Math.sqrt(planeSquared * (1 + planeSquared / (12 * EARTH_RADIUS_SQUARED)));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ring = buildRingAtDistance(longitude, latitude, radiusMeters);
    const area = signedRingArea(ring);
    if (Math.abs(area - squareMeters) <= TOLERANCE_SQUARE_METERS) return ring;
    radiusMeters *= Math.sqrt(squareMeters / area);
  }
  throw new Error(`no radius gives the disc of ${squareMeters} m² at [${longitude}, ${latitude}]`);
}

/** Two suffice for the greatest area: each leaves less than 1e-5 of the error before. */
const ATTEMPTS = 8;

/** For a sphere about as large as the earth, in square metres; only the first attempt depends on it. */
const EARTH_RADIUS_SQUARED = 4.06e13;

/** Directions of the vertices from north to south; those on the other side mirror them. */
const DIRECTIONS: readonly (readonly [sine: number, cosine: number])[] = Array.from(
  { length: DISC_VERTICES / 2 + 1 },
  (_, k) => [sinDegrees((360 * k) / DISC_VERTICES), cosDegrees((360 * k) / DISC_VERTICES)],
);

/** Area of the plane polygon whose vertices lie on a circle of radius 1. */
const UNIT_AREA: number = (DISC_VERTICES / 2) * sinDegrees(360 / DISC_VERTICES);

/** The polygon whose vertices are so far from a position. */
function buildRingAtDistance(longitude: number, latitude: number, meters: number): Float64Array {
  const ring = new Float64Array(2 * DISC_VERTICES + 2);
  const direct = new GeodesicDirect(latitude);
  DIRECTIONS.forEach(([sine, cosine], k) => {
    direct.solve(sine, cosine, meters);
    const east = DISC_VERTICES - k;
    ring[2 * east] = longitude + direct.longitudeDifference;
    ring[2 * k] = longitude - direct.longitudeDifference;
    ring[2 * k + 1] = ring[2 * east + 1] = direct.latitude;
  });
  return ring;
}
