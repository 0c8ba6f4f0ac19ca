/** The middle of the map in degrees, and its zoom. */
export interface MapView {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}
