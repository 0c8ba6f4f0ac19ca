import { SyncError } from "../sync-error.ts";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** A server that requests a longer pause is left alone until the next run. */
const LONGEST_RETRY_AFTER_MS = 300_000;

/** How often, and by what, an action is repeated. */
export interface Patience {
  readonly retries: number;
  readonly signal: AbortSignal;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/**
 * Runs an action until it succeeds, fails for good, or was repeated as often as allowed. Pauses double from one
 * second to a minute, each shortened by chance to no less than half, so that many who failed together do not come back
 * together; a server's `Retry-After` of up to five minutes is waited for.
 */
export async function retryAction<T>(patience: Patience, action: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await action();
    } catch (error) {
      patience.signal.throwIfAborted();
      if (!(error instanceof SyncError) || error.repetition === undefined) throw error;
      const { afterMs = 0 } = error.repetition;
      if (failures >= patience.retries) throw addTrialCount(error, failures);
      if (afterMs > LONGEST_RETRY_AFTER_MS) throw withRetryAfter(error, afterMs);
      const ms = Math.max(afterMs, computePauseMs(failures, patience.random));
      await patience.sleep(ms, patience.signal).catch((interruption: unknown) => {
        patience.signal.throwIfAborted();
        throw interruption;
      });
    }
  }
}

function computePauseMs(failures: number, random: () => number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return longest * (0.5 + random() / 2);
}

function addTrialCount(error: SyncError, failures: number): SyncError {
  if (failures === 0) return error;
  const message = `${error.message}; tried ${failures + 1} times`;
  return new SyncError(error.code, message, { ...error.details, trials: failures + 1 });
}

function withRetryAfter(error: SyncError, afterMs: number): SyncError {
  const seconds = Math.ceil(afterMs / 1000);
  const message = `${error.message}; it asks to wait for ${seconds} s`;
  return new SyncError(error.code, message, { ...error.details, retry_after_s: seconds });
}
