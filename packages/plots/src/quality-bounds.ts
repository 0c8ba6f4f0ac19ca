/** The bounds beyond which a plot is doubtful: of nothing that is wrong in itself. */
export interface Quality {
  /** Its name on the command line. */
  readonly name: "quality";
  /** Counts its changes: a bound or a finding that is new. `docs/semantics/plot-quality.md` lists them. */
  readonly version: number;
  /** A spike: two edges with a small angle between them, which are near each other all along the shorter. */
  readonly spike: {
    /** Degrees below which an angle is small. */
    readonly degrees: number;
    /** Fewest metres of each edge: shorter ones are the roughness of a border. */
    readonly leastMeters: number;
    /** Metres below which the edges are near each other at the end of the shorter: a wider wedge may be land. */
    readonly widthMeters: number;
  };
  /** Metres below which a segment is very short. */
  readonly segmentMeters: number;
  /** Hectares above which an outer ring of at most so many distinct vertices has few, by ascending count. */
  readonly vertices: readonly {
    /** Most vertices. */
    readonly most: number;
    /** Hectares. */
    readonly hectares: number;
  }[];
  /** A group of plots, and how far one may be from the middle of it. */
  readonly group: {
    /** Fewest plots of one producer that are a group. */
    readonly leastPlots: number;
    /** Metres within which no plot is far. */
    readonly meters: number;
    /** How many times the median distance within which no plot is far. */
    readonly medians: number;
  };
}

/** Bounds beyond which valid plots are doubtful. */
export const QUALITY: Quality = {
  name: "quality",
  version: 1,
  spike: { degrees: 3, leastMeters: 5, widthMeters: 2 },
  segmentMeters: 0.01,
  vertices: [
    { most: 3, hectares: 10 },
    { most: 4, hectares: 300 },
    { most: 7, hectares: 1000 },
  ],
  group: { leastPlots: 3, meters: 100_000, medians: 10 },
};
