/**
 * Kinds of data that an organization stores in one mode without paying for it. A new kind needs a line here and in
 * {@link DEFAULT_HOLDING_LIMITS}, and a sum in `store/operations/charges/holdings.ts`.
 */
export type HoldingKind =
  /** Bytes of jobs: their uploads until they end, then their result lines and the record that answers a retry. */
  | "job_bytes"
  /** Bytes of published rulesets, and of the stored answers to publications under an idempotency key. */
  | "ruleset_bytes"
  /** Number of names under which rulesets are published. */
  | "ruleset_names"
  /** Number of versions of one name. */
  | "ruleset_versions";

/** The maximum of each kind. */
export type HoldingLimits = Readonly<Record<HoldingKind, number>>;

const MIB = 1024 * 1024;

export const DEFAULT_HOLDING_LIMITS: HoldingLimits = {
  job_bytes: 512 * MIB,
  ruleset_bytes: 64 * MIB,
  ruleset_names: 1_000,
  ruleset_versions: 1_000,
};

/** The reason why nothing more can be stored. */
export interface HoldingExcess {
  readonly holding: HoldingKind;
  readonly held: number;
  /** The additional amount that was requested. */
  readonly requested: number;
  readonly limit: number;
}

/** Bytes that a row counts in addition to its texts: its numbers, digests and index entries. */
export const ROW_BYTES = { job: 1_024, plot: 128, ruleset: 512, publication: 512 } as const;

/**
 * Maximum bytes of the error line of a plot without a verdict. Until its outcome is known a plot counts for this many,
 * so that there is room for a later line.
 */
export const PLOT_LINE_BYTES = 4_096;
