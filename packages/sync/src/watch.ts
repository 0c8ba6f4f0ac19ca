import type { SourceFile } from "./download/source-files.ts";
import type { SyncOutcome } from "./outcome.ts";

const DAY_MS = 86_400_000;
const FIRST_PAUSE_MS = 5 * 60_000;

/** Options of a watch. */
export interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Reads the manifests, anew for each round: what is changed in them counts from the next one. */
  readonly read: () => readonly SourceFile[];
  /** Updates these sources. */
  readonly sync: (files: readonly SourceFile[]) => Promise<readonly SyncOutcome[]>;
  /** Least time between two looks at one source; absent: an hour. */
  readonly leastMs?: number | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Waits, and rejects with the signal's reason where that comes first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called where a round fails as a whole, after the first. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * Keeps sources fresh until the signal ends it: checks each at its `refresh_interval_days`, one without it every day.
 * One that failed is tried again after five minutes, then ten, and so on, up to its interval. Resolves when the signal
 * comes.
 *
 * Fails: as `read` and `sync` do at the first round; later ones are tried again.
 */
export async function watchSources(options: WatchOptions): Promise<void> {
  const { signal, now, sleep, leastMs = 3_600_000 } = options;
  const due = new Map<string, Due>();
  for (let round = 0; !signal.aborted; round++) {
    try {
      const files = options
        .read()
        .filter(({ path }) => (due.get(path)?.atMs ?? 0) <= now() || !due.has(path));
      const outcomes = files.length === 0 ? [] : await options.sync(files);
      for (const [i, file] of files.entries()) {
        due.set(file.path, computeNextLook(file, outcomes[i], due.get(file.path), now(), leastMs));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (round === 0) throw error;
      options.onFault?.(error);
    }
    const next = [...due.values()].map(({ atMs }) => atMs).reduce((a, b) => Math.min(a, b), now() + leastMs);
    const ms = Math.max(next - now(), 1000);
    await sleep(ms, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

interface Due {
  readonly atMs: number;
  readonly failures: number;
}

function computeNextLook(
  { source }: SourceFile,
  outcome: SyncOutcome | undefined,
  before: Due | undefined,
  nowMs: number,
  leastMs: number,
): Due {
  const intervalMs = Math.max((source?.manifest.refresh_interval_days ?? 1) * DAY_MS, leastMs);
  if (outcome?.outcome !== "failed") return { atMs: nowMs + intervalMs, failures: 0 };
  const failures = (before?.failures ?? 0) + 1;
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), intervalMs);
  return { atMs: nowMs + pauseMs, failures };
}
