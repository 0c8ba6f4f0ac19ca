import type { Store } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";

/** Decisions indexed per transaction: few, so that charges wait for it no longer than for each other. */
const INDEX_LOT = 200;
/** Decisions counted per transaction: more, since counting is quicker. */
const COUNT_LOT = 1_000;
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
export async function catchUp(ports: CatchUpPorts): Promise<void> {
  const { store, sleep, signal } = ports;
  await inLots(ports, () => store.countRoutes({ limit: COUNT_LOT }));
  await inLots(ports, () => store.indexDecisions({ limit: INDEX_LOT }));
  while (store.kind === "postgres" && !signal.aborted) {
    await sleep(AGAIN_MS);
    await inLots(ports, () => store.countRoutes({ limit: COUNT_LOT }));
  }
}

async function inLots(
  { sleep, fail, signal }: CatchUpPorts,
  makeLot: () => Promise<{ readonly done: boolean }>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if ((await makeLot()).done) return;
      await sleep(PAUSE_MS);
    } catch (error) {
      if (!(error instanceof StoreError)) fail(error);
      await sleep(RETRY_MS);
    }
  }
}
