/** How large a file's parts may be. */
export interface FormatLimits {
  /** Most bytes that a packed file (gzip, zip) may unpack to. */
  readonly unpackedBytes: number;
  /** Most times its packed size that a file may unpack to, once it has unpacked to {@link RATIO_FREE_BYTES}. */
  readonly ratio: number;
  /** Most bytes that one feature or row may have. */
  readonly featureBytes: number;
  /** Most arrays, objects and collections within each other. */
  readonly depth: number;
}

/** Up to so many bytes a file may unpack to whatever its packed size: zeros shrink a thousandfold. */
export const RATIO_FREE_BYTES: number = 1 << 30;

/**
 * The defaults: 64 GiB; 200 times, where official layers reach 30; 500 MB, just below the longest string of V8; and
 * 64 levels, where a MultiPolygon in GeoJSON needs six.
 */
export const FORMAT_LIMITS: FormatLimits = {
  unpackedBytes: 64 * 2 ** 30,
  ratio: 200,
  featureBytes: 500_000_000,
  depth: 64,
};

/**
 * Most parts and rings of one geometry that hold next to nothing: no position, or fewer than a line or a ring takes. Each
 * takes many times its bytes once it is read.
 */
export const MOST_TINY = 10_000;

/** The limits for a file: those in the options, else the defaults. */
export function resolveFormatLimits(options: {
  readonly limits?: Partial<FormatLimits> | undefined;
}): FormatLimits {
  return { ...FORMAT_LIMITS, ...options.limits };
}
