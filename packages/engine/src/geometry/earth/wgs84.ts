/** The WGS 84 ellipsoid (NGA.STND.0036, 2014). The only home of these constants. */

/** Equatorial radius, metres. */
export const SEMI_MAJOR_AXIS_METERS = 6378137;
export const FLATTENING: number = 1 / 298.257223563;
/** Polar radius, metres. */
export const SEMI_MINOR_AXIS_METERS: number = SEMI_MAJOR_AXIS_METERS * (1 - FLATTENING);
/** First eccentricity squared. */
export const ECCENTRICITY_SQUARED: number = FLATTENING * (2 - FLATTENING);
