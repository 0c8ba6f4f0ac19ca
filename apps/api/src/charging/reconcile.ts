import type { Store, Violation } from "../store/port/port.ts";
import { StoreError } from "../store/port/store-error.ts";

/**
 * Examines the ledgers and freezes those with a broken invariant: they charge nothing until a person has looked;
 * reading and replaying go on. Run with `all` at start, and with `open` every minute.
 */
export async function reconcileLedgers(
  store: Pick<Store, "findViolations" | "freeze">,
  extent: "open" | "all",
): Promise<readonly Violation[]> {
  const violations = await store.findViolations({ extent });
  await freezeViolatedLedgers(store, violations);
  return violations;
}

/** Freezes each ledger with a violation. */
export async function freezeViolatedLedgers(
  store: Pick<Store, "freeze">,
  violations: readonly Violation[],
): Promise<void> {
  const ledgers = new Map(
    violations.map((violation) => [`${violation.mode} ${violation.organization}`, violation]),
  );
  for (const { organization, mode, invariant, message } of ledgers.values()) {
    await store.freeze({ scope: { organization, mode }, reason: `${invariant}: ${message}` });
  }
}

export interface WatchPorts {
  readonly store: Pick<Store, "findViolations" | "freeze" | "sweep" | "noteServed">;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called with the violations of ledgers that were frozen. */
  readonly report: (violations: readonly Violation[]) => void;
  /** Called with errors that are not about the store, such as a bug of the examination. */
  readonly fail: (error: unknown) => void;
  readonly signal: AbortSignal;
}

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;

/**
 * Until `signal` aborts: examines everything once, then the open periods every minute; records every hour that the
 * store is in service; deletes old keys once a day. A failure of one task does not stop the others, and the task is
 * tried again next time.
 */
export async function watchLedgers({ store, sleep, report, fail, signal }: WatchPorts): Promise<void> {
  const attempt = async (task: () => Promise<unknown>): Promise<void> => {
    try {
      await task();
    } catch (error) {
      // An unavailable store is reported elsewhere.
      if (!(error instanceof StoreError)) fail(error);
    }
  };
  for (let minute = 0; !signal.aborted; minute++) {
    if (minute % MINUTES_AN_HOUR === 0) await attempt(() => store.noteServed({ ballast: 0 }));
    await attempt(async () => {
      const violations = await reconcileLedgers(store, minute === 0 ? "all" : "open");
      if (violations.length > 0) report(violations);
    });
    if (minute % MINUTES_A_DAY === 0) await attempt(() => store.sweep({}));
    await sleep(MINUTE_MS);
  }
}
