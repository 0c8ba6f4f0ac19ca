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
  /** Greatest `max_distance_m`, metres. */
  readonly distanceMeters: number;
}

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  jsonDepth: 64,
  resultAreas: 10_000,
  resultBytes: 32 * 1024 * 1024,
  distanceMeters: 1_000_000,
};

/** Characters (code points) of a `reference_id`. */
export const REFERENCE_ID_MAX_LENGTH = 128;
/** Evidence items a check: at most, and unless asked otherwise. */
export const EVIDENCE_MAX = 200;
export const EVIDENCE_DEFAULT = 20;
/** Problems name at most this many faults. */
export const FAULTS_MAX = 100;
