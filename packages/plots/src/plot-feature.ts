/** A plot as it was read from a file: its geometry and properties unchecked. */
export interface PlotFeature {
  /** Its place among the plots of the file; the first is 1. */
  readonly number: number;
  /** Id of the plot in its file; its number if it has none. */
  readonly id: string | number;
  /** Why {@link id} is not what the file calls it: its column has no value here, or one that an earlier plot has. */
  readonly misnamed?: MisnamedPlot | undefined;
  /** Line of the file, where each plot has one. */
  readonly line?: number | undefined;
  /** A GeoJSON geometry, unchecked; null or undefined where there is none. */
  readonly geometry: unknown;
  /** Its properties by name. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** CRS of the coordinates, `EPSG:n` or `OGC:CRS84`; absent: longitude and latitude on WGS 84. */
  readonly crs?: string | undefined;
  /** True if its file's format prescribes clockwise outer rings, so that they are nothing to warn of. */
  readonly isClockwise?: boolean | undefined;
  /** A change of the geometry that reading the file made. */
  readonly notes?: readonly ReadNote[] | undefined;
}

/** Something that was made of a geometry as it was read. */
export interface ReadNote {
  readonly code: "READ_AS_BORDER" | "LABEL_DROPPED";
  /** The change, in words. */
  readonly message: string;
}

/** A plot that the column of ids does not identify. */
export interface MisnamedPlot {
  /** The column, or `id` of the features themselves. */
  readonly column: string;
  /** The value in the column; absent: none. */
  readonly value?: string | number;
  /** Number of the plot that has it before. */
  readonly first?: number;
}
