/** Every code a {@link RunError} can carry. Stable: programs match on it. */
export type RunErrorCode =
  | "FACT_UNKNOWN"
  | "OUTPUT_INVALID"
  | "OUTPUT_LOCKED"
  | "OUTPUT_UNWRITABLE"
  | "RUN_DIFFERS"
  | "RUN_UNFINISHED"
  | "SHARD_DAMAGED"
  | "SHARD_DIFFERS"
  | "SHARD_DUPLICATE"
  | "SHARD_MISSING";

/** Thrown if a run would evaluate no plot, or its output cannot be written, resumed or merged. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: RunErrorCode;

  constructor(code: RunErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Converts a system's refusal to write a file; returns any other error unchanged. */
export function toWriteError(error: unknown, path: string): unknown {
  const { syscall, code, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const why = REASONS.get(code ?? "") ?? message;
  return new RunError("OUTPUT_UNWRITABLE", `cannot write ${path}: ${why}`);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EDQUOT", "the quota of the disk is used up; free some space, and continue with --resume"],
  ["EIO", "the disk failed; only results up to the last entry of the journal count as written"],
  ["ENOENT", "its folder does not exist"],
  ["ENOSPC", "the disk is full; free some space, and continue with --resume"],
  ["EROFS", "the file system is read-only"],
]);
