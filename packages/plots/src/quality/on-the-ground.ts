/** Metres of a degree of latitude, in the mean; a length is off by half a percent at most. */
const METERS_PER_DEGREE = 111_195;

const RADIANS_PER_DEGREE = Math.PI / 180;

/** The way from one position to another near it, `[east, north]` in metres. */
export function computeOffsetMeters(
  longitude: number,
  latitude: number,
  toLongitude: number,
  toLatitude: number,
): [number, number] {
  const middle = ((latitude + toLatitude) / 2) * RADIANS_PER_DEGREE;
  return [
    METERS_PER_DEGREE * Math.cos(middle) * (toLongitude - longitude),
    METERS_PER_DEGREE * (toLatitude - latitude),
  ];
}

/** Metres between two positions on a sphere of the earth's mean radius, however far from each other. */
export function computeDistanceMeters(
  [fromLongitude, fromLatitude]: readonly [number, number],
  [toLongitude, toLatitude]: readonly [number, number],
): number {
  const half = (degrees: number): number => Math.sin((degrees * RADIANS_PER_DEGREE) / 2);
  const [alongMeridian, alongParallel] = [half(toLatitude - fromLatitude), half(toLongitude - fromLongitude)];
  const cosines = Math.cos(fromLatitude * RADIANS_PER_DEGREE) * Math.cos(toLatitude * RADIANS_PER_DEGREE);
  const haversine = alongMeridian * alongMeridian + cosines * alongParallel * alongParallel;
  return ((2 * METERS_PER_DEGREE) / RADIANS_PER_DEGREE) * Math.asin(Math.sqrt(Math.min(1, haversine)));
}
