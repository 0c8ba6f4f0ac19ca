import { MAX_DISTANCE_METERS, MAX_RESULTS } from "@groundrule/engine";

/** Bounds the service puts on requests and answers; each is named in the error that reports it. */
export interface Limits {
  /** Bytes of a request body. */
  readonly bodyBytes: number;
  /** Levels of arrays and objects in a request body. */
  readonly jsonDepth: number;
  /** Areas an answer may hold. */
  readonly resultAreas: number;
  /** Bytes of an answer's body. */
  readonly resultBytes: number;
  /** Greatest `max_distance_m`, metres; the engine itself goes no farther than the default. */
  readonly distanceMeters: number;
}

/** The bounds of a service that is not told others. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  jsonDepth: 64,
  resultAreas: MAX_RESULTS,
  resultBytes: 32 * 1024 * 1024,
  distanceMeters: MAX_DISTANCE_METERS,
};

/** Characters (code points) of a `reference_id`. */
export const REFERENCE_ID_MAX_LENGTH = 128;
/** What an `Idempotency-Key` looks like. */
export const IDEMPOTENCY_KEY_PATTERN: RegExp = /^[A-Za-z0-9_:.-]{8,128}$/;

/** Most evidence items a check can show. */
export const EVIDENCE_MAX = 200;
/** Evidence items a check shows unless the request says otherwise. */
export const EVIDENCE_DEFAULT = 20;
