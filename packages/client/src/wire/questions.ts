import type {
  GeometryInput,
  Meta,
  MultiPolygonGeometry,
  OverlapGeometry,
  Properties,
  Scheme,
} from "./shared.ts";
import type { AreaOverlap, NamedArea, SourceOutcome } from "./verdict.ts";

interface AreaFilter {
  /** ISO 3166-1 alpha-3; only areas of this country. */
  readonly reference_areas_country_iso3?: string | undefined;
  /** Only this source, or the members of this group. */
  readonly reference_areas_source?: string | undefined;
  /** The caller's own name for the request, at most 128 characters; echoed. */
  readonly reference_id?: string | undefined;
}

/** An area that an answer is about. */
export interface AreaMatch extends NamedArea {
  readonly properties: Properties;
}

/** Body of `POST /v1/intersections`. */
export interface IntersectionsBody extends AreaFilter {
  readonly input: { readonly geometry: GeometryInput; readonly crs?: string | undefined };
}

/** Query of `POST /v1/intersections`. */
export interface IntersectionsQuery {
  /** Which geometry each feature carries; the service's default is `overlap`. */
  readonly geometry?: "overlap" | "area" | "none" | undefined;
}

/** Answer of `POST /v1/intersections`: one feature an area that shares a point with the input. */
export interface IntersectionsResponse {
  readonly type: "FeatureCollection";
  readonly features: readonly IntersectionFeature[];
  readonly sources: readonly SourceOutcome[];
  readonly reference_id: string | null;
  readonly meta: Meta;
}

/** A match as a GeoJSON feature. */
export interface IntersectionFeature {
  readonly type: "Feature";
  /** Null with `geometry=none`, where input and area only touch, and where `geometry_status` says why. */
  readonly geometry: OverlapGeometry | null;
  readonly properties: IntersectionMatch;
}

/** An area that shares a point with the input. */
export interface IntersectionMatch extends AreaMatch, AreaOverlap {
  readonly geometry_status?: "too_complex";
}

/** Body of `POST /v1/distance`. */
export interface DistanceBody extends AreaFilter {
  readonly input: {
    readonly geometry: GeometryInput;
    readonly crs?: string | undefined;
    /** Inclusive, metres; default 0. */
    readonly min_distance_m?: number | undefined;
    /** Inclusive, metres. */
    readonly max_distance_m: number;
  };
}

/** An area within the distance asked for. */
export interface DistanceMatch extends AreaMatch {
  readonly distance_m: number;
}

/** Answer of `POST /v1/distance`, nearest first. */
export interface DistanceResponse {
  readonly data: {
    readonly matches: readonly DistanceMatch[];
    /** `failed`: a source could not be asked, so matches may be missing. */
    readonly distance_check: "ok" | "failed";
    readonly sources: readonly SourceOutcome[];
    readonly reference_id: string | null;
  };
  readonly meta: Meta;
  readonly errors: readonly never[];
}

/** The same answer as `application/geo+json`: one feature a match, with the whole area's geometry. */
export interface DistanceFeatures {
  readonly type: "FeatureCollection";
  readonly features: readonly DistanceFeature[];
  readonly distance_check: "ok" | "failed";
  readonly sources: readonly SourceOutcome[];
  readonly reference_id: string | null;
  readonly meta: Meta;
}

/** A match as a GeoJSON feature. */
export interface DistanceFeature {
  readonly type: "Feature";
  readonly geometry: MultiPolygonGeometry;
  readonly properties: DistanceMatch;
}

/** Body of `POST /v1/subjects`. */
export interface SubjectsBody {
  readonly input: { readonly scheme: Scheme };
  /** Only this register; otherwise all that are available. */
  readonly subject_source?: string | undefined;
  /** `equals` (default): the canonical values are equal. `ilike`: `%` matches any characters. */
  readonly match_op?: "equals" | "ilike" | undefined;
  /** The caller's own name for the request, at most 128 characters; echoed. */
  readonly reference_id?: string | undefined;
}

/** A record that the identifier names. */
export interface SubjectMatch {
  readonly source_name: string;
  readonly source_id: string;
  /** The register's own spelling. */
  readonly value: string;
  /** When the register was collected, else when its edition was built. */
  readonly indexed_at: string;
  readonly properties: Properties;
}

/** Answer of `POST /v1/subjects`. Empty `matches` mean no match. */
export interface SubjectsResponse {
  readonly data: {
    readonly matches: readonly SubjectMatch[];
    /** `failed`: a register could not be asked, so matches may be missing. */
    readonly subject_check: "ok" | "failed";
    readonly sources: readonly SourceOutcome[];
    readonly reference_id: string | null;
    /** There were more matches than an answer holds. */
    readonly truncated?: true;
  };
  readonly meta: Meta;
  readonly errors: readonly never[];
}
