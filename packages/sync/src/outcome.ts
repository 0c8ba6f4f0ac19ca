import type { GuardFinding, SourceChange } from "@groundrule/node";

/**
 * Kind of outcome that a sync has for one source.
 *
 * - `installed`: a new edition is current.
 * - `unchanged`: the publisher has nothing new, or the same areas again.
 * - `pinned`: the newest edition is stored, and an older one stays current until it is released.
 * - `refused`: the newest edition is stored, and guards kept it from becoming current.
 * - `connected`: a live source is in the catalog, and answered where it could be asked.
 * - `skipped`: the manifest has neither `fetch` nor `provider`.
 * - `failed`: there is no new edition; `reason` says why.
 *
 * Whatever happened, the edition that was current before is there.
 */
export type OutcomeKind =
  | "installed"
  | "unchanged"
  | "pinned"
  | "refused"
  | "connected"
  | "skipped"
  | "failed";

/** Why a source has no new current edition. */
export interface OutcomeReason {
  /** Stable, from `docs/errors.md`; of a guard, its name. */
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** Outcome of a sync for one source. */
export interface SyncOutcome {
  /** The name of the source; of a manifest that cannot be read, its path. */
  readonly source_name: string;
  /** Kind of the outcome. */
  readonly outcome: OutcomeKind;
  /** The edition that was built, or found unchanged. */
  readonly edition?: string | undefined;
  /** The areas or records of that edition. */
  readonly areas?: number | undefined;
  /** Features or rows that it leaves out. */
  readonly left_out?: number | undefined;
  /** Bytes that were downloaded, or read from a file on this machine to build. */
  readonly bytes?: number | undefined;
  /** Time it took, without the wait for other sources' builds; to the millisecond. */
  readonly seconds: number;
  readonly reasons?: readonly OutcomeReason[] | undefined;
  /** Changes about the source since its last edition; empty if there are none. */
  readonly changes?: readonly SourceChange[] | undefined;
}

/** Why guards kept an edition from becoming current; undefined where none did. */
export function listGuardReasons(findings: readonly GuardFinding[]): OutcomeReason[] | undefined {
  if (findings.length === 0) return undefined;
  return findings.map(({ guard, message, found, allowed }) => ({
    code: guard,
    message,
    details: { found, allowed },
  }));
}

/** Why a pinned source keeps its edition. */
export function createPinnedReason(edition: string): OutcomeReason {
  return {
    code: "pinned",
    message: `the source is pinned to ${edition.slice(0, 12)}`,
    details: { edition },
  };
}

/** Reason for the outcome of one source, from an error. Even a bug that one source meets must not stop the others. */
export function toReason(error: unknown): OutcomeReason {
  const { code, message, details } = error as { code?: unknown; message?: unknown; details?: unknown };
  if (typeof code === "string") {
    return { code, message: String(message), ...(details !== undefined && { details }) };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "INTERNAL_ERROR", message: `internal error, please report it: ${text}` };
}
