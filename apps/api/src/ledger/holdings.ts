/**
 * What an organization has stored in one mode without having paid for it, by kind: another kind is another line here and
 * in {@link DEFAULT_HOLDING_LIMITS}, and a sum in `store/operations/charges/holdings.ts`.
 */
export type HoldingKind =
  /** Bytes of jobs: their uploads until they end, their lines and what tells a retry of them from then on. */
  | "job_bytes"
  /** Bytes of published rulesets, and of the answers that publications under a key are replayed with. */
  | "ruleset_bytes"
  /** Names under which rulesets are published. */
  | "ruleset_names"
  /** Versions of one name. */
  | "ruleset_versions";

/** Most of each kind. */
export type HoldingLimits = Readonly<Record<HoldingKind, number>>;

const MIB = 1024 * 1024;

export const DEFAULT_HOLDING_LIMITS: HoldingLimits = {
  job_bytes: 512 * MIB,
  ruleset_bytes: 64 * MIB,
  ruleset_names: 1_000,
  ruleset_versions: 1_000,
};

/** Why nothing more is stored. */
export interface HoldingExcess {
  readonly holding: HoldingKind;
  readonly held: number;
  /** How much more was to be stored. */
  readonly requested: number;
  readonly limit: number;
}

/** What a row counts for beside its texts, bytes: its numbers, digests and places in indexes. */
export const ROW_BYTES = { job: 1_024, plot: 128, ruleset: 512, publication: 512 } as const;

/**
 * Most bytes of what is told of a plot that has no verdict. As long as it may come to that, the plot counts for so many,
 * so that what is told later has its room.
 */
export const PLOT_LINE_BYTES = 4_096;
