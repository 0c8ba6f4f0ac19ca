// What several requests and answers share, as it travels.

/** `[west, south, east, north]` in degrees. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** GeoJSON, right-hand winding. */
export interface MultiPolygonGeometry {
  readonly type: "MultiPolygon";
  readonly coordinates: readonly (readonly (readonly (readonly number[])[])[])[];
}

/** What an input and an area have in common: polygons of a polygon, the parts of a line, points of points. */
export type OverlapGeometry =
  | MultiPolygonGeometry
  | {
      /** A line of a line, points of points. */
      readonly type: "LineString" | "MultiPoint";
      readonly coordinates: readonly (readonly number[])[];
    }
  | {
      readonly type: "MultiLineString";
      readonly coordinates: readonly (readonly (readonly number[])[])[];
    }
  | { readonly type: "Point"; readonly coordinates: readonly number[] };

/** A plot of polygons as GeoJSON. */
export type PlotGeometry =
  | { readonly type: "Polygon"; readonly coordinates: number[][][] }
  | { readonly type: "MultiPolygon"; readonly coordinates: number[][][][] };

/** A GeoJSON geometry, or a Feature around one: those of `@types/geojson`, literals, parsed JSON. */
export type GeometryInput = object;

/** Values of a source's columns, by name. Dates are `YYYY-MM-DD`. */
export type Properties = Readonly<Record<string, string | number | boolean | null>>;

/** A typed identifier. */
export interface Scheme {
  /** What kind of identifier it is, e.g. `br:cnpj`. */
  readonly type: string;
  /** The identifier, in any spelling that its type allows. */
  readonly value: string;
}

/** A typed identifier of an evaluation's input, with the role its bearer plays. */
export interface RoleScheme extends Scheme {
  /** What its bearer is to the plot, e.g. `owner`. */
  readonly role?: string;
}

/** One fault of a request, with its place. */
export interface Fault {
  /** JSON pointer (RFC 6901) into the body; `?name` for a query parameter, empty for the whole body. */
  readonly pointer: string;
  /** Stable UPPER_SNAKE name of the kind of fault, e.g. `RING_NOT_CLOSED`. */
  readonly code: string;
  /** What was found and what was expected, in one sentence. */
  readonly message: string;
}

/** A harmless correction of the input, or a doubtful place in it. */
export interface Warning {
  /** JSON pointer into the request. */
  readonly pointer: string;
  /** Stable UPPER_SNAKE name, e.g. `REPEATED_POSITION`. */
  readonly code: string;
  readonly message: string;
}

/** Something about a ruleset that its author should look at. `error`: it does not compile. */
export interface LintFinding {
  /** Stable UPPER_SNAKE name; there are many, and more come. */
  readonly code: string;
  /** How much it matters. */
  readonly severity: "error" | "warning" | "info";
  /** JSON pointer into the ruleset. */
  readonly pointer: string;
  /** What was found, in one sentence. */
  readonly message: string;
  /** What to write instead, or where to look. */
  readonly hint?: string;
}

/** What travels beside an answer. */
export interface Meta {
  readonly request_id: string;
  /** Whether this request was counted against the quota. A replay says what its first answer said. */
  readonly charged: boolean;
  readonly engine_version: string;
  /** Corrections to the input, and doubtful places in it. */
  readonly warnings: readonly Warning[];
  /** With `lint=true`: what the ruleset most likely does not mean. Pointers lead into the ruleset. */
  readonly lint?: readonly LintFinding[];
}

/** Which part of a list is asked for. */
export interface PageQuery {
  /** From 1, the default. */
  readonly page?: number | undefined;
  /** 1 to 200; the service's default is 25. */
  readonly page_size?: number | undefined;
}

/** Where a page stands among all of them. */
export interface Pagination {
  /** From 1. */
  readonly page: number;
  readonly page_size: number;
  readonly total_count: number;
  readonly total_pages: number;
}
