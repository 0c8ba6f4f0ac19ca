/** A plot as it was read from a file: its geometry and properties unchecked. */
export interface PlotFeature {
  /** Its place among the plots of the file; the first is 1. */
  readonly number: number;
  /** What the file calls it; its number where it has no name. */
  readonly id: string | number;
  /** Line of the file, where each plot has one. */
  readonly line?: number | undefined;
  /** A GeoJSON geometry, unchecked; null or undefined where there is none. */
  readonly geometry: unknown;
  /** Its properties by name. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** CRS of the coordinates, `EPSG:n` or `OGC:CRS84`; absent: longitude and latitude on WGS 84. */
  readonly crs?: string | undefined;
}
