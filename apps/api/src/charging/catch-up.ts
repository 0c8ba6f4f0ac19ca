import type { Store } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";

/** Decisions indexed per transaction: few, so that charges wait for it no longer than for each other. */
const INDEX_BATCH = 200;
/** Decisions counted per transaction: more, since counting is quicker. */
const COUNT_BATCH = 1_000;
/** Pause between transactions, so that charges come first. */
const PAUSE_MS = 5;
const RETRY_MS = 10_000;
const AGAIN_MS = 60_000;

export interface CatchUpPorts {
  readonly store: Pick<Store, "countRoutes" | "indexDecisions" | "kind">;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called with errors that are not about the store. */
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Completes what an earlier release left undone in a store, in batches, until all is done or `signal` aborts: counts
 * decisions by route, and indexes them by ruleset and verdict. Retries a little later after a failure.
 *
 * With PostgreSQL an earlier release may still be charging, so uncounted decisions are looked for every minute.
 */
export async function completeEarlierReleaseWork(ports: CatchUpPorts): Promise<void> {
  const { store, sleep, signal } = ports;
  await runInBatches(ports, () => store.countRoutes({ limit: COUNT_BATCH }));
  await runInBatches(ports, () => store.indexDecisions({ limit: INDEX_BATCH }));
  while (store.kind === "postgres" && !signal.aborted) {
    await sleep(AGAIN_MS);
    await runInBatches(ports, () => store.countRoutes({ limit: COUNT_BATCH }));
  }
}

async function runInBatches(
  { sleep, fail, signal }: CatchUpPorts,
  runBatch: () => Promise<{ readonly done: boolean }>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if ((await runBatch()).done) return;
      await sleep(PAUSE_MS);
    } catch (error) {
      if (!(error instanceof StoreError)) fail(error);
      await sleep(RETRY_MS);
    }
  }
}
