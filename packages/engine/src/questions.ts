import type { Kernel } from "./geometry/kernel/kernel.ts";
import type { CrsTable } from "./geometry/plot/crs.ts";
import type { Warning } from "./geometry/plot/plot.ts";
import type { Ruleset } from "./ruleset/schema.ts";
import type { SourceKind, SourceManifest } from "./snapshot/manifest.ts";
import type { Crc32 } from "./snapshot/snapshot.ts";
import type { TextDigest } from "./verdict/digest.ts";
import type { Evaluation, SourceOutcome } from "./verdict/verdict.ts";

/**
 * The bytes of a snapshot. They are used in place and must not change afterwards; only those that are part
 * of a larger buffer, as those of a small Node.js `Buffer` often are, and those of a resizable one are copied.
 */
export type SnapshotBytes = ArrayBuffer | SharedArrayBuffer | Uint8Array;

/**
 * A source handed to the engine: the bytes of its current edition, alone or with what else is known of
 * it; or, where there is none to open, its manifest and why.
 */
export type SourceInput = SnapshotBytes | StoredSource | FailedSource;

/**
 * An edition of a source. With `manifest`, bytes that do not open, or hold another source or edition
 * than the one named, make the source failed; without it they throw.
 */
export interface StoredSource {
  readonly bytes: SnapshotBytes;
  readonly manifest?: SourceManifest;
  /** Digest of the edition that the bytes should hold. */
  readonly edition?: string;
  /** Features or rows of the source that its build could not store, to be told in answers; absent: not known. */
  readonly leftOut?: number;
  /** When the edition was built, ISO 8601 UTC; absent: not known. */
  readonly builtAt?: string;
  /** What its build reported; the engine makes nothing of it. */
  readonly report?: object;
}

/** A source that cannot be asked. */
export interface FailedSource {
  readonly manifest: SourceManifest;
  /** Why it cannot be asked, as answers tell it. */
  readonly failed: string;
  /** Digest of the edition that could not be had, where one is known. */
  readonly edition?: string;
}

export interface EngineOptions {
  /** Group names to their members (source names); members may not be groups. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** What measures plots; by default the exact kernel. The other there is: `referenceKernel` of `@groundrule/reference`. */
  readonly kernel?: Kernel | undefined;
  /**
   * The CRSs that inputs may name besides longitude and latitude on WGS 84: `crsTable` of `@groundrule/crs`.
   * Without it every other name is `CRS_UNKNOWN`.
   */
  readonly crs?: CrsTable | undefined;
  /** The host's own, where it has a faster one; likewise for digests. */
  readonly crc32?: Crc32;
  readonly textDigest?: TextDigest;
}

/** One entry of the source catalog (interface §2.2). */
export interface SourceEntry {
  readonly source_name: string;
  /** Title of the data set; the source's name where its manifest says none. */
  readonly source_dataset: string;
  readonly source_url?: string;
  readonly category?: string;
  readonly license_spdx?: string;
  readonly kind: SourceKind | "group";
  readonly feature_count: number;
  readonly country_coverage?: readonly string[];
  readonly supported_schemes?: readonly string[];
  readonly collected_at_latest?: string;
}

/** A source that cannot be asked, and why. */
export interface SourceFailure {
  readonly source_name: string;
  readonly reason: string;
}

/** A GeoJSON geometry, or a Feature around one. Unchecked: the engine checks it. */
export type GeometryInput = unknown;

export interface SpatialOptions {
  /** CRS of the positions; absent: OGC:CRS84. */
  readonly crs?: string;
  /** Names of sources or groups; absent: all area sources. */
  readonly sources?: readonly string[];
  /** Only areas of this ISO 3166-1 alpha-3 country. */
  readonly countryIso3?: string;
  /** Instant of the question, ISO 8601 UTC; only for `age_days`. */
  readonly now?: string;
  /** Most areas an answer may hold; more is `RESULT_TOO_LARGE`. Default 10,000. */
  readonly maxResults?: number;
}

export interface IntersectionsOptions extends SpatialOptions {
  /** Which geometry each match carries. Default `none`. */
  readonly geometry?: "overlap" | "area" | "none";
}

export interface DistanceOptions extends SpatialOptions {
  /** Inclusive, metres. */
  readonly maxDistanceMeters: number;
  /** Inclusive, metres. Default 0. */
  readonly minDistanceMeters?: number;
  /** Which geometry each match carries. Default `none`. */
  readonly geometry?: "area" | "none";
}

export interface SubjectsOptions {
  /** Pin the look-up to one register. */
  readonly source?: string;
  readonly matchOp?: "equals" | "ilike";
  readonly now?: string;
}

/** A typed identifier. */
export interface Scheme {
  readonly type: string;
  readonly value: string;
}

/** A typed identifier of an evaluation's input, with the role its bearer plays. */
export interface RoleScheme extends Scheme {
  readonly role?: string;
}

/** Matches of a question, ordered by source name and id (distance: nearest first). */
export interface Answer<Match> {
  readonly matches: readonly Match[];
  readonly sources: readonly SourceOutcome[];
  readonly warnings: readonly Warning[];
  /** Set where more matched than the limit of a subject look-up. */
  readonly truncated?: true;
}

export interface EvaluationInput {
  readonly geometry?: GeometryInput;
  readonly crs?: string;
  readonly scheme?: RoleScheme | readonly RoleScheme[];
}

export interface EvaluateOptions {
  /** The instant of the evaluation, ISO 8601 UTC. */
  readonly now: string;
  /** Evidence items a check, 1 to 200. Default 20. The digest always covers 20. */
  readonly evidenceLimit?: number;
  /** Whether the evaluation carries the overlaps of its evidence, for maps. Default `none`. */
  readonly geometry?: "overlap" | "none";
}

/** A question as data, that `explain` takes. */
export type Question =
  | {
      readonly ask: "evaluate";
      /** JSON text or value. */
      readonly ruleset: unknown;
      readonly origin?: RulesetOrigin;
      readonly input: EvaluationInput;
    }
  | {
      readonly ask: "intersections";
      readonly geometry: GeometryInput;
      readonly options?: IntersectionsOptions;
    }
  | { readonly ask: "distance"; readonly geometry: GeometryInput; readonly options: DistanceOptions }
  | { readonly ask: "subjects"; readonly scheme: Scheme; readonly options?: SubjectsOptions };

/** Where in a catalog of rulesets a ruleset came from. */
export interface RulesetOrigin {
  readonly name: string;
  readonly version: number;
}

/**
 * A ruleset compiled on the sources of one engine, which it is evaluated on ever after: no other engine
 * can run it.
 */
export interface Policy {
  /** As it was compiled; a copy of its own. */
  readonly ruleset: Ruleset;
  /** SHA-256 of its sets and checks, every default written out. */
  readonly digest: string;
  readonly origin: RulesetOrigin | undefined;
  /** Names of the sources it asks to the editions it was compiled on; a failed source has none. */
  readonly editions: Readonly<Record<string, string>>;
  /**
   * Answers every check, or refuses. A failed source never throws: it degrades the verdict.
   *
   * Fails: `INPUT_INCOMPLETE` where a check needs a geometry or an identifier that the input lacks;
   * `SCHEME_UNSUPPORTED` where no register of a set holds an identifier's scheme; `GEOMETRY_INVALID`,
   * `GEOMETRY_TOO_COMPLEX`, `CRS_UNKNOWN`, `CRS_MISMATCH`; `VALIDATION_FAILED` for what is malformed.
   */
  evaluate(input: EvaluationInput, options: EvaluateOptions): Evaluation;
}
