import type { Store } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";

/** Decisions that are indexed in a transaction: few, so that charges wait for it no longer than for each other. */
const LOT = 200;
/** So that charges come first. */
const PAUSE_MS = 5;
const RETRY_MS = 10_000;

/**
 * Indexes decisions of an earlier release by ruleset and verdict, a lot at a time, until all are or `signal` aborts.
 * While the store is unavailable it waits.
 */
export async function indexOldDecisions({
  store,
  sleep,
  signal,
}: {
  readonly store: Pick<Store, "indexDecisions">;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}): Promise<void> {
  while (!signal.aborted) {
    try {
      const { done } = await store.indexDecisions({ limit: LOT });
      if (done) return;
      await sleep(PAUSE_MS);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await sleep(RETRY_MS);
    }
  }
}
