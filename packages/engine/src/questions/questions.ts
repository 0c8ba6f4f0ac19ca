import type { MeterListener } from "../base/work-meter.ts";
import type { Kernel } from "../geometry/kernel/kernel.ts";
import type { CrsTable } from "../geometry/plot/crs.ts";
import type { EvaluationInput, GeometryInput } from "../ruleset/compile/evaluation-input.ts";
import type { CompileOptions, RulesetInput, RulesetOrigin } from "../ruleset/compile/policy.ts";
import type { Crc32, Sha256 } from "../snapshot/snapshot.ts";
import type { CandidateReader, Provided } from "../sources/live-source.ts";
import type { SnapshotBytes } from "../sources/open-source.ts";
import type { SubjectsOptions } from "../subjects/look-up.ts";
import type { Scheme } from "../subjects/schemes.ts";
import type { TextDigest } from "../verdict/digest.ts";

/** How an engine names, measures and checks its sources. */
export interface EngineOptions {
  /** Group names to their members (source names); members may not be groups. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Kernel that measures plots; by default the exact one. The other is `referenceKernel` of `@groundrule/reference`.
   */
  readonly kernel?: Kernel | undefined;
  /**
   * The CRSs that inputs may name besides longitude and latitude on WGS 84: `crsTable` of `@groundrule/crs`.
   * Without it every other name is `CRS_UNKNOWN`.
   */
  readonly crs?: CrsTable | undefined;
  /**
   * The borders of the world's countries: what `bordersSnapshot` of `@groundrule/borders` gives, or that function
   * itself, which is called when an input first names a country. They are what an input's country is compared
   * with, and change no verdict.
   */
  readonly borders?: SnapshotBytes | (() => SnapshotBytes) | undefined;
  /**
   * Reader of the answers of live sources: `candidateAreas` of `@groundrule/engine/build`. Without it every live
   * source fails.
   */
  readonly candidates?: CandidateReader | undefined;
  /** The host's own, where it has a faster one; likewise for digests. */
  readonly crc32?: Crc32 | undefined;
  readonly textDigest?: TextDigest | undefined;
  /** Most bytes of tiles that the engine keeps of rasters that it reads by range. Default 64 MiB. */
  readonly tileBytes?: number | undefined;
  /**
   * For replays: each tile of a raster that is touched is checked against its digest, and `openSnapshot` with the same
   * option checks the digests against the edition. Without it a tile is checked against its checksum. The host's own.
   */
  readonly sha256?: (() => Sha256) | undefined;
  /** Receives the meter of each answer: a host that shares one machine among callers weighs them by it. */
  readonly onMeter?: MeterListener | undefined;
}

/** The options of every question about a plot. */
export interface SpatialOptions {
  /** CRS of the positions; absent: OGC:CRS84. */
  readonly crs?: string | undefined;
  /** Names of sources or groups; absent: all area sources. */
  readonly sources?: readonly string[] | undefined;
  /** Only areas of this ISO 3166-1 alpha-3 country. */
  readonly countryIso3?: string | undefined;
  /** Instant of the question, ISO 8601 UTC; only for `age_days`. */
  readonly now?: string | undefined;
  /** Most areas of an answer; more are refused with `RESULT_TOO_LARGE`. Default 10,000. */
  readonly maxResults?: number | undefined;
  /** Answers of live sources, by name; a source without an answer fails. See {@link Engine.liveNeeds}. */
  readonly provided?: Provided | undefined;
}

/** The options of a question for intersections. */
export interface IntersectionsOptions extends SpatialOptions {
  /** Which geometry each match carries. Default `none`. */
  readonly geometry?: "overlap" | "area" | "none" | undefined;
}

/** The options of a question for distances: how far from the plot areas may lie. */
export interface DistanceOptions extends SpatialOptions {
  /** Inclusive, metres. */
  readonly maxDistanceMeters: number;
  /** Inclusive, metres. Default 0. */
  readonly minDistanceMeters?: number | undefined;
  /** Which geometry each match carries. Default `none`. */
  readonly geometry?: "area" | "none" | undefined;
}

/** The options of a question that affect its queries to live sources; those of either question do. */
export interface LiveNeedsOptions extends SpatialOptions {
  /** For a question about distances: metres, inclusive. */
  readonly maxDistanceMeters?: number | undefined;
  /** Read by the question itself. */
  readonly minDistanceMeters?: number | undefined;
  /** Read by the question itself. */
  readonly geometry?: "overlap" | "area" | "none" | undefined;
}

/** A question as data, as `explainQuestion` accepts it. */
export type Question =
  | {
      readonly ask: "evaluate";
      /** JSON text or value. */
      readonly ruleset: RulesetInput;
      readonly origin?: RulesetOrigin | undefined;
      readonly input: EvaluationInput;
      readonly options?: CompileOptions | undefined;
    }
  | {
      readonly ask: "intersections";
      readonly geometry: GeometryInput;
      readonly options?: IntersectionsOptions | undefined;
    }
  | { readonly ask: "distance"; readonly geometry: GeometryInput; readonly options: DistanceOptions }
  | { readonly ask: "subjects"; readonly scheme: Scheme; readonly options?: SubjectsOptions | undefined };
