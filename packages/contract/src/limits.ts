import { MAX_DISTANCE_METERS, MAX_RESULTS } from "@groundrule/engine";

/** The service's limits on requests and answers; each is named in the error that reports it. */
export interface Limits {
  /** Maximum bytes of a request body. */
  readonly bodyBytes: number;
  /** Maximum depth of arrays and objects in a request body. */
  readonly jsonDepth: number;
  /** Maximum areas of an answer. */
  readonly resultAreas: number;
  /** Maximum bytes of an answer's body. */
  readonly resultBytes: number;
  /** Maximum `max_distance_m`, metres; the engine's own maximum equals the default. */
  readonly distanceMeters: number;
}

/** The default limits of a service. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  jsonDepth: 64,
  resultAreas: MAX_RESULTS,
  resultBytes: 32 * 1024 * 1024,
  distanceMeters: MAX_DISTANCE_METERS,
};

/** Maximum characters (code points) of a `reference_id`. */
export const REFERENCE_ID_MAX_LENGTH = 128;
/** The form of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_PATTERN: RegExp = /^[A-Za-z0-9_:.-]{8,128}$/;

/** Maximum evidence items per check. */
export const EVIDENCE_MAX = 200;
/** Default number of evidence items per check. */
export const EVIDENCE_DEFAULT = 20;
